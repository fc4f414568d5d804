"""Whom we are measured against. Of those that are installed, only their public interface is called."""

import importlib.util
import platform
from dataclasses import dataclass
from importlib.metadata import version


@dataclass(frozen=True, slots=True)
class Peer:
    """Somebody else's way to do the same work."""

    name: str
    modules: tuple[str, ...] = ()
    """What is imported; nothing if it is written in this folder."""
    packages: tuple[str, ...] = ()
    """As pip calls them, the peer itself first."""

    @property
    def installed(self) -> bool:
        return all(importlib.util.find_spec(module) for module in self.modules)

    def __str__(self) -> str:
        if not self.packages:
            return f"{self.name}, Python {platform.python_version()}"
        if not self.installed:
            return f"{self.name}: pip install {' '.join(self.packages)}"
        return f"{self.name} {version(self.packages[0])}"


PLAIN_BOARD = Peer("a list-and-search board")
HEAPQ = Peer("Dijkstra with heapq")
KAGGLE = Peer("kaggle-environments", ("kaggle_environments",), ("kaggle-environments",))
OPENSPIEL = Peer("OpenSpiel", ("pyspiel",), ("open-spiel",))
PETTINGZOO = Peer("PettingZoo", ("pettingzoo", "pygame"), ("pettingzoo", "pygame"))
"""Its board games draw with pygame, and import it even where nothing is drawn."""
