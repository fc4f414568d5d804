"""Case 15: sends a valid reply itself, and then another one by returning."""

import json
import os
import sys


def wire():
    """The descriptor of the replies and the order that is being carried out, from the worker's own frames."""
    frame = sys._getframe()
    while frame.f_code.co_name != "main":
        frame = frame.f_back
    reply = frame.f_locals["reply"]
    names = dict(zip(reply.__code__.co_freevars, reply.__closure__))
    return names["replies"].cell_contents, frame.f_locals["order"]


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        descriptor, order = wire()
        move = list(board.get_possible_moves()[0])
        os.write(descriptor, json.dumps({"word": order["word"], "move": move}).encode() + b"\n")
        return board.get_possible_moves()[1]
