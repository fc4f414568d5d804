"""Case 19: answers with objects that lie about themselves; its seed decides with which."""

import sys


class Any:
    """Equal to every move, but with a different hash."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class Fickle:
    """A number that is different each time it is read."""

    numbers = iter(range(100))

    def __index__(self):
        return next(self.numbers)


class Exits:
    def __index__(self):
        sys.exit(0)


class Raises:
    def __iter__(self):
        raise BaseException("from __iter__")


class Endless:
    def __iter__(self):
        while True:
            yield 0


class Odd:
    """An object whose `repr` fails."""

    def __repr__(self):
        raise KeyboardInterrupt


VALUES = [Any(), (Any(), Any()), (Fickle(), Fickle()), (Exits(), 0), Raises(), Endless(), Odd()]


class SmartPlayer:
    def __init__(self, player_id, seed):
        self.seed = seed

    def play(self, board):
        return VALUES[self.seed]
