"""An opponent that always plays the first column that is not full. It is a plain player, like a student's."""


class Stacker:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, state):
        return state.moves()[0]
