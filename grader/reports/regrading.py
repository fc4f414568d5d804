"""What came out when a submission was graded once more."""

from collections.abc import Iterator, Sequence

from tabulate import tabulate

from grader.competition.comparison import GameChange, GradeChange
from grader.games.endings import ending_label
from grader.language import Language, Message, say
from grader.reports.labels import result_label, score_label, status_label


def render(changes: Sequence[GradeChange], speak: Language) -> str:
    """For each submission the old and the new score, and the games that went differently."""
    return "\n\n".join(_grade_change(one, speak) for one in changes) or speak.say("There was nothing to grade.")


def _grade_change(one: GradeChange, speak: Language) -> str:
    old, new = score_label(one.before), score_label(one.after)
    scores = speak.say("{id}: {old}, as before.", id=one.after.id, old=old)
    if (old, one.before.status) != (new, one.after.status):
        scores = speak.say(
            "{id}: {old} ({was}) before, {new} ({now}) now.",
            id=one.after.id,
            old=old,
            was=status_label(one.before.status),
            new=new,
            now=status_label(one.after.status),
        )
    lines = [scores, *(f"! {speak(change)}" for change in one.conditions)]
    played = [game for game in one.games if game.before or game.after]
    rows = [_row(game, speak) for game in played if _differs(game)]
    heads = [speak.say("opponent"), "#", speak.say("before"), speak.say("now"), speak.say("first other move")]
    table = [tabulate(rows, heads, disable_numparse=True)] if rows else []
    counted = _count_sentences(len(played) - len(rows), len(played), len(one.games) - len(played))
    return "\n".join([*lines, *map(speak, counted), *table])


def _count_sentences(same: int, played: int, unplayed: int) -> Iterator[Message]:
    """How many of the games that were played are the same, and how many were not played at all."""
    if not played:
        yield say("No game was played, neither before nor now.")
        return
    if same == played == 1:
        yield say("The one game is the same, move by move.")
    else:
        yield say("{same} of {all} games are the same, move by move.", same=same, all=played)
    if unplayed:
        yield say("Not played, neither before nor now: {count}.", count=unplayed)


def _differs(game: GameChange) -> bool:
    ends = [(record.ending, record.winner) if record else None for record in (game.before, game.after)]
    return ends[0] != ends[1] or game.first_difference is not None


def _row(game: GameChange, speak: Language) -> list[str]:
    shown = [
        f"{result_label(record, game.fixture.seat, speak)}, {speak(ending_label(record.ending, game.game))}, {len(record.turns)}"
        if record
        else "–"
        for record in (game.before, game.after)
    ]
    return [game.fixture.opponent, str(game.fixture.number + 1), *shown, str(game.first_difference or "–")]
