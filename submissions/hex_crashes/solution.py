"""A player with a mistake that shows only after some moves: it ends by `crash`."""

from board import HexBoard
from player import Player


class SmartPlayer(Player):
    def __init__(self, player_id: int):
        super().__init__(player_id)
        self.plan = [(0, 0), (1, 1)]

    def play(self, board: HexBoard) -> tuple[int, int]:
        while self.plan[0] not in board.get_possible_moves():
            self.plan.pop(0)
        return self.plan.pop(0)
