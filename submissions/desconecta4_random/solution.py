"""A player that does anything it may."""

import random

from environment import Environment
from player import Player


class SmartPlayer(Player):
    def play(self, environment: Environment) -> int:
        return random.choice(environment.possible_actions())
