"""The answers with which players lost games."""

from dataclasses import replace

import pytest

from grader.language import language
from grader.records import Charge, Ending, Fault
from grader.reports.failed_answers import failed_answer, timeout_lines
from tests.reports.html.pages import WON, assignment, match, student

OF = assignment(size=4)
CHARGE = Charge(wall=2.5, cpu=2.25, waited=0.125, charged=2.375)


def lost(ending: Ending, move: str = "", seconds: float = 2.375):
    """A game whose third answer failed."""
    record = match(OF, ("a1", "b1"), fault=Fault(ending=ending, text="It failed.", help="Do not.", move=move))
    return student(OF, replace(record, last_charge=replace(CHARGE, charged=seconds))).played[0]


@pytest.mark.parametrize(
    ("ending", "move", "seconds", "text"),
    [
        (Ending.ILLEGAL_MOVE, "d4", 0.005, "3. ✗ (3, 3) = d4 refused (0.005 s)"),
        (Ending.ILLEGAL_MOVE, "", 0.005, "3. ✗ illegal move (0.005 s)"),
        (Ending.ILLEGAL_MOVE, "\x1b[2J", 0.005, "3. ✗ illegal move (0.005 s)"),
        (Ending.CRASH, "", 0.002, "3. ✗ exception (0.002 s)"),
        (Ending.TIMEOUT, "", 1.25, "3. ✗ ran out of time (1.25 s)"),
    ],
)
def test_a_failed_answer_is_shown_with_its_time(ending, move, seconds, text):
    assert failed_answer(lost(ending, move, seconds), language("en")) == text


def test_a_game_that_ended_by_the_rules_has_no_failed_answer():
    of = assignment(size=3)

    assert failed_answer(student(of, match(of, WON)).played[0], language("en")) == ""


@pytest.mark.parametrize(
    ("lang", "limit", "times"),
    [
        (
            "en",
            "Limit: 2 s per move + 0.25 s grace.",
            "rival 1, move 3: 2.38 s charged (wall time 2.50 s, CPU time 2.25 s, waiting for a core 0.12 s).",
        ),
        (
            "es",
            "Límite: 2 s por jugada + 0,25 s de margen.",
            "rival 1, jugada 3: 2,38 s contados (tiempo real 2,50 s, CPU 2,25 s, en espera de un núcleo 0,12 s).",
        ),
    ],
)
def test_a_timeout_is_shown_with_the_grace_and_the_times_of_the_answer(lang, limit, times):
    assert timeout_lines([lost(Ending.TIMEOUT)], OF.time, language(lang)) == [limit, times]


def test_a_timeout_with_a_scaled_limit_shows_the_scale_and_the_speed():
    time = OF.time.model_copy(update={"reference_speed": 1.0})
    late = lost(Ending.TIMEOUT)
    late = replace(late, record=replace(late.record, speed=0.5, time_scale=2.0))
    limit, times = timeout_lines([late], time, language("en"))

    assert limit == "Limit: 2 s per move on a machine of speed 1 + 0.25 s grace."
    assert times.endswith("waiting for a core 0.12 s). Time limits × 2 on that machine (speed 0.5).")
