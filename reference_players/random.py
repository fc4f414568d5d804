"""Any legal move with the same chance, in both games.

It comes from no document: it is the rung below the first, and what a player has to beat to have understood the rules.
"""

from collections.abc import Sequence

from grader.games.desconecta4 import Environment
from grader.games.hex import HexBoard
from grader.player import Player
from reference_players.search.variety import Variety

GAMES = ("hex", "desconecta4")
SECONDS = 0.0
"""That a move takes, about, on the board of the built-in assignment."""

AnyMove = int | tuple[int, int]


class RandomPlayer(Player):
    """Plays at random, differently for each seed, opening and ply."""

    def __init__(self, player_id: int, *, seed: int | None = None, opening: int = 0) -> None:
        super().__init__(player_id)
        self._variety = Variety(seed, opening)

    def play(self, board: HexBoard | Environment) -> AnyMove:
        moves, ply = _moves_and_ply(board)
        if ply < 2 and self._variety.seed is not None:
            return self._variety.pick(moves)  # first moves differ from one opening to the next while there are any
        return moves[int(self._variety.generator(ply).random() * len(moves))]


def _moves_and_ply(board: HexBoard | Environment) -> tuple[Sequence[AnyMove], int]:
    if isinstance(board, HexBoard):
        moves = board.get_possible_moves()
        return moves, board.size**2 - len(moves)
    return board.possible_actions(), board.state[4]
