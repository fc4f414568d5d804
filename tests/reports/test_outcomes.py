"""How games ended, in one line."""

from typing import Any

import pytest

from grader.language import language
from grader.reports.outcomes import results_label
from grader.scoring.points import Grade
from tests.reports.html.pages import WON, assignment, match, student

OF = assignment(size=3)
GAME = OF.rules
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
    played = student(OF, match(OF, WON)).grade.parts

    assert results_label(grade(parts=played, endings_by_result=endings), GAME, language(lang)) == text


def test_games_that_were_never_played_are_not_called_lost():
    assert results_label(grade(**UNLOADED), GAME, language("en")) == "not played: no player found"
