"""Lists of neighbours in a Hex player's code, as evidence of the neighbourhood that it uses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from grader.games.exam import PlayedCode, Step, StepList
from grader.games.hex.grid import hex_grid
from grader.games.hex.neighbourhoods import FOUR, NEIGHBOURS, SIX, spread_of

OTHER = "other"
"""Six neighbours that are none of the usual neighbourhoods."""
_ASKING = frozenset({"check_connection", "get_neighbors", "_neighbors", "neighbour", "winner"})
"""The members of the board with which a player needs no list of its own."""

_Rows = tuple[frozenset[Step], frozenset[Step]]
"""The steps from even and from odd rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourTables:
    """The lists of neighbours that were found: where each is, by the name of the neighbourhood."""

    by_name: Mapping[str, Sequence[str]]
    asks_board: bool

    def wrong_name(self, real: str) -> str | None:
        """The wrong neighbourhood that is in the code, if any; the usual ones count before an odd list."""
        return next((name for name in (*SIX, OTHER) if name != real and name in self.by_name), None)

    def support(self, real: str) -> bool:
        """Whether the code shows that it uses the right neighbourhood: by a list of its own, or by asking the board."""
        return self.wrong_name(real) is None and (real in self.by_name or self.asks_board)


def read_tables(code: PlayedCode) -> NeighbourTables:
    """The lists of neighbours in a player's code. Lists of four or eight cells are not counted: they have other uses, too."""
    by_name: dict[str, list[str]] = {}
    for steps in code.steps:
        if (name := _neighbourhood(steps)) is not None:
            by_name.setdefault(name, []).append(steps.where)
    return NeighbourTables(by_name=by_name, asks_board=bool(_ASKING & code.mentions))


def _neighbourhood(steps: StepList) -> str | None:
    """The name of the neighbourhood that a list describes, with rows or columns first; None if it is none of six cells."""
    rows, known = (steps.even, steps.odd), _neighbourhoods()
    swapped = tuple(frozenset((right, down) for down, right in half) for half in rows)
    found = next((name for read in (rows, swapped) for name in SIX if known[name] == read), None)
    if found is not None:
        return found
    straight = known[FOUR][0]
    if any(len(half) != len(straight) + 2 or not half >= straight for half in rows):
        return None
    # A list for even or for odd rows, of which the other was not found, shows nothing.
    is_half = steps.even == steps.odd and any(read[0] in known["even-r"] for read in (rows, swapped))
    return None if is_half else OTHER


@cache
def _neighbourhoods() -> Mapping[str, _Rows]:
    """The steps of each neighbourhood, around a cell in the middle of a board."""
    grid = hex_grid(5, "axial")

    def steps(name: str, row: int) -> frozenset[Step]:
        cell = grid.bits[row][2]
        near = grid.list_cells(spread_of(name, grid.size)(cell) & grid.full & ~cell)
        return frozenset((other - row, col - 2) for other, col in near)

    return {name: (steps(name, 2), steps(name, 1)) for name in NEIGHBOURS}
