"""The libraries and baselines that we compare ourselves with. Only their public interfaces are used."""

import importlib.util
import platform
from dataclasses import dataclass
from importlib.metadata import version


@dataclass(frozen=True, slots=True)
class Peer:
    """Another implementation of the same work."""

    name: str
    modules: tuple[str, ...] = ()
    """The modules to import; empty for a baseline in this folder."""
    packages: tuple[str, ...] = ()
    """Their names for pip, the peer itself first."""

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
"""Its board games import pygame even if nothing is drawn."""
