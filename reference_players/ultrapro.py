"""Hex: the hybrid of Zobrist keys, transpositions, alpha-beta by phase, a Monte Carlo opening and learning.

From "Documentación de UltraProHexPlayer" by Rodrigo Mederos González (12 April 2025). The centre first; by random
playouts while the board is almost empty; then an immediate win, or the block of the opponent's; then alpha-beta over
the 12 best moves and the 8 best replies, 2, 3 or 4 plies deep while less than 20 %, less than 60 % or more of the
board is filled. A position counts 60 × the difference of the shortest connections, 40 × that of territory and 25 ×
that of patterns (bridges for, isolated stones against); a won game 10000 and the depth left.

What is different from the document, and why:

- It asks for the centre after the opening branch, where an empty board never arrives. Here it is asked first.
- It looks for an immediate win, or the block of one, after the opening branch, which in a short game can still be open
  by then. Here that comes before the opening branch.
- Its root negates values that are its own already, and would choose the worst move.
- Its table keeps neither the depth nor whether a value is a bound. Here it keeps both, so that it changes no value.
  It is emptied above 200 000 entries, and before each move unless `style="documented"`, as the values of other fills
  are others.
- It takes mirror images of rows and columns for the same position, which in Hex they are not. The one symmetry that
  there is (see `search/zobrist.py`) is used for what was learnt; the search sees each position as it is, because the
  moves it leaves out need not be each other's image.
- Its bridges at distance (0, 2) are none. Here a bridge joins two cells that have two empty neighbours in common, or a
  cell and an edge. A stone with a bridge is not isolated.
- The territory of both players is 30 × the share of random fills that they win, all `fills` of them decided at once.
  In each, the players get one each of the two cells of a bridge. There are 4096 of them where a prototype had 1024:
  flooding four times the fills takes less than twice as long, and the shares are twice as exact. Moves are in the order
  of how often their cell goes with a win. The priority by rules of thumb and the territory by counting stones, as
  documented, lose every game to `coolcow`.
- Where the search ends with a move into a bridge, the position is valued after the answer: an intrusion gains nothing,
  and would look good for as long as the answer is out of sight.
- The opening branch chooses by the same fills, while more than 95 % of the board is empty. As documented, it chooses
  among the 10 moves of the highest priority by 200 playouts each, while more than 80 % is: most of the game.
- A search ends with the root move during which it has filled and flooded the board more than `floods` times: it is asked
  only between root moves, as half of a root move's search would say nothing, so that a search may go over it by what
  one root move takes. 400 where the prototype had about 1000, as each flood does more; it keeps a move below 1 s.
- With a seed, the first move or first reply is one of a few sound ones, from the list that all Hex players but
  `random` share (see `search/first_moves.py`).

`style="documented"` has the document's opening, order of moves and territory; `fills` and `floods` mean nothing in it.

The grader starts every player anew for each game, so that what `learn_from_game` learns never comes to use there. It is
for those who keep a player alive from one game to the next.
"""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from grader.games.hex import HexBoard
from grader.games.hex.grid import each_bit
from grader.player import Player
from reference_players.search import options
from reference_players.search.alpha_beta import Transpositions, best_move
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
"""That a move takes, about, on the board of the built-in assignment."""

WIN = 10_000
DISTANCE, TERRITORY, PATTERNS = 60, 40, 25
ROOT_WIDTH, WIDTH = 12, 8
PHASES = ((0.2, 2), (0.6, 3), (1.0, 4))
"""Up to which share of the board is filled, and how many plies are searched until then."""
OPENING = {"mended": 0.95, "documented": 0.8}
"""More than this share of the board is empty in the opening."""
OPENING_MOVES, OPENING_PLAYOUTS = 10, 200
TABLE_LIMIT = 200_000
HISTORY_LIMIT = 200
FILLS_TERRITORY = 30

MoveMemory = tuple[int, int]
"""The key of a position and a move in it."""


