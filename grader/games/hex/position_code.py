"""Python code that rebuilds a Hex position with the course's `HexBoard`."""

from collections.abc import Sequence

from grader.games.hex.rules import Hex, HexMove
from grader.games.position_code import PositionCode, list_lines


def position_code(game: Hex, moves: Sequence[HexMove]) -> PositionCode:
    """The code for the position after these moves. The handed-out board has the assignment's adjacency by default."""
    return PositionCode(
        imports="from board import HexBoard",
        lines=(
            *list_lines("moves", [str(move) for move in moves]),
            f"board = HexBoard({game.size})",
            "for ply, (row, col) in enumerate(moves):",
            "    board.place_piece(row, col, ply % 2 + 1)",
        ),
        board="board",
    )
