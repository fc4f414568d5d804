"""The command line as a whole: lists, errors and exit statuses."""

import subprocess
import sys

import pytest

from tests.command import grader


def test_list_shows_the_games_and_the_reference_players_with_their_options():
    shown = grader("list").stdout

    assert "size=11, adjacency=axial" in shown
    assert "Desconecta-4 BOOM" in shown
    assert "repetitions=3, ply_limit=200" in shown
    assert "random" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("match", "nobody", "random"), "no file, folder or reference player has that name"),
        (("match", "random", "random", "--option", "size"), "write NAME=VALUE"),
        (("match", "random", "random", "--option", "size=99"), "size must be a whole number from 1 to 26"),
        (("match", "random", "random", "--game", "chess"), "unknown game 'chess'"),
        (("match", "random", "random", "--time", "nan"), "a number of seconds greater than 0, not nan"),
        (("match", "random", "random", "--time", "0"), "is not in the range"),
        (("run", "nowhere"), "does not exist"),
    ],
)
def test_a_usage_error_is_one_sentence_with_exit_2(arguments, message, tmp_path):
    answer = grader(*arguments, cwd=tmp_path)

    assert answer.returncode == 2
    assert message in answer.stderr
    assert "Traceback" not in answer.stderr


def test_doctor_shows_what_each_level_prevents():
    shown = grader("doctor").stdout

    assert "Players run at isolation level" in shown
    assert "start processes: fork bombs, daemons that outlive the game, engines" in shown


def test_a_match_is_printed_and_saved(tmp_path):
    played = grader("match", "random", "random", "--option", "size=3", cwd=tmp_path)

    assert played.returncode == 0
    assert "1. random plays" in played.stdout
    assert "wins: " in played.stdout
    assert (tmp_path / "match.json").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a device that is always full")
def test_a_record_that_cannot_be_saved_is_reported():
    played = grader("match", "random", "random", "--option", "size=2", "-q", "-o", "/dev/full")

    assert played.returncode == 1
    assert "choose another file with -o" in played.stderr


def test_list_fits_a_terminal_of_80_columns():
    assert max(map(len, grader("list").stdout.splitlines())) <= 80


def test_ctrl_c_inside_exec_is_an_interruption_too(tmp_path):
    (tmp_path / "interrupted.py").write_text(
        """
from grader.cli import main
from grader.cli.list_ import list_

list_.callback = lambda **_: exec("raise KeyboardInterrupt")
try:
    main(["list"])  # loads everything that an interrupted command needs
except SystemExit:
    main(["list"])
""",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "interrupted",
    ]  # with a file or -c instead of -m, Python treats the end differently
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr.split()) == (130, ["Interrupted.", "Interrupted."])
