"""Plays each legal move with equal probability.

The weakest opponent: a player that does not beat it has not understood the rules.
"""

from typing import Any

from grader.games import State
from grader.player import Player
from reference_players.search.variety import Variety

SECONDS = 0.0


class AnyGameRandomPlayer(Player):
    """Plays at random, differently for each seed, opening and ply."""

    def __init__(self, player_id: int, *, seed: int | None = None, opening: int = 0) -> None:
        super().__init__(player_id)
        self._variety = Variety(seed, opening)
        self._ply = 0

    def play(self, state: State) -> Any:
        moves = state.moves()
        self._ply += 1
        if self._ply == 1 and self._variety.seed is not None:
            return self._variety.pick(moves)  # so that openings differ as long as there are enough first moves
        return moves[int(self._variety.generator(self._ply).random() * len(moves))]
