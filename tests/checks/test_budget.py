"""What still fits into the time of a check, with a clock that the test sets."""

from grader.checks.budget import PROBES, START, Budget


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
    assert budget.allows(fitting) and not budget.allows(fitting + 1)
    clock.now += 2.0
    assert not budget.allows(fitting)


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

    assert budget.questions_until == 100 + PROBES * 60
    assert Budget(None).questions_until is None
