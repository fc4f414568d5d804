"""How many games are played at a time while the machine is busy."""

from dataclasses import replace

import pytest

from grader.competition.concurrency import Concurrency, is_disturbed
from grader.records import Charge, Turn
from tests.matches import record


def policy(workers: int = 8) -> Concurrency:
    return Concurrency(lambda: workers)


def play(at_once: Concurrency, units: int, *, disturbed: bool = False) -> None:
    """Play units one after the other."""
    for _ in range(units):
        at_once.ended(at_once.started(), disturbed=disturbed)


def test_there_is_no_limit_before_a_disturbance():
    at_once = policy(2)
    play(at_once, 100)

    assert at_once.allows(1000) and at_once.limit is None and at_once.fewest is None


def test_half_as_many_are_played_at_a_time_after_each_disturbance_and_at_least_one():
    at_once, limits = policy(4), []
    for _ in range(4):
        play(at_once, 1, disturbed=True)
        limits.append(at_once.limit)

    assert limits == [2, 1, 1, 1]
    assert at_once.allows(0) and not at_once.allows(1)
    assert at_once.fewest == 1


def test_units_that_were_disturbed_together_count_once():
    at_once = policy(4)
    tickets = [at_once.started() for _ in range(4)]
    for ticket in tickets:
        at_once.ended(ticket, disturbed=True)

    assert at_once.limit == 2


def test_more_are_played_at_a_time_after_units_that_were_not_disturbed():
    at_once = policy(4)
    at_once.restrict(1)
    limits = [at_once.limit]
    for _ in range(12):
        play(at_once, 1)
        limits.append(at_once.limit)

    assert limits == [1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, None]
    assert at_once.fewest == 1


def test_one_busy_machine_of_a_large_cluster_does_not_slow_down_the_others():
    at_once = policy(100)
    for _ in range(20):
        play(at_once, 99)
        play(at_once, 1, disturbed=True)

    assert at_once.limit is None


def test_with_one_worker_one_is_played_at_a_time():
    at_once = policy(1)
    play(at_once, 1, disturbed=True)

    assert at_once.allows(0) and not at_once.allows(1)
    assert at_once.fewest is None, "that is not less than usual"
    play(at_once, 2)
    assert at_once.limit is None


@pytest.mark.parametrize(
    ("wall", "waited", "disturbed"),
    [
        pytest.param(10.0, 4.0, True, id="a long wait"),
        pytest.param(10.0, 0.9, False, id="a small share"),
        pytest.param(0.3, 0.2, False, id="jitter"),
    ],
)
def test_a_game_that_counts_was_disturbed_if_its_players_waited_for_much_of_their_time(wall, waited, disturbed):
    charge = Charge(wall=wall / 2, cpu=(wall - waited) / 2, waited=waited / 2, charged=(wall - waited) / 2)
    game = replace(record(0), turns=(Turn(move="a1", charge=charge), Turn(move="b1", charge=charge)))

    assert is_disturbed([game]) == disturbed
