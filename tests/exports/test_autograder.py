"""The autograder zip grades a submission in Gradescope's folders, and finished games count even if time runs out."""

import io
import json
import os
import subprocess
import sys
import time
import zipfile
from datetime import datetime, timedelta

import pytest

from grader.assignment import builtin_assignment
from grader.exports import gradescope_autograder
from grader.exports.wheel import build_wheel
from tests import without_isolation
from tests.command import ENGLISH, grader
from tests.intake.collected import collect
from tests.workflow.folders import FIRST, folder

ASSIGNMENT = """
title: A test
game: hex
seed: 0
options: {size: 3}
time: {move: 2, load: 5}
opponents:
  - {player: random, points: 10, games: 2}
"""
METADATA = {
    "id": 123456,
    "created_at": "2026-07-01T14:22:32.365935-07:00",
    "assignment": {"due_date": "2026-07-31T23:00:00.000000-07:00", "total_points": "10.0"},
    "users": [{"email": "ana@example.com", "id": 1234, "name": "Ana Peña"}],
    "previous_submissions": [],
}


@pytest.fixture
def home(tmp_path):
    """Gradescope's folders, with the zip unpacked and a submission that could be mistaken for a class."""
    (tmp_path / "assignment.yaml").write_text(ASSIGNMENT, "utf-8")
    built = grader("export", "gradescope-autograder", "-c", "assignment.yaml", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    assert "Set the autograder's points to 10" in built.stdout
    home = tmp_path / "autograder"
    (home / "results").mkdir(parents=True)
    folder(home / "submission", "", Ana=FIRST, copy=FIRST)
    (home / "submission_metadata.json").write_text(json.dumps(METADATA), "utf-8")
    subprocess.run([sys.executable, "-m", "zipfile", "-e", tmp_path / "autograder.zip", home / "source"], check=True)
    return home


def run_autograder(home, grader_):
    environment = {**os.environ, **ENGLISH, "AUTOGRADER_HOME": str(home), "AUTOGRADER_GRADER": str(grader_)}
    command = ["bash", str(home / "source" / "run_autograder")]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120, cwd=home)
    return json.loads((home / "results" / "results.json").read_text("utf-8"))


def this_grader(tmp_path, launcher=()):
    """The grader under test as a program, like the one that `setup.sh` installs."""
    program = tmp_path / "grader"
    command = " ".join(f'"{part}"' for part in (*launcher, sys.executable))
    program.write_text(f'#!/bin/sh\nexec {command} -m grader "$@"\n', "utf-8")
    program.chmod(0o755)
    return program


@pytest.mark.skipif(not without_isolation.is_supported(), reason="this machine cannot pretend to have no isolation")
def test_without_good_isolation_nothing_is_played_and_the_instructor_learns_what_to_do(home, tmp_path, monkeypatch):
    monkeypatch.delenv("GRADER_ACCEPT_ISOLATION", raising=False)
    content = run_autograder(home, this_grader(tmp_path, without_isolation.LAUNCHER))

    assert (content["score"], content["tests"]) == (0, [])
    assert "This is not your fault. Tell your instructor:" in content["output"]
    assert "--accept-isolation basic to this command, or to the `grader export`" in content["output"]


def test_the_zip_grades_the_submission_that_gradescope_provides(home, tmp_path):
    content = run_autograder(home, this_grader(tmp_path))

    assert content["extra_data"]["id"] == "ana_example.com"
    assert content["extra_data"]["status"] == "graded"
    assert "Ana Peña" in content["output"]
    assert [test["max_score"] for test in content["tests"]] == [10]
    assert content["score"] == content["tests"][0]["score"]


