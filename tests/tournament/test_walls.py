"""Two submissions play each other, and neither can look at the other's code."""

from dataclasses import replace

import pytest
from grader.competition.entry import fields
from grader.competition.run import Request

from grader.competition.prepare import prepare
from grader.competition.tournament import assignments_of
from grader.engine.jobs import Trial, play_unit
from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from tests.run.folders import FIRST, folder

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
        pytest.skip(f"this machine offers no more than {best_level()}")
    request = Request(path=folder(tmp_path / "in", spy=SPY, honest=FIRST + "# a secret\n"), results=tmp_path / "out")
    prepared = prepare(request, tmp_path / "staging", assignments_of(request, ()))
    (field,) = fields(prepared, dict.fromkeys(("spy", "honest"), Trial(fault=None)))
    job = field.job(field.encounters(("spy", "honest"), 2)[seat : seat + 1])
    (record,) = play_unit(replace(job, limits=replace(job.limits, isolation=level)), None).records

    assert record.seats[seat].name == "spy"
    assert ("SUCCEEDED" in record.seats[seat].output) == (
        level < Level.GOOD
    )  # without walls there is something to read
