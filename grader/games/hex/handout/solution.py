"""My Hex player.

This file works as it is: `python solution.py` lets the player below play a game against itself.
Improve `play`, then submit this file.

Members of the board (see board.py):

    board.size                              the number of cells along a side
    board.board[row][col]                   0 (empty), 1 or 2 (a stone of that player)
    board.get_possible_moves()              the empty cells, a list of (row, col)
    board.place_piece(row, col, player_id)  places a stone; returns False if the cell is taken
    board.check_connection(player_id)       whether that player has connected its sides
    board.clone()                           an independent copy, for trying moves
    board.player_positions                  {1: {(row, col), ...}, 2: {(row, col), ...}}
"""

import random

from board import HexBoard
from player import Player


class SmartPlayer(Player):
    """Wins if it can do so at once, and otherwise plays at random."""

    def __init__(self, player_id):
        super().__init__(player_id)  # 1 connects left and right, 2 connects top and bottom
        self.opponent_id = 3 - player_id

    def play(self, board):
        """Return the (row, col) of an empty cell. The board is a copy: changing it does not affect the game."""
        moves = board.get_possible_moves()
        for row, col in moves:
            after = board.clone()
            after.place_piece(row, col, self.player_id)
            if after.check_connection(self.player_id):
                return row, col
        return random.choice(moves)


def play_a_game():
    """Let the player play against itself, and print every board."""
    board = HexBoard(11)
    players = [SmartPlayer(1), SmartPlayer(2)]
    while True:
        for player in players:
            row, col = player.play(board.clone())
            if not board.place_piece(row, col, player.player_id):
                raise ValueError(f"player {player.player_id} returned ({row}, {col}), which is already taken")
            cell = f"{chr(ord('a') + col)}{row + 1}"
            print(f"Player {player.player_id} plays ({row}, {col}) = {cell}\n{board}\n")
            if board.check_connection(player.player_id):
                print(f"Player {player.player_id} wins.")
                return


if __name__ == "__main__":
    play_a_game()
