"""Lists of neighbours in a Hex player's code, as evidence of the neighbourhood that it uses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from grader.games.exam import PlayedCode, Step, StepList
from grader.games.hex.grid import hex_grid
from grader.games.hex.neighbourhoods import FOUR, NEIGHBOURS, SIX, spread_of

OTHER = "other"
"""Six neighbours that are none of the usual neighbourhoods."""
UNCLEAR = "unclear"
"""Code that seems to lead to neighbours, but cannot be read, or is not a whole neighbourhood."""

_Rows = tuple[frozenset[Step], frozenset[Step]]
"""The steps from even and from odd rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourTables:
    """The lists of neighbours that were found: where each is, by the name of the neighbourhood."""

    by_name: Mapping[str, Sequence[str]]

    def wrong_name(self, real: str) -> str | None:
        """The wrong neighbourhood of six cells that is in the code, if any; the usual ones count before an odd list."""
        return next((name for name in (*SIX, OTHER) if name != real and name in self.by_name), None)

    def support(self, real: str) -> bool:
        """Whether the code shows that it uses the right neighbourhood: it has that list, and nothing else that may be one."""
        return set(self.by_name) == {real}


def read_tables(code: PlayedCode) -> NeighbourTables:
    """The lists of neighbours in a player's code."""
    by_name: dict[str, dict[str, None]] = {}
    for steps in code.steps:
        by_name.setdefault(_neighbourhood(steps), {})[steps.where] = None
    return NeighbourTables(by_name={name: tuple(places) for name, places in by_name.items()})


def _neighbourhood(steps: StepList) -> str:
    """The name of the neighbourhood that a list describes, with rows or columns first."""
    rows, known = (steps.even, steps.odd), _neighbourhoods()
    swapped = tuple(frozenset((right, down) for down, right in half) for half in rows)
    found = next((name for read in (rows, swapped) for name in NEIGHBOURS if known[name] == read), None)
    if found is not None:
        return found
    straight = known[FOUR][0]
    is_six = all(len(half) == len(straight) + 2 and half >= straight for half in rows)
    # A list for even or for odd rows, of which the other was not found.
    is_half = steps.even == steps.odd and any(read[0] in known["even-r"] for read in (rows, swapped))
    return OTHER if is_six and not is_half else UNCLEAR


@cache
def _neighbourhoods() -> Mapping[str, _Rows]:
    """The steps of each neighbourhood, around a cell in the middle of a board."""
    grid = hex_grid(5, "axial")

    def steps(name: str, row: int) -> frozenset[Step]:
        cell = grid.bits[row][2]
        near = grid.list_cells(spread_of(name, grid.size)(cell) & grid.full & ~cell)
        return frozenset((other - row, col - 2) for other, col in near)

    return {name: (steps(name, 2), steps(name, 1)) for name in NEIGHBOURS}
