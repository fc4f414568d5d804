"""`grader export` as people run it, on the results of a real run."""

import json
import os
import shutil
import subprocess
from xml.etree import ElementTree

import pytest
import yaml

from grader.exports import github_workflow
from tests.command import grader
from tests.exports import samples
from tests.exports.samples import rows, spanish_worksheet, table
from tests.workflow.folders import FIRST, folder

ASSIGNMENT = """
title: Práctica 1
game: hex
seed: 0
options: {size: 3}
time: {move: 2, load: 5}
opponents:
  - {player: random, points: 10, games: 2}
  - {player: minimax, points: 20, games: 2, hidden: true}
"""
SEED = "271828182"
SYNTAX_ERROR = "class SmartPlayer:\n    def play(self, board)\n"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The results of a class downloaded from Moodle: one submission plays, one cannot be loaded."""
    at = tmp_path_factory.mktemp("class")
    submissions = folder(at / "submissions", ASSIGNMENT)
    for name, source in (("Ana Peña_101", FIRST), ("José Ñandú_102", SYNTAX_ERROR)):
        (submissions / f"{name}_assignsubmission_file").mkdir()
        (submissions / f"{name}_assignsubmission_file" / "solution.py").write_text(source, encoding="utf-8")
    run = grader("run", submissions, "-o", at / "results", "--seed", SEED)
    assert run.returncode == 0, run.stderr
    return at / "results"


@pytest.fixture
def worksheet(tmp_path):
    file = tmp_path / "Calificaciones-Práctica 1.csv"
    file.write_bytes(spanish_worksheet())
    return file


def test_moodle_gets_the_filled_worksheet_and_the_feedback(results, worksheet, tmp_path):
    answer = grader("export", "moodle", results, "--worksheet", worksheet, cwd=tmp_path)

    assert answer.returncode == 0, answer.stderr
    assert "Exported 2 grades." in answer.stdout
    assert "In Calificaciones-Práctica 1.csv but not in the results, left unchanged:" in answer.stderr
    ana, jose, other = rows((tmp_path / "moodle" / worksheet.name).read_bytes())
    assert ana["Calificación"] != ""
    assert jose["Calificación"] == "0,00"
    assert "1 grade is 0:\n  Cannot be loaded:\n    José Ñandú (102): Syntax error in solution.py:2" in answer.stderr
    assert "Not played: cannot be loaded." in jose["Comentarios de retroalimentación"]
    assert other["Nombre completo"] == "=cmd|' /C calc'!A0"
    assert (tmp_path / "moodle" / "feedback.zip").exists()


def test_a_grade_without_a_matching_row_is_listed_and_the_exit_status_is_1(results, worksheet, tmp_path):
    worksheet.write_bytes(spanish_worksheet().replace(b"Participante 101,Ana Pe\xc3\xb1a", b"Participante 7,Eva"))

    answer = grader("export", "moodle", results, "--worksheet", worksheet, "-o", tmp_path / "out")

    assert answer.returncode == 1
    assert "Not exported, no matching row in Calificaciones-Práctica 1.csv:\n  - 101 (Ana Peña)" in answer.stderr
    assert (tmp_path / "out" / worksheet.name).exists(), "the other grades are still written"


def test_the_downloaded_file_is_never_overwritten(results, worksheet):
    answer = grader("export", "moodle", results, "--worksheet", worksheet, "-o", worksheet.parent)

    assert answer.returncode == 2
    assert "this would overwrite your download" in answer.stderr
    assert worksheet.read_bytes() == spanish_worksheet()


def test_canvas_gets_the_filled_column(results, tmp_path):
    gradebook = tmp_path / "gradebook.csv"
    titles = ("Student", "ID", "Section", "Hex (7)")
    gradebook.write_text(table([titles, ("    Points Possible", "", "", "60"), ("Peña, Ana", "101", "1", "")]), "utf-8")

    answer = grader("export", "canvas", results, "--gradebook", gradebook, cwd=tmp_path)

    assert answer.returncode == 1
    assert "  - 102 (José Ñandú)" in answer.stderr
    assert float(rows((tmp_path / "canvas.csv").read_bytes())[1]["Hex (7)"]) >= 0


def test_gradescope_classroom_and_junit_agree_on_the_grades(results, tmp_path):
    graded = {
        submission["id"]: submission
        for submission in json.loads((results / "results.json").read_text("utf-8"))["submissions"]
    }

    for kind in ("gradescope", "github-classroom", "junit"):
        answer = grader("export", kind, results, cwd=tmp_path)
        assert answer.returncode == 0, answer.stderr

    for name, grade in graded.items():
        gradescope = json.loads((tmp_path / "gradescope" / name / "results.json").read_text("utf-8"))
        classroom = json.loads((tmp_path / "github-classroom" / f"{name}.json").read_text("utf-8"))
        assert gradescope["score"] == grade["score"] == sum(test["score"] for test in classroom["tests"])
    root = ElementTree.parse(tmp_path / "junit.xml").getroot()
    scores = root.findall("testsuite/properties/property[@name='score']")
    assert [float(score.attrib["value"]) for score in scores] == [grade["score"] for grade in graded.values()]
    errors = root.findall("testsuite[@name='102']/testcase/error")
    assert len(errors) == 4
    assert "solution.py" in errors[0].attrib["message"]


def test_students_do_not_see_the_seed_of_the_run(results, tmp_path):
    grader("export", "gradescope", results, cwd=tmp_path)

    outputs = [json.loads(file.read_text("utf-8"))["output"] for file in tmp_path.glob("gradescope/*/results.json")]
    feedback = [file.read_text("utf-8") for file in results.glob("feedback/*.*")]
    assert (len(outputs), len(feedback)) == (2, 4)
    assert not [text for text in outputs + feedback if SEED in text]


def test_the_workflow_is_yaml_with_the_names_that_classroom_requires(results, tmp_path):
    answer = grader("export", "github-workflow", "-c", results.parent / "submissions/assignment.yaml", cwd=tmp_path)

    assert answer.returncode == 0, answer.stderr
    assert "see its hidden opponents" in answer.stderr
    workflow = yaml.safe_load((tmp_path / ".github/workflows/classroom.yml").read_text("utf-8"))
    assert workflow["name"] == "Autograding Tests"
    (job,) = workflow["jobs"].items()
    assert job[0] == "run-autograding-tests"
    report = job[1]["steps"][-1]
    assert report["with"]["runners"] == "grader"
    assert report["env"] == {"GRADER_RESULTS": "${{ steps.grader.outputs.result }}"}
    assert (tmp_path / ".github/grader/assignment.yaml").exists()
    assert len(list((tmp_path / ".github/grader").glob("grader-*.whl"))) == 1


@pytest.mark.skipif(shutil.which("bash") is None, reason="GitHub runs it with bash")
@pytest.mark.parametrize(
    ("written", "status", "output"),
    [
        pytest.param("printf e30= > classroom/a.base64", 0, "result=e30=\n", id="some games are missing"),
        pytest.param("true", 1, "", id="nothing is known about it"),
    ],
)
def test_the_workflow_reports_what_is_known_about_an_ungraded_submission(tmp_path, written, status, output):
    grade = next(step["run"] for step in yaml.safe_load(_workflow())["jobs"].popitem()[1]["steps"] if "id" in step)
    stand_in = tmp_path / "grader"
    stand_in.write_text(
        f'#!/bin/sh\ncd "$RUNNER_TEMP"; mkdir -p classroom; [ "$1" = run ] || {written}\nexit 1\n', "utf-8"
    )
    stand_in.chmod(0o755)
    file = tmp_path / "output"
    file.touch()
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "RUNNER_TEMP": str(tmp_path), "GITHUB_OUTPUT": str(file)}

    answer = subprocess.run(["bash", "-e", "-c", grade], env=environment, capture_output=True, check=False, text=True)

    assert (answer.returncode, file.read_text("utf-8")) == (status, output), answer.stderr


def _workflow() -> bytes:
    return github_workflow.build((samples.ASSIGNMENT,))[github_workflow.WORKFLOW]


def test_the_workflow_treats_a_repository_with_two_players_as_one_submission(results, tmp_path):
    repository = folder(tmp_path / "repository", "", first=FIRST, second=FIRST)
    config = results.parent / "submissions/assignment.yaml"

    run = grader("run", ".", "--single", "-c", config, "-o", tmp_path / "results", "--yes", cwd=repository)
    answer = grader("export", "github-classroom", tmp_path / "results", "-o", tmp_path / "out")

    assert (run.returncode, answer.returncode) == (0, 0), run.stderr + answer.stderr
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["repository.base64", "repository.json"]


@pytest.mark.parametrize(
    ("kind", "option"),
    [("gradescope", ()), ("moodle", ("--worksheet", "x.csv")), ("canvas", ("--gradebook", "x.csv")), ("junit", ())],
)
def test_a_folder_without_results_is_rejected(kind, option, tmp_path):
    (tmp_path / "x.csv").write_text("id,name\n1,Ana\n", "utf-8")
    (tmp_path / "empty").mkdir()

    missing = grader("export", kind, "nowhere", *option, cwd=tmp_path)
    empty = grader("export", kind, "empty", *option, cwd=tmp_path)

    assert missing.returncode == 2
    assert "nowhere" in missing.stderr
    assert empty.returncode != 0
    assert "contains no results" in empty.stderr
    assert "Traceback" not in missing.stderr + empty.stderr


def test_a_wrong_file_is_rejected_with_what_was_expected(results, tmp_path):
    wrong = tmp_path / "grades.csv"
    wrong.write_text("id,name\n1,Ana\n", "utf-8")

    answer = grader("export", "moodle", results, "--worksheet", wrong, cwd=tmp_path)

    assert answer.returncode == 2
    assert "this is not a Moodle grading worksheet" in answer.stderr
    assert "Download grading worksheet" in answer.stderr
    assert not (tmp_path / "moodle").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_output_folder_that_is_not_writable_is_reported(results, tmp_path):
    tmp_path.chmod(0o500)
    answer = grader("export", "junit", results, "-o", tmp_path / "junit.xml")
    tmp_path.chmod(0o700)

    assert answer.returncode == 1
    assert "choose another place with -o" in answer.stderr


def test_a_file_in_the_place_of_the_output_folder_is_reported(results, tmp_path):
    (tmp_path / "gradescope").write_text("", "utf-8")

    answer = grader("export", "gradescope", results, cwd=tmp_path)

    assert answer.returncode == 1
    assert "choose another place with -o" in answer.stderr
