"""Case 3: pretends that somebody has pressed Ctrl-C."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        raise KeyboardInterrupt
