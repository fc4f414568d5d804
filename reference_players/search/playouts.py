"""Random playouts of a Hex position: fill the empty cells at random, and see who has connected.

The order of moves does not affect who wins on a full board, so a random game is the same as a random fill with the right
number of stones, and its winner is computed only once.
"""

import random

from grader.games.hex.grid import HexGrid


def random_fill(empty: int, count: int, rng: random.Random) -> int:
    """A random choice of `count` of the empty cells, all choices with equal probability."""
    # Choose each cell by a coin toss, and repeat while the number is far from the right one. Then flip random cells until it
    # is right. All cells are treated the same, so no choice is more probable than another.
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
    """Whether the stones of player 1 connect left and right. If not, player 2 has won on a full board."""
    spread, right = grid.spread, grid.right
    reached = stones & grid.left
    while not reached & right:
        grown = spread(reached) & stones
        # The carry of an addition passes through a whole run of stones to the right at once.
        grown |= stones & ~(stones + grown)
        if grown == reached:
            return False
        reached = grown
    return True
