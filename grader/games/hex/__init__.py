"""Hex: everything that knows this game. The rules and the board that a player is given are imported from here."""

from grader.games.hex.board import HexBoard
from grader.games.hex.rules import Hex, HexMove, HexPosition

__all__ = ["Hex", "HexBoard", "HexMove", "HexPosition"]
