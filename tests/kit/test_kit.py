"""The kit as it comes: graded, played without the grader, and true to its assignment."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.assignment import load_assignments
from grader.kit import HANDOUT, make_kit
from grader.language import LANGUAGES
from tests.command import grader
from tests.kit.kits import changed, written
from tests.workflow.folders import results

GAMES = ("hex", "desconecta4")
QUICK = [{"player": "random", "points": 10, "games": 2}]
BARE = "import sys, runpy; sys.path.insert(0, '.'); runpy.run_path('solution.py', run_name='__main__')"
"""Runs what a student runs, without site-packages, environment or anything installed."""


@pytest.mark.parametrize("game", GAMES)
def test_the_kit_as_it_comes_can_be_graded(tmp_path, game):
    options = {"size": 4} if game == "hex" else {}
    handout = written(tmp_path / "kit", changed(game, options=options, opponents=QUICK))

    done = grader("run", handout, "-c", tmp_path / "kit" / "assignment.yaml", "-o", tmp_path / "results")

    assert done.returncode == 0, done.stderr
    graded = results(tmp_path / "results")[HANDOUT]
    assert (graded["status"], graded["game"]) == ("graded", game)
    assert set(graded["endings"]) <= {"connected", "line", "full_board", "repetition", "ply_limit"}
    assert not graded["findings"]


def run_by_a_student(handout: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", BARE],
        capture_output=True,
        text=True,
        check=False,
        cwd=handout,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_kit_plays_in_a_bare_python(tmp_path, game, language):
    told = run_by_a_student(written(tmp_path, changed(game), language))

    said = {"en": r"Player [12] wins\.|It is a draw\.", "es": r"Gana el jugador [12]\.|Son tablas\."}[language]
    assert re.fullmatch(said, told.splitlines()[-1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_kit_names_a_cell_of_hex_as_the_program_and_as_the_board_does(tmp_path, language):
    told = run_by_a_student(written(tmp_path, changed("hex", options={"size": 12}), language))

    moves = re.findall(r" \((\d+), (\d+)\): ([a-l])(\d+) .*\n", told)
    assert len(moves) == told.count("\n\n")
    assert all((int(row) + 1, "abcdefghijkl"[int(col)]) == (int(label), letter) for row, col, letter, label in moves)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_kit_names_an_action_of_desconecta_as_the_program_and_as_the_board_does(tmp_path, language):
    told = run_by_a_student(written(tmp_path, changed("desconecta4"), language))

    actions = re.findall(r" (\d) \((PUT\d|BOOM)\)\n", told)
    assert len(actions) == told.count("\n\n")
    assert all(name == ("BOOM" if action == "7" else f"PUT{int(action) + 1}") for action, name in actions)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_is_that_of_the_assignment(tmp_path, language):
    handout = written(tmp_path, changed("hex", options={"size": 7, "adjacency": "even-r"}), language)

    code = "import sys; sys.path.insert(0, '.'); from board import HexBoard; print(HexBoard(3).adjacency)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd=handout)

    assert done.stdout == "even-r\n"
    assert "HexBoard(7)" in (handout / "solution.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adjacency", ["axial", "even-r"])
def test_the_statement_draws_six_neighbours(adjacency, language):
    told = make_kit(changed("hex", options={"adjacency": adjacency}), language)[0].text

    drawing = told.split("```")[3]
    assert (drawing.count("1"), drawing.count("2")) == (2, 7), "with the rows called 1 and 2"
    assert ("half a cell" in told or "media casilla" in told) == (adjacency == "even-r")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param({"time": {"move": 2.5}}, ["2.5 s"], id="time for a move"),
        pytest.param({"time": {"bank": 300, "increment": 3}}, ["300 s", "3 s"], id="a bank"),
        pytest.param({"limits": {"memory_mb": 777, "scratch_mb": 5}}, ["777 MB", "TMPDIR"], id="resources"),
        pytest.param({"forbidden_imports": ["torch"]}, ["torch"], id="imports"),
        pytest.param(
            {"late": {"percent_per_day": 15, "due": "2026-05-31 23:59"}}, ["15 %", "2026-05-31 23:59"], id="late"
        ),
        pytest.param({"speed_share": 0.25}, ["25 %"], id="speed"),
        pytest.param({"options": {"size": 8}}, ["8×8"], id="size"),
    ],
)
def test_the_statement_says_what_the_assignment_says(changes, told, language):
    text = make_kit(changed("hex", **changes), language)[0].text

    assert [part for part in told if part not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "changes",
    [
        {"forbidden": ["network", "processes", "ctypes", "files", "input", "eval", "import_time", "missing_import"]},
        {"overrun": "disqualify", "lifetime": "pairing"},
        {"overrun": "random-move", "scoring": "ladder"},
        {"opponents": [{"player": "random", "points": 5, "games": 4, "scoring": {"threshold": {"wins": 3}}}]},
        {
            "opponents": [
                {"player": "random", "points": 5, "scoring": {"linear": {"from": 0.5}}, "disqualify_on_loss": True}
            ]
        },
    ],
    ids=lambda changes: " ".join(changes),
)
@pytest.mark.parametrize("game", GAMES)
def test_every_field_of_an_assignment_has_its_words(game, changes, language):
    text = make_kit(changed(game, **changes), language)[0].text

    assert "\n\n\n" not in text
    assert "{" not in text and "import_time" not in text


def test_hidden_opponents_are_not_told_to_students(tmp_path):
    opponents = [*QUICK, {"player": "coolcow", "points": 20, "games": 4, "hidden": True}]
    handout = written(tmp_path, changed("hex", opponents=opponents))

    assert not [file for file in handout.iterdir() if "coolcow" in file.read_text(encoding="utf-8")]
    assert "| one more, not named before the end | 4 | 20 |" in (handout / "README.md").read_text(encoding="utf-8")
    (own,) = load_assignments(tmp_path / "assignment.yaml")
    assert [opponent.player for opponent in own.opponents] == ["random", "coolcow"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_loss_that_disqualifies_is_told_of_a_hidden_opponent_without_its_name(language):
    said = {"en": "a loss to it can disqualify | 4 |", "es": "perder con él puede descalificar | 4 |"}[language]
    harmless = {"player": "coolcow", "points": 20, "games": 4, "hidden": True}

    strict = make_kit(changed("hex", opponents=[*QUICK, {**harmless, "disqualify_on_loss": True}]), language)[0].text

    assert said in strict and "coolcow" not in strict
    assert said not in make_kit(changed("hex", opponents=[*QUICK, harmless]), language)[0].text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_statement_says_who_moves_first_once_more_where_games_are_odd(language):
    said = {"en": "once more as the first to move", "es": "una más moviendo primero"}[language]
    odd = {**QUICK[0], "games": 5, "scoring": {"threshold": {"wins": 3}}}

    assert said in make_kit(changed("hex", opponents=[odd]), language)[0].text
    assert said not in make_kit(changed("hex", opponents=QUICK), language)[0].text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_of_an_opponent_breaks_the_table(language):
    told = make_kit(changed("hex", opponents=[{**QUICK[0], "name": "a|b"}]), language)[0].text

    assert "| a\\|b | 2 | 10 |" in told


def test_the_seed_of_the_run_is_not_told_to_students(tmp_path):
    handout = written(tmp_path, changed("hex", seed=4711))

    assert not [file for file in handout.iterdir() if "4711" in file.read_text(encoding="utf-8")]
    assert load_assignments(tmp_path / "assignment.yaml")[0].seed == 4711


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_statement_says_what_a_draw_is_worth_where_there_are_draws(language):
    halves = {"en": "a draw is half a win", "es": "unas tablas valen media victoria"}

    assert halves[language] in make_kit(changed("desconecta4"), language)[0].text
    assert halves[language] not in make_kit(changed("hex"), language)[0].text


def test_where_all_opponents_are_hidden_there_is_no_assignment_to_hand_out(tmp_path):
    handout = written(tmp_path, changed("hex", opponents=[{**QUICK[0], "hidden": True}]))

    assert not (handout / "assignment.yaml").exists()


@pytest.mark.parametrize("game", GAMES)
def test_the_assignment_that_was_written_is_the_one_that_was_meant(tmp_path, game):
    assignment = changed(game, time={"move": 3, "load": 10})
    written(tmp_path, assignment)

    assert load_assignments(tmp_path / "assignment.yaml") == (assignment,)


def test_the_kit_is_nothing_that_two_students_share(tmp_path):
    for name in ("ana", "berta"):
        written(tmp_path / "class" / name, changed("hex"))
        written(tmp_path / "class" / name / "more", changed("desconecta4"), "es")
        (tmp_path / "class" / name / "note.py").write_text(f"x = {name!r}\n", encoding="utf-8")

    done = grader("similarity", tmp_path / "class", "-o", tmp_path / "out")

    assert "No two of 2 submissions share" in done.stdout
    assert "ana, berta" in done.stdout
