"""Does not check whether the column is full."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, environment):
        return 3
