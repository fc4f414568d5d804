"""Case 18: answers with something that is not a move; its seed decides with what."""

VALUES = [
    *(None, True, (True, False), float("nan"), (0.0, 1.0), 10**5000, (10**30, 0), (-1, 0), "a1", b"a1", "0,0"),
    *((0,), (0, 1, 2), [], {}, {0: 0, 1: 1}, {0, 1}, object(), lambda: (0, 0), (0, "1"), ((0, 0), (1, 1)), (4, 0)),
]


class SmartPlayer:
    def __init__(self, player_id, seed):
        self.seed = seed

    def play(self, board):
        return VALUES[self.seed]
