"""Case 8: calls itself forever."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return self.play(board)
