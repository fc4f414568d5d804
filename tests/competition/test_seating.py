"""Two submissions that play each other cannot read each other's code."""

from dataclasses import replace

import pytest

from grader.assignment import builtin_assignment
from grader.competition.assignments import read_assignments, with_anchors
from grader.competition.prepare import prepare
from grader.competition.records import Request
from grader.competition.seating import assignment_limits, opponent_limits, unit_job
from grader.competition.tournament import tournament_fixtures
from grader.engine.jobs import play_unit
from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from tests.workflow.folders import FIRST, folder

SPY = FIRST.replace(
    "return",
    """
        import glob, os
        around = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        for path in [*glob.glob(around + "/*/*.py"), around + "/honest/solution.py", *glob.glob("/proc/*/cwd/*.py")]:
            try:
                if "a secret" in open(path).read():
                    print("SUCCEEDED", path)
            except OSError:
                pass
        return""",
)


@pytest.mark.parametrize("level", [Level.NONE, Level.GOOD, Level.STRONG], ids=str)
@pytest.mark.parametrize("seat", [0, 1])
def test_neither_player_can_read_the_others_folder(tmp_path, level, seat):
    if level > best_level():
        pytest.skip(f"this machine only has {best_level()}")
    path = folder(tmp_path / "in", spy=SPY, honest=FIRST + "# a secret\n")
    assignments = read_assignments(path / "assignment.yaml")
    (course,) = with_anchors(assignments, ())
    setup = prepare(Request(path=path, results=tmp_path / "out", assignments=(course,)), tmp_path / "staging")
    fixtures = tournament_fixtures(setup, course, ("spy", "honest"), 2)
    job = unit_job(setup, fixtures[seat : seat + 1])
    (record,) = play_unit(replace(job, limits=replace(job.limits, isolation=level, required=level)), None).records

    assert record.seats[seat].name == "spy"
    assert ("SUCCEEDED" in record.seats[seat].output) == (level < Level.GOOD)  # without isolation it can be read


def test_an_opponent_never_continues_with_random_moves():
    course = builtin_assignment("hex").model_copy(update={"overrun": "random-move"})

    assert assignment_limits(course, Level.GOOD).time.overrun == "random-move"
    assert opponent_limits(course, course.opponents[0], Level.GOOD).time.overrun == "forfeit"
