"""One submission as the pages show it: in a section of the class's report, or alone on its own page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest
from typing import Any

from grader.assignment import Assignment
from grader.fixtures import Match
from grader.games import Game, endings
from grader.language import Language, Message, gaps, say
from grader.records import Charge, Fault, Finding
from grader.reports.feedback import games_label, own_plies
from grader.reports.first_step import FirstStep, first_step, last_lines
from grader.reports.labels import (
    as_sentence,
    finding_label,
    finding_place,
    format_seconds,
    not_played_label,
    pass_label,
    score_notes,
    seat_label,
    slow_from,
    split_reason,
    status_label,
    time_limit_label,
    win_rate_label,
)
from grader.reports.outcomes import result_lines, results_label
from grader.reports.reasons import fault_title, group_by_reason, has_own_fault
from grader.scoring.points import Grade

SENTENCE = 300
"""How many characters of a sentence that may quote the student are shown in a table."""
SLOWEST = 3
"""How many of the slowest moves are listed."""
ROW_GAPS = gaps("at", "opponent", "number", "details", "result", "sign", "outcome", "ending", "fault", "slowest")
"""The texts of a row as gaps."""
_SIGNS = {"won": "✓", "lost": "✗", "drawn": "="}
_OUTCOMES = {"won": say("won"), "lost": say("lost"), "drawn": say("drawn")}

TimedMove = tuple[float, int]
"""Seconds, and the ply, from 1."""
Explain = Callable[[Match], str]
"""Explains why a game ended as it did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """All that a page may show about one submission."""

    grade: Grade
    assignment: Assignment
    played: tuple[Match, ...] = ()
    override: Message | None = None
    """What the assignment overrides for this student; not shown to the student."""
    headline: str = ""
    """What is shown instead of "not graded", such as the conclusion of a check."""
    note: Message | None = None
    """A sentence below the headline."""
    has_hidden_games: bool = False
    """Games against hidden opponents were removed from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """One game, as a row of a table."""

    at: int
    """The position among all games of the student, from 1, which is also used in links."""
    number: int
    """The number among the games against this opponent, from 1."""
    opponent: str
    seat: int
    result: str
    """won, lost or drawn, by the student."""
    ending: str
    opponent_fault: str
    """What the opponent did wrong, if that is why the game ended."""
    moves: int
    slowest: float | None
    scale: float
    """The factor by which the time limits were multiplied where it was played."""
    played: bool
    """False: it would only have repeated another game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultGroup:
    """The games that a player lost by the same fault."""

    fault: Fault
    title: Message
    """The exception with its place, or the ending."""
    is_varied: bool
    """Whether the fault is worded differently in some of the games."""
    games: Sequence[GameRow]

    @property
    def code(self) -> str:
        """The student's lines that were running."""
        return shorten(last_lines(self.fault.trace))


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStepBox:
    """What the student should do first, with the rows of its games."""

    step: FirstStep
    games: Sequence[GameRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowMove:
    """One of the slowest moves."""

    seconds: float
    ply: int
    game: GameRow


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentSection:
    """A student with everything that is calculated for the page."""

    student: Student
    first: FirstStepBox | None
    """What to do first."""
    reason: Finding | None
    """The finding that decided the grade, if there is one."""
    findings: Sequence[Finding]
    """The other findings."""
    games: Sequence[GameRow]
    faults: Sequence[FaultGroup]
    """The player's own faults, apart from the one that `first` describes."""
    slowest: Sequence[SlowMove]
    """The slowest first."""

    @property
    def slow_moves(self) -> Sequence[SlowMove]:
        """Those of the slowest moves that took more than half of the limit."""
        limit = slow_from(self.student.assignment.time)
        return [move for move in self.slowest if move.seconds > limit * move.game.scale]


def section(student: Student, explain: Explain) -> StudentSection:
    """Everything that the section of a student shows, apart from the replays."""
    games = game_rows(student.played, explain)
    reason, findings = split_reason(student.grade)
    step = first_step(student.grade, student.played, student.assignment.time)
    first = None if step is None else FirstStepBox(step=step, games=_rows_of(step.matches, student.played, games))
    faults = fault_groups(student.played, games)
    return StudentSection(
        student=student,
        first=first,
        reason=reason,
        findings=findings,
        games=games,
        faults=[group for group in faults if first is None or [*group.games] != first.games],
        slowest=_slowest(map(_own_moves, student.played), games),
    )


def game_rows(matches: Sequence[Match], explain: Explain) -> list[GameRow]:
    """The games of a player, as rows of a table."""
    return [_row(at, match, explain) for at, match in enumerate(matches, 1)]


def row_texts(row: GameRow, game: Game, speak: Language) -> dict[str, str]:
    """What the row of a game shows; `ROW_GAPS` are the same texts before `games.js` fills them in."""
    moves = [speak(seat_label(row.seat)), speak(endings.move_count(row.moves))]
    repeated = [] if row.played else [speak.say("not played again (same as an earlier game)")]
    ending = speak(endings.ending_label(row.ending, game))
    return {
        "at": str(row.at),
        "opponent": row.opponent,
        "number": str(row.number),
        "details": ", ".join(moves + repeated),
        "result": row.result,
        "sign": _SIGNS[row.result],
        "outcome": speak(_OUTCOMES[row.result]),
        "ending": f"{ending} ({speak.say('opponent')})" if row.opponent_fault else ending,
        "fault": row.opponent_fault,
        "slowest": "–" if row.slowest is None else f"{format_seconds(row.slowest, speak)} s",
    }


def fault_groups(matches: Sequence[Match], rows: Sequence[GameRow]) -> list[FaultGroup]:
    """The player's own faults, each once, with the rows of its games."""
    return [
        FaultGroup(
            fault=group.fault,
            title=fault_title(group.matches[0]),
            is_varied=group.is_varied,
            games=_rows_of(group.matches, matches, rows),
        )
        for group in group_by_reason(match for match in matches if has_own_fault(match))
        if group.fault is not None
    ]


def _rows_of(wanted: Sequence[Match], matches: Sequence[Match], rows: Sequence[GameRow]) -> list[GameRow]:
    """The rows of these games."""
    row_of = {id(match): row for match, row in zip(matches, rows, strict=True)}
    return [row_of[id(match)] for match in wanted]


def template_functions(speak: Language) -> dict[str, Any]:
    """What the template of a section calls, in addition to what every page has."""
    return {
        "ending_label": endings.ending_label,
        "finding_label": finding_label,
        "games_label": partial(games_label, speak=speak),
        "not_played_label": not_played_label,
        "row_gaps": ROW_GAPS,
        "row_texts": partial(row_texts, speak=speak),
        "sentence": as_sentence,
        "seconds": partial(format_seconds, speak=speak),
        "shorten": shorten,
        "status_label": status_label,
        "pass_label": pass_label,
        "score_notes": score_notes,
        "time_limit_label": time_limit_label,
        "finding_place": finding_place,
        "win_rate": partial(win_rate_label, speak=speak),
        "results_label": partial(results_label, speak=speak),
        "result_lines": partial(result_lines, speak=speak),
    }


def for_student(student: Student, *, reveal: bool) -> Student:
    """What students may see: without the names and games of hidden opponents, unless those are revealed."""
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
        has_hidden_games=True,
        grade=replace(student.grade, parts=parts, endings={}, endings_by_result={}),
        played=tuple(match for match in student.played if match.opponent not in hidden),
    )


