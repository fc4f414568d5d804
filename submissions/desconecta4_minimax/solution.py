"""A player that looks three plies ahead and counts who is nearer to losing."""

from environment import Environment
from player import Player

DEPTH = 3
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def pairs(cells: list[int], player: int) -> int:
    """How often two pieces of a player stand next to each other."""
    owner = [cell % 3 if cell else 0 for cell in cells]
    count = 0
    for row in range(7):
        for col in range(7):
            for up, right in DIRECTIONS:
                r, c = row + up, col + right
                if r < 7 and 0 <= c < 7 and owner[row * 7 + col] == owner[r * 7 + c] == player:
                    count += 1
    return count


class SmartPlayer(Player):
    def play(self, environment: Environment) -> int:
        values = [self.value(after, DEPTH - 1) for after in environment.generate_all_moves()]
        return environment.possible_actions()[values.index(max(values))]

    def value(self, environment: Environment, depth: int) -> int:
        if environment.is_over():
            return {0: 0, self.player_id: 10_000}.get(environment.winner(), -10_000)
        if depth == 0:
            cells = environment.cells
            return pairs(cells, 3 - self.player_id) - pairs(cells, self.player_id)
        values = [self.value(after, depth - 1) for after in environment.generate_all_moves()]
        return max(values) if environment.active_player == self.player_id else min(values)
