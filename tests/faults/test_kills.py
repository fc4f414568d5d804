"""kill -9 at random moments changes no grade. A few of each kind; `python -m tests.bench faults` does it a hundred times."""

import random
import sys

import pytest

from tests.faults import disturbed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


@pytest.mark.parametrize(
    "victims",
    [
        pytest.param(disturbed.players, id="a player"),
        pytest.param(disturbed.pool_workers, id="a worker"),
        pytest.param(disturbed.itself, id="the grader"),
    ],
)
def test_whoever_is_killed_the_grades_are_the_same_and_nothing_is_left(calm, tmp_path, victims):
    disturbed.class_in(tmp_path / "submissions")

    ending = disturbed.graded_while_killing(tmp_path, victims, random.Random(7), kills=2)

    assert ending.kills  # not always two of them: a fast machine may be ready before
    assert ending.results == calm
    assert ending.games == disturbed.GAMES
    assert not ending.left
    assert not ending.scratch


@pytest.mark.parametrize("kind", [disturbed.ROUND_ROBIN, disturbed.SWISS], ids=["a round robin", "a Swiss tournament"])
def test_a_tournament_that_is_killed_again_and_again_comes_to_the_same_standings(tmp_path, kind):
    calm = disturbed.undisturbed(tmp_path, kind)

    ending = disturbed.graded_while_killing(tmp_path, disturbed.itself, random.Random(7), kills=2, kind=kind)

    assert ending.kills and ending.runs > 1
    assert ending.results == calm
    assert ending.games == kind.games
    assert not ending.left
    assert not ending.scratch - {"calm"}
