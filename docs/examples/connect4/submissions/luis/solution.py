import random

from player import Player


class SmartPlayer(Player):
    def play(self, state):
        return random.choice(state.moves())
