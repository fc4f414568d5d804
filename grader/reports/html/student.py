"""One submission as the pages show it: in a section of the class's report, or alone on a page of its own."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from typing import Any

from grader.assignment import Assignment
from grader.fixtures import Match
from grader.games import endings
from grader.language import Language, Message, say
from grader.records import Charge
from grader.reports.feedback import plies
from grader.reports.labels import finding_label, finding_place, format_seconds, status_label
from grader.scoring.points import Grade

SENTENCE = 300
"""Signs of a sentence that a student's own text may be part of, in a table."""
SLOWEST = 3

TimedMove = tuple[float, int]
"""Seconds, and the ply, from 1."""
Explain = Callable[[Match], str]
"""Says why a game ended as it did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """All that a page may tell about one submission."""

    grade: Grade
    assignment: Assignment
    played: tuple[Match, ...] = ()
    override: Message | None = None
    """What is different for this student; not for the student to read."""
    kept_secret: bool = False
    """There are games that it does not tell of: those of hidden opponents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """One game, as a line of a table."""

    at: int
    """Among all games of the student, from 1: as in the link to it."""
    number: int
    """Among those against this opponent, from 1."""
    opponent: str
    seat: int
    result: str
    """won, lost or drawn, by the student."""
    ending: str
    why: str
    moves: int
    slowest: float | None
    played: bool
    """False: it would only have repeated another game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowMove:
    """One of the slowest moves."""

    seconds: float
    ply: int
    game: GameRow


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentSection:
    """A student with everything that is worked out for the page."""

    student: Student
    games: Sequence[GameRow]
    slowest: Sequence[SlowMove]
    """The slowest first."""


def section(student: Student, explain: Explain) -> StudentSection:
    """All that the section of a student shows, but for the replays."""
    games = game_rows(student.played, explain)
    return StudentSection(student=student, games=games, slowest=_slowest(map(_own_moves, student.played), games))


def game_rows(matches: Sequence[Match], explain: Explain) -> list[GameRow]:
    """The games of a player, as lines of a table."""
    return [_row(at, match, explain) for at, match in enumerate(matches, 1)]


def template_functions() -> dict[str, Any]:
    """What the template of a section calls, beside what every page has."""
    return {
        "move_count": endings.move_count,
        "ending_label": endings.ending_label,
        "finding_label": finding_label,
        "seconds": format_seconds,
        "shorten": shorten,
        "status_label": status_label,
        "finding_place": finding_place,
    }


def for_student(student: Student, *, reveal: bool) -> Student:
    """What students may know of themselves: without the names and games of hidden opponents, unless those are revealed."""
    student = replace(student, override=None)
    hidden = {part.opponent for part in student.grade.parts if part.hidden and not reveal}
    if not hidden:
        return student
    parts = tuple(
        replace(part, opponent=say("hidden opponent {number}", number=number)) if part.opponent in hidden else part
        for number, part in enumerate(student.grade.parts, 1)
    )
    return replace(
        student,
        kept_secret=True,
        grade=replace(student.grade, parts=parts, endings={}),
        played=tuple(game for game in student.played if game.opponent not in hidden),
    )


def explain_to_student(game: Match, speak: Language) -> str:
    """Why a game ended as it did, said to the student."""
    record, seat = game.record, game.seat
    if record.fault is not None and record.at_fault == seat:
        return speak(record.fault.text)
    return speak(
        endings.explain_ending(record.ending, game.game, won=None if record.winner is None else record.winner == seat)
    )


def explain_to_instructor(game: Match, speak: Language) -> str:
    """Why a game ended as it did, said about the student."""
    record = game.record
    if record.fault is not None:
        return speak(record.fault.text)
    return speak(endings.result_sentence(record, game.game))


def seconds(charge: Charge) -> float:
    """The time that was charged, as the store keeps it: so a page comes out the same when it is written again."""
    return round(charge.charged, 6)


def shorten(text: str, limit: int = SENTENCE) -> str:
    """A text of at most so many signs."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _own_moves(game: Match) -> list[TimedMove]:
    """The student's answers, the one that was its fault included."""
    return [
        (seconds(charge), ply + 1) for ply, charge in zip(plies(game), game.record.charges_of(game.seat), strict=True)
    ]


def _row(at: int, game: Match, explain: Explain) -> GameRow:
    return GameRow(
        at=at,
        number=game.fixture.number + 1,
        opponent=game.opponent,
        seat=game.seat,
        result=_result(game),
        ending=game.record.ending,
        why=shorten(explain(game)),
        moves=len(game.record.turns),
        slowest=max((taken for taken, _ in _own_moves(game)), default=None),
        played=game.played,
    )


def _result(game: Match) -> str:
    if game.record.winner is None:
        return "drawn"
    return "won" if game.record.winner == game.seat else "lost"


def _slowest(answers: Iterable[Sequence[TimedMove]], games: Sequence[GameRow]) -> list[SlowMove]:
    moves = ((taken, ply, game) for own, game in zip(answers, games, strict=True) for taken, ply in own)
    slow = nlargest(SLOWEST, moves, key=lambda move: move[0])
    return [SlowMove(seconds=taken, ply=ply, game=game) for taken, ply, game in slow]
