"""Case 3: raises an exception that `except Exception` does not catch."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        raise BaseException("not an Exception")
