"""The time that the rest of a competition takes is learnt from the games played, and from those that are being played."""

import pytest

from grader.fixtures import REFERENCE, Fixture
from grader.records import Charge, MatchRecord, SeatReport, Turn
from grader.scoring.estimate import START_SECONDS
from grader.scoring.pace import OVERDUE, Pace, seconds_of


def fixture(submission: str, number: int, key: str = "") -> Fixture:
    players = (submission, f"{REFERENCE}random")
    own = key or f"{submission}{number}"
    return Fixture(game="hex", players=players, number=number, seed=1, seeds=(1, 2), key=own)


def learned(**seconds: float) -> Pace:
    """What is known after nine games of each of these submissions, of which ten seconds were expected."""
    pace = Pace(lambda _: 10.0)
    for name, each in seconds.items():
        for number in range(9):
            pace.learn([fixture(name, number)], each)
    return pace


def test_nothing_is_said_before_the_first_game():
    assert Pace(lambda _: 10.0).left([fixture("ana", 0)], workers=1) is None


def test_slow_players_are_expected_to_stay_slow_and_are_named():
    pace = learned(slow=100, quick=1)
    rest = [fixture("slow", 9), *(fixture("quick", number) for number in range(9, 19))]
    left = pace.left(rest, workers=1)

    assert left is not None and left.slowest == "slow"
    assert 80 < left.per_game < 110
    assert left.seconds == pytest.approx(left.per_game / left.share)


def test_a_submission_that_has_not_played_is_expected_to_be_like_the_others():
    left = learned(ana=20).left([fixture("luis", 0)], workers=1)

    assert left is not None and left.seconds == pytest.approx(20)


def test_the_last_game_takes_its_time_however_many_workers_there_are():
    left = learned(ana=20).left([fixture("ana", 9)], workers=8)

    assert left is not None and left.seconds == pytest.approx(20)


def test_a_game_that_is_being_played_needs_only_the_rest_of_its_time():
    left = learned(ana=20).left([fixture("ana", 9)], 1, running={"ana9": 15})

    assert left is not None and left.seconds == pytest.approx(5)


def test_a_game_that_takes_longer_than_expected_says_so_for_all_games_of_its_player():
    rest = [fixture("slow", number) for number in range(3)]
    left = learned(quick=10).left(rest, 1, running={"slow0": 100})

    assert left is not None and left.per_game == pytest.approx(100 * OVERDUE)
    assert left.seconds == pytest.approx(3 * 100 * OVERDUE - 100)


def test_it_also_says_something_about_players_that_have_not_played_yet():
    rest = [fixture("slow", 0), fixture("other", 0)]
    before, after = (learned(quick=10).left(rest, 9, running={"slow0": seconds}) for seconds in (1, 1000))

    assert before is not None and after is not None
    assert learned(quick=10).left([fixture("other", 0)], 1).seconds == pytest.approx(10)  # type: ignore[union-attr]
    assert after.seconds > before.seconds


def test_games_that_are_played_again_count():
    pace = learned(ana=20)
    pace.learn_attempt([fixture("ana", 5)], 40)
    left = pace.left([fixture("ana", 9)], workers=1)

    assert left is not None and left.seconds > 22


def test_games_shared_by_identical_submissions_are_played_once():
    rest = [fixture("ana", 9, key="same"), fixture("luis", 9, key="same")]
    left = learned(ana=20).left(rest, workers=1)

    assert left is not None and left.seconds == pytest.approx(20)


def test_a_record_says_how_long_a_game_took_where_its_time_was_not_measured():
    seat = SeatReport(name="any", isolation="good")
    turns = (Turn(move="a1", charge=Charge(wall=2.0, cpu=1.0, waited=0.0, charged=2.0)),)
    record = MatchRecord(game="hex", options={}, seed=1, seats=(seat, seat), turns=turns, ending="connected", winner=0)

    assert seconds_of(record) == 2.0 + START_SECONDS
