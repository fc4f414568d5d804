"""Compare the results of submissions that were graded again with the earlier ones."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.competition.grades import RunResult
from grader.competition.records import Entrant
from grader.fixtures import Fixture
from grader.games import Game
from grader.games.known_games import has_source
from grader.language import Message, say
from grader.records import MatchRecord
from grader.scoring.points import Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChange:
    """One game, before and after; None if it was not played."""

    fixture: Fixture
    game: Game
    before: MatchRecord | None
    after: MatchRecord | None

    @property
    def first_difference(self) -> int | None:
        """The first ply, from 1, at which the moves differ; None if they are the same."""
        before, after = ([turn.move for turn in record.turns] if record else [] for record in (self.before, self.after))
        if before == after:
            return None
        differing = (ply for ply, (a, b) in enumerate(zip(before, after, strict=False), 1) if a != b)
        return next(differing, min(len(before), len(after)) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeChange:
    """The old and new results of a submission that was graded again."""

    before: Grade
    after: Grade
    conditions: tuple[Message, ...]
    """What else has changed, besides the games."""
    games: tuple[GameChange, ...]


def compare_runs(before: RunResult, after: RunResult) -> tuple[GradeChange, ...]:
    """The changes for each submission of the later run."""
    old = {entrant.id: entrant for entrant in before.setup.entrants}
    then, now = ({grade.id: grade for grade in result} for result in (before, after))
    return tuple(
        GradeChange(
            before=then[entrant.id],
            after=now[entrant.id],
            conditions=(*_changed_conditions(old[entrant.id], entrant, before, after),),
            games=_games(entrant, before, after),
        )
        for entrant in after.setup.entrants
    )


def _changed_conditions(old: Entrant, new: Entrant, before: RunResult, after: RunResult) -> Iterator[Message]:
    if old.submission.digest != new.submission.digest:
        yield say("Its files have changed.")
    if old.identity.get("reference") != new.identity.get("reference"):
        yield say("The reference players have changed.")
    then, now = (entrant.identity.get("opponents", {}) for entrant in (old, new))
    for name in sorted(then.keys() & now.keys()):
        if then[name] != now[name]:
            yield say("{name} has changed.", name=name)
    rules = new.assignment.rules
    # The file of a course's own game is only compared, not run: anyone could have written its name into the results.
    if rules.source is not None and not has_source(new.assignment.folder / new.assignment.game, rules.source):
        yield say("{file} has changed, but the games were played again with the old version.", file=rules.file)
    if before.setup.level != after.setup.level:
        levels = {"then": str(before.setup.level), "now": str(after.setup.level)}
        yield say("The isolation level was {then}, and is now {now}.", **levels)
    machines = [_machines(old, before), _machines(new, after)]
    if all(machines) and machines[0] != machines[1]:
        yield say("It was played with {then}, and now with {now}.", then=machines[0], now=machines[1])


def _machines(entrant: Entrant, result: RunResult) -> str:
    """The versions of the grader, Python and system with which its games were played."""
    machines = [match.record.machine for match in result.matches_of(entrant)]
    return " + ".join(dict.fromkeys(filter(None, machines)))


def _games(entrant: Entrant, before: RunResult, after: RunResult) -> tuple[GameChange, ...]:
    earlier = {
        (fixture.opponent, fixture.number): before.competition.results.get(fixture.key)
        for fixture in before.competition.fixtures_of(entrant.id)
    }
    return tuple(
        GameChange(
            fixture=fixture,
            game=entrant.assignment.rules,
            before=earlier.get((fixture.opponent, fixture.number)),
            after=after.competition.results.get(fixture.key),
        )
        for fixture in after.competition.fixtures_of(entrant.id)
    )
