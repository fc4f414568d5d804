"""Case 45: a call into C that holds the interpreter lock and ignores signals."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return sum(range(10**10))
