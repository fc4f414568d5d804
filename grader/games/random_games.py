"""Play random games to estimate how long a game usually lasts."""

import random
from collections.abc import Iterator
from functools import cache
from statistics import median
from typing import Any

from grader.games.base import Game

RANDOM_GAMES = 20
"""Number of random games from which the usual length is estimated."""


def walk(game: Game, rng: random.Random) -> Iterator[tuple[Any, Any]]:
    """The moves of one random game, each with the position after it."""
    position, plies = game.start(), 0
    while game.outcome_after(position, plies) is None:
        moves = game.moves(position)
        move = moves[int(rng.random() * len(moves))]
        position = game.play(position, move)
        plies += 1
        yield move, position


@cache
def lengths(game: Game) -> tuple[float, float]:
    """The usual number of moves of a game, and the most to expect."""
    found = [sum(1 for _ in walk(game, random.Random(number))) for number in range(RANDOM_GAMES)]
    return float(median(found)), float(min(2 * max(found), game.max_plies))