class UltraProPlayer(Player):
    """Searches as deep as the phase of the game says, on `fills` random fills of the board."""

    def __init__(
        self,
        player_id: int,
        *,
        seed: int | None = None,
        opening: int = 0,
        fills: int = 4096,
        floods: int = 400,
        style: str = "mended",
    ) -> None:
        super().__init__(player_id)
        self.fills = options.whole_number("fills", fills, least=1)
        self.floods = options.whole_number("floods", floods, least=1)
        self.style = options.one_of("style", style, tuple(OPENING))
        if self.style == "documented":
            for option, value in (("fills", fills), ("floods", floods)):
                options.refuse_unused(self, option, value, because="style='documented', which fills no boards")
        self._variety = Variety(seed, opening)
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
        """Count a game's result (1 won, −1 lost, 0 drawn) for every move that was played in it."""
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
        rules = Hybrid(shape, Noise(shape, self.fills, rng) if self.style == "mended" else None)
        root = rules.root(mine, theirs, self.player_id)
        remembered = _memory_key(board, shape)
        # What was learnt of a move comes before what is thought of it.
        ranked = sorted(rules.rank_moves(root), key=lambda bit: -self._learnt.get(remembered(bit), 0))
        if 1 - filled / board.size**2 > OPENING[self.style]:
            return ranked[0] if rules.noise else _most_winning_move(shape, root, ranked[:OPENING_MOVES], rng)
        return self._search(rules, root, ranked[:ROOT_WIDTH], depth_at(filled / board.size**2))

    def _search(self, rules: "Hybrid", root: "UltraProNode", ranked: list[int], depth: int) -> int:
        if self.style == "mended" or len(self._table.bounds) > TABLE_LIMIT:
            self._table.bounds.clear()
        children = ((bit, rules.after(root, bit)) for bit in ranked if rules.floods <= self.floods)
        return best_move(rules, children, depth, self._table)[0]


def depth_at(filled: float) -> int:
    """How many plies to search when this share of the board is filled."""
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
    """Evaluation and order of moves: by random fills if there is noise to make them of, else as documented."""

    def __init__(self, geometry: HexGeometry, noise: Noise | None) -> None:
        self.geometry = geometry
        self.noise = noise
        self.floods = 0
        """How many positions have been filled and flooded so far."""
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
        """What a position in which nobody has connected is worth to the player to move."""
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
    """The other cell of a bridge into which the opponent has just moved, else 0."""
    broken = (pair for pair in standing_bridges(shape, mine, theirs & ~last, player) if pair & last)
    return next(broken, last) ^ last


def _decisive_move(shape: HexGeometry, mine: int, theirs: int, player: int) -> int:
    """A move that wins at once, else one that keeps the opponent from it, else 0."""
    for own, other, who in ((mine, theirs, player), (theirs, mine, 3 - player)):
        ways = paths(shape.grid, own, other, who, slack=0)
        if ways.distance == 1:
            return next(each_bit(ways.through[1]))
    return 0


def _most_winning_move(shape: HexGeometry, root: UltraProNode, moves: list[int], rng: random.Random) -> int:
    """The move that wins most of the document's playouts."""
    wins = {}
    for bit in moves:
        mine, theirs = root.mine | bit, root.theirs
        empty = shape.grid.full & ~(mine | theirs)
        one, more = (mine, empty.bit_count() // 2) if root.player == 1 else (theirs, (empty.bit_count() + 1) // 2)
        fills = (one | random_fill(empty, more, rng) for _ in range(OPENING_PLAYOUTS))
        wins[bit] = sum(first_player_connects(shape.grid, stones) is (root.player == 1) for stones in fills)
    return max(moves, key=lambda bit: wins[bit])


def _memory_key(board: HexBoard, shape: HexGeometry) -> Callable[[int], MoveMemory]:
    """What is remembered of a move on this board, the same as of its image on the board's image."""
    keys = zobrist(shape)
    key, turned = keys.canonical_key(board.stones(1), board.stones(2))
    return lambda bit: (key, keys.image(bit) if turned else bit)
