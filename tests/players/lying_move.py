"""Case 19: answers with objects that lie about themselves: which one, its seed says."""

import sys


class Any:
    """Equal to every move, and the same hash as none."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class Fickle:
    """A different number each time it is asked."""

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
    """Cannot even be shown."""

    def __repr__(self):
        raise KeyboardInterrupt


VALUES = [Any(), (Any(), Any()), (Fickle(), Fickle()), (Exits(), 0), Raises(), Endless(), Odd()]


class SmartPlayer:
    def __init__(self, player_id, seed):
        self.seed = seed

    def play(self, board):
        return VALUES[self.seed]