def test_a_group_is_one_submission_with_its_members(tmp_path):
    users = [{"email": "ana@example.com", "name": "Ana"}, {"email": "beto@example.com", "name": "Beto"}]
    folder(tmp_path / "in" / "submission", "", Ana=FIRST)
    (tmp_path / "in" / "submission_metadata.json").write_text(json.dumps({**METADATA, "users": users}), "utf-8")

    (submission,) = collect(tmp_path / "in", tmp_path / "staging")

    assert (submission.id, submission.name, submission.platform) == ("submission_123456", "Ana, Beto", "gradescope")
    assert submission.members == ("ana@example.com", "beto@example.com")
    assert submission.submitted_at == METADATA["created_at"]


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe{", b"[" * 100_000])
def test_a_submission_with_unreadable_metadata_is_still_graded(tmp_path, content):
    folder(tmp_path / "in" / "submission", "", Ana=FIRST, copy=FIRST)
    (tmp_path / "in" / "submission_metadata.json").write_bytes(content)

    (submission,) = collect(tmp_path / "in", tmp_path / "staging")

    assert (submission.id, submission.submitted_at, submission.problem) == ("submission", None, None)
    assert "submission_metadata.json cannot be read" in submission.findings[0].text


def test_a_submission_without_metadata_is_still_graded(home, tmp_path):
    (home / "submission_metadata.json").unlink()

    content = run_autograder(home, this_grader(tmp_path))

    assert (content["extra_data"]["id"], content["extra_data"]["status"]) == ("submission", "graded")


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("assignment", "own", "course", "days_late"),
    [
        pytest.param(None, [None], None, None, id="no due date"),
        pytest.param(-2 * DAY, [None], None, 2, id="the platform's date"),
        pytest.param(-2 * DAY, [-DAY], None, 1, id="an extension"),
        pytest.param(None, [-DAY], None, 1, id="only the user's date"),
        pytest.param(-2 * DAY, [-2 * DAY], -3 * DAY, 3, id="the course's date"),
        pytest.param(-2 * DAY, [-DAY], -3 * DAY, 1, id="an extension beyond the course's date"),
        pytest.param(-2 * DAY, [-DAY], DAY, 0, id="an extension before the course's date"),
        pytest.param(-3 * DAY, [-DAY, -2 * DAY], None, 1, id="the latest date of a group"),
        pytest.param(-2 * DAY, [-5 * DAY, None], None, 2, id="a group in which one member has no own date"),
    ],
)
def test_lateness_counts_from_the_courses_due_date_the_platforms_or_an_extension(
    tmp_path, assignment, own, course, days_late
):
    created = datetime.fromisoformat(str(METADATA["created_at"]))

    def due(after):
        return {"due_date": None if after is None else (created + after).isoformat()}

    users = [{"email": f"{at}@example.com", "assignment": due(after)} for at, after in enumerate(own)]
    metadata = {**METADATA, "assignment": due(assignment), "users": users}
    folder(tmp_path / "in" / "submission", "", Ana=FIRST)
    (tmp_path / "in" / "submission_metadata.json").write_text(json.dumps(metadata), "utf-8")

    (submission,) = collect(tmp_path / "in", tmp_path / "staging", due=None if course is None else created + course)

    assert submission.late_seconds == (None if days_late is None else days_late * 86_400)


@pytest.mark.parametrize(("due", "has_warning"), [("2026-06-30T00:00:00-07:00", False), (None, True)])
def test_the_instructor_is_warned_about_a_penalty_without_a_due_date(tmp_path, due, has_warning):
    (tmp_path / "assignment.yaml").write_text(f"{ASSIGNMENT}late: {{percent_per_day: 10}}\n", "utf-8")
    folder(tmp_path / "in" / "submission", "", Ana=FIRST)
    metadata = {**METADATA, "assignment": {"due_date": due}}
    (tmp_path / "in" / "submission_metadata.json").write_text(json.dumps(metadata), "utf-8")

    answer = grader("run", "in", "-c", "assignment.yaml", "-o", "results", cwd=tmp_path)

    assert answer.returncode == 0, answer.stderr
    assert answer.stderr.count("No late penalty applied") == has_warning
    assert ("late by" in grader("show", "results", "ana_example.com", cwd=tmp_path).stdout) is not has_warning


def test_the_instructor_is_warned_about_a_penalty_without_submission_times(tmp_path):
    folder(tmp_path / "in", f"{ASSIGNMENT}late: {{due: 2026-01-01T00:00:00Z}}\n", Ana=FIRST)

    answer = grader("run", "in", "-o", "results", cwd=tmp_path)

    assert "submission times are unknown" in answer.stderr


def test_there_is_a_result_to_show_even_if_the_grader_cannot_be_started(home, tmp_path):
    content = run_autograder(home, tmp_path / "missing")

    assert content["score"] == 0
    assert "This is not your fault" in content["output"]


def test_the_scripts_are_valid_executable_and_have_linux_line_endings(tmp_path):
    built = gradescope_autograder.build((builtin_assignment("hex"), builtin_assignment("desconecta4")))

    with zipfile.ZipFile(io.BytesIO(built)) as archive:
        for name in ("setup.sh", "run_autograder"):
            assert archive.getinfo(name).external_attr >> 16 == 0o100755
            assert b"\r" not in archive.read(name)
            archive.extract(name, tmp_path)
            subprocess.run(["bash", "-n", tmp_path / name], check=True)
        (tmp_path / "assignment.yaml").write_bytes(archive.read("assignment.yaml"))
    again = grader("export", "gradescope-autograder", "-c", tmp_path / "assignment.yaml", "-o", tmp_path / "again.zip")
    assert (again.returncode, (tmp_path / "again.zip").read_bytes()) == (0, built)


def test_the_wheel_can_be_installed_and_is_complete(tmp_path):
    name, content = build_wheel()
    (tmp_path / name).write_bytes(content)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*install, "--target", tmp_path / "site", tmp_path / name], check=True, capture_output=True)

    where = "import sys; sys.path.insert(0, sys.argv[1]); import grader; print(grader.__file__)"
    command = [sys.executable, "-S", "-c", where, str(tmp_path / "site")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)

    assert printed.stdout.startswith(str(tmp_path / "site"))
    installed = {file.relative_to(tmp_path / "site").as_posix() for file in (tmp_path / "site").rglob("*.yaml")}
    assert {f"grader/games/{game}/assignment.yaml" for game in ("hex", "desconecta4")} <= installed
    assert (tmp_path / "site" / "reference_players" / "mcts.py").exists()
    assert (tmp_path / "site" / "bin" / "grader").exists()


