"""What came out differently when submissions were graded again."""

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
    """One game, before and now; None where it was not played."""

    fixture: Fixture
    game: Game
    before: MatchRecord | None
    after: MatchRecord | None

    @property
    def first_difference(self) -> int | None:
        """The ply, from 1, at which the two games went different ways; None if they have the same moves."""
        one, two = ([turn.move for turn in record.turns] if record else [] for record in (self.before, self.after))
        if one == two:
            return None
        differing = (ply for ply, (a, b) in enumerate(zip(one, two, strict=False), 1) if a != b)
        return next(differing, min(len(one), len(two)) + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeChange:
    """A submission that was graded again."""

    before: Grade
    after: Grade
    conditions: tuple[Message, ...]
    """What is not as it was then, apart from how the games went."""
    games: tuple[GameChange, ...]


def compare_runs(before: RunResult, after: RunResult) -> tuple[GradeChange, ...]:
    """For each submission of the later run, what is different."""
    old = {entrant.id: entrant for entrant in before.prepared.entrants}
    then, now = ({grade.id: grade for grade in result} for result in (before, after))
    return tuple(
        GradeChange(
            before=then[entrant.id],
            after=now[entrant.id],
            conditions=(*_changed_conditions(old[entrant.id], entrant, before, after),),
            games=_games(entrant, before, after),
        )
        for entrant in after.prepared.entrants
    )


def _changed_conditions(old: Entrant, new: Entrant, before: RunResult, after: RunResult) -> Iterator[Message]:
    if old.submission.digest != new.submission.digest:
        yield say("Its files are not the ones that were graded before.")
    if old.identity.get("reference") != new.identity.get("reference"):
        yield say("The reference players are not the same as before.")
    then, now = (one.identity.get("opponents", {}) for one in (old, new))
    for name in then.keys() & now.keys():
        if then[name] != now[name]:
            yield say("{name} is not the same as before.", name=name)
    rules = new.assignment.rules
    # The file of a course's own game is compared, and not run: results name it.
    if rules.source is not None and not has_source(new.assignment.folder / new.assignment.game, rules.source):
        yield say("{file} has changed since: the games were played again by the old version.", file=rules.file)
    if before.prepared.level != after.prepared.level:
        levels = {"then": str(before.prepared.level), "now": str(after.prepared.level)}
        yield say("It was played at the isolation level {then} before, and at {now} now.", **levels)
    machines = [_machines(old, before), _machines(new, after)]
    if all(machines) and machines[0] != machines[1]:
        yield say("It was played with {then} before, and with {now} now.", then=machines[0], now=machines[1])


def _machines(entrant: Entrant, result: RunResult) -> str:
    """The graders, Pythons and systems with which its games were played."""
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
