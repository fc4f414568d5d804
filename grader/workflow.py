"""The whole flow, from a folder of submissions to grades and reports.

    submissions ─intake→ Submission ─inspection→ Entrant                             (prepare)
    Prepared ─trials→ Trial ─schedule→ Fixture… ─engine→ MatchRecord ─→ store        (play)
    Competition ─scoring→ grades or standings ─→ saved ─reports→ results folder      (conclude, save, publish)

Commands and `import grader` both go through here: nothing is saved or published elsewhere.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.assignments import read_assignments_for
from grader.competition.comparison import compare_runs
from grader.competition.gauntlet import gauntlet_fixtures, play_gauntlet
from grader.competition.grades import RunResult, grade
from grader.competition.play import Watch
from grader.competition.prepare import limit_games, prepare
from grader.competition.records import Entrant, Pairing, Prepared, Request, check_number
from grader.competition.tournament import TournamentResult, play_tournament, rate
from grader.competition.trials import try_players
from grader.engine.base import Engine
from grader.engine.jobs import Trial
from grader.engine.local import LocalEngine, physical_cores
from grader.errors import OptionError
from grader.fixtures import Fixture
from grader.inspection.chance import chance
from grader.language import Language, language, say, system_language
from grader.results import saved
from grader.results.publish import AnyResult, SpeakFor, conclude, publish
from grader.results.regrade import Regrading, regrade_request
from grader.sandbox.scratch import Scratch, sweep
from grader.scoring.estimate import Estimate, duration, estimate, games_that_fit
from grader.store import Store

Choose = Callable[[Prepared, "Workload"], int | None]
"""Decides how many games against each opponent to play, if not all, from how long they may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """The games of a run that have not been played yet, and how long they may take."""

    fixtures: Sequence[tuple[Assignment, Fixture]]
    seconds_a_move: Mapping[str, float]
    """What is known of each submission."""
    estimate: Estimate


def games_within(budget: float, prepared: Prepared, work: Workload) -> int | None:
    """How many games against each opponent are expected to fit into these seconds, or None for all of them.

    Raises `OptionError` where not even two fit, and where fewer games would mean other grades.
    """
    if work.estimate.expected <= budget:
        return None
    for assignment in prepared.assignments:
        if assignment.scoring == "ladder" or any(opponent.threshold is not None for opponent in assignment.opponents):
            raise OptionError(
                say(
                    "{title}: with a ladder or a threshold, fewer games would mean other grades. Leave --budget out, or "
                    "change the number of games in the assignment.",
                    title=assignment.title,
                )
            )
    games = games_that_fit(work.fixtures, work.seconds_a_move, prepared.request.workers, budget)
    if games == 0:
        raise OptionError(
            say(
                "not even two games against each opponent fit into {budget}: give it more time",
                budget=duration(budget),
            )
        )
    return games


