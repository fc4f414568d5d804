"""Play the opponents of an assignment against each other, to test whether each is clearly stronger than the one before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.play import play
from grader.competition.prepare import resolve_opponents, try_opponents
from grader.competition.progress import Progress, Watch
from grader.competition.records import Pairing, Request, Setup
from grader.competition.tournament import Tournament
from grader.engine.base import Engine
from grader.errors import OptionError
from grader.fixtures import REFERENCE, Match
from grader.inspection.players import reference_digest
from grader.language import say
from grader.records import MatchRecord
from grader.scoring.points import wilson_interval
from grader.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderStep:
    """The results of one opponent against another."""

    points: float
    """One per win, half per draw."""
    games: int
    interval: tuple[float, float]
    """The 95 % interval of the win rate. Games that repeat another move for move do not narrow it."""

    @property
    def share(self) -> float:
        """The win rate."""
        return self.points / self.games if self.games else 0.0

    @property
    def is_clear(self) -> bool:
        """Whether the one is clearly stronger than the other."""
        return self.interval[0] > 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The opponents of an assignment, compared with each other."""

    assignment: Assignment
    steps: Mapping[tuple[int, int], LadderStep]
    """By the indices of both opponents, in both orders."""
    faults: tuple[str, ...]
    """Why games could not be played."""


def ladder_test(
    assignment: Assignment, games: int, staging: Path, engine: Engine, store: Store, watch: Watch = lambda _: None
) -> Ladder:
    """Play this many games between every two opponents of an assignment, half of them on each side."""
    if len(assignment.opponents) < 2:
        raise OptionError(say("{title} has only one opponent, so there is nothing to compare.", title=assignment.title))
    level = engine.weakest_machine()[1]
    opponents = resolve_opponents([assignment], staging)
    try_opponents([assignment], opponents, level)
    setup = Setup(
        request=Request(path=staging, results=staging, assignments=(assignment,)),
        entrants=(),
        opponents=opponents,
        level=level,
        reference_digest=reference_digest(),
    )
    ids = [REFERENCE + opponent.name for opponent in assignment.opponents]
    results: dict[str, MatchRecord] = {}
    schedule = Tournament(setup, assignment, ids, Pairing(games=games), results, store.get)
    played = play(setup, schedule, results, engine, store, Progress(), watch)
    matches = [
        Match.of(fixture, results[fixture.key], assignment.rules, seat=0)
        for fixture in schedule.fixtures
        if fixture.key in results
    ]
    steps = {}
    for low, high in combinations(range(len(ids)), 2):
        own = [match for match in matches if set(match.fixture.players) == {ids[low], ids[high]}]
        steps[low, high] = _step(own, ids[low])
        steps[high, low] = _step(own, ids[high])
    return Ladder(assignment=assignment, steps=steps, faults=tuple(game.text for game in played.failed))


def _step(matches: Sequence[Match], player: str) -> LadderStep:
    own = [match.seen_by(player) for match in matches]
    points = sum(match.score for match in own)
    different = len({(match.seat, match.line) for match in own})
    return LadderStep(points=points, games=len(own), interval=wilson_interval(points, len(own), max(1, different)))
