"""What a check says about a player's time, on idle and on busy machines."""

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
from grader.games.hex import Hex
from grader.records import Charge
from grader.sandbox.limits import Limits, TimeLimits


def verdict(
    *charges: Charge,
    limits: TimeLimits | None = None,
    pending: float = 0.0,
    speed: float | None = None,
    machine_speed: float | None = None,
    may_read_clock: bool = False,
) -> Verdict:
    """The verdict about a game with these moves."""
    subject = SimpleNamespace(
        limits=Limits(time=limits or TimeLimits(move=9), speed=speed),
        assignment=SimpleNamespace(time=SimpleNamespace(machine_speed=machine_speed)),
        entrant=SimpleNamespace(entry=SimpleNamespace(may_read_clock=may_read_clock)),
    )
    observed = Observations(games=[CheckedGame(fixture=None, record=None, charges=charges, pending=pending)])  # type: ignore[arg-type]
    found = time_verdict(subject, observed)  # type: ignore[arg-type]
    assert found is not None
    return found


def charge(wall: float, waited: float = 0.0) -> Charge:
    return Charge(wall=wall, cpu=wall - waited, waited=waited, charged=wall - waited)


@pytest.mark.parametrize(
    ("moves", "mark", "words"),
    [
        pytest.param([charge(3.0), charge(7.0)], Mark.GOOD, "", id="short moves"),
        pytest.param([charge(8.9)], Mark.NOTE, "Stay below 80 %", id="a long move"),
        pytest.param([charge(9.0, waited=5.0)], Mark.NOTE, "In wall time it took 100 %", id="a busy machine"),
        pytest.param([charge(4.0, waited=3.0)], Mark.GOOD, "", id="a short move on a busy machine"),
    ],
)
def test_a_player_that_may_watch_the_clock_is_warned_even_if_it_had_to_wait(moves, mark, words):
    found = verdict(*moves)

    assert found.mark is mark and found.help.startswith(words)
    assert bool(found.help) == bool(words)


def test_with_a_limit_per_game_the_sum_of_its_moves_counts():
    bank = TimeLimits(bank=100)

    assert verdict(*[charge(7.0)] * 10, limits=bank).mark is Mark.GOOD
    assert verdict(*[charge(9.0, waited=5.0)] * 10, limits=bank).help.startswith("In wall time it took 90 %")


def test_an_unfinished_move_counts_by_wall_time():
    assert verdict(charge(0.1), pending=5.0).mark is Mark.GOOD
    assert verdict(charge(0.1), pending=9.9).help.startswith("In wall time it took 110 %")


def test_how_long_a_player_had_been_thinking_when_time_ran_out_is_recorded_and_reported():
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
    found = game_verdict(game, Hex(3))
    assert found.text == (
        "Unfinished against random as player 2: time ran out after 1 move by your player, 7 s into the next."
    )
    assert found.mark is Mark.OPEN


@pytest.mark.parametrize(
    ("seconds", "may_read_clock", "mark", "words"),
    [
        pytest.param(1.0, False, Mark.GOOD, "would take 1.8 s of 9 s there.", id="fast enough"),
        pytest.param(4.3, False, Mark.NOTE, "would take 7.7 s of 9 s there.", id="close to the limit there"),
        pytest.param(6.0, False, Mark.BAD, "would take 10.8 s of 9 s there.", id="too slow there"),
        pytest.param(6.0, True, Mark.NOTE, "If your player watches the clock, it searches less", id="by its own clock"),
    ],
)
def test_move_times_on_the_machine_that_grades_are_predicted(seconds, may_read_clock, mark, words):
    found = verdict(charge(seconds), speed=0.99, machine_speed=0.55, may_read_clock=may_read_clock)

    assert "This machine is 1.8× as fast as the machine that grades" in found.text
    assert words in found.text
    assert found.mark is mark and bool(found.help) == (mark is not Mark.GOOD)


def test_the_advice_is_about_the_machine_that_grades_if_moves_would_be_too_late_there():
    found = verdict(charge(8.5), speed=1.0, machine_speed=0.5)

    assert "on the machine that grades" in found.help


def test_without_the_speed_of_either_machine_nothing_is_predicted():
    assert "fast" not in verdict(charge(6.0), speed=1.0).text
    assert "fast" not in verdict(charge(6.0), machine_speed=1.0).text


def test_a_scaled_limit_is_compared_and_explained():
    scaled = TimeLimits(move=5.0, reference_speed=1.0)
    found = verdict(charge(6.0), limits=scaled, speed=0.5)

    assert found.mark is Mark.GOOD
    assert "60 % of the 10 s limit" in found.text
    assert "The limit is scaled to this machine: 5 s is for speed 1, and this machine has 0.5." in found.text
