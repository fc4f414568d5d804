"""Any legal move with the same chance, in both games.

It comes from no document: it is the rung below the first, and what a player has to beat to have understood the rules.
"""

from grader.games.desconecta4 import Environment
from grader.games.hex import HexBoard
from grader.player import Player
from reference_players.search.variety import Variety

Move = int | tuple[int, int]


class RandomPlayer(Player):
    """Plays at random, differently for each seed, opening and ply."""

    def __init__(self, player_id: int, *, seed: int | None = None, opening: int = 0) -> None:
        super().__init__(player_id)
        self._variety = Variety(seed, opening)

    def play(self, board: HexBoard | Environment) -> Move:
        moves: list[int] | list[tuple[int, int]]
        if isinstance(board, HexBoard):
            moves = board.get_possible_moves()
            ply = board.size**2 - len(moves)
        else:
            moves = board.possible_actions()
            ply = board.state[4]
        if ply < 2 and self._variety.seed is not None:
            return self._variety.pick(moves)  # first moves differ from one opening to the next while there are any
        return moves[int(self._variety.generator(ply).random() * len(moves))]
