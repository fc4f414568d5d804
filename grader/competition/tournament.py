"""A tournament: everybody's player against everybody's.

    submissions folder ─prepare, try out→ Field ─pairings→ Encounter… ─engine→ MatchRecord ─→ store
                                                                       store ─ratings→ Standings

Who cannot be loaded does not play, and nobody wins anything by it. Who fails in a game loses it. What we fail to play is
never scored.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.competition.entry import assignments_of, excluded, fields
from grader.competition.field import Encounter, Field
from grader.competition.pairings import all_pairs, swiss_round
from grader.competition.play import Results, try_all
from grader.competition.prepare import prepare
from grader.competition.run import Progress, Request, Watch
from grader.competition.tournament_play import Rota, bouts, play, stored
from grader.engine.base import Engine
from grader.language import Message, say
from grader.results.held import Held, keep
from grader.scoring.estimate import Estimate, estimate_tournament, reference_seconds
from grader.scoring.standings import Excluded, Standings, Terms
from grader.store import Store

__all__ = ["Announce", "Plan", "assignments_of", "hold"]

Announce = Callable[[Estimate], None]
"""Hears how long it may take, before it begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What an instructor asks for."""

    request: Request
    games: int = 2
    """A pair, half of them with each colour."""
    rounds: int | None = None
    """Of a Swiss tournament; None for all against all."""
    anchors: tuple[str, ...] = ()
    """Reference players that join, with their options."""


def hold(
    plan: Plan,
    staging: Path,
    engine: Engine,
    store: Store,
    watch: Watch = lambda _: None,
    announce: Announce = lambda _: None,
) -> tuple[Standings, ...]:
    """Hold a tournament of each game for which there are submissions."""
    request = replace(plan.request, workers=engine.workers)
    prepared = prepare(request, staging, assignments_of(plan.request, plan.anchors), engine.weakest())
    trials = try_all(prepared, engine, store, Progress(), watch)
    tournaments = [Tournament(plan, field) for field in fields(prepared, trials)]
    pace = {name: trial.seconds for name, trial in trials.items()}
    announce(_estimate([tournament.estimate(pace, store, engine.workers) for tournament in tournaments]))
    for tournament in tournaments:
        tournament.play(engine, store, watch)
    held = [tournament.held(excluded(tournament.field, prepared, trials)) for tournament in tournaments]
    keep(store, held)
    return tuple(tournament.standings(results) for tournament, results in held)


def _estimate(parts: Sequence[Estimate]) -> Estimate:
    """Of one after the other."""
    return Estimate(
        games=sum(part.games for part in parts),
        expected=sum(part.expected for part in parts),
        worst=sum(part.worst for part in parts),
    )


class Tournament:
    """One tournament, while it is played."""

    def __init__(self, plan: Plan, field: Field) -> None:
        self.field = field
        self._plan = plan
        self._encounters: list[Encounter] = []
        """In the order in which they count."""
        self._results: Results = {}
        self._byes: Counter[str] = Counter()
        self._unplayed: list[str] = []

    def estimate(self, pace: Mapping[str, float], store: Store, workers: int) -> Estimate:
        """How long it may take."""
        if self._plan.rounds is None:
            planned = {one.key for one in self._all_against_all() if one.number == 0 or one.telling != 1}
            games = sum(not store.has(key) for key in planned)
        else:
            games = self._left(store)
        assignment, references = self.field.assignment, self.field.references.values()
        known = [pace[name] for name in self.field.submissions]
        known += [reference_seconds(assignment, player.entry.file.stem) for player in references if player.entry]
        return estimate_tournament(assignment, games, known, workers)

    def _left(self, store: Store) -> int:
        """How many games of a Swiss tournament are left at most: who meets whom is known up to what was played before."""
        assert self._plan.rounds is not None
        ahead = Tournament(self._plan, self.field)
        for number in range(1, self._plan.rounds + 1):
            ahead._pair(number)
            ahead._results = {**ahead._results, **stored(ahead._encounters, store)}
            if left := Rota(self.field, ahead._encounters, ahead._results).left:
                return left + (self._plan.rounds - number) * (len(self.field.entrants) // 2) * self._plan.games
        return 0

    def play(self, engine: Engine, store: Store, watch: Watch) -> None:
        """Play all that has not been played."""
        if self._plan.rounds is None:
            self._encounters = self._all_against_all()
            self._play(say("Playing"), engine, store, watch)
            return
        for number in range(1, self._plan.rounds + 1):
            self._pair(number)
            self._play(say("Round {number}", number=number), engine, store, watch)
            if self._unplayed:  # who meets next would depend on it
                return

    def held(self, left_out: Sequence[Excluded]) -> tuple[Held, Results]:
        """All that its standings follow from, and the games."""
        assignment = self.field.assignment
        terms = Terms(
            title=assignment.title,
            game=assignment.rules.name,
            seed=assignment.seed,
            isolation=str(self.field.level),
            games_a_pair=self._plan.games,
            rounds=self._plan.rounds,
        )
        held = Held(
            terms=terms,
            options=assignment.options,
            rules=assignment.rules.digest(),
            entrants=self.field.entrants,
            encounters=tuple(self._encounters),
            byes=self._byes,
            excluded=tuple(left_out),
            unplayed=tuple(self._unplayed),
        )
        return held, self._results

    def _all_against_all(self) -> list[Encounter]:
        """The first game of every pair, then the second, and so on: stopped early, all have played about as much."""
        pairs = all_pairs([entrant.id for entrant in self.field.entrants], self.field.assignment.seed)
        games = [self.field.encounters(pair, self._plan.games) for pair in pairs]
        return [encounter for same in zip(*games, strict=True) for encounter in same]

    def _pair(self, number: int) -> None:
        """Add the games of the next round."""
        counted = bouts(self._encounters, self._results)
        points = {entrant.id: float(self._byes[entrant.id] * self._plan.games) for entrant in self.field.entrants}
        for bout in counted:
            for seat, player in enumerate(bout.players):
                points[player] += bout.score(seat)
        met = Counter(frozenset(encounter.order) for encounter in self._encounters)
        paired = swiss_round(number, points, met, self._byes, self.field.assignment.seed)
        if paired.bye is not None:
            self._byes[paired.bye] += 1
        games = [self.field.encounters(pair, self._plan.games, met[frozenset(pair)]) for pair in paired.pairs]
        self._encounters += [encounter for same in zip(*games, strict=True) for encounter in same]

    def _play(self, phase: Message, engine: Engine, store: Store, watch: Watch) -> None:
        progress = Progress()
        self._results = play(self.field, self._encounters, self._results, engine, store, progress, watch, phase)
        self._unplayed += progress.faults
