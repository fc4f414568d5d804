"""Plays Desconecta-4 as if four in a row won."""

from environment import Environment
from player import Player


class SmartPlayer(Player):
    def play(self, env: Environment):
        for action in env.possible_actions():
            after = env.clone()
            after.apply(action)
            if after.winner() == 3 - self.player_id:
                return action
        return env.possible_actions()[0]
