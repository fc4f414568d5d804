"""The bridges that stand on a board, kept up to date stone by stone.

A bridge is a connection that the opponent cannot cut with one move: of the two cells between, each player gets one.
"""

from grader.games.hex.grid import each_bit
from reference_players.search.geometry import HexGeometry, place

Pairs = tuple[int, ...]
"""The two cells between, for each bridge of one player."""


def standing_bridges(geometry: HexGeometry, mine: int, theirs: int, player: int) -> Pairs:
    """The bridges of a player between its stones and to its edges."""
    pairs: Pairs = ()
    placed = 0
    for bit in each_bit(mine):
        placed |= bit
        pairs += new_bridges(geometry, placed, mine | theirs, bit, player)
    return pairs


def new_bridges(geometry: HexGeometry, mine: int, taken: int, stone: int, player: int) -> Pairs:
    """The bridges that a stone makes, with others of the player's and with its edges."""
    at = place(stone)
    return tuple(
        [between for far, between in geometry.bridges[at] if far & mine and not between & taken]
        + [between for _, between in geometry.edge_bridges[player][at] if not between & taken]
    )


def remaining_bridges(pairs: Pairs, stone: int) -> Pairs:
    """The bridges that still stand after a stone of either player."""
    return tuple([pair for pair in pairs if not pair & stone])
