"""Case 3: pretends that Ctrl-C was pressed."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        raise KeyboardInterrupt