def test_finished_games_count_when_the_run_is_killed(tmp_path):
    slow = FIRST.replace("return", "import time; time.sleep(0.1)\n        return")
    at = folder(tmp_path / "in", ASSIGNMENT.replace("games: 2", "games: 40"), Ana=slow)
    file = tmp_path / "results.json"
    command = [sys.executable, "-m", "grader", "run", at, "-o", tmp_path / "results", "-j", "1", "--gradescope", file]
    running = subprocess.Popen(
        command, env={**os.environ, **ENGLISH}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    seen = [content(file)]
    while running.poll() is None and not 0 < games(seen[-1]) < 40:
        time.sleep(0.02)
        seen.append(content(file))
    running.kill()
    _, errors = running.communicate()

    left = content(file)
    assert 0 < games(left) < 40, errors
    assert any("No game has finished yet" in result.get("output", "") for result in seen)
    assert f"{40 - games(left)} of 40 games have not been played" in left["output"]
    assert left["score"] == left["tests"][0]["score"] <= 10 * games(left) / 40


def content(file):
    """What Gradescope would read now; the file is never incomplete."""
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def games(content):
    """The number of games that a results.json includes."""
    return 40 - content["extra_data"]["games_not_played"] if "extra_data" in content else 0


def test_a_grader_error_is_reported_in_the_results(tmp_path):
    at = folder(tmp_path / "in", ASSIGNMENT, Ana=FIRST, Beto=FIRST)

    answer = grader("run", at, "-o", tmp_path / "results", "--gradescope", tmp_path / "results.json")

    assert answer.returncode == 2
    assert "--gradescope needs a single submission, but there are 2" in answer.stderr
    assert not (tmp_path / "results").exists(), "refused before anything was loaded"
    assert "This is not your fault" in content(tmp_path / "results.json")["output"]


def test_a_results_file_that_cannot_be_written_is_reported_before_any_game(tmp_path):
    at = folder(tmp_path / "in", ASSIGNMENT, Ana=FIRST)

    answer = grader("run", at, "-o", tmp_path / "results", "--gradescope", tmp_path / "no" / "results.json")

    assert answer.returncode == 2
    assert "cannot be written" in answer.stderr
