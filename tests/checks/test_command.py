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

from grader import __version__
from grader.records import read_record
from tests.checks.folders import PLAYERS, SMALL, assignment
from tests.cli.terminal import Terminal
from tests.command import ENGLISH, grader
from tests.waiting import becomes_true

OFFICIAL = "The official run plays 2 games"


def student(folder: Path, name: str = "good") -> Path:
    """A folder as a student has it: the player as solution.py, and the course's assignment next to it."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(PLAYERS / f"{name}.py", folder / "solution.py")
    (folder / "assignment.yaml").write_text(SMALL, encoding="utf-8")
    return folder


def contents(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_a_folder_is_checked_against_the_assignment_in_it_and_only_the_page_is_written(tmp_path):
    folder = student(tmp_path / "Núñez Peña, María")
    before = contents(tmp_path)

    seen = grader("check", folder, cwd=tmp_path)

    assert seen.returncode == 0, seen.stderr
    first, second, *_, official, _, last = seen.stdout.splitlines()
    assert first == f"grader {__version__} · Núñez Peña, María"
    file = Path("Núñez Peña, María", "assignment.yaml")
    assert second == f"Assignment: {file} (“A small board”; size 5, adjacency axial; 0.6 s per move)"
    assert "\nReady to submit" in seen.stdout
    assert official.startswith(OFFICIAL)
    assert last == "Page with all results and games, for a browser: check.html"
    assert "\x1b" not in seen.stdout + seen.stderr
    assert contents(tmp_path) == before | {"check.html"}


def test_the_first_line_does_not_wait_for_anything_that_is_slow_to_import():
    code = "import sys, grader.cli.check; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )

    assert not loaded & {"pydantic", "jinja2", "rich", "grader.assignment", "grader.checks", "grader.reading"}


def test_the_page_keeps_every_game_and_is_opened_on_request(tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(f"#!{sys.executable}\nimport sys\nopen({str(tmp_path / 'opened')!r}, 'w').write(sys.argv[1])\n")
    browser.chmod(0o755)
    folder = student(tmp_path / "mine", "illegal_as_player_2")
    environment = {**ENGLISH, "BROWSER": f"{browser} %s"}

    seen = grader("check", folder, "--open", "-o", tmp_path / "result.html", environment=environment)

    assert seen.returncode == 1
    assert becomes_true(lambda: (tmp_path / "opened").exists() and (tmp_path / "opened").read_text())
    assert (tmp_path / "opened").read_text() == (tmp_path / "result.html").as_uri()
    page = (tmp_path / "result.html").read_text(encoding="utf-8")
    assert "This is a check on your own computer, not a grade: 2 of 2 games of the assignment were finished." in page
    assert "Games lost because of errors" in page
    assert f"To see a lost game: `grader replay {tmp_path / 'result.html'} --game 2`" in seen.stdout
    shown = grader("replay", tmp_path / "result.html", "--game", "2")
    assert "illegal move" in shown.stdout and shown.returncode == 0


def test_a_page_that_cannot_be_written_is_a_warning(tmp_path):
    folder = student(tmp_path / "mine")
    (tmp_path / "check.html").mkdir()

    seen = grader("check", folder, cwd=tmp_path)

    assert seen.returncode == 0
    assert "Is a directory; choose another file with -o" in seen.stdout.splitlines()[-1]


def test_a_file_of_the_student_with_the_name_of_the_page_is_left_alone(tmp_path):
    folder = student(tmp_path / "mine")
    (tmp_path / "check.html").write_text("my own page")

    seen = grader("check", folder, cwd=tmp_path)

    assert "check.html was not written by `grader check`, so it was not replaced" in seen.stdout.splitlines()[-1]
    assert (tmp_path / "check.html").read_text() == "my own page"


@pytest.mark.parametrize("name", ["illegal_as_player_2", "keeps_state_in_the_class", "only_on_5"])
def test_nothing_is_shown_twice(tmp_path, name):
    seen = grader("check", PLAYERS / f"{name}.py", "-c", assignment(tmp_path), cwd=tmp_path)

    lines = [line.lstrip("✓!✗– ") for line in seen.stdout.splitlines() if line.strip()]
    assert len(lines) == len(set(lines))
    assert seen.stdout.count(". Your player ") == 1, "the only fault is explained once"


def test_a_zip_is_checked_as_it_would_be_submitted(tmp_path):
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as archive:
        archive.write(PLAYERS / "illegal_as_player_2.py", "María_Núñez/solution.py")

    seen = grader("check", tmp_path / "mine.zip", "-c", assignment(tmp_path), cwd=tmp_path)

    assert seen.returncode == 1
    assert "✗ Your player fails as player 2 " in seen.stdout and "Not ready: 1 problem to fix." in seen.stdout


def test_a_lost_game_is_saved_on_request_and_can_be_read(tmp_path):
    file = tmp_path / "lost.json"
    seen = grader("check", PLAYERS / "illegal_as_player_2.py", "-c", assignment(tmp_path), "--save", file, cwd=tmp_path)

    assert f"Saved a lost game as {file}" in seen.stdout
    record = read_record(json.loads(file.read_text(encoding="utf-8")))
    assert record.at_fault == 1 and record.fault is not None


@pytest.mark.skipif(sys.platform != "linux", reason="a device that is always full is one of Linux's own")
def test_the_conclusion_is_shown_even_if_the_lost_game_cannot_be_saved(tmp_path):
    player = PLAYERS / "illegal_as_player_2.py"
    seen = grader("check", player, "-c", assignment(tmp_path), "--save", "/dev/full", cwd=tmp_path)

    assert seen.returncode == 1
    assert "'/dev/full': No space left on device; choose another file with --save" in seen.stdout
    assert "✗ Your player fails as player 2 " in seen.stdout and OFFICIAL in seen.stdout


@pytest.mark.parametrize("command", [["check"], ["match", "random"], ["play"]], ids=" ".join)
def test_a_file_that_cannot_be_saved_is_an_error_before_anything_is_played(tmp_path, command):
    option = "-o" if command[0] == "match" else "--save"
    seen = grader(*command, PLAYERS / "good.py", option, tmp_path / "nowhere" / "lost.json")

    assert seen.returncode == 2 and seen.stdout == ""
    assert f"the folder {tmp_path / 'nowhere'} does not exist" in seen.stderr


def test_a_syntax_error_is_shown_once_with_its_line(tmp_path):
    shutil.copy(PLAYERS / "syntax_error.txt", tmp_path / "solution.py")
    seen = grader("check", tmp_path, "-c", assignment(tmp_path), cwd=tmp_path)

    assert seen.returncode == 1
    assert seen.stdout.count("Syntax error in solution.py:5: ") == 1 and seen.stdout.count("solution.py") == 1


@pytest.mark.parametrize(
    ("prepare", "status", "words"),
    [
        (lambda folder: folder / "nowhere", 2, "does not exist"),
        (lambda folder: folder, 1, "✗ The folder is empty."),
        (lambda folder: _written(folder / "notes.txt", "hello"), 2, "notes.txt is not a Python file; give a .py file"),
        (
            lambda folder: _written(folder / "mine.ipynb", "{}"),
            1,
            "✗ mine.ipynb cannot be read: it is not a valid notebook.",
        ),
        (lambda folder: _written(folder / "other.py", "print('hello')"), 1, "✗ No player found"),
        (lambda folder: _class(folder), 2, "contains several submissions (Ana, Luis)"),
    ],
    ids=["nothing there", "empty", "no code", "a notebook", "no player", "a whole class"],
)
def test_a_path_that_cannot_be_checked_is_explained_in_a_sentence(tmp_path, prepare, status, words):
    folder = tmp_path / "mine"
    folder.mkdir()
    seen = grader("check", prepare(folder), "-c", assignment(tmp_path), cwd=tmp_path)

    assert seen.returncode == status and words in seen.stdout + seen.stderr
    assert "Traceback" not in seen.stderr


def test_full_plays_every_game_and_shows_the_points(tmp_path):
    seen = grader("check", student(tmp_path / "mine"), "--full", "-j", "1", cwd=tmp_path)

    assert seen.returncode == 0, seen.stderr
    assert "Won 2 of 2 games (random 2/2)." in seen.stdout
    assert "that would be 10 of 10 points (not guaranteed)." in seen.stdout


def test_signs_are_letters_if_the_output_cannot_show_ticks(tmp_path):
    seen = subprocess.run(
        [sys.executable, "-m", "grader", "check", str(student(tmp_path / "mine"))],
        capture_output=True,
        cwd=tmp_path,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},  # as in a pipe in Windows
    )

    shown = seen.stdout.decode("cp1252").replace("\r\n", "\n")
    assert "\nok Found SmartPlayer in solution.py.\n" in shown
    assert "\nok Also plays on a 4×4 board.\n" in shown


def test_at_a_terminal_lines_are_wrapped_between_words_and_indented_below_their_signs(tmp_path):
    with Terminal("check", student(tmp_path, "prints"), cwd=tmp_path, columns=40) as terminal:
        terminal.until("Ready to submit")
        assert terminal.status() == 0
        shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", terminal.raw).partition("Ready to submit")[2]

    assert "\n    This does not affect the game, but\n    printing costs time: remove it." in shown
    assert "\nThe official run plays 2 games, perhaps\nwith another seed" in shown
    assert "\n! It played the winning or blocking move\n  in only 3 of 12 test positions" in shown


def test_an_interrupted_check_shows_what_is_known(tmp_path):
    folder = student(tmp_path / "mine", "slow")
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "check", str(folder)],
        cwd=tmp_path,
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
    assert "Interrupted. Results so far:" in rest and OFFICIAL in rest
    assert "Traceback" not in errors


def _written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


def _class(folder: Path) -> Path:
    for name in ("Ana", "Luis"):
        student(folder / name)
    return folder


def test_the_page_begins_with_the_conclusion_and_the_first_problem(tmp_path):
    code = "from player import Player\n\n\nclass MyBot(Player):\n    def play(self, board):\n        return (99, 99)\n"
    (tmp_path / "mybot.py").write_text(code, encoding="utf-8")

    seen = grader("check", "mybot.py", "--game", "hex", "--budget", "5", cwd=tmp_path)
    page = (tmp_path / "check.html").read_text(encoding="utf-8")
    replayed = grader("replay", "check.html", cwd=tmp_path)

    assert "Not ready: 1 problem to fix." in seen.stdout
    assert "<strong>Not ready: 1 problem to fix.</strong>" in page and "<h3>Fix this first</h3>" in page
    assert "Checked with grader" in page and "Graded with" not in page and "scaled to" not in page
    assert "This check played no games." in replayed.stderr and "valid" not in replayed.stderr
