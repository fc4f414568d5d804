"""Folders of submissions for tests of the commands."""

import json
from pathlib import Path
from typing import Any

FIRST = """
from player import Player
class SmartPlayer(Player):
    def play(self, board):
        return board.get_possible_moves()[0]
"""
"""A deterministic and weak player: it takes the first free cell."""

LAST = FIRST.replace("[0]", "[-1]")
CRASHES = FIRST.replace("return ", "return None or 1 / 0 or ")

ASSIGNMENT = """
title: A test
game: hex
options: {size: 4}
time: {move: 2, load: 5}
seed: 0
opponents:
  - {player: random, points: 10, games: 4}
"""


def folder(at: Path, assignment: str = ASSIGNMENT, **submissions: str) -> Path:
    """Create submissions with these sources, and an assignment next to them."""
    at.mkdir(parents=True, exist_ok=True)
    for name, source in submissions.items():
        (at / name).mkdir(exist_ok=True)
        (at / name / "solution.py").write_text(source, encoding="utf-8")
    if assignment:
        (at / "assignment.yaml").write_text(assignment, encoding="utf-8")
    return at


def results(at: Path) -> dict[str, Any]:
    """The submissions in `results.json`, by id."""
    content = json.loads((at / "results.json").read_text(encoding="utf-8"))
    return {submission["id"]: submission for submission in content["submissions"]}