def explain_to_student(match: Match, speak: Language) -> str:
    """Why a game ended as it did, addressed to the student."""
    record, seat = match.record, match.seat
    if record.fault is not None and record.at_fault == seat:
        return speak(record.fault.text)
    return speak(
        endings.explain_ending(record.ending, match.game, won=None if record.winner is None else record.winner == seat)
    )


def explain_to_instructor(match: Match, speak: Language) -> str:
    """Why a game ended as it did, in the third person."""
    record = match.record
    if record.fault is not None and record.at_fault != match.seat:
        return speak.say("{name} failed. {fault}", name=match.opponent, fault=record.fault.text)
    if record.fault is not None:
        return speak(record.fault.text)
    return speak(endings.result_sentence(record, match.game))


def seconds(charge: Charge) -> float:
    """The charged time as the store rounds it, so that a page that is written again is the same."""
    return round(charge.charged, 6)


def shorten(text: str, limit: int = SENTENCE) -> str:
    """A text cut to `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _own_moves(match: Match) -> list[TimedMove]:
    """The student's answers, including the one that was a fault."""
    return [
        (seconds(charge), ply + 1)
        for ply, charge in zip(own_plies(match), match.record.charges_of(match.seat), strict=True)
    ]


def _row(at: int, match: Match, explain: Explain) -> GameRow:
    record = match.record
    failed = record.fault is not None and not has_own_fault(match)
    return GameRow(
        at=at,
        number=match.fixture.number + 1,
        opponent=match.opponent,
        seat=match.seat,
        result=_result(match),
        ending=record.ending,
        opponent_fault=shorten(explain(match)) if failed else "",
        moves=len(record.turns),
        slowest=max((taken for taken, _ in _own_moves(match)), default=None),
        scale=record.time_scale,
        played=match.played,
    )


def _result(match: Match) -> str:
    if match.record.winner is None:
        return "drawn"
    return "won" if match.record.winner == match.seat else "lost"


def _slowest(answers: Iterable[Sequence[TimedMove]], games: Sequence[GameRow]) -> list[SlowMove]:
    moves = ((taken, ply, game) for own, game in zip(answers, games, strict=True) for taken, ply in own)
    slow = nlargest(SLOWEST, moves, key=lambda move: move[0])
    return [SlowMove(seconds=taken, ply=ply, game=game) for taken, ply, game in slow]
