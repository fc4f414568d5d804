"""Hex: Fail-hard alpha-beta to depth 3; compares the shortest connections of both players.

From "Jugador de Hex utilizando Minimax con Alpha-Beta Pruning" by Rodrigo Pino and Adrian Portales (its player is
called coolcow). A position is worth the length of the opponent's shortest connection minus that of the player's own. An
empty cell costs 1, an own stone costs nothing, and the opponent's stones cannot be passed; fictitious nodes join each side.

Differences from the document, and the reasons:

- Its program values a won game at 1, less than a good heuristic value. Here a won game beats every heuristic value, and
  an earlier win is better.
- The difference of two small numbers is often the same for many moves, and playing the first of them would open in a
  corner. Here the move nearest to the centre is played and, among equally near ones, the one with the best value one ply
  ahead.
- With two or more plies left, only the `width` most promising moves are considered: all of them would take more than
  twice the time without winning more games. `style="documented"` considers all moves, has no `width`, and does not break
  ties.
- The last ply is evaluated for all moves at once: a move shortens the player's own connection only on its shortest paths,
  and lengthens the opponent's only on a cell that all of its shortest paths share. The values are the same as those of
  trying each move.
- With a seed, the first move or first reply is one of a few sound ones, from a list that all Hex players except `random`
  share (see `search/first_moves.py`), and later ones are chosen among those with the highest value near the centre.
  `variety="none"` always plays the same move.
"""

from collections.abc import Mapping
from typing import NamedTuple

from grader.games.hex import HexBoard
from grader.games.hex.grid import each_bit
from grader.player import Player
from reference_players.search import options
from reference_players.search.alpha_beta import best_move, near_best_moves
from reference_players.search.connection import paths, shortest_connection
from reference_players.search.first_moves import first_move
from reference_players.search.geometry import HexGeometry, geometry, place
from reference_players.search.variety import Variety

GAMES = ("hex",)
SECONDS = 0.03
"""Approximate time per move on the board of the built-in assignment."""
DIFFERENT = 1000
"""At least this many different games as each player, on that board (`python -m tests.bench variety`)."""

WIN = 1000
"""More than any difference of distances."""

OUTWARDS = 1
"""With a seed, a move may be this many steps further from the centre than the nearest of equal value."""

CoolcowNode = tuple[int, int, int]
"""The stones of the player to move, the opponent's stones, and the player to move."""


class CoolcowPlayer(Player):
    """Searches `depth` plies ahead, with `width` moves per position except in the last ply."""

    def __init__(
        self,
        player_id: int,
        *,
        seed: int | None = None,
        opening: int = 0,
        depth: int = 3,
        width: int = 40,
        style: str = "fixed",
        variety: str = "seeded",
    ) -> None:
        super().__init__(player_id)
        self.depth = options.whole_number("depth", depth, least=1)
        self.width = options.whole_number("width", width, least=1)
        self.style = options.style(style)
        if self.style == "documented":
            options.refuse_unused(self, "width", width, because="style='documented', which considers all moves")
        self._variety = Variety(seed, opening, variety)

    def play(self, board: HexBoard) -> tuple[int, int]:
        if (first := first_move(board, self.player_id, self._variety)) is not None:
            return first
        width = None if self.style == "documented" else self.width
        rules = Connections(geometry(board), width)
        root = board.stones(self.player_id), board.stones(3 - self.player_id), self.player_id
        if self._variety.seed is None:
            return rules.geometry.cell(best_move(rules, rules.root_moves(root), self.depth)[0])
        equal = [move for move, _ in near_best_moves(rules, rules.root_moves(root), self.depth, margin=0, win=WIN)]
        if width is not None:
            steps = rules.geometry.from_centre
            nearest = steps[place(equal[0])]
            equal = [move for move in equal if steps[place(move)] <= nearest + OUTWARDS]
        return rules.geometry.cell(self._variety.choose(equal, (root[0] | root[1]).bit_count()))


class Connections:
    """The document's evaluation, and the `width` best moves by it, or all moves in listing order."""

    def __init__(self, geometry: HexGeometry, width: int | None) -> None:
        self.geometry = geometry
        self.width = width

    def value(self, node: CoolcowNode, depth: int) -> float | None:
        _, theirs, player = node
        if self.geometry.grid.connects(theirs, 3 - player):
            return -WIN - depth
        if depth == 0:
            return evaluate(self.geometry, node)
        return after_each_move(self.geometry, node).best() if depth == 1 else None

    def moves(self, node: CoolcowNode) -> list[tuple[int, CoolcowNode]]:
        mine, theirs, player = node
        found = list(each_bit(self.geometry.grid.full & ~(mine | theirs)))
        if self.width is not None:
            promise, steps = after_each_move(self.geometry, node), self.geometry.from_centre
            found.sort(key=lambda bit: (-promise.of(bit), steps[place(bit)]))
            del found[self.width :]
        return [(bit, (theirs, mine | bit, 3 - player)) for bit in found]

    def root_moves(self, node: CoolcowNode) -> list[tuple[int, CoolcowNode]]:
        """The moves at the root, from the centre outwards if there is a `width`: the first with the highest value is played.

        This order prunes less than the best moves first, but only at the root does the order affect the chosen move.
        """
        found = self.moves(node)
        if self.width is not None:
            found.sort(key=lambda pair: self.geometry.from_centre[place(pair[0])])
        return found


def evaluate(geometry: HexGeometry, node: CoolcowNode) -> float:
    """The opponent's shortest connection minus that of the player to move."""
    mine, theirs, player = node
    theirs_needs = shortest_connection(geometry.grid, theirs, mine, 3 - player)
    return theirs_needs - shortest_connection(geometry.grid, mine, theirs, player)


class AfterEachMove(NamedTuple):
    """The evaluation after every move in a position, for the player to move."""

    usual: float
    """The value after a move that changes neither distance."""
    shortening: int
    """The moves that shorten the player's own connection and do not affect the opponent's."""
    shortened: float
    """The value after one of these moves."""
    blocking: Mapping[int, float]
    """The value after each move that lies on every shortest path of the opponent."""

    def of(self, bit: int) -> float:
        return self.blocking.get(bit, self.shortened if bit & self.shortening else self.usual)

    def best(self) -> float:
        return max([*self.blocking.values(), self.shortened if self.shortening else self.usual])


def after_each_move(geometry: HexGeometry, node: CoolcowNode) -> AfterEachMove:
    """Compute the evaluation after every move from the shortest paths of both players."""
    mine, theirs, player = node
    grid = geometry.grid
    own = paths(grid, mine, theirs, player, slack=0)
    other = paths(grid, theirs, mine, 3 - player, slack=0)
    shortening = own.through[own.distance]
    winning = shortening if own.distance == 1 else 0
    usual = other.distance - own.distance
    blocking = {}
    for bit in each_bit(other.needed & ~winning):
        longer = shortest_connection(grid, theirs, mine | bit, 3 - player)
        blocking[bit] = longer - own.distance + (1 if bit & shortening else 0)
    return AfterEachMove(usual, shortening & (winning | ~other.needed), WIN if winning else usual + 1, blocking)
