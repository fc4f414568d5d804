"""The heuristics of the ultrapro document: priority of moves, territory, and patterns."""

from grader.games.hex.grid import each_bit
from reference_players.search.bridges import new_bridges, standing_bridges
from reference_players.search.geometry import HexGeometry, place

CENTRALITY = 5.0
PROGRESS = 2.0
NEIGHBOUR = 3.0
ALONG = 1.0
BRIDGE = 4.0
OPPOSED = 0.5
TERRITORY_STONE, TERRITORY_CENTRALITY, TERRITORY_NEIGHBOUR = 1.0, 0.5, 0.2


def priority(geometry: HexGeometry, mine: int, theirs: int, bit: int, player: int) -> float:
    """How promising a move is: near the middle across the player's direction, far along it, near own stones and bridges."""
    at = place(bit)
    near = geometry.neighbours[at]
    cell = geometry.cell(bit)
    across, along = (cell[0], cell[1]) if player == 1 else (cell[1], cell[0])
    step = 1 if player == 1 else geometry.grid.stride
    next_along = (bit << step | bit >> step) & near
    return (
        CENTRALITY * _centrality(geometry, across)
        + PROGRESS * along / max(1, geometry.grid.size - 1)
        + NEIGHBOUR * (near & mine).bit_count()
        + ALONG * (next_along & mine).bit_count()
        + BRIDGE * len(new_bridges(geometry, mine, mine | theirs, bit, player))
        - OPPOSED * (near & theirs).bit_count()
    )


def territory(geometry: HexGeometry, mine: int, player: int) -> float:
    """The territory value of a player's stones."""
    total = 0.0
    for bit in each_bit(mine):
        across = geometry.cell(bit)[player - 1]
        total += TERRITORY_STONE + TERRITORY_CENTRALITY * _centrality(geometry, across)
        total += TERRITORY_NEIGHBOUR * (geometry.neighbours[place(bit)] & mine).bit_count()
    return total


def patterns(geometry: HexGeometry, mine: int, theirs: int, player: int) -> int:
    """The number of bridges minus the number of isolated stones (without an own neighbour and without a bridge)."""
    isolated = sum(
        not geometry.neighbours[place(bit)] & mine and not new_bridges(geometry, mine, mine | theirs, bit, player)
        for bit in each_bit(mine)
    )
    return len(standing_bridges(geometry, mine, theirs, player)) - isolated


def _centrality(geometry: HexGeometry, coordinate: int) -> float:
    """1 in the middle (on even sizes, between two cells), and 0 at the edges."""
    middle = (geometry.grid.size - 1) / 2
    return 1 - abs(coordinate - middle) / (middle or 1)
