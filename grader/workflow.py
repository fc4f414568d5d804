"""The complete workflow, from a folder of submissions to grades and reports.

    submissions ─intake→ Submission ─inspection→ Entrant                             (prepare)
    Setup ─trials→ Trial ─schedule→ Fixture… ─engine→ MatchRecord ─→ store        (play)
    Competition ─scoring→ grades or standings ─→ saved ─reports→ results folder      (conclude, save, publish)

The commands and `import grader` both use this module: nothing is saved or published elsewhere.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.assignments import (
    FoundAssignment,
    accepted_level,
    find_assignment,
    read_assignments,
    with_seeds,
)
from grader.competition.comparison import compare_runs
from grader.competition.gauntlet import gauntlet_fixtures, play_gauntlet
from grader.competition.grades import RunResult, check_roster, grade
from grader.competition.patience import PATIENT, Patience
from grader.competition.prepare import limit_games, prepare
from grader.competition.progress import Watch
from grader.competition.records import Pairing, Request, Setup, check_number
from grader.competition.tournament import TournamentResult, play_tournament, rate
from grader.competition.trials import try_players
from grader.engine.base import Engine
from grader.engine.jobs import Trial
from grader.engine.local import LocalEngine, physical_cores
from grader.errors import OptionError
from grader.fixtures import Fixture
from grader.language import Language, language, say, system_language
from grader.results import saved
from grader.results.changed_games import refuse_changed_games
from grader.results.publish import AnyResult, SpeakFor, conclude, publish
from grader.results.regrade import Regrading, regrade_request
from grader.results.unfinished import PlanKeeper, load_finished_or_interim
from grader.sandbox.isolation import Level
from grader.sandbox.scratch import Scratch, sweep
from grader.sandbox.speed import SpeedMeasurement
from grader.scoring.estimate import (
    START_SECONDS,
    Estimate,
    duration,
    estimate,
    games_that_fit,
    start_of_a_game,
)
from grader.seeds import LARGEST_SEED
from grader.store import Store

Choose = Callable[[Setup, "Workload"], int | None]
"""Decides the number of games per opponent from how long they may take; None for all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """The games of a run that have not been played yet, and how long they may take."""

    fixtures: Sequence[tuple[Assignment, Fixture]]
    seconds_per_move: Mapping[str, float]
    """The measured speed of submissions, by id."""
    estimate: Estimate
    start: float = START_SECONDS
    """The seconds to start a game."""


def games_within(budget: float, setup: Setup, work: Workload) -> int | None:
    """The number of games per opponent that are expected to fit into `budget` seconds, or None for all of them.

    Raises `OptionError` if not even two fit, or if fewer games would change the meaning of grades.
    """
    if work.estimate.expected <= budget:
        return None
    for assignment in setup.assignments:
        if assignment.scoring == "ladder" or any(opponent.threshold is not None for opponent in assignment.opponents):
            raise OptionError(
                say(
                    "{title}: with a ladder or a threshold, fewer games would change the grades. Remove --budget, or reduce the "
                    "number of games in the assignment.",
                    title=assignment.title,
                )
            )
    games = games_that_fit(work.fixtures, work.seconds_per_move, setup.request.workers, budget, work.start)
    if games == 0:
        raise OptionError(
            say(
                "not even two games per opponent fit into {budget}: allow more time",
                budget=duration(budget),
            )
        )
    return games


