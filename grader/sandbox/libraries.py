"""Test whether the installed numerical libraries work in a player's process.

A library that a new version makes use a system call that is not allowed fails here first, and not in a student's game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from grader.errors import GraderFault
from grader.games import installed_games
from grader.sandbox.limits import Limits
from grader.sandbox.process import PlayerProcess, Seating
from grader.sandbox.scratch import Scratch

TRIALS = {
    "numpy": "import numpy; numpy.linalg.inv(numpy.eye(200)); numpy.random.default_rng(0).random(9)",
    "scipy": "import scipy.optimize, scipy.signal; scipy.optimize.linprog([1], [[-1]], [-1]); scipy.signal.hilbert([1, 2])",
    "numba": "import numba; numba.njit(lambda x: x + 1)(1); numba.njit(lambda x: x + 1, parallel=True)(1)",
    "pandas": "import pandas; pandas.DataFrame({'a': [1, 2]}).describe()",
    "torch": "import torch; torch.ones(99, 99) @ torch.ones(99, 99)",
}
"""For each library, code that uses it as a player might."""
_PLAYER = """
from concurrent.futures import ThreadPoolExecutor
{trial}
ThreadPoolExecutor(1).submit(exec, {trial!r}, {{}}).result()

class Player:
    def __init__(self, player_id):
        pass

    def play(self, board):
        pass
"""


@dataclass(frozen=True, slots=True)
class LibraryTrial:
    """The result of using a library in a player's process."""

    library: str
    problem: str
    """Why it does not work; empty if it does."""


def library_trials(is_installed: Callable[[str], object] = find_spec) -> tuple[LibraryTrial, ...]:
    """Use each installed library in its own process, at the best level of this machine."""
    return tuple(LibraryTrial(name, try_library(trial)) for name, trial in TRIALS.items() if is_installed(name))


def try_library(trial: str) -> str:
    """Run code in a player's process. Why it failed; empty if it did not."""
    with Scratch() as scratch:
        file = Path(scratch.folder, "player.py")
        file.write_text(_PLAYER.format(trial=trial), encoding="utf-8")
        game = next(iter(installed_games().values()))()
        try:
            with PlayerProcess(_seating(file), game, Limits(memory_mb=4096)) as player:
                fault = player.load()
        except GraderFault as error:
            return error.text
    return fault.text if fault else ""


def _seating(file: Path) -> Seating:
    entry = {
        "root": str(file.parent),
        "file": str(file),
        "paths": [str(file.parent)],
        "name": "Player",
        "kind": "class",
        "module": file.stem,
        "package": "",
        "course_modules": [],
        "stubs": [],
        "cells": [],
        "preload": [],
        "readable": [str(file)],
    }
    return Seating(name=file.stem, entry=entry, player_id=1, seed=0)
