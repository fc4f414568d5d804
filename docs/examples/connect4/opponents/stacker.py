"""An opponent that always plays the first column that has room: a plain player, as a student would write it."""


class Stacker:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, state):
        return state.moves()[0]
