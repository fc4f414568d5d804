"""The values of a player's code that matter for lists of steps: numbers, cells and lists of them, by the parity of the row."""

from dataclasses import dataclass, replace

from grader.games.exam import Step

BOTH, EVEN, ODD = "both", "even", "odd"
_EVEN_WORDS, _ODD_WORDS = ("even", "par", "pares"), ("odd", "impar", "impares")


@dataclass(frozen=True, slots=True)
class Number:
    """A number on even and on odd rows, perhaps to be added to a variable."""

    even: int
    odd: int
    base: str = ""
    """The variable, e.g. `row` in `row - 1`."""

    def only(self, parity: str, other: "CodeValue") -> "CodeValue":
        """The same number on rows of that parity, and the other on the rest."""
        rest = other if isinstance(other, Number) and other.base == self.base else self
        return Number(self.even if parity == EVEN else rest.even, self.odd if parity == ODD else rest.odd, self.base)


@dataclass(frozen=True, slots=True)
class Scalars:
    """A list of plain numbers."""

    items: tuple[Number, ...]
    line: int
    origin: tuple[int, int]

    def zipped(self, other: "Scalars") -> "CodeValue":
        """The steps that two lists of the same length make."""
        if len(self.items) != len(other.items) or any(item.base for item in (*self.items, *other.items)):
            return None
        pairs = list(zip(self.items, other.items, strict=True))
        even, odd = ({(a.even, b.even) for a, b in pairs}, {(a.odd, b.odd) for a, b in pairs})
        return Cells(frozenset(even), frozenset(odd), frozenset({self.origin, other.origin}), self.line)


@dataclass(frozen=True, slots=True)
class Cells:
    """A list of steps, or a single one."""

    even: frozenset[Step] = frozenset()
    odd: frozenset[Step] = frozenset()
    origins: frozenset[tuple[int, int]] = frozenset()
    """The expressions that it comes from, by line and column."""
    line: int = 0
    is_cell: bool = False
    """It is a single step, not a list."""
    is_relative: bool = False
    """It is written as cells, `(r - 1, c)`, not as steps."""

    @property
    def is_half(self) -> bool:
        """It is only for even or only for odd rows."""
        return not self.even or not self.odd

    def are_adjacent(self) -> bool:
        """Whether every step leads to one of the eight cells around."""
        return all(abs(down) <= 1 and abs(right) <= 1 for down, right in self.even | self.odd)


@dataclass(frozen=True, slots=True)
class Tables:
    """Several lists of steps, by key or position."""

    tables: tuple[Cells, ...]
    keys: tuple[object, ...]

    def by_parity(self) -> "CodeValue":
        """The two lists as one, if their keys say which is for even rows; by position, the first is."""
        even, odd = self.select(0), self.select(1)
        return join(restrict(even, EVEN), restrict(odd, ODD)) if even and odd and len(self.tables) == 2 else None

    def select(self, parity: int) -> Cells | None:
        """The list for even (0) or odd (1) rows."""
        words = (_EVEN_WORDS, _ODD_WORDS)[parity]
        for key, table in zip(self.keys, self.tables, strict=True):
            if (isinstance(key, int) and key == parity) or (isinstance(key, str) and key.lower() in words):
                return table
        return None


CodeValue = Number | Scalars | Cells | Tables | None
"""None for anything that is not known."""


def join(one: Cells, other: Cells) -> Cells:
    """The steps of both."""
    return replace(
        one,
        even=one.even | other.even,
        odd=one.odd | other.odd,
        origins=one.origins | other.origins,
        line=one.line or other.line,
        is_cell=False,
        is_relative=one.is_relative or other.is_relative,
    )


def restrict(cells: Cells, parity: str) -> Cells:
    """The steps on rows of that parity only."""
    if parity == EVEN:
        return replace(cells, odd=frozenset())
    return replace(cells, even=frozenset()) if parity == ODD else cells


def cell(down: Number, right: Number, origin: tuple[int, int]) -> Cells | None:
    """Two numbers as a step: both plain, or both added to different variables."""
    if bool(down.base) != bool(right.base) or (down.base and down.base == right.base):
        return None
    even, odd = (down.even, right.even), (down.odd, right.odd)
    return Cells(
        frozenset({even} - {(0, 0)}),
        frozenset({odd} - {(0, 0)}),
        frozenset({origin}),
        line=origin[0],
        is_cell=True,
        is_relative=bool(down.base),
    )
