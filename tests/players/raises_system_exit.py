"""Case 3: raises SystemExit in the middle of a move."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        raise SystemExit(0)
