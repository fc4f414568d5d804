"""The autograder's zip grades a submission in Gradescope's folders, and what was played survives their time limit."""

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
from grader.intake.collect import collect
from tests.command import ENGLISH, grader
from tests.workflow.folders import FIRST, folder

ASSIGNMENT = """
title: A test
game: hex
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
    """Gradescope's folders, with the zip unpacked and a submission whose files could be taken for a class."""
    (tmp_path / "assignment.yaml").write_text(ASSIGNMENT, "utf-8")
    built = grader("export", "gradescope-autograder", "-c", "assignment.yaml", cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    assert "set the autograder's points to 10" in built.stdout
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


def this_grader(tmp_path):
    """The grader under test, as the one program that `setup.sh` would have installed."""
    program = tmp_path / "grader"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m grader "$@"\n', "utf-8")
    program.chmod(0o755)
    return program


def test_the_zip_grades_the_one_submission_that_gradescope_hands_it(home, tmp_path):
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

    (one,) = collect(tmp_path / "in", tmp_path / "staging")

    assert (one.id, one.name, one.platform) == ("submission_123456", "Ana, Beto", "gradescope")
    assert one.members == ("ana@example.com", "beto@example.com")
    assert one.submitted_at == METADATA["created_at"]


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe{", b"[" * 100_000])
def test_metadata_that_cannot_be_read_cost_nobody_the_grading(tmp_path, content):
    folder(tmp_path / "in" / "submission", "", Ana=FIRST, copy=FIRST)
    (tmp_path / "in" / "submission_metadata.json").write_bytes(content)

    (one,) = collect(tmp_path / "in", tmp_path / "staging")

    assert (one.id, one.submitted_at, one.problem) == ("submission", None, None)
    assert "submission_metadata.json cannot be read" in one.findings[0].text


def test_without_metadata_the_submission_is_graded_all_the_same(home, tmp_path):
    (home / "submission_metadata.json").unlink()

    content = run_autograder(home, this_grader(tmp_path))

    assert (content["extra_data"]["id"], content["extra_data"]["status"]) == ("submission", "graded")


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("assignment", "own", "course", "days_late"),
    [
        pytest.param(None, [None], None, None, id="nobody knows when it was due"),
        pytest.param(-2 * DAY, [None], None, 2, id="the platform's date"),
        pytest.param(-2 * DAY, [-DAY], None, 1, id="an extension"),
        pytest.param(None, [-DAY], None, 1, id="only the user's date"),
        pytest.param(-2 * DAY, [-2 * DAY], -3 * DAY, 3, id="the course's date"),
        pytest.param(-2 * DAY, [-DAY], -3 * DAY, 1, id="an extension beyond the course's date"),
        pytest.param(-2 * DAY, [-DAY], DAY, 0, id="an extension that the course's date makes needless"),
        pytest.param(-3 * DAY, [-DAY, -2 * DAY], None, 1, id="the latest of a group"),
        pytest.param(-2 * DAY, [-5 * DAY, None], None, 2, id="a group of which one has no date of their own"),
    ],
)
def test_lateness_counts_from_the_course_s_date_the_platform_s_or_an_extension(
    tmp_path, assignment, own, course, days_late
):
    created = datetime.fromisoformat(str(METADATA["created_at"]))

    def due(after):
        return {"due_date": None if after is None else (created + after).isoformat()}

    users = [{"email": f"{at}@example.com", "assignment": due(after)} for at, after in enumerate(own)]
    told = {**METADATA, "assignment": due(assignment), "users": users}
    folder(tmp_path / "in" / "submission", "", Ana=FIRST)
    (tmp_path / "in" / "submission_metadata.json").write_text(json.dumps(told), "utf-8")

    (one,) = collect(tmp_path / "in", tmp_path / "staging", due=None if course is None else created + course)

    assert one.late_seconds == (None if days_late is None else days_late * 86_400)


@pytest.mark.parametrize(("due", "warned"), [("2026-06-30T00:00:00-07:00", False), (None, True)])
def test_a_penalty_without_a_date_to_count_from_is_said_to_the_instructor(tmp_path, due, warned):
    (tmp_path / "assignment.yaml").write_text(f"{ASSIGNMENT}late: {{percent_per_day: 10}}\n", "utf-8")
    folder(tmp_path / "in" / "submission", "", Ana=FIRST)
    told = {**METADATA, "assignment": {"due_date": due}}
    (tmp_path / "in" / "submission_metadata.json").write_text(json.dumps(told), "utf-8")

    answer = grader("run", "in", "-c", "assignment.yaml", "-o", "results", cwd=tmp_path)

    assert answer.returncode == 0, answer.stderr
    assert answer.stderr.count("Nothing was taken off for lateness") == warned
    assert ("late by" in grader("show", "results", "ana_example.com", cwd=tmp_path).stdout) is not warned


def test_a_penalty_for_folders_without_a_time_is_said_to_the_instructor(tmp_path):
    folder(tmp_path / "in", f"{ASSIGNMENT}late: {{due: 2026-01-01T00:00:00Z}}\n", Ana=FIRST)

    answer = grader("run", "in", "-o", "results", cwd=tmp_path)

    assert "nothing here says when the submissions were handed in" in answer.stderr


def test_where_the_grader_cannot_be_started_there_is_still_something_to_show(home, tmp_path):
    content = run_autograder(home, tmp_path / "there-is-none")

    assert content["score"] == 0
    assert "through no fault of yours" in content["output"]


def test_the_scripts_are_sound_executable_and_end_their_lines_as_linux_does(tmp_path):
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


def test_the_wheel_installs_and_is_the_whole_grader(tmp_path):
    name, content = build_wheel()
    (tmp_path / name).write_bytes(content)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*install, "--target", tmp_path / "site", tmp_path / name], check=True, capture_output=True)

    where = "import sys; sys.path.insert(0, sys.argv[1]); import grader; print(grader.__file__)"
    command = [sys.executable, "-S", "-c", where, str(tmp_path / "site")]
    listed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)

    assert listed.stdout.startswith(str(tmp_path / "site"))
    installed = {file.relative_to(tmp_path / "site").as_posix() for file in (tmp_path / "site").rglob("*.yaml")}
    assert {f"grader/games/{game}/assignment.yaml" for game in ("hex", "desconecta4")} <= installed
    assert (tmp_path / "site" / "reference_players" / "mcts.py").exists()
    assert (tmp_path / "site" / "bin" / "grader").exists()


