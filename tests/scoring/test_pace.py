"""The time that the rest of a competition takes is learnt from the games played."""

import pytest

from grader.fixtures import REFERENCE, Fixture
from grader.records import Charge, MatchRecord, SeatReport, Turn
from grader.scoring.estimate import START_SECONDS
from grader.scoring.pace import Pace


def fixture(submission: str, number: int) -> Fixture:
    players = (submission, f"{REFERENCE}random")
    return Fixture(game="hex", players=players, number=number, seed=1, seeds=(1, 2), key=f"{submission}{number}")


def game(seconds: float) -> MatchRecord:
    wall = seconds - START_SECONDS
    seat = SeatReport(name="any", isolation="good")
    turns = [Turn(move="a1", charge=Charge(wall=wall, cpu=wall, waited=0.0, charged=wall))]
    return MatchRecord(game="hex", options={}, seed=1, seats=(seat, seat), turns=turns, ending="connected", winner=0)


def test_nothing_is_said_before_the_first_game():
    assert Pace(lambda _: 10.0).left([fixture("ana", 0)], workers=1) is None


def test_slow_players_are_expected_to_stay_slow_and_are_named():
    pace = Pace(lambda _: 10.0)
    for number in range(9):
        pace.learn(fixture("slow", number), game(100))
        pace.learn(fixture("quick", number), game(1))
    rest = [fixture("slow", 9), *(fixture("quick", number) for number in range(9, 19))]
    left = pace.left(rest, workers=2)

    assert left is not None and left.slowest == "slow"
    assert 80 < left.per_game < 110
    assert left.seconds == pytest.approx((left.per_game / left.share) / 2)
    assert left.seconds < 90, "and not ten seconds for each of eleven games"


def test_a_submission_that_has_not_played_is_expected_to_be_like_the_others():
    pace = Pace(lambda _: 10.0)
    for number in range(4):
        pace.learn(fixture("ana", number), game(20))
    left = pace.left([fixture("luis", 0)], workers=1)

    assert left is not None and left.seconds == pytest.approx(20)
