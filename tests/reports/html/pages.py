"""Pages for the tests, made from prepared games that were not played."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.assignment import Assignment
from grader.fixtures import REFERENCE, Match
from grader.language import Language, language
from grader.records import Charge, Ending, Fault, Finding, MatchRecord, Outcome, SeatReport, Turn
from grader.reports.html import feedback, report
from grader.reports.html.student import Student
from grader.scoring.points import Grade, Part, ending_counts, ending_counts_by_result
from tests.matches import planned

ENGLISH = language("en")

WON = ("a2", "a1", "b2", "b1", "c2")
"""Player 1 connects left and right of a 3×3 board of Hex."""


def assignment(
    game: str = "hex", *, opponent: str = "rival", hidden: bool = False, games: int = 4, **options: Any
) -> Assignment:
    """An assignment with one opponent."""
    played = {"player": "random", "points": 10, "games": games, "name": opponent, "hidden": hidden}
    return Assignment.model_validate(
        {"title": f"A test of {game}", "game": game, "options": options, "opponents": [played], "time": {"move": 2}}
    )


def match(of: Assignment, moves: Sequence[str], *, fault: Fault | None = None, printed: str = "") -> MatchRecord:
    """The record of a game with these moves, ended by the rules or by a fault of the player to move."""
    game = of.rules
    position = game.start()
    for move in moves:
        position = game.play(position, game.parse_move(move))
    outcome = game.outcome(position) or (Outcome(fault.ending, 1 - len(moves) % 2) if fault else None)
    assert outcome is not None, "a game ends by its rules or by a fault"
    return MatchRecord(
        game=of.game,
        options=of.options,
        seed=0,
        seats=(SeatReport(name="one", isolation="good", output=printed), SeatReport(name="two", isolation="good")),
        turns=tuple(Turn(move=move, charge=_charge(0.01 * (at + 1))) for at, move in enumerate(moves)),
        ending=outcome.ending,
        winner=outcome.winner,
        fault=fault,
        at_fault=len(moves) % 2 if fault else None,
        last_charge=_charge(2.5) if fault else None,
    )


def student(of: Assignment, *matches: MatchRecord, id: str = "one", name: str = "", **grade: Any) -> Student:  # noqa: A002
    """A student with these games, moving first in the first, second in the second, and so on."""
    fixtures = planned(of, id)
    played = tuple(
        Match(fixture=fixture, record=record, game=of.rules, seat=fixture.seat)
        for fixture, record in zip(fixtures, matches, strict=False)
    )
    points = 5 if grade.get("score") != 0 else 0
    parts = tuple(
        Part(
            opponent=opponent.name,
            hidden=opponent.hidden,
            points=points,
            exact_points=Fraction(points),
            max_points=opponent.points,
            games=len(matches),
            won=int(bool(points)),
            drawn=0,
            lost=len(matches) - int(bool(points)),
            interval=(0.1, 0.9),
            skipped=0,
            unplayed=0,
            repeats=0,
        )
        for opponent in of.opponents
    )
    fixtures_played, results = [game.fixture for game in played], {game.fixture.key: game.record for game in played}
    known = {
        "score": 5.0,
        "max_score": 10.0,
        "penalty": 0.0,
        "status": "graded",
        "parts": parts,
        "endings": ending_counts(fixtures_played, results),
        "endings_by_result": ending_counts_by_result(fixtures_played, results),
    }
    return Student(
        grade=Grade(**{"id": id, "name": name, "game": of.game, **known, **grade}), assignment=of, played=played
    )


def report_of(*students: Student, speak: Language = ENGLISH, **run: Any) -> str:
    return report.render(students, speak, isolation="good", seed=0, **run)


def feedback_of(of: Student, *, reveal: bool = False) -> str:
    return feedback.render(of, ENGLISH, isolation="good", reveal=reveal)


HOSTILE = (
    "<img src=x onerror=\"document.title='taken'\">",
    "</script><script>document.title='taken'</script>",
    "</template><script>document.title='taken'</script>",
    "<!--<script>",
    '"><svg onload="document.title=\'taken\'">',
    "' onmouseover='document.title=`taken`",
    "{{ 7 * 7 }}{ply}{who}",
    '\\"}]}//\u2028\u2029\u0000\ud800',
    "\u202egnisrever",
    "javascript:document.title='taken'",
    "w" * 5_000,
)
"""Names, outputs and error messages of hostile students."""


def hostile_student(text: str, number: int) -> Student:
    """A student whose name, output, fault and findings are all this text."""
    of = assignment(size=3)
    fault = Fault(ending=Ending.CRASH, text=text, help=text, where=text, trace=text)
    lost = match(of, ["a1", "b2"], fault=fault, printed=text)
    lost = replace(lost, seats=(replace(lost.seats[0], findings=(_finding(text),)), lost.seats[1]))
    made = student(of, lost, id=f"h{number}", name=text, findings=(_finding(text),), reason=text)
    named = [replace(game.fixture, players=(f"h{number}", REFERENCE + text)) for game in made.played]
    return replace(
        made, played=tuple(replace(game, fixture=fixture) for game, fixture in zip(made.played, named, strict=True))
    )


def _finding(text: str) -> Finding:
    return Finding(code="prints", text=text, help=text, file=text, line=1)


def _charge(seconds: float) -> Charge:
    return Charge(wall=seconds, cpu=seconds, waited=0.0, charged=seconds)
