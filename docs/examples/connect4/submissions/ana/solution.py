from player import Player


class SmartPlayer(Player):
    """Wins if it can, and otherwise plays the last column that is not full."""

    def play(self, state):
        for move in state.moves():
            outcome = state.after(move).outcome()
            if outcome is not None and outcome.winner == self.player_id - 1:
                return move
        return state.moves()[-1]
