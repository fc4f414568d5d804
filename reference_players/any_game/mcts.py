"""Monte Carlo tree search with UCB1 and random playouts; plays the most visited move.

This is the plain form of the algorithm, for any game. A playout longer than `length` moves counts as a draw.

- The budget is a number of positions, so moves do not depend on the machine's speed; long games get fewer simulations.
- A move that wins at once is played without a search.
- With a seed, the first turns are chosen among the most visited moves. Later the random numbers make games differ.
"""

import random
from itertools import pairwise
from math import log, sqrt
from typing import Any

from grader.games import State
from grader.player import Player
from reference_players.search import options
from reference_players.search.variety import Variety

SECONDS = 0.4
FIRST_TURNS = 2
ENOUGH = 0.7
"""With a seed, a first move must have at least this share of the best move's visits."""


class AnyGameMctsPlayer(Player):
    """Simulates random games before each move, until it has visited `nodes` positions."""

    def __init__(
        self,
        player_id: int,
        *,
        seed: int | None = None,
        opening: int = 0,
        nodes: int = 2000,
        exploration: float = 1.4,
        length: int = 200,
        variety: str = "seeded",
    ) -> None:
        super().__init__(player_id)
        self.nodes = options.whole_number("nodes", nodes, least=1)
        self.exploration = options.positive_number("exploration", exploration)
        self.length = options.whole_number("length", length, least=1)
        self._variety = Variety(seed, opening, variety)
        self._turn = 0

    def play(self, state: State) -> Any:
        self._turn += 1
        if (win := winning_move(state)) is not None:
            return win[0]
        rng = self._variety.generator(self._turn)
        root = AnyGameNode(state, None)
        left = self.nodes
        while left > 0:
            left -= self._simulate(root, rng)
        ranked = sorted(root.children, key=lambda child: -child.visits)  # stable: equal moves stay in listing order
        if self._variety.seed is not None and self._turn <= FIRST_TURNS:
            near = [one.move for one in ranked if one.visits >= ENOUGH * ranked[0].visits]
            return self._variety.pick(near) if self._turn == 1 else self._variety.choose(near, self._turn)
        return ranked[0].move

    def _simulate(self, root: "AnyGameNode", rng: random.Random) -> int:
        """Simulate one game. Returns the number of positions visited."""
        path = [root]
        while path[-1].is_grown():
            path.append(path[-1].best_child(self.exploration))
        if path[-1].outcome is None:
            path.append(path[-1].grow(rng))
        winner, played = self._play_out(path[-1], rng)
        for parent, node in pairwise(path):
            node.visits += 1
            node.score += 0.5 if winner is None else float(winner == parent.state.turn)
        root.visits += 1
        return 1 + played

    def _play_out(self, node: "AnyGameNode", rng: random.Random) -> tuple[int | None, int]:
        """Play a random game from a node. Returns the seat that wins (None for a draw), and the number of moves."""
        state, outcome = node.state, node.outcome
        for played in range(self.length):
            if outcome is not None:
                return outcome.winner, played
            moves = state.moves()
            state = state.after(moves[int(rng.random() * len(moves))])
            outcome = state.outcome()
        return None, self.length


class AnyGameNode:
    """A state in the tree, with the results of its games for the player that moved into it."""

    __slots__ = ("_untried", "children", "move", "outcome", "score", "state", "visits")

    def __init__(self, state: State, move: Any) -> None:
        self.state, self.move = state, move
        self.outcome = state.outcome()
        self._untried = [] if self.outcome is not None else state.moves()
        self.children: list[AnyGameNode] = []
        self.visits, self.score = 0, 0.0

    def is_grown(self) -> bool:
        """Whether it has legal moves and all of them have been tried."""
        return not self._untried and bool(self.children)

    def grow(self, rng: random.Random) -> "AnyGameNode":
        """Add a child for a move that has not been tried."""
        move = self._untried.pop(int(rng.random() * len(self._untried)))
        child = AnyGameNode(self.state.after(move), move)
        self.children.append(child)
        return child

    def best_child(self, exploration: float) -> "AnyGameNode":
        """The child with the highest UCB1 value."""
        total = log(self.visits + 1)
        return max(
            self.children, key=lambda child: child.score / child.visits + exploration * sqrt(total / child.visits)
        )


def winning_move(state: State) -> tuple[Any] | None:
    """The first move that wins at once, if there is one."""
    for move in state.moves():
        outcome = state.after(move).outcome()
        if outcome is not None and outcome.winner == state.turn:
            return (move,)
    return None
