"""My player for TheTitle.

This file works as it is: `python solution.py` lets the player below play a game against itself
(it requires the package grader). Improve `play`, then submit this file.

Members of the state:

    state.moves()        the legal moves
    state.after(move)    the state after a move; the state itself never changes
    state.turn           the player to move: 0 (moves first) or 1 (moves second)
    state.player         the same as 1 or 2, like self.player_id
    state.outcome()      None until the game ends; then its .ending and .winner (0, 1, or None for a draw)
    state.position       the position in the game's own format
    str(state)           the board as text
"""

import random

from player import Player
from the_game import TheGame


class SmartPlayer(Player):
    """Wins if it can do so at once, and otherwise plays at random."""

    def play(self, state):
        """Return one of state.moves()."""
        moves = state.moves()
        for move in moves:
            outcome = state.after(move).outcome()
            if outcome is not None and outcome.winner == self.player_id - 1:
                return move
        return random.choice(moves)


def play_a_game():
    """Let the player play against itself, and print every board."""
    state = TheGame().state()
    players = [SmartPlayer(1), SmartPlayer(2)]
    while state.outcome() is None:
        move = players[state.turn].play(state)
        print(f"Player {state.player} plays {move!r}\n{state.after(move)}\n")
        state = state.after(move)
    winner = state.outcome().winner
    print("It is a draw." if winner is None else f"Player {winner + 1} wins.")


if __name__ == "__main__":
    play_a_game()
