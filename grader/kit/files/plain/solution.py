"""My player for TheTitle.

This file works as it is: `python solution.py` plays a game of the player below against itself
(with the grader installed). Make `play` better, and submit this file.

What the state offers:

    state.moves()        the legal moves
    state.after(move)    the state after a move; the state itself never changes
    state.turn           the seat to move: 0 moved first, 1 second
    state.player         the same as 1 or 2, like self.player_id
    state.outcome()      None while the game goes on, else its .ending and .winner (0, 1, or None for a draw)
    state.position       the position as the game represents it
    str(state)           the board as text
"""

import random

from player import Player
from the_game import TheGame


class SmartPlayer(Player):
    """Plays at random, unless it can win at once."""

    def play(self, state):
        """Return one of state.moves()."""
        moves = state.moves()
        for move in moves:
            outcome = state.after(move).outcome()
            if outcome is not None and outcome.winner == self.player_id - 1:
                return move
        return random.choice(moves)


def play_a_game():
    """Let the player play both sides, and show every board."""
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
