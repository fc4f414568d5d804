"""What came out when a submission was graded once more."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabulate import tabulate

from grader.games import Game
from grader.language import Language, Message, say
from grader.records import MatchRecord
from grader.reports.endings import named
from grader.reports.show import result
from grader.reports.statuses import status_named
from grader.scoring.points import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One game, before and now; None where it was not played."""

    opponent: str
    number: int
    seat: int
    game: Game
    before: MatchRecord | None
    after: MatchRecord | None

    @property
    def parted(self) -> int | None:
        """The ply, from 1, at which the two games went different ways; None if they have the same moves."""
        one, two = ([turn.move for turn in record.turns] if record else [] for record in (self.before, self.after))
        if one == two:
            return None
        differing = (ply for ply, (a, b) in enumerate(zip(one, two, strict=False), 1) if a != b)
        return next(differing, min(len(one), len(two)) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Regraded:
    """A submission that was graded once more."""

    before: Grade
    after: Grade
    changes: tuple[Message, ...]
    """What is not as it was then, apart from how the games went."""
    games: tuple[Change, ...]


def render(regraded: Sequence[Regraded], speak: Language) -> str:
    """For each submission the old and the new score, and the games that went differently."""
    return "\n\n".join(_one(one, speak) for one in regraded) or speak.say("There was nothing to grade.")


def _one(one: Regraded, speak: Language) -> str:
    old, new = _score(one.before), _score(one.after)
    scores = speak.say("{id}: {old}, as before.", id=one.after.id, old=old)
    if (old, one.before.status) != (new, one.after.status):
        scores = speak.say(
            "{id}: {old} ({was}) before, {new} ({now}) now.",
            id=one.after.id,
            old=old,
            was=status_named(one.before.status),
            new=new,
            now=status_named(one.after.status),
        )
    lines = [scores, *(f"! {speak(change)}" for change in one.changes)]
    played = [game for game in one.games if game.before or game.after]
    rows = [_row(game, speak) for game in played if _differs(game)]
    heads = [speak.say("opponent"), "#", speak.say("before"), speak.say("now"), speak.say("first other move")]
    table = [tabulate(rows, heads, disable_numparse=True)] if rows else []
    counted = _counted(len(played) - len(rows), len(played), len(one.games) - len(played))
    return "\n".join([*lines, *map(speak, counted), *table])


def _counted(same: int, played: int, unplayed: int) -> Iterator[Message]:
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


def _score(grade: Grade) -> str:
    return "–" if grade.score is None else f"{grade.score:g} / {grade.max_score:g}"


def _differs(game: Change) -> bool:
    ends = [(record.ending, record.winner) if record else None for record in (game.before, game.after)]
    return ends[0] != ends[1] or game.parted is not None


def _row(game: Change, speak: Language) -> list[str]:
    shown = [
        f"{result(record, game.seat, speak)}, {speak(named(record.ending, game.game))}, {len(record.turns)}"
        if record
        else "–"
        for record in (game.before, game.after)
    ]
    return [game.opponent, str(game.number + 1), *shown, str(game.parted or "–")]
