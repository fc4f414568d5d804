"""Case 17: sends a reply of one gigabyte."""

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
        descriptor, _ = wire()
        for _ in range(1024):
            os.write(descriptor, b"1" * (1 << 20))
