"""Hex: Minimax with alpha-beta to depth 2; prefers stones near the centre and on its own edges.

From "Informe del Proyecto de IA: HEX" by Kendry Javier del Pino Barbosa (MATCOM, 11 April 2025). A stone is worth 10
minus its distance from the centre, and 15 more on an edge that its player connects; the opponent's stones count the same,
but negative. A won game is worth 1000. Moves are tried from the centre outwards, with those on the player's own edges moved
5 places forward, and the first move with the highest value is played.

Differences from the document, and the reasons:

- Its first listing calls the search without alpha and beta, which the second one requires. Here the root passes them on.
- Replies are tried in the same kind of order as moves. This prunes more and changes no move.
- A won game is worth 1000 plus the remaining depth, so that the earlier of two wins is played. At depth 2 this changes no
  move, but deeper searches could otherwise postpone a win again and again.
- Evaluations are limited to 999: on boards larger than 11×11 they could exceed the value of a won game.
- The bonus for an edge counts once per edge, not once per stone: otherwise the player fills its edges instead of
  connecting them. `style="documented"` counts every stone.
- With a seed, the first move or first reply is one of a few sound ones, from a list that all Hex players except `random`
  share (see `search/first_moves.py`), and later ones are chosen among those that are worse than the best by at most
  `MARGIN`. `variety="none"` always plays the documented move.
"""

from collections.abc import Iterator

from grader.games.hex import HexBoard
from grader.player import Player
from reference_players.search import options
from reference_players.search.alpha_beta import best_move, near_best_moves
from reference_players.search.first_moves import first_move
from reference_players.search.geometry import HexGeometry, geometry
from reference_players.search.variety import Variety

GAMES = ("hex",)
SECONDS = 0.003
"""Approximate time per move on the board of the built-in assignment."""
DIFFERENT = 1000
"""At least this many different games as each player, on that board (`python -m tests.bench variety`)."""

WIN = 1000
STONE = 10
EDGE = 15
EDGE_FIRST = 5
"""When moves are ordered, cells on the player's own edges count as this many steps nearer to the centre."""

MARGIN = 1
"""With a seed, a move may be worse than the best by this much."""

MinimaxNode = tuple[int, int, int, bool]
"""The stones of the player that is choosing, the opponent's stones, their total value, and whether the former is to move."""


class MinimaxPlayer(Player):
    """Searches `depth` plies ahead."""

    def __init__(
        self,
        player_id: int,
        *,
        seed: int | None = None,
        opening: int = 0,
        depth: int = 2,
        style: str = "fixed",
        variety: str = "seeded",
    ) -> None:
        super().__init__(player_id)
        self.depth = options.whole_number("depth", depth, least=1)
        self.style = options.style(style)
        self._variety = Variety(seed, opening, variety)

    def play(self, board: HexBoard) -> tuple[int, int]:
        if (first := first_move(board, self.player_id, self._variety)) is not None:
            return first
        rules = CentreAndEdges(geometry(board), self.player_id, self.style)
        root = rules.node(board.stones(self.player_id), board.stones(3 - self.player_id))
        if self._variety.seed is None:
            return rules.geometry.cell(best_move(rules, rules.moves(root), self.depth)[0])
        near = near_best_moves(rules, rules.moves(root), self.depth, margin=MARGIN, win=WIN)
        return rules.geometry.cell(self._variety.choose(near, (root[0] | root[1]).bit_count())[0])


class CentreAndEdges:
    """The document's evaluation and move order, for the player that is choosing."""

    def __init__(self, geometry: HexGeometry, player: int, style: str) -> None:
        self.geometry = geometry
        self.player = player
        self.style = style
        middle = geometry.grid.size // 2
        self._from_centre = {
            bit: abs(row - middle) + abs(col - middle)
            for row, bits in enumerate(geometry.grid.bits)
            for col, bit in enumerate(bits)
        }
        self._orders = {mover: self._order(mover) for mover in (1, 2)}

    def node(self, mine: int, theirs: int) -> MinimaxNode:
        """The node for a position in which the player is to move."""
        counted = sum(
            STONE - steps if bit & mine else steps - STONE
            for bit, steps in self._from_centre.items()
            if bit & (mine | theirs)
        )
        return mine, theirs, counted, True

    def value(self, node: MinimaxNode, depth: int) -> float | None:
        mine, theirs, _, to_move = node
        grid = self.geometry.grid
        # Only the player that has just moved can have connected.
        if to_move:
            if grid.connects(theirs, 3 - self.player):
                return -WIN - depth
        elif grid.connects(mine, self.player):
            return -WIN - depth
        if depth and mine | theirs != grid.full:
            return None
        return self.evaluate(node) if to_move else -self.evaluate(node)

    def evaluate(self, node: MinimaxNode) -> float:
        """The value of a position for the player that is choosing."""
        mine, _, counted, _ = node
        edges = [mine & edge for edge in self.geometry.grid.sides(self.player)]
        bonus = sum(map(int.bit_count, edges)) if self.style == "documented" else sum(map(bool, edges))
        return max(1 - WIN, min(WIN - 1, counted + EDGE * bonus))

    def moves(self, node: MinimaxNode) -> Iterator[tuple[int, MinimaxNode]]:
        mine, theirs, counted, to_move = node
        taken = mine | theirs
        for bit in self._orders[self.player if to_move else 3 - self.player]:
            if bit & taken:
                continue
            worth = STONE - self._from_centre[bit]
            if to_move:
                yield bit, (mine | bit, theirs, counted + worth, False)
            else:
                yield bit, (mine, theirs | bit, counted - worth, True)

    def _order(self, mover: int) -> list[int]:
        first, last = self.geometry.grid.sides(mover)
        return sorted(
            self._from_centre, key=lambda bit: self._from_centre[bit] - (EDGE_FIRST if bit & (first | last) else 0)
        )
