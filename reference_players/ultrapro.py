"""Hex: Alpha-beta with a depth that grows during the game, a Monte Carlo opening, and learning.

From "Documentación de UltraProHexPlayer" by Rodrigo Mederos González (12 April 2025). It plays the centre first, and chooses
by random playouts while the board is almost empty. Later it plays an immediate win, or blocks the opponent's; otherwise it
searches with alpha-beta the 12 best moves and the 8 best replies, 2, 3 or 4 plies deep while less than 20 %, less than 60 %
or more of the board is filled. It uses Zobrist keys and a transposition table. A position is worth 60 × the difference of
the shortest connections, plus 40 × that of territory, plus 25 × that of patterns (bridges count for, isolated stones
against the player); a won game is worth 10000 plus the remaining depth.

Differences from the document, and the reasons:

- It plays the centre only after the opening branch, which an empty board never passes. Here the centre comes first.
- It looks for an immediate win, or a block, only after the opening branch, which may still be active at the end of a short
  game. Here that comes before the opening branch.
- Its root negates values that are already its own, and would choose the worst move.
- Its table stores neither the depth nor whether a value is a bound. Here it stores both, so that it changes no value. It is
  cleared above 200 000 entries and, unless `style="documented"`, before each move, because the values depend on the fills.
- It treats mirror images by rows and columns as the same position, which they are not in Hex. The only symmetry that exists
  (see `search/zobrist.py`) is used for what was learnt. The search does not use it, because the moves that it leaves out of
  a position and of its image need not correspond.
- Its bridges at distance (0, 2) are not bridges. Here a bridge connects two cells with two empty common neighbours, or a
  cell and an edge. A stone with a bridge is not isolated.
- The territory of both players is 30 × the share of random fills that they win, where all `fills` are evaluated at once. In
  each fill, each player gets one of the two cells of a bridge. There are 4096 fills instead of the 1024 of a prototype:
  they take less than twice as long, and the shares are twice as exact. Moves are ordered by how often their cell occurs in
  a win. The documented heuristic priority, and territory by counting stones, lose every game to `coolcow`.
- Where the search ends with a move into a bridge, the position is evaluated after the reply: such a move gains nothing, but
  would look good without the reply.
- The opening branch chooses by the same fills while more than 95 % of the board is empty. In `style="documented"`, it
  chooses among the 10 moves with the highest priority by 200 playouts each while more than 80 % is empty, which is most of
  the game.
- A search ends after the root move during which it has evaluated more than `floods` positions by fills. The limit is checked
  only between root moves, because half a root move's search has no result, so a search may exceed it by one root move. The
  default is 400 instead of the prototype's 1000, because each evaluation does more; this keeps a move below 1 s.
- With a seed, the first move or first reply is one of a few sound ones, from a list that all Hex players except `random`
  share (see `search/first_moves.py`), and later ones are chosen among those that are worse than the best by at most
  `MARGIN`. `variety="none"` always plays the same move.

`style="documented"` uses the document's opening, move order and territory; `fills` and `floods` have no effect in it.

The grader starts a new reference player for each game, so it never uses what `learn_from_game` learns. That is for
programs that keep a player alive from one game to the next.
"""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from grader.games.hex import HexBoard
from grader.games.hex.grid import each_bit
from grader.player import Player
from reference_players.search import options
from reference_players.search.alpha_beta import Transpositions, best_move, near_best_moves
from reference_players.search.bridges import standing_bridges
from reference_players.search.connection import paths, shortest_connection
from reference_players.search.first_moves import first_move
from reference_players.search.geometry import HexGeometry, geometry
from reference_players.search.percolation import Noise, Percolation
from reference_players.search.playouts import first_player_connects, random_fill
from reference_players.search.shape import patterns, priority, territory
from reference_players.search.variety import Variety
from reference_players.search.zobrist import zobrist

GAMES = ("hex",)
SECONDS = 0.08
"""Approximate time per move on the board of the built-in assignment."""
DIFFERENT = 1000
"""At least this many different games as each player, on that board (`python -m tests.bench variety`)."""

WIN = 10_000
DISTANCE, TERRITORY, PATTERNS = 60, 40, 25
ROOT_WIDTH, WIDTH = 12, 8
PHASES = ((0.2, 2), (0.6, 3), (1.0, 4))
"""The share of the board up to which a phase lasts, and the depth of the search in it."""
OPENING = {"fixed": 0.95, "documented": 0.8}
"""The opening lasts while more than this share of the board is empty."""
OPENING_MOVES, OPENING_PLAYOUTS = 10, 200
TABLE_LIMIT = 200_000
HISTORY_LIMIT = 200
FILLS_TERRITORY = 30
MARGIN = 6
"""With a seed, a move may be worse than the best by this much: a tenth of a step of the shortest connection."""

