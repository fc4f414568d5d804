"""Random playouts of a Hex position: fill the empty cells at random and see who has connected.

In Hex the order of the moves does not matter for who wins a full board, so that a game played out at random is
nothing but a random fill with the right number of stones, and who won it is asked once.
"""

import random

from grader.games.hex.grid import HexGrid


def random_fill(empty: int, count: int, rng: random.Random) -> int:
    """`count` of the empty cells, every choice with the same chance."""
    # Each cell by a coin, again while that is far from the right number, then random cells the other way until it is
    # right. Nothing in this looks at which cells they are, so that none is preferred to another.
    width = empty.bit_length()
    for _ in range(8):
        chosen = rng.getrandbits(width) & empty if width else 0
        surplus = chosen.bit_count() - count
        if -3 < surplus < 3:
            break
    random = rng.random
    while surplus > 0:
        bit = 1 << int(random() * width)
        if chosen & bit:
            chosen ^= bit
            surplus -= 1
    left_out = empty & ~chosen
    while surplus < 0:
        bit = 1 << int(random() * width)
        if left_out & bit:
            left_out ^= bit
            surplus += 1
    return empty & ~left_out


def first_player_connects(grid: HexGrid, stones: int) -> bool:
    """Whether stones of player 1 connect left and right. On a full board, player 2 has won if not."""
    spread, right = grid.spread, grid.right
    reached = stones & grid.left
    while not reached & right:
        grown = spread(reached) & stones
        # An addition carries through a whole row of stones to the right at once.
        grown |= stones & ~(stones + grown)
        if grown == reached:
            return False
        reached = grown
    return True
