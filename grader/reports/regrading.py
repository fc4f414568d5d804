"""`grader regrade`: how the new grades compare with the old ones."""

from collections.abc import Iterator, Sequence

from tabulate import tabulate

from grader.competition.comparison import GameChange, GradeChange
from grader.games.endings import ending_label, move_count
from grader.language import Language, Message, say
from grader.records import MatchRecord
from grader.reports.labels import pass_label, result_label, score_label, status_label
from grader.scoring.points import Grade


def render(changes: Sequence[GradeChange], speak: Language) -> str:
    """For each submission the old and the new score, and the games that went differently."""
    return "\n\n".join(_grade_change(change, speak) for change in changes) or speak.say("Nothing to grade.")


def _grade_change(change: GradeChange, speak: Language) -> str:
    old, new = score_label(change.before, speak), score_label(change.after, speak)
    scores = speak.say("{id}: {old}, unchanged.", id=change.after.id, old=old)
    if (old, change.before.status) != (new, change.after.status):
        scores = speak.say(
            "{id}: {old} ({was}) before, {new} ({now}) now.",
            id=change.after.id,
            old=old,
            was=_status(change.before),
            new=new,
            now=_status(change.after),
        )
    lines = [scores, *(f"! {speak(condition)}" for condition in change.conditions)]
    played = [game for game in change.games if game.before or game.after]
    rows = [_row(game, speak) for game in played if _differs(game)]
    heads = [speak.say("opponent"), "#", speak.say("before"), speak.say("now"), speak.say("first different move")]
    table = [tabulate(rows, heads, disable_numparse=True)] if rows else []
    counts = _count_sentences(len(played) - len(rows), len(played), len(change.games) - len(played))
    return "\n".join([*lines, *map(speak, counts), *table])


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
