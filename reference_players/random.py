"""Plays each legal move with equal probability.

It is not based on a document: it is the weakest opponent, and a player that does not beat it has not understood the rules.
"""

from collections.abc import Sequence

from grader.games.desconecta4 import Environment
from grader.games.hex import HexBoard
from grader.player import Player
from reference_players.search.variety import Variety

GAMES = ("hex", "desconecta4")
SECONDS = 0.0
"""Approximate time per move on the board of the built-in assignment."""
DIFFERENT = 1000
"""At least this many different games as each player, on that board (`python -m tests.bench variety`)."""

AnyMove = int | tuple[int, int]


class RandomPlayer(Player):
    """Plays at random, differently for each seed, opening and ply."""

    def __init__(self, player_id: int, *, seed: int | None = None, opening: int = 0) -> None:
        super().__init__(player_id)
        self._variety = Variety(seed, opening)

    def play(self, board: HexBoard | Environment) -> AnyMove:
        moves, ply = _moves_and_ply(board)
        if ply < 2 and self._variety.seed is not None:
            return self._variety.pick(moves)  # so that openings differ as long as there are enough first moves
        return moves[int(self._variety.generator(ply).random() * len(moves))]


def _moves_and_ply(board: HexBoard | Environment) -> tuple[Sequence[AnyMove], int]:
    if isinstance(board, HexBoard):
        moves = board.get_possible_moves()
        return moves, board.size**2 - len(moves)
    return board.possible_actions(), board.state[4]
