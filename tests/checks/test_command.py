"""`grader check` as a student runs it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from grader.records import read_record
from tests.checks.folders import PLAYERS, SMALL, assignment
from tests.cli.terminal import Terminal
from tests.command import grader

OFFICIAL = "The official run plays 2 games"


def student(folder: Path, name: str = "good") -> Path:
    """A folder as a student has it: the player as solution.py, and the course's assignment beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(PLAYERS / f"{name}.py", folder / "solution.py")
    (folder / "assignment.yaml").write_text(SMALL, encoding="utf-8")
    return folder


def contents(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_a_folder_is_checked_by_the_assignment_in_it_and_nothing_is_written(tmp_path):
    folder = student(tmp_path / "Núñez Peña, María")
    before = contents(tmp_path)

    seen = grader("check", folder, cwd=tmp_path)

    assert seen.returncode == 0, seen.stderr
    assert "Checking Núñez Peña, María for A small board (size 5, adjacency axial; 0.6 s a move)." in seen.stdout
    assert "\nNothing to mend" in seen.stdout
    assert seen.stdout.splitlines()[-1].startswith(OFFICIAL)
    assert "\x1b" not in seen.stdout + seen.stderr
    assert contents(tmp_path) == before


def test_a_zip_is_checked_as_it_would_be_handed_in(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.write(PLAYERS / "illegal_as_player_2.py", "María_Núñez/solution.py")

    seen = grader("check", tmp_path / "mine.zip", "-c", assignment(tmp_path))

    assert seen.returncode == 1
    assert "✗ As player 2 it fails: " in seen.stdout and "Not ready: 1 thing to mend." in seen.stdout


def test_a_lost_game_is_saved_if_asked_for_and_can_be_read(tmp_path):
    file = tmp_path / "lost.json"
    seen = grader("check", PLAYERS / "illegal_as_player_2.py", "-c", assignment(tmp_path), "--save", file)

    assert f"Saved a lost game as {file}" in seen.stdout
    record = read_record(json.loads(file.read_text(encoding="utf-8")))
    assert record.at_fault == 1 and record.fault is not None


@pytest.mark.skipif(sys.platform != "linux", reason="a device that is always full is one of Linux's own")
def test_what_was_found_out_is_told_even_if_the_lost_game_cannot_be_saved(tmp_path):
    player = PLAYERS / "illegal_as_player_2.py"
    seen = grader("check", player, "-c", assignment(tmp_path), "--save", "/dev/full", cwd=tmp_path)

    assert seen.returncode == 1
    assert "'/dev/full': No space left on device; name another file with --save" in seen.stdout
    assert "✗ As player 2 it fails: " in seen.stdout and seen.stdout.splitlines()[-1].startswith(OFFICIAL)


@pytest.mark.parametrize("command", [["check"], ["match", "random"], ["play"]], ids=" ".join)
def test_a_place_where_nothing_can_be_saved_is_told_before_anything_is_played(tmp_path, command):
    option = "-o" if command[0] == "match" else "--save"
    seen = grader(*command, PLAYERS / "good.py", option, tmp_path / "nowhere" / "lost.json")

    assert seen.returncode == 2 and seen.stdout == ""
    assert f"there is no folder {tmp_path / 'nowhere'}" in seen.stderr


def test_a_file_that_is_no_python_is_told_with_its_line(tmp_path):
    shutil.copy(PLAYERS / "syntax_error.txt", tmp_path / "solution.py")
    seen = grader("check", tmp_path, "-c", assignment(tmp_path))

    assert seen.returncode == 1
    assert "✗ solution.py is no Python that can be read" in seen.stdout and "(solution.py:5)" in seen.stdout


@pytest.mark.parametrize(
    ("prepare", "status", "words"),
    [
        (lambda folder: folder / "nowhere", 2, "does not exist"),
        (lambda folder: folder, 1, "✗ The folder is empty."),
        (lambda folder: _written(folder / "notes.txt", "hello"), 2, "notes.txt: name a Python file, or the folder"),
        (
            lambda folder: _written(folder / "mine.ipynb", "{}"),
            2,
            "mine.ipynb: this is a notebook. Save it as a Python file",
        ),
        (lambda folder: _written(folder / "other.py", "print('hello')"), 1, "✗ No player was found"),
        (lambda folder: _class(folder), 2, "there are 2 submissions in it"),
    ],
    ids=["nothing there", "empty", "no code", "a notebook", "no player", "a whole class"],
)
def test_what_cannot_be_checked_is_said_in_a_sentence(tmp_path, prepare, status, words):
    folder = tmp_path / "mine"
    folder.mkdir()
    seen = grader("check", prepare(folder), "-c", assignment(tmp_path))

    assert seen.returncode == status and words in seen.stdout + seen.stderr
    assert "Traceback" not in seen.stderr


def test_full_plays_every_game_and_promises_nothing(tmp_path):
    seen = grader("check", student(tmp_path / "mine"), "--full", "-j", "1")

    assert seen.returncode == 0, seen.stderr
    assert "Games won: 2 of 2 (random 2 of 2)." in seen.stdout
    assert "that is 10 of 10 points, which is no promise." in seen.stdout


def test_signs_are_letters_where_the_output_has_no_ticks(tmp_path):
    seen = subprocess.run(
        [sys.executable, "-m", "grader", "check", str(student(tmp_path / "mine"))],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},  # as in a pipe in Windows
    )

    said = seen.stdout.decode("cp1252")
    assert "\nok Found SmartPlayer in solution.py.\n" in said
    assert "\nok It also plays on 4×4.\n" in said


def test_at_a_terminal_lines_are_broken_between_words_and_below_their_signs(tmp_path):
    with Terminal("check", student(tmp_path, "prints"), cwd=tmp_path, columns=40) as terminal:
        terminal.until("Nothing to mend")
        assert terminal.status() == 0
        shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", terminal.raw).partition("Nothing to mend")[2]

    assert "\n    Nobody reads it, and it is dropped:\n    harmless, but it takes time" in shown
    assert "\nThe official run plays 2 games (2 here)\nwith seeds" in shown
    assert "\n! It took or stopped only 0 of 11 wins\n  in one, so which cells" in shown


def test_an_interrupted_check_says_what_it_knows(tmp_path):
    folder = student(tmp_path / "mine", "slow")
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "check", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert any(line.startswith("✓ Loaded") for line in iter(process.stdout.readline, "")), (
        "it ended before it had begun"
    )
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=120)

    assert process.returncode == 130, errors
    assert "Interrupted: this is what is known so far." in rest and OFFICIAL in rest
    assert "Traceback" not in errors


def _written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


def _class(folder: Path) -> Path:
    for name in ("Ana", "Luis"):
        student(folder / name)
    return folder
