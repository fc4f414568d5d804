"""On a machine with little isolation, a class is not graded by accident, and every report has a warning."""

import json

import pytest

from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from tests.command import ENGLISH, PROJECT, grader
from tests.without_isolation import LAUNCHER, is_supported
from tests.workflow.folders import ASSIGNMENT, FIRST, folder

pytestmark = pytest.mark.skipif(
    not is_supported() or best_level() < Level.BASIC, reason="this machine cannot pretend to be another one"
)
WARNING = "Warning: at isolation level basic, a hostile player can read and change files"
STRICT = {**ENGLISH, "GRADER_ACCEPT_ISOLATION": ""}


def test_without_good_isolation_the_first_command_of_the_readme_works_and_warns_in_every_report(tmp_path):
    done = grader(
        *("run", "submissions/", "--only", "hex_random", "-o", tmp_path / "out"),
        cwd=PROJECT,
        environment=STRICT,
        launcher=LAUNCHER,
    )

    assert done.returncode == 0, done.stderr
    assert done.stderr.index(WARNING) < done.stderr.index("Loading")
    assert "Isolation level: basic." in done.stdout
    for name in ("report.html", "results.json", "grades.csv", "feedback/hex_random.md", "feedback/hex_random.html"):
        assert WARNING in (tmp_path / "out" / name).read_text(encoding="utf-8"), name
    exported = grader("export", "junit", tmp_path / "out", "-o", tmp_path / "junit.xml")
    assert WARNING in (tmp_path / "junit.xml").read_text(encoding="utf-8"), exported.stderr
    assert WARNING in grader("show", tmp_path / "out", "hex_random").stdout
    assert WARNING in grader("verify", tmp_path / "out").stdout


def test_without_good_isolation_a_class_is_played_only_if_less_is_accepted(tmp_path):
    place = folder(tmp_path / "in", ana=FIRST, luis=FIRST)
    options = ("tournament", place, "-o", tmp_path / "out")

    refused = grader(*options, environment=STRICT, launcher=LAUNCHER)
    left = (tmp_path / "out").exists()
    accepted = grader(*options, "--accept-isolation", "basic", environment=STRICT, launcher=LAUNCHER)

    assert (refused.returncode, left) == (3, False)
    assert (
        "requires the isolation level good, but this machine only has basic. That level needs Linux" in refused.stderr
    )
    assert "`grader doctor`" in refused.stderr and "add --accept-isolation basic" in refused.stderr
    assert accepted.returncode == 0, accepted.stderr
    assert accepted.stderr.count(WARNING) == 2
    assert WARNING in (tmp_path / "out" / "tournament.html").read_text(encoding="utf-8")
    (standings,) = json.loads((tmp_path / "out" / "standings.json").read_text(encoding="utf-8"))["tournaments"]
    assert standings["isolation_warning"].startswith(WARNING)


def test_an_assignment_that_may_be_the_students_own_does_not_lower_the_required_isolation(tmp_path):
    place = folder(tmp_path / "in", f"{ASSIGNMENT}isolation: none\n", ana=FIRST)
    command = ("run", place, "-o", tmp_path / "out")

    found = grader(*command, environment=STRICT, launcher=LAUNCHER)
    named = grader(*command, "-c", place / "assignment.yaml", environment=STRICT, launcher=LAUNCHER)

    assert found.returncode == 3 and "requires the isolation level good" in found.stderr
    assert named.returncode == 0, named.stderr


def test_a_level_that_was_accepted_once_is_not_accepted_by_the_next_command(tmp_path):
    place = folder(tmp_path / "in", ana=FIRST, luis=FIRST)
    run = ("run", place, "-o", tmp_path / "out", "--only", "ana")
    accepted = grader(*run, "--accept-isolation", "basic", environment=STRICT, launcher=LAUNCHER)
    again = grader("regrade", tmp_path / "out", environment=STRICT, launcher=LAUNCHER)

    assert accepted.returncode == 0, accepted.stderr
    assert again.returncode == 3 and "requires the isolation level good" in again.stderr


def test_without_good_isolation_a_student_can_still_check_and_a_plan_be_made(tmp_path):
    place = folder(tmp_path / "in", ana=FIRST)

    checked = grader("check", place / "ana", "--budget", "2", environment=STRICT, launcher=LAUNCHER, cwd=place)
    planned = grader("run", place, "--dry-run", environment=STRICT, launcher=LAUNCHER)

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "It uses isolation level good (here basic)" in " ".join(checked.stdout.split())
    assert planned.returncode == 0, planned.stderr
    assert WARNING in planned.stderr


@pytest.mark.parametrize(("accepted", "required"), [((), "good"), (("--accept-isolation", "basic"), "basic")])
def test_exports_require_good_isolation_unless_less_is_accepted(tmp_path, accepted, required):
    (tmp_path / "a.yaml").write_text(
        "game: hex\nisolation: none\nopponents: [{player: random, points: 1}]\n", encoding="utf-8"
    )

    done = grader("export", "github-workflow", "-c", "a.yaml", "-o", "out", *accepted, cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert f"below {required}. To accept less, export it again with --accept-isolation." in done.stdout
    assert f"isolation: {required}" in (tmp_path / "out/.github/grader/assignment.yaml").read_text(encoding="utf-8")
