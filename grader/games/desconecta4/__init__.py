"""Desconecta-4 BOOM: everything that knows this game. The rules and what a player is given are imported from here."""

from grader.games.desconecta4.environment import Environment
from grader.games.desconecta4.rules import Desconecta4, Desconecta4Position

__all__ = ["Desconecta4", "Desconecta4Position", "Environment"]
