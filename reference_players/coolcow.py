"""Hex: fail-hard alpha-beta to depth 3 on the difference between the shortest connections.

From "Jugador de Hex utilizando Minimax con Alpha-Beta Pruning" by Rodrigo Pino and Adrian Portales (its player is
called coolcow). A position is worth the opponent's shortest connection less one's own, where an empty cell costs 1,
an own stone nothing, and the opponent's stones cannot be passed; fictitious nodes join each side.

What is different from the document, and why:

- Its program gives a won game 1, less than a good heuristic value. Here a won game beats every heuristic value, and
  the sooner the better.
- The difference of two small numbers ties heavily, and the first of the best would open in a corner. Ties go to the
  cell nearest to the centre; of several as near, to the one of the best value one ply ahead.
- Where two or more plies are left, only the `width` most promising moves are looked at: all of them cost more than
  twice the time and win no more games. `style="documented"` looks at all of them, takes no `width`, and does not break ties.
- The last ply is valued for all moves at once: one's own connection gets shorter exactly on its shortest ways, and
  the opponent's can get longer only on a cell that all its shortest ways share. Values are those of trying each move.
- With a seed, the first move or first reply is one of a few sound ones, from the list that all Hex players but
  `random` share (see `search/first_moves.py`).
"""

from collections.abc import Mapping
from typing import NamedTuple

from grader.games.hex import HexBoard
from grader.games.hex.grid import each_bit
from grader.player import Player
from reference_players.search import options
from reference_players.search.alpha_beta import best_move
from reference_players.search.connection import paths, shortest_connection
from reference_players.search.first_moves import first_move
from reference_players.search.geometry import HexGeometry, geometry, place
from reference_players.search.variety import Variety

GAMES = ("hex",)
SECONDS = 0.03
"""That a move takes, about, on the board of the built-in assignment."""

WIN = 1000
"""More than any difference of distances."""

CoolcowNode = tuple[int, int, int]
"""The stones of the player to move, the opponent's, and which player is to move."""


class CoolcowPlayer(Player):
    """Looks `depth` plies ahead, at `width` moves while more than one ply is left."""

    def __init__(
        self,
        player_id: int,
        *,
        seed: int | None = None,
        opening: int = 0,
        depth: int = 3,
        width: int = 40,
        style: str = "mended",
    ) -> None:
        super().__init__(player_id)
        self.depth = options.whole_number("depth", depth, least=1)
        self.width = options.whole_number("width", width, least=1)
        self.style = options.one_of("style", style, ("mended", "documented"))
        if self.style == "documented":
            options.refuse_unused(self, "width", width, because="style='documented', which looks at all moves")
        self._variety = Variety(seed, opening)

    def play(self, board: HexBoard) -> tuple[int, int]:
        if (first := first_move(board, self.player_id, self._variety)) is not None:
            return first
        width = None if self.style == "documented" else self.width
        rules = Connections(geometry(board), width)
        root = board.stones(self.player_id), board.stones(3 - self.player_id), self.player_id
        move, _ = best_move(rules, rules.root_moves(root), self.depth)
        return rules.geometry.cell(move)


class Connections:
    """The document's evaluation; the `width` best moves by it, or all of them as they are listed."""

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
        """The same moves, from the centre outwards if only the best are kept: the first of the highest value is played.

        It prunes less than the order of promise does, and only here does the order matter for the move.
        """
        found = self.moves(node)
        if self.width is not None:
            found.sort(key=lambda pair: self.geometry.from_centre[place(pair[0])])
        return found


def evaluate(geometry: HexGeometry, node: CoolcowNode) -> float:
    """The opponent's shortest connection less that of the player to move."""
    mine, theirs, player = node
    theirs_needs = shortest_connection(geometry.grid, theirs, mine, 3 - player)
    return theirs_needs - shortest_connection(geometry.grid, mine, theirs, player)


class AfterEachMove(NamedTuple):
    """The evaluation after every move of a position, for the one who makes it."""

    usual: float
    """After a move that changes neither distance."""
    shortening: int
    """The moves that shorten the own connection and do nothing to the opponent's."""
    shortened: float
    """After one of those."""
    blocking: Mapping[int, float]
    """After each of the moves that stand in every shortest way of the opponent."""

    def of(self, bit: int) -> float:
        return self.blocking.get(bit, self.shortened if bit & self.shortening else self.usual)

    def best(self) -> float:
        return max([*self.blocking.values(), self.shortened if self.shortening else self.usual])


def after_each_move(geometry: HexGeometry, node: CoolcowNode) -> AfterEachMove:
    """The evaluation after every move, from the shortest ways of both players in the position before it."""
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
