"""How games ended, in one line, and why a score is zero."""

from typing import Any

import pytest

from grader.language import language
from grader.records import Finding
from grader.reports.outcomes import results_label, zero_reason
from grader.scoring.points import Grade
from tests.reports.html.pages import assignment

GAME = assignment(size=3).rules
PLAYED = {"won": {"connected": 3}, "lost": {"illegal_move": 7, "connected": 1}}
UNLOADED: dict[str, Any] = {"endings": {"load_error": 4}, "reason": "It is broken."}


def grade(**values: Any) -> Grade:
    known = {
        "id": "ana",
        "name": "",
        "game": "hex",
        "score": 0.0,
        "max_score": 10.0,
        "penalty": 0.0,
        "status": "graded",
    }
    return Grade(**{**known, **values})


@pytest.mark.parametrize(
    ("lang", "endings", "text"),
    [
        ("en", PLAYED, "3 won: connected; 8 lost: 7 illegal move, 1 connected"),
        ("es", PLAYED, "3 ganadas: conexión; 8 perdidas: 7 jugada ilegal, 1 conexión"),
        ("en", {"won": {"crash": 1}, "drawn": {"connected": 2}}, "1 won: exception (opponent); 2 drawn: connected"),
        ("en", {}, ""),
    ],
)
def test_games_are_counted_by_result_and_ending(lang, endings, text):
    assert results_label(grade(endings_by_result=endings), GAME, language(lang)) == text


def test_games_that_were_never_played_are_not_called_lost():
    assert results_label(grade(**UNLOADED), GAME, language("en")) == "not played: could not be loaded"


def finding(code: str) -> Finding:
    return Finding(code=code, text="It is broken.", help="")


@pytest.mark.parametrize(
    ("values", "tone", "label"),
    [
        pytest.param({"status": "missing"}, "absent", "not submitted", id="missing"),
        pytest.param({"status": "disqualified"}, "fault", "disqualified", id="disqualified"),
        pytest.param({**UNLOADED, "findings": (finding("no_player"),)}, "fault", "no player", id="no player"),
        pytest.param({**UNLOADED, "findings": (finding("syntax_error"),)}, "fault", "syntax error", id="syntax error"),
        pytest.param(UNLOADED, "fault", "could not be loaded", id="not loaded"),
        pytest.param({"endings_by_result": {"lost": {"crash": 4}}}, "fault", "exception", id="one error"),
        pytest.param(
            {"endings_by_result": {"lost": {"crash": 3, "timeout": 1}}}, "fault", "errors in every game", id="errors"
        ),
        pytest.param(
            {"endings_by_result": {"lost": {"crash": 3, "connected": 1}}}, "lost", "lost every game", id="lost"
        ),
        pytest.param({"endings_by_result": {"won": {"connected": 1}}}, "lost", "too few wins", id="below a threshold"),
        pytest.param(
            {"endings_by_result": {"won": {"connected": 1}}, "penalty": 3.0}, "absent", "late submission", id="late"
        ),
    ],
)
def test_a_zero_has_a_reason(values, tone, label):
    reason = zero_reason(grade(**values), GAME)

    assert reason is not None
    assert (reason.tone, reason.label) == (tone, label)


@pytest.mark.parametrize("score", [None, 0.5])
def test_any_other_score_has_none(score):
    assert zero_reason(grade(score=score, endings_by_result=PLAYED), GAME) is None
