"""Hex: Monte Carlo tree search with heuristic expansion and informed playouts.

From "HEX AI Player" by Richard Alejandro Matos Arderí (Universidad de La Habana, 2025). It selects by UCB1, expands the
untried move with the highest heuristic score, plays out with knowledge of good moves, and plays the most visited move. The
heuristic considers the shortest connections of both players through a cell, bridges, the distance from the centre,
connections to own groups, mobility, and the distance from the player's own edges.

Differences from the document, and the reasons:

- Its listing scores moves with a function that it does not show. Here, in `style="documented"`, every empty cell is scored
  by all six features, the next child is the untried move with the highest score, and playouts use the same score.
- Its playouts score moves on the board of the node instead of the current one, and always play the best, so that every
  repetition of a playout is the same. `style="documented"` scores the current board and chooses at random among the best
  three; after 2N plies without a winner it counts one half, as in the document.
- By default, a playout fills the board at random. A full board always has a winner, and on bits this is so fast that each
  simulation does it `fills` times. The only knowledge in it: each player gets one of the two cells of a bridge.
- A node starts with a few children and gets more with its visits. In `style="documented"`, every move is tried before any
  is tried twice, which spends the budget on one visit each.
- Only moves near the shortest paths of both players become children; if the game can be won or lost in one move, only the
  moves that win, or else those that prevent the loss. In `style="documented"`, all moves do.
- The UCB1 constant is 0.4, because the few children are good ones; in `style="documented"` it is √2, the usual value,
  because the document names none.
- The budget is a number of simulations, so that moves do not depend on the machine's speed. The document's limit of 9 s,
  with the last 0.1 s reserved for choosing the move, is the option `seconds=9`. A documented playout takes about forty times
  as long, so in that style the default of `simulations` is 500 instead of 2000, and that of `exploration` is √2 instead of
  0.4.
- The document gives no weights for its heuristic. These were found by playing games; by default, mobility and edges are not
  used, because the shortest connections already cover them.
- With a seed, the first move or first reply is one of a few sound ones, from a list that all Hex players except `random`
  share (see `search/first_moves.py`). Later the random numbers make games differ. `variety="none"` always plays the same
  move.
"""

import random
import time
from collections.abc import Iterable, Iterator
from math import sqrt
from typing import NamedTuple

from grader.games.hex import HexBoard
from grader.player import Player
from reference_players.search import bridges, options, tree
from reference_players.search.first_moves import first_move
from reference_players.search.geometry import HexGeometry, geometry
from reference_players.search.playouts import first_player_connects, random_fill
from reference_players.search.promise import Weights, rank_all_moves, rank_promising_moves
from reference_players.search.variety import Variety

GAMES = ("hex",)
SECONDS = 0.25
"""Approximate time per move on the board of the built-in assignment."""
TIMED = ("seconds",)
"""With these options, its moves depend on the speed of the machine."""
DIFFERENT = 1000
"""At least this many different games as each player, on that board (`python -m tests.bench variety`)."""

FINAL_CHOICE = 0.1
"""Seconds of the time limit reserved for choosing the move."""
BEST_FEW = 3
"""The number of moves from which a documented playout chooses."""
RANKED = 26
"""At least this many moves of a position are ranked; more if a node can have more children."""
DOCUMENTED_WEIGHTS = Weights(mobility=0.05, edge=0.05)
DOCUMENTED_SIMULATIONS, DOCUMENTED_EXPLORATION = 500, sqrt(2)
"""The defaults of these options in `style="documented"`."""


class MctsPlayer(Player):
    """Simulates `simulations` games before each move, or as many as fit into `seconds`."""

    def __init__(
        self,
        player_id: int,
        *,
        seed: int | None = None,
        opening: int = 0,
        simulations: int = 2000,
        fills: int = 2,
        exploration: float = 0.4,
        seconds: float | None = None,
        style: str = "fixed",
        variety: str = "seeded",
    ) -> None:
        super().__init__(player_id)
        self.style = options.style(style)
        self.simulations = options.whole_number("simulations", simulations, least=1)
        self.fills = options.whole_number("fills", fills, least=1)
        self.exploration = options.positive_number("exploration", exploration)
        self.seconds = None if seconds is None else options.positive_number("seconds", seconds)
        if self.seconds is not None:
            options.refuse_unused(self, "simulations", simulations, because="seconds, which limits the search instead")
        if self.style == "documented":
            options.refuse_unused(self, "fills", fills, because="style='documented', whose playouts are not fills")
            if simulations == options.default_value(self, "simulations"):
                self.simulations = DOCUMENTED_SIMULATIONS
            if exploration == options.default_value(self, "exploration"):
                self.exploration = DOCUMENTED_EXPLORATION
        self._variety = Variety(seed, opening, variety)

    def play(self, board: HexBoard) -> tuple[int, int]:
        started = time.monotonic()
        if (first := first_move(board, self.player_id, self._variety)) is not None:
            return first
        one, two = board.stones(1), board.stones(2)
        rng = self._variety.generator((one | two).bit_count())
        ranked = board.size**2 if self.seconds else max(RANKED, tree.max_children(self.simulations))
        rules = HexRules(geometry(board), rng, self.style, self.fills, ranked)
        root = tree.TreeNode(0, rules.position(one, two, self.player_id))
        growth = tree.Growth(self.exploration, widening=self.style == "fixed")
        tree.grow(rules, root, self._rounds(started), growth)
        return rules.geometry.cell(tree.most_visited_child(root).move)

    def _rounds(self, started: float) -> Iterable[object]:
        if self.seconds is None:
            return range(self.simulations)
        return _rounds_until(started + max(0.0, self.seconds - FINAL_CHOICE))


