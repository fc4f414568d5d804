"""Desconecta-4 BOOM: Alpha-beta to depth 8; counts the twos and threes in a row.

From "Desconecta-4 BOOM" by Iñaki Melguizo Marcos (Universidad de Granada). Each of the opponent's twos in a row is worth 10
and each of its threes 100; the player's own count the same, but negative. A won game is worth more than any of them. The
move played is the first, in listing order, with the highest value.

Differences from the document, and the reasons:

- It passes the player to move at the leaf to the heuristic, so that odd depths would evaluate the board for the opponent.
  Here the value is always that of the player that is choosing.
- Below the root, BOOM is tried first, and positions that occur again are looked up in a table. Neither changes a value or
  a move; together they reduce the number of nodes to one in forty.
- With a seed, the first move or first reply is one of the five best, and later ones are chosen among those that are worse
  than the best by at most `MARGIN`. `variety="none"` always plays the document's move.
"""

from grader.games.desconecta4 import Environment
from grader.games.desconecta4.bits import BOOM, BitState, player_to_move, successors, twos_and_threes
from grader.player import Player
from reference_players.search import options
from reference_players.search.alpha_beta import INFINITY, Transpositions, best_move, fail_hard, near_best_moves
from reference_players.search.variety import Variety

GAMES = ("desconecta4",)
SECONDS = 0.08
"""Approximate time per move on the board of the built-in assignment."""
DIFFERENT = 1000
"""At least this many different games as each player, on that board (`python -m tests.bench variety`)."""

WIN = 1_000_000
TWO, THREE = 10, 100
SOUND = 5
"""With a seed, the first move is one of this many best moves."""
MARGIN = 10
"""With a seed, a later move may be worse than the best by this much: one more of the player's own twos in a row."""


class AlphaBetaPlayer(Player):
    """Searches `depth` plies ahead."""

    def __init__(
        self, player_id: int, *, seed: int | None = None, opening: int = 0, depth: int = 8, variety: str = "seeded"
    ) -> None:
        super().__init__(player_id)
        self.depth = options.whole_number("depth", depth, least=1)
        self._variety = Variety(seed, opening, variety)

    def play(self, environment: Environment) -> int:
        state = environment.state
        if self._variety.seed is None:
            return best_move(BoomFirst(), successors(state), self.depth, new_table())[0]
        if state[4] < 2:
            values = root_values(state, self.depth)
            return self._variety.pick(sorted(values, key=lambda action: -values[action])[:SOUND])
        near = near_best_moves(BoomFirst(), successors(state), self.depth, margin=MARGIN, win=WIN, table=new_table())
        return self._variety.choose(near, state[4])[0]


def root_values(state: BitState, depth: int) -> dict[int, float]:
    """The exact value of every action, in listing order."""
    rules, table = BoomFirst(), new_table()
    return {
        action: -fail_hard(rules, after, depth - 1, -INFINITY, INFINITY, table) for action, after in successors(state)
    }


def new_table() -> Transpositions[BitState]:
    """An empty table. A state is a tuple of whole numbers, so it is its own key."""
    return Transpositions(key=lambda state: state)


def evaluate(state: BitState) -> float:
    """The document's heuristic, for the player to move."""
    twos, threes = twos_and_threes(state[0])
    their_twos, their_threes = twos_and_threes(state[1])
    return TWO * (their_twos - twos) + THREE * (their_threes - threes)


class BoomFirst:
    """The rules for the search, which tries BOOM first."""

    def value(self, state: BitState, depth: int) -> float | None:
        winner = state[5]
        if winner is None:
            return evaluate(state) if depth == 0 else None
        if winner == 0:
            return 0
        return WIN if winner == player_to_move(state) else -WIN

    def moves(self, state: BitState) -> list[tuple[int, BitState]]:
        found = successors(state)
        if found[-1][0] == BOOM:
            found.insert(0, found.pop())
        return found
