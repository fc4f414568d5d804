"""The game of Desconecta-4 BOOM. Import its rules and its environment class from here."""

from grader.games.desconecta4.environment import Environment
from grader.games.desconecta4.rules import Desconecta4, Desconecta4Position

__all__ = ["Desconecta4", "Desconecta4Position", "Environment"]
