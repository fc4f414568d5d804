"""My Desconecta-4 BOOM player.

This file works as it is: `python solution.py` lets the player below play a game against itself.
Improve `play`, then submit this file.

Members of the environment (see environment.py):

    environment.possible_actions()      the legal actions: 0 to 6 drop a piece into that column, 7 is BOOM
    environment.apply(action)           plays an action in this environment
    environment.clone()                 an independent copy, for trying actions
    environment.generate_all_moves()    the environment after each legal action
    environment.winner()                1 or 2 if that player has won, otherwise 0
    environment.is_over()               whether the game is over; without a winner, it is a draw
    environment.see_cell(row, col)      0 (empty), 1 or 2 (a piece), 4 or 5 (the bomb of 1 or 2); row 0 is the bottom
    environment.cells                   all 49 cells, row 0 first
    environment.free_cells              the number of empty cells
    environment.active_player           the player to move, 1 or 2
    environment.round                   1, 2, 3...; in every fifth round, a dropped piece is a bomb
    environment.has_bomb(player)        whether that player has a bomb on the board
    environment.last_action(player)     that player's last action, or None
"""

import random

from environment import Environment
from player import Player


class SmartPlayer(Player):
    """Plays at random, but avoids actions that lose at once."""

    def __init__(self, player_id):
        super().__init__(player_id)  # 1 moves first, 2 moves second
        self.opponent_id = 3 - player_id

    def play(self, environment):
        """Return a legal action. The environment is a copy: changing it does not affect the game."""
        actions = environment.possible_actions()
        safe = []
        for action in actions:
            after = environment.clone()
            after.apply(action)
            if after.winner() != self.opponent_id:
                safe.append(action)
        return random.choice(safe or actions)


def play_a_game():
    """Let the player play against itself, and print every board."""
    environment = Environment()
    players = {1: SmartPlayer(1), 2: SmartPlayer(2)}
    while not environment.is_over() and environment.round <= 100:
        player = players[environment.active_player]
        action = player.play(environment.clone())
        environment.apply(action)
        name = "BOOM" if action == 7 else f"PUT{action + 1}"
        print(f"Player {player.player_id} plays {action} = {name}\n{environment}\n")
    print(f"Player {environment.winner()} wins." if environment.winner() else "It is a draw.")


if __name__ == "__main__":
    play_a_game()
