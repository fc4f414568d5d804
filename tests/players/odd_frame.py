"""Cases 17 and 20: sends something that is not a reply; its seed decides what."""

import os
import pickle
import sys


def wire():
    """The descriptor of the replies and the order that is being carried out, from the worker's own frames."""
    frame = sys._getframe()
    while frame.f_code.co_name != "main":
        frame = frame.f_back
    reply = frame.f_locals["reply"]
    names = dict(zip(reply.__code__.co_freevars, reply.__closure__))
    return names["replies"].cell_contents, frame.f_locals["order"]


FRAMES = [
    b"this is no JSON\n",
    b'{"half": ',
    b"[" * 50_000 + b"\n",
    b"1" * 50_000 + b"\n",
    b"[1, 2]\n",
    b"\x00\xff\xfe\n",
    pickle.dumps({"move": [0, 0]}) + b"\n",
    b'{"word": "WORD", "error": {"kinds": 5, "text": [], "line": 1e999}}\n',
    b'{"word": "WORD", "error": 7}\n',
    b'{"word": "WORD", "late": true}\n',
    b'{"word": ["WORD"], "move": [0, 0]}\n',
    b'{"word": "WORD", "move": {"0": NaN}}\n',
    b'{"word": "WORD", "value": {}}\n',
    b'{"word": "WORD"}\n',
]


class SmartPlayer:
    def __init__(self, player_id, seed):
        self.frame = FRAMES[seed]

    def play(self, board):
        descriptor, order = wire()
        os.write(descriptor, self.frame.replace(b"WORD", order["word"].encode()))
        return board.get_possible_moves()[0]
