"""The real commands in the language of the assignment, the option or the system."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import grader
from tests.intake.folders import PLAYER

SPANISH_LOCALE = {"LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": "es_CU.UTF-8"}
CRASHES = PLAYER.replace("def play(self, board):", "def play(self, board):\n        raise KeyError('á')")
ASSIGNMENT = """
title: Práctica 1
game: hex
seed: 0
options: {size: 2}
language: es
opponents: [{player: random, points: 10, games: 2}]
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a Spanish assignment, graded on an English machine."""
    folder = tmp_path_factory.mktemp("course")
    for name, code in (("José Núñez", CRASHES), ("Zoë", "def play(:\n")):
        (folder / "submissions" / name).mkdir(parents=True)
        (folder / "submissions" / name / "solution.py").write_text(code, encoding="utf-8")
    (folder / "submissions" / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    done = grader("run", folder / "submissions", "-o", folder / "results", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert "puntuación" in done.stdout
    assert "2 perdidas: excepción" in done.stdout
    assert "Cargando 1/1:" in done.stderr
    return folder / "results"


def feedback(results: Path) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in sorted((results / "feedback").glob("*.md")))


def test_feedback_is_in_the_language_of_the_assignment_unless_another_is_chosen(ran):
    spanish = feedback(ran)
    content = (ran / "results.json").read_bytes()
    assert "2 partidas: KeyError en solution.py:" in spanish
    assert "Error de sintaxis en solution.py:1" in spanish

    assert grader("report", ran, "--lang", "en").returncode == 0

    english = feedback(ran)
    assert "2 games: KeyError in solution.py:" in english
    assert "Syntax error in solution.py:1" in english
    assert "jugad" not in english
    assert grader("report", ran).returncode == 0
    assert feedback(ran) == spanish
    assert (ran / "results.json").read_bytes() == content


def test_files_for_programs_are_in_english(ran):
    content = json.loads((ran / "results.json").read_text(encoding="utf-8"))
    with (ran / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        header, *lines = csv.reader(file, delimiter=";")

    assert [one["status"] for one in content["submissions"]] == ["graded", "graded"]
    assert any("Syntax error in solution.py:1" in finding["text"] for finding in content["submissions"][1]["findings"])
    assert "said" not in json.dumps(content)
    assert header == ["id", "name", "game", "status", "score", "max_score", "penalty", "random", "reason"]
    assert lines[1][-1].endswith("Error de sintaxis en solution.py:1: invalid syntax.")


def test_the_language_of_the_system_is_the_default():
    shown = grader("doctor", environment=SPANISH_LOCALE).stdout

    assert "En esta máquina, los jugadores se ejecutan con el nivel" in shown
    assert "iniciar procesos: bombas fork, demonios que sobreviven a la partida, motores" in shown
    assert "Players run at isolation level" in grader("doctor", "--lang", "en", environment=SPANISH_LOCALE).stdout


@pytest.mark.parametrize(
    "arguments", [("run", "--help", "--lang", "es"), ("--lang", "es", "run", "-h"), ("run", "--lang=es", "--help")]
)
def test_lang_may_come_anywhere_on_the_line(arguments):
    shown = grader(*arguments).stdout

    assert "Uso: " in shown
    assert "Evalúa las entregas de PATH" in shown
    assert "Con --dry-run, enumera también todas las partidas." in shown
    assert "Muestra este mensaje y termina." in shown


def test_the_list_of_commands_is_translated():
    shown = grader("--help", environment=SPANISH_LOCALE).stdout

    assert "Comandos:" in shown
    assert "Evalúa entregas contra jugadores de referencia." in shown


def test_the_placeholders_of_options_are_translated():
    shown = grader("match", "--help", environment=SPANISH_LOCALE).stdout

    assert "--time NÚMERO" in shown
    assert "--seed ENTERO" in shown
    assert "--option NOMBRE=VALOR" in shown


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (("run",), "Falta el argumento 'PATH'.", 2),
        (("run", "--wrong", "."), "No existe la opción '--wrong'", 2),
        (("run", "nowhere"), "Ruta inexistente: 'nowhere'.", 2),
        (("match", "nobody", "random"), "ningún archivo, carpeta ni jugador de referencia tiene ese nombre", 2),
        (("match", "random", "random", "--option", "size"), "escribe NOMBRE=VALOR, por ejemplo size=7", 2),
        (("run", ".", "--jobs", "x"), "'x' no es un entero válido.", 2),
        (("match", "random", "random", "--option", "size=99"), "size debe ser un número entero de 1 a 26, no 99", 2),
        (("match", "random", "random", "--game", "chess"), "juego desconocido 'chess'", 2),
        (("report", "."), "no contiene resultados", 2),
    ],
)
def test_errors_are_in_spanish(arguments, message, status, tmp_path):
    answer = grader(*arguments, "--lang", "es", cwd=tmp_path)

    assert answer.returncode == status
    assert message in answer.stderr


def test_mistakes_in_an_assignment_are_reported_in_spanish(tmp_path):
    folder = tmp_path / "class"  # with nothing next to it, whatever other tests leave
    folder.mkdir()
    (folder / "one.py").write_text(PLAYER, encoding="utf-8")
    (folder / "assignment.yaml").write_text("game: hex\noptions: {size: 99}\ntme: 3\n", encoding="utf-8")

    answer = grader("run", folder, "-o", tmp_path / "out", "--lang", "es")

    assert answer.returncode == 2
    assert "options.size: debe ser un número entero de 1 a 26, no 99" in answer.stderr
    assert "tme: campo desconocido: ¿querías decir 'time'?" in answer.stderr


def test_a_usage_error_is_wholly_in_the_language_of_the_assignment(tmp_path):
    (tmp_path / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    assert grader("init", "kit", "-c", "assignment.yaml", cwd=tmp_path).returncode == 0

    answer = grader("init", "kit", "-c", "assignment.yaml", cwd=tmp_path)

    assert answer.returncode == 2
    assert answer.stderr.startswith("Uso: python -m grader init [OPCIONES] DIR\nPrueba 'python -m grader init --help'")
    assert "Error: Ya existen kit/handout/" in answer.stderr


def test_regrading_shows_its_progress_in_the_language_of_the_assignment(ran):
    again = grader("regrade", ran, "-j", "1")

    assert again.returncode == 0, again.stderr
    assert "Cargando 1/1:" in again.stderr
    assert "Loading" not in again.stderr


def test_a_terminal_without_accents_is_no_error():
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    assert grader("list", "--lang", "es", environment=plain).returncode == 0


def test_a_letter_that_the_terminal_does_not_have_is_a_question_mark():
    command = [sys.executable, "-m", "grader", "doctor", "--lang", "es"]
    environment = {**os.environ, "PYTHONIOENCODING": "iso-8859-1"}

    shown = subprocess.run(command, capture_output=True, check=True, env=environment).stdout.decode("iso-8859-1")

    assert "límites de memoria" in shown
    assert "✓" not in shown
    assert "?" in shown
