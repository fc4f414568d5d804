"""A small course in which the command lines of the documentation are run: cheap players, small boards, few games."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.command import PROJECT, grader

ASSIGNMENT = """\
title: Hex
game: hex
seed: 0
options: {size: 4}
time: {move: 2, load: 10}
opponents:
  - {player: random, points: 10, games: 2}
  - {player: minimax, points: 20, games: 2}
"""
PLAYER = """\
from player import Player


class SmartPlayer(Player):
    def play(self, board):
        moves = board.get_possible_moves()
        for row, col in moves:
            after = board.clone()
            after.place_piece(row, col, self.player_id)
            if after.check_connection(self.player_id):
                return row, col
        return moves[CHOICE]
"""
PLAYERS = {"ana": "0", "luis": "-1"}
ROSTER = "id,name\nana,Ana Pérez\nluis,Luis Gil\neva,Eva Sol\nmax,Max Ruiz\n"
WORKSHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments
Participant 101,ana,ana@example.org,Submitted for grading,,10.00,Yes,"Sunday, 31 May 2026, 9:00 PM",-,
Participant 102,luis,luis@example.org,Submitted for grading,,10.00,Yes,"Sunday, 31 May 2026, 9:10 PM",-,
"""
GRADEBOOK = """\
Student,ID,SIS User ID,SIS Login ID,Section,Hex (4711)
Points Possible,,,,,60.00
"Pérez, Ana",5001,ana,ana,AI,
"Gil, Luis",5002,luis,luis,AI,
"""


def make_course(folder: Path) -> None:
    """Fill a folder with a course, graded once."""
    made = grader("init", "kit", "--game", "hex", "--size", "4", cwd=folder)
    assert made.returncode == 0, made.stderr
    for name in ("player.py", "board.py"):
        shutil.copy(folder / "kit" / "handout" / name, folder)
    shutil.rmtree(folder / "kit")
    for name, choice in PLAYERS.items():
        (folder / "submissions" / name).mkdir(parents=True)
        (folder / "submissions" / name / "solution.py").write_text(PLAYER.replace("CHOICE", choice), encoding="utf-8")
    shutil.copy(folder / "submissions" / "ana" / "solution.py", folder)
    files = {"assignment.yaml": ASSIGNMENT, "class.csv": ROSTER, "worksheet.csv": WORKSHEET, "gradebook.csv": GRADEBOOK}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copytree(PROJECT / "docs" / "examples", folder / "docs" / "examples")
    graded = grader("run", "submissions", "-o", "results", cwd=folder)
    assert graded.returncode == 0, graded.stderr


def run_script(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run lines as a person would type them, with this project's `grader` and `python`; stop at the first that fails."""
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "LANGUAGE": "en", "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
