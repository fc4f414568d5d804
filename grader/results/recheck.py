"""Recompute the recorded moves of the reference players.

The moves of a forged game may be legal and lead to the recorded result, but the reference player would not have made them.
Reference players play the same moves in the same game on any machine, so each of them can be checked. By default a random
sample is checked, which someone who forges results cannot predict.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from grader.assignment import Assignment, Opponent
from grader.competition.assignments import resolve_opponent
from grader.competition.records import Setup
from grader.competition.seating import fixture_seating
from grader.engine.base import WorkersLost
from grader.engine.local import LocalEngine, physical_cores
from grader.engine.recheck import RecheckJob, RecheckResult, recheck, without_requirements
from grader.errors import OptionError
from grader.fixtures import REFERENCE, RULES, Fixture, opponent_key
from grader.inspection.players import ResolvedPlayer, reference_digest
from grader.language import Message, say
from grader.records import MatchRecord

SAMPLE_SECONDS = 10.0
"""How long a sample of the moves is recomputed."""

PlayedGame = tuple[Fixture, MatchRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recheck:
    """The moves of reference players that were recomputed."""

    moves: int = 0
    """How many moves were recomputed."""
    all_moves: int = 0
    """How many moves can be recomputed."""
    games: int = 0
    """In how many games moves were recomputed."""
    all_games: int = 0
    """How many games have such moves."""
    differences: tuple[tuple[Fixture, Message], ...] = ()
    """The games in which a recomputed move differs from the recorded one."""
    obstacles: tuple[tuple[Message, int], ...] = ()
    """Why moves could not be recomputed, each reason with its number of games."""
    unasked: int = 0
    """In how many games moves of a reference player could not be recomputed, so that they may be forged."""
    skipped: bool = False
    """Whether nothing was recomputed, because other problems were found."""
    sampled: bool = True
    """Whether only a sample of the moves was to be recomputed."""

    def summary(self) -> Iterator[Message]:
        """What was recomputed, and what could not be."""
        if self.skipped:
            yield say(
                "Reference-player moves were not recomputed because of the problems below; use --all to recompute them anyway."
            )
        if self.all_moves:
            recomputed = self._recomputed()
            if self.differences:
                yield say("{recomputed}.", recomputed=recomputed)
            elif self.moves == self.all_moves or not self.sampled:
                yield say("{recomputed}: all match.", recomputed=recomputed)
            else:
                yield say("{recomputed}: all match. Use --all to recompute every move.", recomputed=recomputed)
        for why, games in self.obstacles:
            yield say("Not recomputed in {n} game: {why}.", "Not recomputed in {n} games: {why}.", n=games, why=why)

    def _recomputed(self) -> Message:
        if self.moves == self.all_moves:
            return say(
                "Recomputed all {moves} reference-player moves, in {n} game",
                "Recomputed all {moves} reference-player moves, in {n} games",
                moves=self.moves,
                n=self.all_games,
            )
        return say(
            "Recomputed {moves} of the {all} reference-player moves, in {games} of {n} game",
            "Recomputed {moves} of the {all} reference-player moves, in {games} of {n} games",
            moves=self.moves,
            all=self.all_moves,
            games=self.games,
            n=self.all_games,
        )


def recheck_games(setup: Setup, games: Sequence[PlayedGame], seconds: float | None) -> Recheck:
    """Recompute the moves of the reference players in these games, whose moves are legal.

    `seconds` limits how long that may take; None recomputes every move.
    """
    until = None if seconds is None else time.monotonic() + seconds
    by_key = {fixture.key: (fixture, record) for fixture, record in games}  # identical submissions share games
    obstacles: dict[Message, set[str]] = {}
    jobs = list(_jobs(setup, by_key.values(), until, obstacles))
    answers = _ask(jobs, until)
    for job, answer in answers:
        if answer.problem:
            why = _not_recomputed(job.seating.name, answer.problem)
            obstacles.setdefault(why, set()).add(job.key)
    return Recheck(
        moves=sum(answer.moves for _, answer in answers),
        all_moves=sum(job.moves for job in jobs),
        games=len({job.key for job, answer in answers if answer.moves}),
        all_games=len({job.key for job in jobs}),
        differences=tuple((by_key[job.key][0], _difference(job, answer)) for job, answer in answers if answer.ply),
        obstacles=tuple((why, len(keys)) for why, keys in obstacles.items()),
        unasked=len(set[str]().union(*obstacles.values())),
        sampled=seconds is not None,
    )


def _jobs(
    setup: Setup, games: Iterable[PlayedGame], until: float | None, obstacles: dict[Message, set[str]]
) -> Iterator[RecheckJob]:
    """A job for each reference player in each game, in random order, with all opponents in turn."""
    installed: dict[str, ResolvedPlayer | Message] = {}
    by_opponent: dict[str, list[RecheckJob]] = {}
    for fixture, record in games:
        assignment = setup.assignment(fixture)
        for seat, player in enumerate(fixture.players):
            if not player.startswith(REFERENCE) or not record.turns_of(seat):
                continue
            opponent, _ = setup.opponent(assignment, player)
            key = opponent_key(assignment, opponent)
            if key not in installed:
                installed[key] = _installed_player(assignment, opponent)
            found = installed[key] if opponent.is_own or _is_current(setup, fixture) else _OTHER_VERSION
            if isinstance(found, Message):
                obstacles.setdefault(found, set()).add(fixture.key)
                continue
            with_code = replace(setup, opponents={key: found})
            job = RecheckJob(
                key=fixture.key,
                game=assignment.rules,
                record=record,
                seat=seat,
                seating=without_requirements(fixture_seating(with_code, fixture, seat)),
                until=until,
            )
            by_opponent.setdefault(key, []).append(job)
    for jobs in by_opponent.values():
        random.SystemRandom().shuffle(jobs)
    yield from (job for job in chain(*zip_longest(*by_opponent.values())) if job is not None)


_OTHER_VERSION = say("played with another version of the reference players or rules")


def _installed_player(assignment: Assignment, opponent: Opponent) -> ResolvedPlayer | Message:
    """The code of a reference player, or why its moves cannot be recomputed."""
    if opponent.is_own:
        return say("{name} is the course's own opponent", name=opponent.name)
    try:
        found = resolve_opponent(assignment, opponent)
    except OptionError as error:
        return _not_recomputed(opponent.name, error.text)
    return say("the moves of {name} depend on the clock", name=opponent.name) if found.is_timed else found


def _not_recomputed(name: str, problem: str) -> Message:
    return say("the moves of {name} could not be recomputed: {problem}", name=name, problem=problem)


def _is_current(setup: Setup, fixture: Fixture) -> bool:
    """Whether a game was played with the reference players and rules that are installed now."""
    players = [player for player in fixture.players if not player.startswith(REFERENCE)]
    identities = [setup.entrant(player).identity for player in players]
    versions = [(setup.reference_digest, setup.rules), *((each["reference"], each["rules"]) for each in identities)]
    return all(version == (reference_digest(), RULES) for version in versions)


def _ask(jobs: Sequence[RecheckJob], until: float | None) -> list[tuple[RecheckJob, RecheckResult]]:
    """The answers to these jobs, or to the first of them if there is not enough time."""
    waiting = iter(jobs)
    answers: list[tuple[RecheckJob, RecheckResult]] = []

    def next_job() -> RecheckJob | None:
        return None if until is not None and time.monotonic() > until else next(waiting, None)

    def done(job: RecheckJob, answer: RecheckResult | WorkersLost) -> None:
        if isinstance(answer, WorkersLost):
            answer = RecheckResult(moves=0, problem=answer.args[0])
        answers.append((job, answer))

    if jobs:
        with LocalEngine(min(physical_cores(), len(jobs))) as engine:
            engine.run(recheck, next_job, done)
    return answers


def _difference(job: RecheckJob, answer: RecheckResult) -> Message:
    return say(
        "move {ply}: {move} is recorded for {name}, which plays {expected} in this position",
        ply=answer.ply,
        move=job.record.turns[answer.ply - 1].move,
        name=job.seating.name,
        expected=answer.expected,
    )
