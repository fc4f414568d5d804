"""What a check says about a player's time, from charges as they come about on quiet and on busy machines."""

import time
from types import SimpleNamespace

import pytest

from grader.checks.budget import Budget
from grader.checks.conclusion import game_verdict
from grader.checks.games import ObservedSeat
from grader.checks.observations import CheckedGame, Observations
from grader.checks.timing import time_verdict
from grader.errors import OutOfTime
from grader.games.exam import Mark, Verdict
from grader.records import Charge
from grader.sandbox.limits import TimeLimits


def told(*charges: Charge, limits: TimeLimits | None = None, pending: float = 0.0) -> Verdict:
    """What is said of a game with these moves."""
    subject = SimpleNamespace(limits=SimpleNamespace(time=limits or TimeLimits(move=9)))
    observed = Observations(games=[CheckedGame(fixture=None, record=None, charges=charges, pending=pending)])  # type: ignore[arg-type]
    return time_verdict(subject, observed)  # type: ignore[arg-type]


def charge(wall: float, waited: float = 0.0) -> Charge:
    return Charge(wall=wall, cpu=wall - waited, waited=waited, charged=wall - waited)


@pytest.mark.parametrize(
    ("moves", "mark", "words"),
    [
        pytest.param([charge(3.0), charge(7.0)], Mark.GOOD, "", id="short moves"),
        pytest.param([charge(8.9)], Mark.NOTE, "Stay below 80%", id="a long move"),
        pytest.param(
            [charge(9.0, waited=5.0)], Mark.NOTE, "By the clock on the wall it took 100%", id="a busy machine"
        ),
        pytest.param([charge(4.0, waited=3.0)], Mark.GOOD, "", id="a short move on a busy machine"),
    ],
)
def test_a_player_that_may_stop_by_the_clock_is_warned_also_where_waiting_hides_it(moves, mark, words):
    verdict = told(*moves)

    assert verdict.mark is mark and verdict.help.startswith(words)
    assert bool(verdict.help) == bool(words)


def test_with_time_for_a_game_the_sum_of_its_moves_counts():
    bank = TimeLimits(bank=100)

    assert told(*[charge(7.0)] * 10, limits=bank).mark is Mark.GOOD
    assert told(*[charge(9.0, waited=5.0)] * 10, limits=bank).help.startswith("By the clock on the wall it took 90%")


def test_a_move_that_was_cut_off_counts_by_the_clock_on_the_wall():
    assert told(charge(0.1), pending=5.0).mark is Mark.GOOD
    assert told(charge(0.1), pending=9.9).help.startswith("By the clock on the wall it took 110%")


def test_how_long_a_player_had_been_thinking_when_time_was_over_is_noted_and_told():
    class Thinking:
        def choose(self, *_: object, **__: object) -> None:
            time.sleep(0.01)
            raise OutOfTime

    seat = ObservedSeat(Thinking(), Budget(None), step=lambda _: None)  # type: ignore[arg-type]
    with pytest.raises(OutOfTime):
        seat.choose(None)
    assert seat.pending >= 0.01 and not seat.charges

    fixture = SimpleNamespace(seat=1, opponent="random")
    game = CheckedGame(fixture=fixture, record=None, charges=(charge(0.1),), pending=7.2)  # type: ignore[arg-type]
    said = "Not finished against random as player 2: 1 move, and time was over 7 s into the next."
    assert game_verdict(game).text == said and game_verdict(game).mark is Mark.OPEN
