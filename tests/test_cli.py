"""The command line, run as a person runs it."""

import subprocess
import sys


def grader(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "grader", *arguments], capture_output=True, text=True, check=False)


def test_list_shows_both_games_and_their_options():
    shown = grader("list")

    assert shown.returncode == 0
    assert "hex" in shown.stdout
    assert "size=11, adjacency=axial" in shown.stdout
    assert "Desconecta-4 BOOM (repetitions=3, ply_limit=200)" in shown.stdout


def test_help_names_the_commands_and_a_wrong_one_exits_with_2():
    assert "list" in grader("--help").stdout
    assert grader("liist").returncode == 2