def _rounds_until(deadline: float) -> Iterator[None]:
    """One round, and then as many as fit before the deadline."""
    yield
    while time.monotonic() < deadline:
        yield


class MctsPosition(NamedTuple):
    """Stones, player to move, and the bridges of both players."""

    one: int
    two: int
    player: int
    """The player to move."""
    first_pairs: bridges.Pairs
    second_pairs: bridges.Pairs

    @property
    def stones(self) -> tuple[int, int]:
        """The stones of the player to move, and the opponent's."""
        return (self.one, self.two) if self.player == 1 else (self.two, self.one)


class HexRules:
    """The rules of Hex for the tree search, in either style."""

    def __init__(self, geometry: HexGeometry, rng: random.Random, style: str, fills: int, ranked: int = RANKED) -> None:
        self.geometry = geometry
        self.rng = rng
        self.fills = fills
        self.ranked = ranked
        self.documented = style == "documented"
        self.weights = DOCUMENTED_WEIGHTS if self.documented else Weights()

    def position(self, one: int, two: int, player: int) -> MctsPosition:
        """The position with these stones and this player to move."""
        first_pairs = bridges.standing_bridges(self.geometry, one, two, 1)
        second_pairs = bridges.standing_bridges(self.geometry, two, one, 2)
        return MctsPosition(one, two, player, first_pairs, second_pairs)

    def moves(self, position: MctsPosition) -> Iterator[tuple[int, MctsPosition]]:
        mine, theirs = position.stones
        if self.geometry.grid.connects(theirs, 3 - position.player):
            return
        rank, count = (
            (rank_all_moves, self.geometry.grid.size**2) if self.documented else (rank_promising_moves, self.ranked)
        )
        for bit in rank(self.geometry, mine, theirs, position.player, self.weights, count):
            yield bit, self._after(position, bit)

    def playout(self, position: MctsPosition) -> float:
        if self.documented:
            return self._play_informed(position)
        return sum(self._play_fill(position) for _ in range(self.fills)) / self.fills

    def _play_fill(self, position: MctsPosition) -> bool:
        """Whether a random fill is won by the player that has just moved. Each player gets one of the two cells of a bridge."""
        one, two, player, first_pairs, second_pairs = position
        empty = self.geometry.grid.full & ~(one | two)
        count = (empty.bit_count() + (1 if player == 1 else 0)) // 2
        stones = one | random_fill(empty, count, self.rng)
        for pair in first_pairs:
            if not stones & pair:
                stones |= self._pick_cell(pair)
        for pair in second_pairs:
            if stones & pair == pair:
                stones ^= self._pick_cell(pair)
        return first_player_connects(self.geometry.grid, stones) is (player == 2)

    def _pick_cell(self, pair: int) -> int:
        low = pair & -pair
        return low if self.rng.random() < 0.5 else pair ^ low

    def _play_informed(self, position: MctsPosition) -> float:
        """The document's playout: good moves for 2N plies, and one half if neither player has connected by then."""
        grid = self.geometry.grid
        (mine, theirs), player = position.stones, position.player
        ply = 0
        while not grid.connects(theirs, 3 - player):
            if ply == 2 * grid.size:
                return 0.5
            best = rank_all_moves(self.geometry, mine, theirs, player, self.weights, BEST_FEW)
            mine, theirs, player = theirs, mine | best[int(self.rng.random() * len(best))], 3 - player
            ply += 1
        return 1 - ply % 2  # 1 if the winner is the player that moved last before the playout

    def _after(self, position: MctsPosition, bit: int) -> MctsPosition:
        one, two, player, first_pairs, second_pairs = position
        first_pairs, second_pairs = (
            bridges.remaining_bridges(first_pairs, bit),
            bridges.remaining_bridges(second_pairs, bit),
        )
        taken = one | two | bit
        if player == 1:
            new = bridges.new_bridges(self.geometry, one, taken, bit, 1)
            return MctsPosition(one | bit, two, 2, first_pairs + new, second_pairs)
        new = bridges.new_bridges(self.geometry, two, taken, bit, 2)
        return MctsPosition(one, two | bit, 1, first_pairs, second_pairs + new)
