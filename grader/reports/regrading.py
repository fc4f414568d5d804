"""`grader regrade`: how the new grades compare with the old ones."""

from collections.abc import Iterator, Sequence

from grader.competition.comparison import GameChange, GradeChange
from grader.games.endings import ending_label, move_count
from grader.intake.names import distinct_names
from grader.language import Language, Message, say
from grader.records import MatchRecord
from grader.reports.labels import pass_label, result_label, score_label, status_label
from grader.reports.table import Column, Report, make_table
from grader.scoring.points import Grade


def render(changes: Sequence[GradeChange], speak: Language) -> Report:
    """For each submission the old and the new score, and the games that went differently."""
    names = distinct_names((change.after.id, change.after.name) for change in changes)
    blocks = [block for change in changes for block in _grade_change(change, names[change.after.id], speak)]
    return blocks or [speak.say("Nothing to grade.")]


def _grade_change(change: GradeChange, name: str, speak: Language) -> Report:
    old, new = score_label(change.before, speak), score_label(change.after, speak)
    scores = speak.say("{name}: {old}, unchanged.", name=name, old=old)
    if (old, change.before.status) != (new, change.after.status):
        scores = speak.say(
            "{name}: {old} ({was}) before, {new} ({now}) now.",
            name=name,
            old=old,
            was=_status(change.before),
            new=new,
            now=_status(change.after),
        )
    lines = [scores, *(f"! {speak(condition)}" for condition in change.conditions)]
    if not change.conditions and any(game.before and game.after for game in change.games):
        lines.append(speak.say("Same files, reference players, machine and isolation level."))
    played = [game for game in change.games if game.before or game.after]
    rows = [_row(game, speak) for game in played if _differs(game)]
    columns: list[Column | str] = [
        *(Column(speak.say("opponent"), wraps=True), "#", Column(speak.say("before"), wraps=True)),
        *(Column(speak.say("now"), wraps=True), speak.say("first different move")),
    ]
    counts = _count_sentences(len(played) - len(rows), len(played), len(change.games) - len(played))
    return ["\n".join([*lines, *map(speak, counts)]), *([make_table(columns, rows)] if rows else [])]


def _status(grade: Grade) -> Message:
    status, passed = status_label(grade.status), pass_label(grade)
    return status if passed is None else say("{status}, {passed}", status=status, passed=passed)


def _count_sentences(same: int, played: int, unplayed: int) -> Iterator[Message]:
    """How many of the games that were played are identical, and how many were not played at all."""
    if not played:
        yield say("No games were played, before or now.")
        return
    yield say(
        "{same} of {n} game is identical, move for move.",
        "{same} of {n} games are identical, move for move.",
        n=played,
        same=same,
    )
    if unplayed:
        yield say("{n} game was not played, before or now.", "{n} games were not played, before or now.", n=unplayed)


def _differs(game: GameChange) -> bool:
    ends = [(record.ending, record.winner) if record else None for record in (game.before, game.after)]
    return ends[0] != ends[1] or game.first_difference is not None


def _row(game: GameChange, speak: Language) -> list[str]:
    results = [_result(record, game, speak) if record else "–" for record in (game.before, game.after)]
    return [game.fixture.opponent, str(game.fixture.number + 1), *results, str(game.first_difference or "–")]


def _result(record: MatchRecord, game: GameChange, speak: Language) -> str:
    result = result_label(record, game.fixture.seat, speak)
    return f"{result}, {speak(ending_label(record.ending, game.game))}, {speak(move_count(len(record.turns)))}"
