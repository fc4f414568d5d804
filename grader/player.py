"""The base class of players, which a submission imports as `from player import Player`."""

from typing import Any


class Player:
    """A player. Write a class with these two methods; inheriting from this one is not required."""

    def __init__(self, player_id: int) -> None:
        self.player_id = player_id
        """1 if this player moves first, 2 if it moves second."""

    def play(self, board: Any) -> Any:
        """Return a move. `board` is what the game provides: its board, its environment, or a `State`."""
        raise NotImplementedError(f"{type(self).__name__} has no play(self, board) method: write one")
