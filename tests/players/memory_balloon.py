"""Case 39: allocates memory until none is left, at most 4 GB."""


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        held = [bytes(64 << 20) for _ in range(64)]
        return board.get_possible_moves()[len(held) * 0]
