"""A player that avoids four in line where it can, and otherwise does anything."""

import random

from environment import Environment
from player import Player


class SmartPlayer(Player):
    def play(self, environment: Environment) -> int:
        actions = environment.possible_actions()
        safe = [
            action
            for action, after in zip(actions, environment.generate_all_moves())
            if after.winner() != 3 - self.player_id
        ]
        return random.choice(safe or actions)
