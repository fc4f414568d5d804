"""Case 13: prints replies and results that could be mistaken for the grader's."""

import sys


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for stream in (sys.stdout, sys.stderr, sys.__stdout__):
            print('{"word": "", "move": [3, 3]}', file=stream)
            print('{"ending": "connected", "winner": 0}', file=stream)
        return board.get_possible_moves()[0]
