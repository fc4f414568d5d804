"""The kit can be graded as it is and played without the grader, and it matches its assignment."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader import __version__
from grader.assignment import load_assignments
from grader.kit import HANDOUT, make_kit
from grader.language import LANGUAGES
from tests.command import grader
from tests.kit.kits import changed, write_kit
from tests.workflow.folders import results

GAMES = ("hex", "desconecta4")
QUICK = [{"player": "random", "points": 10, "games": 2}]
BARE = "import sys, runpy; sys.path.insert(0, '.'); runpy.run_path('solution.py', run_name='__main__')"
"""Runs solution.py as a student does, without any installed package."""


@pytest.mark.parametrize("game", GAMES)
def test_an_unchanged_kit_can_be_graded(tmp_path, game):
    options = {"size": 4} if game == "hex" else {}
    handout = write_kit(tmp_path / "kit", changed(game, options=options, opponents=QUICK))

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
def test_the_kit_runs_in_a_python_without_packages(tmp_path, game, language):
    output = run_by_a_student(write_kit(tmp_path, changed(game), language))

    result = {"en": r"Player [12] wins\.|It is a draw\.", "es": r"Gana el jugador [12]\.|Empate\."}[language]
    assert re.fullmatch(result, output.splitlines()[-1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hex_kit_prints_cells_in_both_notations(tmp_path, language):
    output = run_by_a_student(write_kit(tmp_path, changed("hex", options={"size": 12}), language))

    moves = re.findall(r" \((\d+), (\d+)\) = ([a-l])(\d+)\n", output)
    assert len(moves) == output.count("\n\n")
    assert all((int(row) + 1, "abcdefghijkl"[int(col)]) == (int(label), letter) for row, col, letter, label in moves)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desconecta4_kit_prints_actions_in_both_notations(tmp_path, language):
    output = run_by_a_student(write_kit(tmp_path, changed("desconecta4"), language))

    actions = re.findall(r" (\d) = (PUT\d|BOOM)\n", output)
    assert len(actions) == output.count("\n\n")
    assert all(name == ("BOOM" if action == "7" else f"PUT{int(action) + 1}") for action, name in actions)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_board_has_the_options_of_the_assignment(tmp_path, language):
    handout = write_kit(tmp_path, changed("hex", options={"size": 7, "adjacency": "even-r"}), language)

    code = "import sys; sys.path.insert(0, '.'); from board import HexBoard; print(HexBoard(3).adjacency)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd=handout)

    assert done.stdout == "even-r\n"
    assert "HexBoard(7)" in (handout / "solution.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("adjacency", ["axial", "even-r"])
def test_the_statement_draws_six_neighbours(adjacency, language):
    text = make_kit(changed("hex", options={"adjacency": adjacency}), language)[0].text

    drawing = text.split("```")[3]
    assert (drawing.count("1"), drawing.count("2")) == (2, 7), "including the labels of rows 1 and 2"
    assert ("half a cell" in text or "media casilla" in text) == (adjacency == "even-r")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"time": {"move": 2.5}}, ["2.5 s"], id="time per move"),
        pytest.param({"time": {"bank": 300, "increment": 3}}, ["300 s", "3 s"], id="time per game"),
        pytest.param({"limits": {"memory_mb": 777, "scratch_mb": 5}}, ["777 MB", "TMPDIR"], id="resources"),
        pytest.param({"forbidden_imports": ["torch"]}, ["torch"], id="imports"),
        pytest.param(
            {"late": {"percent_per_day": 15, "due": "2026-05-31 23:59"}}, ["15 %", "2026-05-31 23:59"], id="late"
        ),
        pytest.param({"speed_share": 0.125}, ["12.5 %"], id="speed"),
        pytest.param({"options": {"size": 8}}, ["8×8"], id="size"),
    ],
)
def test_the_statement_contains_the_values_of_the_assignment(changes, expected, language):
    text = make_kit(changed("hex", **changes), language)[0].text

    if language == "es":
        expected = [part.replace(".", ",") for part in expected]
    assert [part for part in expected if part not in text] == []


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
def test_the_statement_has_a_text_for_every_value_of_a_field(game, changes, language):
    text = make_kit(changed(game, **changes), language)[0].text

    assert "\n\n\n" not in text
    assert "{" not in text and "import_time" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_statement_says_how_to_get_this_version_of_grader_and_that_it_is_optional(game, language):
    text = make_kit(changed(game), language)[0].text
    section = text.partition({"en": "## Get grader (optional)", "es": "## Cómo conseguir grader (opcional)"}[language])[
        2
    ]

    wheel = f"grader-{__version__}-py3-none-any.whl"
    assert f"pip install ./{wheel}\n" in section and f"pip install .\\{wheel}\n" in section
    assert f"uv tool install ./{wheel}\n" in section and f"grader=={__version__}" in section
    assert all(system in section for system in ("Linux", "macOS", "Windows"))


def test_the_handout_does_not_name_hidden_opponents(tmp_path):
    opponents = [*QUICK, {"player": "coolcow", "points": 20, "games": 4, "hidden": True}]
    handout = write_kit(tmp_path, changed("hex", opponents=opponents))

    assert not [file for file in handout.iterdir() if "coolcow" in file.read_text(encoding="utf-8")]
    assert "| 1 hidden opponent | 4 | 20 |" in (handout / "README.md").read_text(encoding="utf-8")
    (own,) = load_assignments(tmp_path / "assignment.yaml")
    assert [opponent.player for opponent in own.opponents] == ["random", "coolcow"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_statement_warns_of_a_hidden_opponent_that_disqualifies_without_its_name(language):
    warning = {
        "en": "losing to it can disqualify your player | 4 |",
        "es": "perder contra él puede descalificar a tu jugador | 4 |",
    }[language]
    harmless = {"player": "coolcow", "points": 20, "games": 4, "hidden": True}

    strict = make_kit(changed("hex", opponents=[*QUICK, {**harmless, "disqualify_on_loss": True}]), language)[0].text

    assert warning in strict and "coolcow" not in strict
    assert warning not in make_kit(changed("hex", opponents=[*QUICK, harmless]), language)[0].text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_statement_says_who_moves_first_more_often_if_the_number_of_games_is_odd(language):
    sentence = {"en": "it moves first in one more game", "es": "mueve primero en una partida más"}[language]
    odd = {**QUICK[0], "games": 5, "scoring": {"threshold": {"wins": 3}}}

    assert sentence in make_kit(changed("hex", opponents=[odd]), language)[0].text
    assert sentence not in make_kit(changed("hex", opponents=QUICK), language)[0].text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bar_in_the_name_of_an_opponent_does_not_break_the_table(language):
    text = make_kit(changed("hex", opponents=[{**QUICK[0], "name": "a|b"}]), language)[0].text

    assert "| a\\|b | 2 | 10 |" in text


def test_the_handout_does_not_contain_the_seed(tmp_path):
    handout = write_kit(tmp_path, changed("hex", seed=4711))

    assert not [file for file in handout.iterdir() if "4711" in file.read_text(encoding="utf-8")]
    assert load_assignments(tmp_path / "assignment.yaml")[0].seed == 4711


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_statement_says_what_a_draw_is_worth_if_the_game_has_draws(language):
    halves = {"en": "a draw counts as half a win", "es": "un empate cuenta como media victoria"}

    assert halves[language] in make_kit(changed("desconecta4"), language)[0].text
    assert halves[language] not in make_kit(changed("hex"), language)[0].text


def test_the_handout_has_no_assignment_if_all_opponents_are_hidden(tmp_path):
    handout = write_kit(tmp_path, changed("hex", opponents=[{**QUICK[0], "hidden": True}]))

    assert not (handout / "assignment.yaml").exists()


@pytest.mark.parametrize("game", GAMES)
def test_the_assignment_of_the_kit_is_read_back_unchanged(tmp_path, game):
    assignment = changed(game, time={"move": 3, "load": 10})
    write_kit(tmp_path, assignment)

    assert load_assignments(tmp_path / "assignment.yaml") == (assignment,)


def test_the_kit_does_not_count_as_code_that_two_students_share(tmp_path):
    for name in ("ana", "berta"):
        write_kit(tmp_path / "class" / name, changed("hex"))
        write_kit(tmp_path / "class" / name / "more", changed("desconecta4"), "es")
        (tmp_path / "class" / name / "note.py").write_text(f"x = {name!r}\n", encoding="utf-8")

    done = grader("similarity", tmp_path / "class", "-o", tmp_path / "out")

    assert "No two submissions could be compared." in done.stdout
    assert "ana, berta" in done.stdout
