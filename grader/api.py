"""The functions of `import grader`: each does what the command with its name does, and returns the result.

Nothing is printed or asked; errors raise a `GraderError` with an explanation. Like the commands, they write a results
folder, and the same call resumes an interrupted run.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from grader import workflow
from grader.assignment import Assignment
from grader.competition.assignments import with_anchors
from grader.competition.grades import RunResult
from grader.competition.progress import Watch
from grader.competition.records import Pairing, Setup
from grader.competition.tournament import TournamentResult
from grader.engine.base import Engine
from grader.errors import OptionError
from grader.intake.roster import read_roster
from grader.language import LANGUAGES, Language, language, say
from grader.results.publish import SpeakFor
from grader.results.recheck import SAMPLE_SECONDS
from grader.results.regrade import Regrading
from grader.results.verify import Verification
from grader.results.verify import verify as verify_store
from grader.store import Store

StrPath = str | Path


def run(
    path: StrPath,
    *,
    results: StrPath = "results",
    assignment: StrPath | None = None,
    game: str | None = None,
    only: str | Sequence[str] = (),
    seed: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    roster: StrPath | None = None,
    single: bool | None = None,
    accept_isolation: str | None = None,
    budget: float | None = None,
    reveal: bool = False,
    lang: str | None = None,
    watch: Watch = lambda _: None,
) -> RunResult:
    """Grade the submissions in a folder or zip, write the reports, and return the grades.

    `single` is whether `path` is one submission or a class (default: recognised). `budget` limits the number of games so
    that the run is expected to fit into this many seconds. `watch` is called with a `Progress` after each game. The other options are those of `grader run`.
    """
    request = workflow.make_request(
        path,
        results,
        assignment,
        game=game,
        only=only,
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        single=single,
        accept_isolation=accept_isolation,
    )
    request = replace(request, roster=read_roster(Path(roster)) if roster else ())

    def choose(setup: Setup, work: workflow.Workload) -> int | None:
        return None if budget is None else workflow.games_within(budget, setup, work)

    return workflow.run(request, _context(cluster, lang, watch, reveal=reveal), choose)


def tournament(
    path: StrPath,
    *,
    games: int = 2,
    swiss: int | None = None,
    anchors: str | Sequence[str] = (),
    results: StrPath = "tournament",
    assignment: StrPath | None = None,
    game: str | None = None,
    only: str | Sequence[str] = (),
    seed: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    single: bool | None = None,
    accept_isolation: str | None = None,
    lang: str | None = None,
    watch: Watch = lambda _: None,
) -> TournamentResult:
    """Play a tournament between the submissions in a folder or zip, write the reports, and return the standings per game.

    `swiss` is the number of Swiss rounds (default: a round robin), `anchors` are reference players that take part. The
    other options are those of `grader tournament`.
    """
    pairing = Pairing(games=games, rounds=swiss)
    request = workflow.make_request(
        path,
        results,
        assignment,
        game=game,
        only=only,
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        single=single,
        accept_isolation=accept_isolation,
    )
    players = (anchors,) if isinstance(anchors, str) else tuple(anchors)
    request = replace(request, assignments=with_anchors(request.assignments, players))
    return workflow.tournament(request, pairing, _context(cluster, lang, watch))


def report(results: StrPath, *, reveal: bool = False, lang: str | None = None) -> RunResult | TournamentResult:
    """Write the reports of a results folder again, without playing, and return its grades or standings."""
    return workflow.report(Path(results), _speak_for(lang), reveal=reveal)


def verify(results: StrPath, seal: str | None = None, *, all_games: bool = False) -> Verification:
    """Check that everything in a results folder follows from its games, without running students' code.

    Moves of the reference players are recomputed: a random sample for about ten seconds, or with `all_games` all of them.
    """
    folder = Path(results).resolve()
    with Store.open_read_only(folder) as store:
        return verify_store(store, folder, seal, seconds=None if all_games else SAMPLE_SECONDS)


def regrade(
    results: StrPath,
    only: str | Sequence[str] = (),
    *,
    source: StrPath | None = None,
    jobs: int | None = None,
    accept_isolation: str | None = None,
    lang: str | None = None,
    watch: Watch = lambda _: None,
) -> Regrading:
    """Play the games of submissions again, into a new folder inside the results, and return the changes."""
    context = _context(None, lang, watch)
    return workflow.regrade(
        Path(results),
        (only,) if isinstance(only, str) else tuple(only),
        Path(source) if source else None,
        jobs,
        context,
        accept_isolation,
    )


def _context(cluster: str | None, lang: str | None, watch: Watch, *, reveal: bool = False) -> workflow.Context:
    return workflow.Context(
        engine=None if cluster is None else _cluster(cluster), watch=watch, speak_for=_speak_for(lang), reveal=reveal
    )


def _cluster(address: str) -> AbstractContextManager[Engine]:
    from grader.engine.cluster.connect import cluster_at  # here, because dask is optional

    return cluster_at(address, lambda _: None)


def _speak_for(lang: str | None) -> SpeakFor:
    if lang is not None and lang not in LANGUAGES:
        raise OptionError(
            say("lang: unknown language {name}: choose from {known}", name=repr(lang), known=", ".join(LANGUAGES))
        )

    def speak_for(assignment: Assignment) -> Language:
        return language(lang) if lang else workflow.speak_by_assignment(assignment)

    return speak_for
