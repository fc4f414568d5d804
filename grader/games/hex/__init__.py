"""The game of Hex. Import its rules and its board class from here."""

from grader.games.hex.board import HexBoard
from grader.games.hex.rules import Hex, HexMove, HexPosition

__all__ = ["Hex", "HexBoard", "HexMove", "HexPosition"]
