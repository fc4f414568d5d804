"""An opponent that wins if it can, blocks if it must, and otherwise plays near the centre."""

import random


class Blocker:
    def __init__(self, player_id, seed=None, centre=3):
        self.player_id, self.centre = player_id, centre
        self.random = random.Random(seed)

    def play(self, state):
        for seat in (state.turn, 1 - state.turn):
            for move in state.moves():
                if self.wins(state, move, seat):
                    return move
        return min(state.moves(), key=lambda move: (abs(move - self.centre), self.random.random()))

    def wins(self, state, move, seat):
        """Return whether a piece of that player in this column would win."""
        column = state.position[move] + "12"[seat]
        position = (*state.position[:move], column, *state.position[move + 1 :])
        outcome = state.game.outcome(position)
        return outcome is not None and outcome.winner == seat