def speak_by_assignment(assignment: Assignment) -> Language:
    """The assignment's language, else that of the system."""
    return language(assignment.language or system_language())


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Where a competition is played, who watches, and in which language its reports are written."""

    engine: AbstractContextManager[Engine] | None = None
    """Where games are played (default: on this machine)."""
    watch: Watch = lambda _: None
    speak_for: SpeakFor = speak_by_assignment
    reveal: bool = False
    """Whether students are told the names of hidden opponents."""


def make_request(
    path: str | Path,
    results: str | Path,
    assignment: str | Path | None = None,
    *,
    game: str | None = None,
    only: str | Sequence[str] = (),
    seed: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Request:
    """A request for the submissions at a path, with the assignments in force: the only place where these are read."""
    check_number("seed", seed, 0, 2**32 - 1)
    check_number("jobs", jobs, 1, 10_000)
    if cluster is not None and jobs is not None:
        raise OptionError(say("--jobs is for this machine alone: a cluster plays a game at a time on each worker"))
    place = Path(path).resolve()
    return Request(
        path=place,
        results=Path(results).resolve(),
        assignments=read_assignments_for(place, Path(assignment) if assignment else None, game=game, seed=seed),
        only=(only,) if isinstance(only, str) else tuple(only),
        workers=jobs or physical_cores(),
    )


def run(request: Request, context: Context, choose: Choose = lambda *_: None) -> RunResult:
    """Grade the submissions of a request, save the results and write the reports."""
    with _set_up(request, context, tournament=False) as (prepared, engine, store):
        trials = try_players(prepared, engine, store, context.watch)
        prepared = _choose_games(prepared, trials, engine, store, choose)
        competition = play_gauntlet(prepared, _unloadable(trials), engine, store, context.watch)
        if request.only:
            competition = saved.with_others(store, competition)
        result = grade(competition)
        _save_and_publish(result, request.results, store, context)
    return result


def tournament(
    request: Request,
    pairing: Pairing,
    context: Context,
    announce: Callable[[Estimate], None] = lambda _: None,
) -> TournamentResult:
    """Play a tournament of each game for which there are submissions, save the results and write the reports."""
    with _set_up(request, context, tournament=True) as (prepared, engine, store):
        prepared = replace(prepared, entrants=tuple(map(_with_chance, prepared.entrants)))
        trials = try_players(prepared, engine, store, context.watch)
        competition = play_tournament(prepared, pairing, trials, engine, store, context.watch, announce)
        result = rate(competition)
        _save_and_publish(result, request.results, store, context)
    return result


def regrade(results: Path, only: tuple[str, ...], source: Path | None, jobs: int | None, context: Context) -> Regrading:
    """Play everything of these submissions again, into a new folder within the results, and compare.

    The existing results stay as they are. A regrading that was interrupted, or could not be played whole, is resumed.
    """
    check_number("jobs", jobs, 1, 10_000)
    results = results.resolve()
    with Store.open_read_only(results) as store:
        before = grade(saved.load_run(store))
    request = regrade_request(before, results, only, source, jobs or physical_cores())
    after = run(request, context)
    present = {entrant.id for entrant in after.prepared.entrants}
    return Regrading(
        result=after,
        folder=request.results,
        changes=compare_runs(before, after),
        missing=tuple(name for name in request.only if name not in present),
    )


def report(results: Path, speak_for: SpeakFor = speak_by_assignment, *, reveal: bool = False) -> AnyResult:
    """Write the reports of a results folder again, from what was played, without playing."""
    results = results.resolve()
    Store.check(results)
    with Store(results) as store:
        result = conclude(saved.load(store))
        publish(result, results, speak_for=speak_for, reveal=reveal)
    return result


def plan(request: Request) -> tuple[Prepared, list[tuple[Assignment, Fixture]]]:
    """All that a run would play, with the assignment of each game. Writes nothing."""
    _check_folders(request)
    with Scratch() as scratch:
        prepared = prepare(request, Path(scratch.folder, "submissions"))
    fixtures = gauntlet_fixtures(prepared.entrants)
    return prepared, [(prepared.entrant(fixture.submission).assignment, fixture) for fixture in fixtures]


@contextmanager
def _set_up(request: Request, context: Context, *, tournament: bool) -> Iterator[tuple[Prepared, Engine, Store]]:
    """The submissions, staged and inspected; where they are played; and the store for their results."""
    _check_folders(request)
    sweep()
    engine_there = context.engine or nullcontext(LocalEngine(request.workers))
    with Scratch() as scratch, engine_there as engine:
        request = replace(request, workers=engine.workers)
        prepared = prepare(request, Path(scratch.folder, "submissions"), engine.weakest_machine())
        with Store(request.results) as store:  # not before: what cannot begin leaves no folder behind
            entrants = [entrant.id for entrant in prepared.entrants]
            saved.begin(store, tournament=tournament, entrants=entrants, only=bool(request.only))
            yield prepared, engine, store


def _save_and_publish(result: AnyResult, folder: Path, store: Store, context: Context) -> None:
    saved.save(store, result.competition)
    publish(result, folder, speak_for=context.speak_for, reveal=context.reveal)


def _check_folders(request: Request) -> None:
    """Raise `OptionError` if results would be written among the submissions, where the next run would find them."""
    if request.results == request.path or request.path in request.results.parents:
        raise OptionError(
            say(
                "{results}: the results would lie among the submissions. Name a folder outside them with -o.",
                results=str(request.results),
            )
        )


def _unloadable(trials: Mapping[str, Trial]) -> dict[str, Trial]:
    return {name: trial for name, trial in trials.items() if trial.fault is not None}


def _choose_games(
    prepared: Prepared, trials: Mapping[str, Trial], engine: Engine, store: Store, choose: Choose
) -> Prepared:
    pace = {name: trial.seconds for name, trial in trials.items() if trial.fault is None}
    unplayed = [
        (prepared.entrant(fixture.submission).assignment, fixture)
        for fixture in gauntlet_fixtures(prepared.entrants)
        if fixture.submission in pace and not store.has(fixture.key)
    ]
    whole = estimate(unplayed, pace, engine.workers)
    games = choose(prepared, Workload(fixtures=unplayed, seconds_a_move=pace, estimate=whole))
    return prepared if games is None else limit_games(prepared, games)


def _with_chance(entrant: Entrant) -> Entrant:
    return entrant if entrant.entry is None else replace(entrant, chance=chance(entrant.entry))
