"""The smallest game: six methods, and defaults for everything else."""

from dataclasses import dataclass

from grader import Game, Outcome


@dataclass(frozen=True)
class TakeAway(Game):
    """Take one, two or three stones; the player who takes the last one wins."""

    name, title = "takeaway", "Take-away"
    stones: int = 21

    def start(self):
        return (self.stones, 0)

    def turn(self, position):
        return position[1]

    def moves(self, position):
        return [n for n in (1, 2, 3) if n <= position[0]]

    def play(self, position, move):
        return (position[0] - move, 1 - position[1])

    def outcome(self, position):
        return Outcome("last_stone", winner=1 - position[1]) if position[0] == 0 else None

    def draw(self, position):
        return "o" * position[0]
