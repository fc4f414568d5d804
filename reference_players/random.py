"""Plays any legal move, each as likely as the others, in both games."""

import random
from typing import Any

from grader.player import Player


class RandomPlayer(Player):
    """The lowest rung: whoever loses to it does not know the rules."""

    def __init__(self, player_id: int, *, seed: int | None = None, opening: int = 0) -> None:
        super().__init__(player_id)
        self._rng = random.Random(0 if seed is None else seed)

    def play(self, board: Any) -> Any:
        """Choose."""
        moves = board.get_possible_moves() if hasattr(board, "get_possible_moves") else board.possible_actions()
        return moves[int(self._rng.random() * len(moves))]
