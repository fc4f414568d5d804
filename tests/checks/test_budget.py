"""What still fits into the time of a check, with a clock that the test sets."""

import pytest

from grader.checks.budget import EXAM, EXTRAS, FEW_ANSWERS, PROBES, START, Budget


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_single_positions_may_take_a_share_of_the_time_at_the_pace_of_the_slowest_move():
    clock = Clock()
    budget = Budget(60, clock)

    budget.note_move(2.0)
    budget.note_move(1.0)

    fitting = int((PROBES * 60 - START) / 2.0)
    assert budget.allows(fitting, PROBES) and not budget.allows(fitting + 1, PROBES)
    clock.now += 2.0
    assert not budget.allows(fitting, PROBES) and budget.allows(fitting, EXAM)


def test_a_part_is_a_share_of_the_time_left_and_ends_before_it():
    clock = Clock()
    budget = Budget(60, clock)
    clock.now += 20

    part = budget.part(0.5)

    assert part.remaining == 20 and part.until == clock.now + 20 and budget.until == 160
    clock.now += 50
    assert part.remaining == budget.remaining == 0


def test_without_a_limit_everything_fits():
    budget = Budget(None)
    budget.note_move(1e9)

    assert budget.until is None and budget.allows(1000) and budget.part(0.5).until is None


def test_single_positions_leave_the_rest_of_the_time_for_games():
    budget = Budget(60, Clock())

    assert budget.share_until(EXTRAS) == 100 + EXTRAS * 60
    assert Budget(None).share_until(EXTRAS) is None


@pytest.mark.parametrize(("pace", "answers"), [(4.5, 8), (9.0, 3)])
def test_a_slow_player_is_asked_a_few_test_positions_after_its_first_moves(pace, answers):
    clock = Clock()
    budget = Budget(60, clock)
    budget.note_move(pace)
    clock.now += 2 * pace + 2

    count = 0
    while count < FEW_ANSWERS and budget.allows(1, EXAM):
        count, clock.now = count + 1, clock.now + pace

    assert count == answers