MoveMemory = tuple[int, int]
"""The key of a position, and a move in it."""


class UltraProPlayer(Player):
    """Searches to the depth of the current phase, and evaluates positions with `fills` random fills of the board."""

    def __init__(
        self,
        player_id: int,
        *,
        seed: int | None = None,
        opening: int = 0,
        fills: int = 4096,
        floods: int = 400,
        style: str = "fixed",
        variety: str = "seeded",
    ) -> None:
        super().__init__(player_id)
        self.fills = options.whole_number("fills", fills, least=1)
        self.floods = options.whole_number("floods", floods, least=1)
        self.style = options.style(style)
        if self.style == "documented":
            for option, value in (("fills", fills), ("floods", floods)):
                options.refuse_unused(self, option, value, because="style='documented', which uses no fills")
        self._variety = Variety(seed, opening, variety)
        self._table: Transpositions[UltraProNode] = Transpositions(key=lambda node: node.key)
        self._history: list[MoveMemory] = []
        self._learnt: dict[MoveMemory, int] = {}

    def play(self, board: HexBoard) -> tuple[int, int]:
        shape = geometry(board)
        first = first_move(board, self.player_id, self._variety)
        bit = self._choose(board, shape) if first is None else shape.grid.bits[first[0]][first[1]]
        self._history.append(_memory_key(board, shape)(bit))
        del self._history[:-HISTORY_LIMIT]
        return shape.cell(bit)

    def learn_from_game(self, result: int) -> None:
        """Add a game's result (1 won, −1 lost, 0 drawn) to every move that was played in it."""
        for pair in self._history:
            self._learnt[pair] = self._learnt.get(pair, 0) + result
        self._history.clear()

    def _choose(self, board: HexBoard, shape: HexGeometry) -> int:
        mine, theirs = board.stones(self.player_id), board.stones(3 - self.player_id)
        filled = (mine | theirs).bit_count()
        if filled == 0:
            return shape.grid.bits[board.size // 2][board.size // 2]
        if decisive := _decisive_move(shape, mine, theirs, self.player_id):
            return decisive
        rng = self._variety.generator(filled)
        rules = Hybrid(shape, Noise(shape, self.fills, rng) if self.style == "fixed" else None)
        root = rules.root(mine, theirs, self.player_id)
        remembered = _memory_key(board, shape)
        # What was learnt about a move takes precedence over its rank.
        ranked = sorted(rules.rank_moves(root), key=lambda bit: -self._learnt.get(remembered(bit), 0))
        if 1 - filled / board.size**2 > OPENING[self.style]:
            return ranked[0] if rules.noise else _most_winning_move(shape, root, ranked[:OPENING_MOVES], rng)
        return self._search(rules, root, ranked[:ROOT_WIDTH], depth_at(filled / board.size**2))

    def _search(self, rules: "Hybrid", root: "UltraProNode", ranked: list[int], depth: int) -> int:
        if self.style == "fixed" or len(self._table.bounds) > TABLE_LIMIT:
            self._table.bounds.clear()
        children = ((bit, rules.after(root, bit)) for bit in ranked if rules.floods <= self.floods)
        if self._variety.seed is None:
            return best_move(rules, children, depth, self._table)[0]
        near = near_best_moves(rules, children, depth, margin=MARGIN, win=WIN, table=self._table)
        return self._variety.choose(near, (root.mine | root.theirs).bit_count())[0]


def depth_at(filled: float) -> int:
    """The number of plies to search when this share of the board is filled."""
    return next((depth for limit, depth in PHASES if filled < limit), PHASES[-1][1])


class UltraProNode(NamedTuple):
    """A position of the search."""

    mine: int
    """The stones of the player to move."""
    theirs: int
    player: int
    key: int
    last: int
    """The move that led here; 0 at the root."""


class Hybrid:
    """Evaluation and move order: by random fills if `noise` is given, otherwise as documented."""

    def __init__(self, geometry: HexGeometry, noise: Noise | None) -> None:
        self.geometry = geometry
        self.noise = noise
        self.floods = 0
        """The number of positions evaluated by fills so far."""
        self._zobrist = zobrist(geometry)

    def root(self, mine: int, theirs: int, player: int) -> UltraProNode:
        one, two = (mine, theirs) if player == 1 else (theirs, mine)
        return UltraProNode(mine, theirs, player, self._zobrist.key(one, two), last=0)

    def value(self, node: UltraProNode, depth: int) -> float | None:
        if self.geometry.grid.connects(node.theirs, 3 - node.player):
            return -WIN - depth
        return self.evaluate(node) if depth == 0 else None

    def moves(self, node: UltraProNode) -> Iterator[tuple[int, UltraProNode]]:
        for bit in self.rank_moves(node)[:WIDTH]:
            yield bit, self.after(node, bit)

    def after(self, node: UltraProNode, bit: int) -> UltraProNode:
        key = self._zobrist.key_after(node.key, bit, node.player)
        return UltraProNode(node.theirs, node.mine | bit, 3 - node.player, key, bit)

    def rank_moves(self, node: UltraProNode) -> list[int]:
        """All moves, the most promising first."""
        mine, theirs, player, _, _ = node
        shape = self.geometry
        if self.noise:
            promise = self._fills(self.noise, mine, theirs, player).odds(player)
        else:
            empty = shape.grid.full & ~(mine | theirs)
            promise = {bit: priority(shape, mine, theirs, bit, player) for bit in each_bit(empty)}
        return sorted(promise, key=lambda bit: -promise[bit])

    def evaluate(self, node: UltraProNode) -> float:
        """The value, for the player to move, of a position in which neither player has connected."""
        mine, theirs, player, _, last = node
        shape, other = self.geometry, 3 - player
        if self.noise:
            mine |= _answer(shape, mine, theirs, player, last)
        distance = shortest_connection(shape.grid, mine, theirs, player)
        their_distance = shortest_connection(shape.grid, theirs, mine, other)
        if self.noise:
            fills = self._fills(self.noise, mine, theirs, player)
            ground = FILLS_TERRITORY * (2 * fills.wins(player).bit_count() / self.noise.every.bit_count() - 1)
        else:
            ground = territory(shape, mine, player) - territory(shape, theirs, other)
        forms = patterns(shape, mine, theirs, player) - patterns(shape, theirs, mine, other)
        return DISTANCE * (their_distance - distance) + TERRITORY * ground + PATTERNS * forms

    def _fills(self, noise: Noise, mine: int, theirs: int, player: int) -> Percolation:
        """Random fills in which each player gets one of the two cells of a bridge."""
        self.floods += 1
        one, two = (mine, theirs) if player == 1 else (theirs, mine)
        return Percolation(
            noise, one, two, standing_bridges(self.geometry, one, two, 1) + standing_bridges(self.geometry, two, one, 2)
        )


def _answer(shape: HexGeometry, mine: int, theirs: int, player: int, last: int) -> int:
    """The other cell of a bridge into which the opponent has just moved; 0 if it has not."""
    broken = (pair for pair in standing_bridges(shape, mine, theirs & ~last, player) if pair & last)
    return next(broken, last) ^ last


def _decisive_move(shape: HexGeometry, mine: int, theirs: int, player: int) -> int:
    """A move that wins at once; otherwise one that blocks the opponent's win; otherwise 0."""
    for own, other, who in ((mine, theirs, player), (theirs, mine, 3 - player)):
        ways = paths(shape.grid, own, other, who, slack=0)
        if ways.distance == 1:
            return next(each_bit(ways.through[1]))
    return 0


def _most_winning_move(shape: HexGeometry, root: UltraProNode, moves: list[int], rng: random.Random) -> int:
    """The move that wins the most playouts, as documented."""
    wins = {}
    for bit in moves:
        mine, theirs = root.mine | bit, root.theirs
        empty = shape.grid.full & ~(mine | theirs)
        one, more = (mine, empty.bit_count() // 2) if root.player == 1 else (theirs, (empty.bit_count() + 1) // 2)
        fills = (one | random_fill(empty, more, rng) for _ in range(OPENING_PLAYOUTS))
        wins[bit] = sum(first_player_connects(shape.grid, stones) is (root.player == 1) for stones in fills)
    return max(moves, key=lambda bit: wins[bit])


def _memory_key(board: HexBoard, shape: HexGeometry) -> Callable[[int], MoveMemory]:
    """A function that returns the key under which a move is remembered: the same for the move's image on the image board."""
    keys = zobrist(shape)
    key, turned = keys.canonical_key(board.stones(1), board.stones(2))
    return lambda bit: (key, keys.image(bit) if turned else bit)
