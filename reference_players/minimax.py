"""Hex: minimax to depth 2 with alpha-beta, stones near the centre and on the own edges.

From "Informe del Proyecto de IA: HEX" by Kendry Javier del Pino Barbosa (MATCOM, 11 April 2025). A stone counts 10
less its distance from the centre, the opponent's the same against, and a stone on one's own goal edges 15 more; a won
game counts 1000. Moves are tried from the centre outwards, those on the own goal edges 5 places earlier, and the
first of the highest value is played.

What is different from the document, and why:

- Its first listing calls the search without alpha and beta, which the second one needs. Here the root passes them on.
- Replies are tried in the same kind of order as moves. It prunes more and changes no move.
- A won game counts the depth left on top of the 1000, so that the sooner of two wins is taken. To depth 2 it changes no
  move; deeper searches could else put a win off again and again.
- Evaluations stay within 999: on boards above 11×11 they could pass for a won game.
- The bonus of an edge counts once, however many stones stand there; counted for each, the player fills its edges
  instead of connecting them. `style="documented"` counts each.
- With a seed, the first move or first reply is one of a few sound ones, from the list that all Hex players but
  `random` share (see `search/first_moves.py`).
"""

from collections.abc import Iterator

from grader.games.hex import HexBoard
from grader.player import Player
from reference_players.search import options
from reference_players.search.alpha_beta import best_move
from reference_players.search.first_moves import first_move
from reference_players.search.geometry import HexGeometry, geometry
from reference_players.search.variety import Variety

GAMES = ("hex",)
SECONDS = 0.003
"""That a move takes, about, on the board of the built-in assignment."""

WIN = 1000
STONE = 10
EDGE = 15
EDGE_FIRST = 5
"""How many steps nearer to the centre a cell on the own goal edges is taken to be when moves are put in order."""

MinimaxNode = tuple[int, int, int, bool]
"""The stones of the player who is choosing, the opponent's, what they all count, and whether the former is to move."""


class MinimaxPlayer(Player):
    """Looks `depth` plies ahead."""

    def __init__(
        self, player_id: int, *, seed: int | None = None, opening: int = 0, depth: int = 2, style: str = "mended"
    ) -> None:
        super().__init__(player_id)
        self.depth = options.whole_number("depth", depth, least=1)
        self.style = options.one_of("style", style, ("mended", "documented"))
        self._variety = Variety(seed, opening)

    def play(self, board: HexBoard) -> tuple[int, int]:
        if (first := first_move(board, self.player_id, self._variety)) is not None:
            return first
        rules = CentreAndEdges(geometry(board), self.player_id, self.style)
        root = rules.node(board.stones(self.player_id), board.stones(3 - self.player_id))
        move, _ = best_move(rules, rules.moves(root), self.depth)
        return rules.geometry.cell(move)


class CentreAndEdges:
    """The document's evaluation and order of moves, for a player who is choosing."""

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
        """The node of a position in which the player is to move."""
        counted = sum(
            STONE - steps if bit & mine else steps - STONE
            for bit, steps in self._from_centre.items()
            if bit & (mine | theirs)
        )
        return mine, theirs, counted, True

    def value(self, node: MinimaxNode, depth: int) -> float | None:
        mine, theirs, _, to_move = node
        grid = self.geometry.grid
        # Only the one who has just moved can have connected.
        if to_move:
            if grid.connects(theirs, 3 - self.player):
                return -WIN - depth
        elif grid.connects(mine, self.player):
            return -WIN - depth
        if depth and mine | theirs != grid.full:
            return None
        return self.evaluate(node) if to_move else -self.evaluate(node)

    def evaluate(self, node: MinimaxNode) -> float:
        """What a position is worth to the player who is choosing."""
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