def test_what_was_played_counts_when_the_run_is_killed(tmp_path):
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
    assert any("The games have not begun" in one.get("output", "") for one in seen)
    assert f"{40 - games(left)} of 40 games have not been played" in left["output"]
    assert left["score"] == left["tests"][0]["score"] <= 10 * games(left) / 40


def content(file):
    """What Gradescope would read now: never half a file."""
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def games(content):
    """How many games a results.json is about."""
    return 40 - content["extra_data"]["games_not_played"] if "extra_data" in content else 0


def test_a_fault_of_ours_is_told_in_the_results(tmp_path):
    at = folder(tmp_path / "in", ASSIGNMENT, Ana=FIRST, Beto=FIRST)

    answer = grader("run", at, "-o", tmp_path / "results", "--gradescope", tmp_path / "results.json")

    assert answer.returncode == 2
    assert "--gradescope is for one submission, and here are 2" in answer.stderr
    assert "through no fault of yours" in content(tmp_path / "results.json")["output"]


def test_a_results_file_that_cannot_be_written_is_said_before_anything_is_played(tmp_path):
    at = folder(tmp_path / "in", ASSIGNMENT, Ana=FIRST)

    answer = grader("run", at, "-o", tmp_path / "results", "--gradescope", tmp_path / "no" / "results.json")

    assert answer.returncode == 2
    assert "it cannot be written" in answer.stderr
