"""Find the bridges on a Hex board, and update them stone by stone.

A bridge is a connection that the opponent cannot cut with one move: each player gets one of the two cells in between.
"""

from grader.games.hex.grid import each_bit
from reference_players.search.geometry import HexGeometry, place

Pairs = tuple[int, ...]
"""For each bridge of one player, the set of its two cells in between."""


def standing_bridges(geometry: HexGeometry, mine: int, theirs: int, player: int) -> Pairs:
    """All bridges of a player, between its stones and to its edges."""
    pairs: Pairs = ()
    placed = 0
    for bit in each_bit(mine):
        placed |= bit
        pairs += new_bridges(geometry, placed, mine | theirs, bit, player)
    return pairs


def new_bridges(geometry: HexGeometry, mine: int, taken: int, stone: int, player: int) -> Pairs:
    """The bridges that a new stone forms with the player's other stones and its edges."""
    at = place(stone)
    return tuple(
        [between for far, between in geometry.bridges[at] if far & mine and not between & taken]
        + [between for _, between in geometry.edge_bridges[player][at] if not between & taken]
    )


def remaining_bridges(pairs: Pairs, stone: int) -> Pairs:
    """The bridges that remain after either player places a stone."""
    return tuple([pair for pair in pairs if not pair & stone])