def speak_by_assignment(assignment: Assignment) -> Language:
    """The assignment's language, else the system's."""
    return language(assignment.language or system_language())


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Where a competition is played, how its progress is shown, and the language of its reports."""

    engine: AbstractContextManager[Engine] | None = None
    """Where games are played (default: on this machine)."""
    announce: Callable[[Setup], None] = lambda _: None
    """Called once it is known what is going to be played, and before any submission runs. May raise a `GraderError` to
    refuse the competition."""
    watch: Watch = lambda _: None
    patience: Patience = PATIENT
    """How long to wait for a busy machine."""
    speak_for: SpeakFor = speak_by_assignment
    reveal: bool = False
    """Whether the reports for students name hidden opponents."""


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
    single: bool | None = None,
    accept_isolation: str | None = None,
) -> Request:
    """A request for the submissions at a path, with its assignments, which are read only here."""
    check_number("seed", seed, 0, LARGEST_SEED)
    check_number("jobs", jobs, 1, 10_000)
    if cluster is not None and jobs is not None:
        raise OptionError(say("--jobs cannot be used with a cluster: each of its workers plays one game at a time"))
    place = Path(path).resolve()
    source = FoundAssignment(Path(assignment)) if assignment else find_assignment(place, single=single)
    assignments = read_assignments(source.file, game=game, seed=seed, trusted=assignment is not None)
    return Request(
        path=place,
        results=Path(results).resolve(),
        assignments=assignments,
        source=source,
        single=single,
        only=(only,) if isinstance(only, str) else tuple(only),
        workers=jobs or physical_cores(),
        accepted=accepted_level(accept_isolation),
    )


def run(request: Request, context: Context, choose: Choose = lambda *_: None) -> RunResult:
    """Grade the submissions of a request, save the results and write the reports."""
    with _set_up(request, context, tournament=False) as (setup, engine, store, speed):
        trials = try_players(setup, engine, store, context.watch)
        setup = _choose_games(setup, trials, engine, store, choose)
        watch = PlanKeeper(store, context.watch)
        competition = play_gauntlet(setup, _unloadable(trials), engine, store, watch, context.patience)
        if request.only:
            competition = saved.with_earlier_submissions(store, competition)
        result = grade(saved.save(store, replace(competition, speed=speed.finish())))
        _publish(result, request.results, context)
    return result


def tournament(
    request: Request,
    pairing: Pairing,
    context: Context,
    announce: Callable[[Estimate], None] = lambda _: None,
) -> TournamentResult:
    """Play a tournament of each game with submissions, save the results and write the reports."""
    with _set_up(request, context, tournament=True) as (setup, engine, store, speed):
        trials = try_players(setup, engine, store, context.watch)
        watch = PlanKeeper(store, context.watch)
        competition = play_tournament(setup, pairing, trials, engine, store, watch, announce, context.patience)
        result = rate(saved.save(store, replace(competition, speed=speed.finish())))
        _publish(result, request.results, context)
    return result


def regrade(
    results: Path,
    only: tuple[str, ...],
    source: Path | None,
    jobs: int | None,
    context: Context,
    accept_isolation: str | None = None,
) -> Regrading:
    """Play all games of these submissions again, into a new folder inside the results, and compare.

    The existing results do not change. An interrupted or incomplete regrading is resumed.
    """
    check_number("jobs", jobs, 1, 10_000)
    results = results.resolve()
    with Store.open_read_only(results) as store:
        before = grade(saved.load_run(store))
    request = regrade_request(before, results, only, source, jobs or physical_cores(), accepted_level(accept_isolation))
    after = run(request, context)
    present = {entrant.id for entrant in after.setup.entrants}
    return Regrading(
        result=after,
        folder=request.results,
        changes=compare_runs(before, after),
        missing=tuple(name for name in request.only if name not in present),
    )


def report(results: Path, speak_for: SpeakFor = speak_by_assignment, *, reveal: bool = False) -> AnyResult:
    """Regenerate the reports of a results folder, without playing; interim ones if it was not finished.

    Raises `StoreError` if a game was changed after the results were saved.
    """
    results = results.resolve()
    Store.check(results)
    with Store(results) as store:
        competition = load_finished_or_interim(store)
        refuse_changed_games(store, competition)
        result = conclude(competition)
        publish(result, results, speak_for=speak_for, reveal=reveal)
    return result


def plan(request: Request) -> tuple[Setup, list[tuple[Assignment, Fixture]]]:
    """All games that a run would play if every player can be loaded, with their assignments. Writes nothing."""
    _check_folders(request)
    # No submission runs, so that any machine will do.
    request = _with_seeds(replace(request, accepted=Level.NONE))
    with Scratch() as scratch:
        setup = prepare(request, Path(scratch.folder, "submissions"))
    check_roster(setup)
    fixtures = gauntlet_fixtures([entrant for entrant in setup.entrants if entrant.entry is not None])
    return setup, [(setup.entrant(fixture.submission).assignment, fixture) for fixture in fixtures]


@contextmanager
def _set_up(
    request: Request, context: Context, *, tournament: bool
) -> Iterator[tuple[Setup, Engine, Store, SpeedMeasurement]]:
    """Prepare the submissions, the engine and the store for the results; meanwhile, the speed of this machine is measured."""
    _check_folders(request)
    sweep()
    context_manager = context.engine or LocalEngine(request.workers)
    is_scaled = any(assignment.time.reference_speed is not None for assignment in request.assignments)
    with Scratch() as scratch, context_manager as engine, SpeedMeasurement.start(needed_anyway=is_scaled) as speed:
        request = replace(_with_seeds(request), workers=engine.workers)
        setup = prepare(request, Path(scratch.folder, "submissions"), engine.weakest_machine())
        check_roster(setup)
        context.announce(setup)
        with Store(request.results) as store:  # only now: a run that cannot start leaves no folder
            entrants = [entrant.id for entrant in setup.entrants]
            saved.begin(store, tournament=tournament, entrants=entrants, only=bool(request.only))
            saved.save_seeds(store, setup.assignments)
            yield setup, engine, store, speed


def _with_seeds(request: Request) -> Request:
    """A request whose assignments have seeds: their own, else those of the results folder, else one that is drawn."""
    return replace(request, assignments=with_seeds(request.assignments, saved.seeds_of(request.results)))


def _publish(result: AnyResult, folder: Path, context: Context) -> None:
    publish(result, folder, speak_for=context.speak_for, reveal=context.reveal)


def _check_folders(request: Request) -> None:
    """Raise `OptionError` if the results would be inside the submissions, where the next run would find them."""
    if request.results == request.path or request.path in request.results.parents:
        raise OptionError(
            say(
                "The results folder {results} would be inside the submissions. Choose another with -o.",
                results=str(request.results),
            )
        )


def _unloadable(trials: Mapping[str, Trial]) -> dict[str, Trial]:
    return {name: trial for name, trial in trials.items() if trial.fault is not None}


def _choose_games(setup: Setup, trials: Mapping[str, Trial], engine: Engine, store: Store, choose: Choose) -> Setup:
    pace = {name: trial.seconds for name, trial in trials.items() if trial.fault is None}
    unplayed = [
        (setup.entrant(fixture.submission).assignment, fixture)
        for fixture in gauntlet_fixtures(setup.entrants)
        if fixture.submission in pace and not store.has(fixture.key)
    ]
    once = {fixture.key: (assignment, fixture) for assignment, fixture in unplayed}  # identical submissions share games
    start = start_of_a_game(trial.start for trial in trials.values())
    expected = estimate([*once.values()], pace, engine.workers, start=start)
    games = choose(setup, Workload(fixtures=unplayed, seconds_per_move=pace, estimate=expected, start=start))
    return setup if games is None else limit_games(setup, games)
