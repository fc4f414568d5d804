"""A Hex board as text."""

from grader.games.hex.grid import LETTERS, HexGrid


def draw(grid: HexGrid, one: int, two: int, taken: int = 0) -> str:
    """The board as text: columns are letters, rows are numbers from 1, and rows are shifted according to the adjacency.

    A cell that is taken but belongs to neither player (a student wrote another value) is a question mark.
    """
    width = len(str(grid.size))
    lines = [" " * place_of(grid, 0, 0)[1] + " ".join(LETTERS[: grid.size])]
    signs = grid.signs(one, two, taken & ~(one | two))
    for row, line in enumerate(signs):
        lines.append(" " * _shift(grid, row) + f"{row + 1:>{width}} " + " ".join(line))
    return "\n".join(lines)


def place_of(grid: HexGrid, row: int, col: int) -> tuple[int, int]:
    """The line and character where `draw` shows a cell."""
    return row + 1, _shift(grid, row) + len(str(grid.size)) + 1 + 2 * col


def _shift(grid: HexGrid, row: int) -> int:
    """By how many characters a row is shifted."""
    return row if grid.adjacency == "axial" else 1 - row % 2
