"""Alpha-beta search for wins and losses; otherwise prefers positions with more legal moves.

Values are for the player to move. A win is worth more the earlier it comes. Where the search ends without one, the value is
a small bonus for each legal move that the player has more than the opponent had before.

- The search deepens step by step until it has visited `nodes` positions, so moves do not depend on the machine's speed.
- Moves are tried in the order of the previous search, and positions that occur again are looked up in a table.
- With a seed, each move is chosen among those whose value is within a narrow margin of the best, unless the game is decided.
"""

from typing import Any

from grader.games import State
from grader.player import Player
from reference_players.search import options
from reference_players.search.variety import Variety

SECONDS = 0.4
WIN = 10_000.0
MOBILITY = 0.01
MARGIN = 0.02
"""With a seed, a move may be worse than the best by this much: two legal moves fewer."""
TINY = 1e-9
"""Less than the difference of any two values."""


class AnyGameAlphaBetaPlayer(Player):
    """Searches up to `depth` plies ahead, and at most `nodes` positions."""

    def __init__(
        self,
        player_id: int,
        *,
        seed: int | None = None,
        opening: int = 0,
        depth: int = 6,
        nodes: int = 2000,
        variety: str = "seeded",
    ) -> None:
        super().__init__(player_id)
        self.depth = options.whole_number("depth", depth, least=1)
        self.nodes = options.whole_number("nodes", nodes, least=1)
        self._variety = Variety(seed, opening, variety)
        self._turn = 0

    def play(self, state: State) -> Any:
        self._turn += 1
        search = Search(state, self.nodes)
        margin = 0.0 if self._variety.seed is None else MARGIN + TINY
        for depth in range(1, self.depth + 1):
            if not search.deepen(depth, margin):
                break
        best = search.values[0][0]
        if self._variety.seed is None or abs(best) > WIN / 2:
            return search.values[0][1]
        near = [move for value, move in search.values[: search.comparable] if value >= best - margin]
        return self._variety.pick(near) if self._turn == 1 else self._variety.choose(near, self._turn)


class Exhausted(Exception):
    """The budget of positions is used up."""


class Search:
    """The search for one move. `values` contains the root's moves with their values, best first."""

    def __init__(self, state: State, nodes: int) -> None:
        self._root, self._left = state, nodes
        self.values: list[tuple[float, Any]] = [(0.0, move) for move in state.moves()]
        self.comparable = len(self.values)
        """How many of the first moves have values of the same depth."""
        self._seen: dict[Any, tuple[int, float, float]] = {}

    def deepen(self, depth: int, margin: float) -> bool:
        """Search `depth` plies ahead. Returns whether a deeper search is worthwhile.

        The values of moves that are worse than the best by more than `margin` are only upper limits.
        """
        found: list[tuple[float, Any]] = []
        best = -2 * WIN
        try:
            for _, move in self.values:
                value = self._value_after(self._root, move, depth - 1, best - margin, 2 * WIN)
                found.append((value, move))
                best = max(best, value)
        except Exhausted:
            reached = sorted(found, key=lambda item: -item[0])
            others = self.values[len(found) :]  # with values of the previous search, which may be too high
            lost = bool(reached) and reached[0][0] < -WIN / 2
            self.values = [*others, *reached] if lost and others else [*reached, *others]
            if reached:
                self.comparable = 1 if lost and others else len(reached)
            return False
        self.values = sorted(found, key=lambda item: -item[0])  # stable: equal moves stay in listing order
        self.comparable = len(found)
        return abs(self.values[0][0]) < WIN / 2

    def _value_after(self, state: State, move: Any, depth: int, low: float, high: float) -> float:
        """The value of a move for the player that plays it."""
        after = state.after(move)
        if after.outcome() is None and after.turn == state.turn:  # the same player moves again
            return self._value(after, depth, low, high, len(state.moves()))
        sign_low, sign_high = -high, -low
        return -self._value(after, depth, sign_low, sign_high, len(state.moves()), mover=1 - state.turn)

    def _value(self, state: State, depth: int, low: float, high: float, before: int, mover: int | None = None) -> float:
        """The value of a state for the player `mover` (by default the one to move), within a window."""
        self._left -= 1
        if self._left < 0:
            raise Exhausted
        outcome = state.outcome()
        mover = state.turn if mover is None else mover
        if outcome is not None:
            won = 0.0 if outcome.winner is None else 1.0 if outcome.winner == mover else -1.0
            return won * (WIN + depth)  # an earlier win is better
        moves = state.moves()
        if depth == 0:
            return MOBILITY * (len(moves) - before)
        key = state.position
        known = self._seen.get(key)
        if known is not None and known[0] >= depth and (known[1] == known[2] or known[1] >= high or known[2] <= low):
            return known[1] if known[1] >= high or known[1] == known[2] else known[2]
        best, floor = -2 * WIN, low
        for move in moves:
            best = max(best, self._value_after(state, move, depth - 1, floor, high))
            floor = max(floor, best)
            if floor >= high:
                break
        exact_low = best if best > low else -2 * WIN
        exact_high = best if best < high else 2 * WIN
        self._seen[key] = (depth, exact_low, exact_high)
        return best
