"""The handout for Hex students: the files in `handout/`, adapted to the board of the assignment."""

from pathlib import Path

from grader.games.handout import Handout
from grader.games.hex.board import HexBoard
from grader.games.hex.grid import hex_grid
from grader.games.hex.rules import Hex

_WON = {1: ((2, 0), (2, 1), (1, 2), (1, 3), (1, 4)), 2: ((0, 1), (2, 2), (3, 1), (3, 3))}
"""The stones of each player in a game on 5×5 that player 1 has won, with either adjacency."""


def handout(game: Hex) -> Handout:
    """The handout for this board."""
    return Handout(
        folder=Path(__file__).with_name("handout"),
        modules=("board.py",),
        replacements={
            "HexBoard(11)": f"HexBoard({game.size})",
            'adjacency="axial"': f'adjacency="{game.adjacency}"',
        },
        values=_drawings(game.adjacency),
    )


def _drawings(adjacency: str) -> dict[str, str]:
    """Drawings of a won game, and of a cell with its neighbours."""
    won = HexBoard(5, adjacency)
    for player, cells in _WON.items():
        for row, col in cells:
            won.place_piece(row, col, player)
    assert won.check_connection(1)
    grid = hex_grid(5, adjacency)
    middle = grid.bits[2][2]
    around = HexBoard.from_stones(grid, middle, grid.spread(middle) & ~middle)
    return {"won": str(won), "neighbours": str(around)}
