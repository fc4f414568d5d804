"""kill -9 at random moments changes no grade. Each kind is tried a few times; `python -m tests.bench faults` does it 100 times."""

import random
import sys

import pytest

from tests.faults import disturbed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="requires /proc")


@pytest.mark.parametrize(
    "victims",
    [
        pytest.param(disturbed.players, id="a player"),
        pytest.param(disturbed.templates, id="a template of players"),
        pytest.param(disturbed.pool_workers, id="a worker"),
        pytest.param(disturbed.itself, id="the grader"),
    ],
)
def test_killing_a_process_does_not_change_the_grades_and_leaves_nothing_behind(calm, tmp_path, victims):
    disturbed.class_in(tmp_path / "submissions")

    ending = disturbed.graded_while_killing(tmp_path, victims, random.Random(7), kills=2)

    assert ending.kills  # a fast machine may finish before the second one
    assert ending.results == calm
    assert ending.games == disturbed.GAMES
    assert not ending.left
    assert not ending.scratch


@pytest.mark.parametrize("kind", [disturbed.ROUND_ROBIN, disturbed.SWISS], ids=["a round robin", "a Swiss tournament"])
def test_a_tournament_that_is_killed_repeatedly_gives_the_same_standings(tmp_path, kind):
    calm = disturbed.undisturbed(tmp_path, kind)

    ending = disturbed.graded_while_killing(tmp_path, disturbed.itself, random.Random(7), kills=2, kind=kind)

    assert ending.kills and ending.runs > 1
    assert ending.results == calm
    assert ending.games == kind.games
    assert not ending.left
    assert not ending.scratch - {"calm"}
