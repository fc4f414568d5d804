"""The geometry of a Hex board, as bits of one Python integer.

The cell (row, col) is bit `row * (size + 1) + col`. The extra column at the end of each row stays zero, so that a shift
by one never moves a stone to the next row. A few shifts find the neighbours of a whole set of stones, and a flood fill
of such steps finds a connection.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import compress

ADJACENCIES = ("axial", "even-r")
MAX_SIZE = 26
LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""The names of the columns."""

Spread = Callable[[int], int]
"""Takes a set of stones, and adds every cell next to one of them (and perhaps bits outside the board)."""

_TRUTH = bytes(digit == ord("1") for digit in range(256))
_SIGN = str.maketrans("0", ".")
_DIGIT = bytes(digit - ord("0") if ord("0") <= digit <= ord("9") else 0 for digit in range(256))


class HexGrid:
    """Everything about a board that depends only on its size and adjacency. Get one from `hex_grid`."""

    def __init__(self, size: int, adjacency: str) -> None:
        self.size = size
        self.adjacency = adjacency
        self.stride = size + 1
        self.cells = tuple((row, col) for row in range(size) for col in range(size))
        """All cells, row by row."""
        self.bits = tuple(tuple(1 << row * self.stride + col for col in range(size)) for row in range(size))
        """`bits[row][col]` is the bit of that cell. A table, because `1 << numpy.int64(90)` overflows."""
        self.places = tuple(tuple((row, col) for col in range(size)) for row in range(size))
        """`places[row][col]` is that cell as a pair of Python's own integers."""
        self.full = sum(sum(row) for row in self.bits)
        self.left = sum(row[0] for row in self.bits)
        self.right = sum(row[-1] for row in self.bits)
        self.top = sum(self.bits[0])
        self.bottom = sum(self.bits[-1])
        self.spread = _axial(self.stride) if adjacency == "axial" else shifted_rows(self.stride, *self.alternate_rows())
        self._every_bit = tuple((row, col) for row in range(size) for col in range(self.stride))
        self._width = size * self.stride
        self.empty_rows = self.rows(0, 0)
        """The result of `rows` for an empty board. Shared, so never modify it."""

    def __repr__(self) -> str:
        return f"HexGrid({self.size}, {self.adjacency!r})"

    def __reduce__(self) -> tuple[Callable[[int, str], "HexGrid"], tuple[int, str]]:
        return hex_grid, (self.size, self.adjacency)

    def alternate_rows(self) -> tuple[int, int]:
        """The cells of the even rows, and those of the odd ones."""
        return sum(map(sum, self.bits[::2])), sum(map(sum, self.bits[1::2]))

    def sides(self, player: int) -> tuple[int, int]:
        """The two sides that a player connects: 1 left and right, 2 top and bottom."""
        return (self.left, self.right) if player == 1 else (self.top, self.bottom)

    def connects(self, stones: int, player: int) -> bool:
        """Whether `stones` connect the two sides of `player`."""
        start, goal = self.sides(player)
        reached = stones & start
        if not reached or not stones & goal:
            return False
        spread = self.spread
        while not reached & goal:
            further = spread(reached) & stones
            if further == reached:
                return False
            reached = further
        return True

    def list_cells(self, bits: int) -> list[tuple[int, int]]:
        """The cells of a set, row by row."""
        return list(compress(self._every_bit, f"{bits:0{self._width}b}"[::-1].encode().translate(_TRUTH)))

    def list_few_cells(self, bits: int) -> list[tuple[int, int]]:
        """The same as `list_cells`, for a set of one or two cells."""
        return [divmod(bit.bit_length() - 1, self.stride) for bit in each_bit(bits)]

    def rows(self, one: int, two: int) -> list[list[int]]:
        """The cells as a list of lists: 1 and 2 for the players' stones, 0 for empty cells."""
        # Reading the binary digits as hexadecimal ones gives each cell its own digit, so that the two numbers can be added.
        digits = f"{int(f'{one:b}', 16) + 2 * int(f'{two:b}', 16):0{self._width}x}"
        cells = digits[::-1].encode().translate(_DIGIT)
        return [list(cells[at : at + self.size]) for at in range(0, self._width, self.stride)]

    def signs(self, one: int, two: int, other: int = 0) -> list[str]:
        """The rows as text: `1` and `2` for the players' stones, `.` for an empty cell, `?` for anything else."""
        if one & two or other:
            return [
                "".join("1" if one & bit else "2" if two & bit else "?" if other & bit else "." for bit in row)
                for row in self.bits
            ]
        digits = f"{int(f'{one:b}', 16) + 2 * int(f'{two:b}', 16):0{self._width}x}"[::-1].translate(_SIGN)
        return [digits[at : at + self.size] for at in range(0, self._width, self.stride)]


def each_bit(bits: int) -> Iterator[int]:
    """The single bits of a set, lowest first: row by row."""
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit


@cache
def hex_grid(size: int, adjacency: str) -> HexGrid:
    """The shared grid of that size and adjacency."""
    return HexGrid(size, adjacency)


def _axial(stride: int) -> Spread:
    def spread(stones: int) -> int:
        west = stones | stones >> 1
        east = stones | stones << 1
        return west | east | west << stride | east >> stride

    return spread


def shifted_rows(stride: int, shifted: int, straight: int) -> Spread:
    """The neighbours on a board where every second row (`shifted`) is half a cell to the right of the others."""

    def spread(stones: int) -> int:
        # From a shifted row, the cells above and below are this column and the next.
        both = stones | (stones & shifted) << 1 | (stones & straight) >> 1
        return stones << 1 | stones >> 1 | both | both << stride | both >> stride

    return spread
