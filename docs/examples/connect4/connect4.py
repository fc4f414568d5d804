"""Connect-4: players take turns dropping pieces into columns; the first to make four in a row wins."""

from dataclasses import dataclass

from grader import Game, Outcome

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class Connect4(Game):
    """A position is a tuple of columns, each a string of pieces from the bottom up. A move is a column, from 0."""

    name, title = "connect4", "Connect-4"
    endings = {
        "four": {"en": "four in a row", "es": "cuatro en línea"},
        "full": {"en": "board full", "es": "tablero lleno"},
    }
    columns: int = 7
    rows: int = 6

    def start(self):
        return ("",) * self.columns

    def turn(self, position):
        return sum(map(len, position)) % 2

    def moves(self, position):
        return [column for column in range(self.columns) if len(position[column]) < self.rows]

    def play(self, position, move):
        piece = "12"[self.turn(position)]
        return (*position[:move], position[move] + piece, *position[move + 1 :])

    def outcome(self, position):
        for column, pieces in enumerate(position):
            for row, piece in enumerate(pieces):
                for right, up in DIRECTIONS:
                    if all(self.piece(position, column + right * n, row + up * n) == piece for n in (1, 2, 3)):
                        return Outcome("four", winner=int(piece) - 1)
        return None if self.moves(position) else Outcome("full", winner=None)

    def piece(self, position, column, row):
        inside = 0 <= column < self.columns and 0 <= row < len(position[column])
        return position[column][row] if inside else ""

    def cells(self, position):
        rows = reversed(range(self.rows))
        return [[int(self.piece(position, column, row) or 0) for column in range(self.columns)] for row in rows]

    def draw(self, position):
        board = [" ".join(str(cell or ".") for cell in row) for row in self.cells(position)]
        return "\n".join([*board, " ".join(map(str, range(self.columns)))])
