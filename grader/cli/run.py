"""`grader run PATH` and `grader report RESULTS`."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.progress import watcher

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.assignment import Assignment
    from grader.cli.progress import Watcher
    from grader.pipeline import Choose, Graded, Prepared, Request
    from grader.schedule import Fixture

EXIT_UNGRADED = 1


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("-c", "--assignment", "assignment_file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o",
    "--output",
    "results",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("results"),
    show_default=True,
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Games at a time; the number of cores if not given.")
@click.option("--game", type=click.Choice(["hex", "desconecta4"]), help="Grade everything as this game.")
@click.option("--only", multiple=True, metavar="ID", help="Grade only this submission; can be given several times.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="In place of the assignment's.")
@click.option("--roster", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A CSV of ids and names.")
@click.option("--budget", metavar="TIME", help="Play only as many games as fit into this time, as 8h or 45m.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would be played and how long it may take.")
@click.option("--show-assignment", is_flag=True, help="Print the assignment in force, ready to edit.")
@click.option("--reveal", is_flag=True, help="Name hidden opponents to students.")
def run(
    path: Path,
    assignment_file: Path | None,
    results: Path,
    jobs: int | None,
    game: str | None,
    only: tuple[str, ...],
    seed: int | None,
    roster: Path | None,
    budget: str | None,
    yes: bool,
    dry_run: bool,
    show_assignment: bool,
    reveal: bool,
) -> None:
    """Grade the submissions in PATH: a folder, a zip, or one submission."""
    from grader.engine.local import physical_cores
    from grader.intake.roster import read_roster
    from grader.pipeline import Request

    request = Request(
        path=path.resolve(),
        results=results.resolve(),
        assignment_file=assignment_file,
        game=game,
        only=only,
        seed=seed,
        workers=jobs or physical_cores(),
        roster=read_roster(roster) if roster else (),
    )
    if show_assignment:
        _show_assignments(request)
    elif dry_run:
        _show_plan(request)
    else:
        _grade(request, budget=budget, sure=yes, reveal=reveal)


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--reveal", is_flag=True, help="Name hidden opponents to students.")
def report(results: Path, reveal: bool) -> None:
    """Write the reports in RESULTS again, from what was played, without playing."""
    from grader.pipeline import saved
    from grader.store import FILE, Store

    if not (results / FILE).is_file():
        raise click.UsageError(f"{results}: there are no results in it: name a folder that `grader run` has written")
    with Store(results) as store:
        _conclude(saved.load(store), results, reveal=reveal)


def _grade(request: "Request", *, budget: str | None, sure: bool, reveal: bool) -> None:
    from grader.pipeline import run as run_pipeline
    from grader.pipeline import saved
    from grader.pipeline.prepare import assignments_for
    from grader.sandbox.scratch import Scratch, sweep
    from grader.store import Store

    sweep()
    assignments_for(request)  # what is wrong with it is said before anything is written
    watch = watcher()
    try:
        with Scratch() as scratch, Store(request.results) as store:
            graded = run_pipeline(request, Path(scratch.folder), store, watch, _choice(watch, budget, sure=sure))
            if request.only:
                graded = saved.with_others(store, graded)
            saved.save(store, graded)
            watch.close()
            _conclude(graded, request.results, reveal=reveal)
    except KeyboardInterrupt:
        watch.close()
        raise KeyboardInterrupt("What was played is kept: the same command goes on from here.") from None
    finally:
        watch.close()


def _conclude(graded: "Graded", results: Path, *, reveal: bool) -> None:
    """Write the reports, show the class, and exit with 1 if somebody could not be graded."""
    from grader.pipeline.publish import publish
    from grader.reports import summary

    publish(graded, results, reveal=reveal)
    click.echo(summary.render(graded.grades) or "There was nothing to grade.")
    for fault in graded.faults:
        click.echo(f"Not played: {fault}", err=True)
    skipped = sum(part.skipped for grade in graded.grades if grade.status == "graded" for part in grade.parts)
    if skipped:
        click.echo(f"\n{skipped} games were not played: they could not change any points.")
    click.echo(f"\nIsolation: {graded.prepared.level}. Reports: {_shown(results)}")
    if any(grade.status == "ungraded" for grade in graded.grades):
        click.echo("Some could not be graded, through no fault of theirs: run the same command again.", err=True)
        sys.exit(EXIT_UNGRADED)


def _shown(path: Path) -> str:
    try:
        return f"{path.relative_to(Path.cwd())}/"
    except ValueError:
        return f"{path}/"


def _show_assignments(request: "Request") -> None:
    from grader.assignment import written
    from grader.pipeline.prepare import assignments_for

    click.echo("---\n".join(written(assignment) for assignment in assignments_for(request)), nl=False)


def _show_plan(request: "Request") -> None:
    """Every fixture, and how long all of them may take. Writes nothing."""
    from tabulate import tabulate

    from grader.estimate import duration, estimate
    from grader.pipeline import prepare
    from grader.sandbox.scratch import Scratch

    with Scratch() as scratch:
        prepared = prepare(request, Path(scratch.folder))
    planned = [(candidate.assignment, fixture) for candidate in prepared.candidates for fixture in candidate.planned]
    rows = [
        [
            *(fixture.submission, assignment.opponents[fixture.opponent].name, fixture.number + 1),
            *("first" if fixture.seat == 0 else "second", fixture.opening + 1, fixture.seed),
        ]
        for assignment, fixture in planned
    ]
    click.echo(tabulate(rows, ["submission", "opponent", "game", "moves", "opening", "seed"]))
    whole = estimate(planned, {}, request.workers)
    click.echo(
        f"\n{whole.games} games for {len(prepared.candidates)} submissions, {request.workers} at a time: about "
        f"{duration(whole.expected)} if players take a quarter of their time, {duration(whole.worst)} at worst."
    )


def _choice(watch: "Watcher", budget: str | None, *, sure: bool) -> "Choose":
    """How many games against each opponent to play: all, or what fits and the person agrees to."""
    from grader.estimate import duration, estimate, games_that_fit

    def choose(
        prepared: "Prepared", pace: "Mapping[str, float]", unplayed: "Sequence[tuple[Assignment, Fixture]]"
    ) -> int | None:
        watch.close()  # a bar would draw over what is said and asked
        workers = prepared.request.workers
        whole = estimate(unplayed, pace, workers)
        if whole.games:
            click.echo(
                f"{whole.games} games to play, about {duration(whole.expected)} by the first moves, "
                f"{duration(whole.worst)} at worst.",
                err=True,
            )
        if budget is None or whole.expected <= _seconds(budget):
            return None
        _check_that_games_can_be_cut(prepared)
        games = games_that_fit(unplayed, pace, workers, _seconds(budget))
        if games == 0:
            raise click.UsageError(f"not even two games against each opponent fit into {budget}: give it more time")
        click.echo(f"At most {games} games against each opponent fit into {budget}, the same for everybody.", err=True)
        if not sure and not click.confirm("Play those?", default=True, err=True):
            raise click.Abort
        return games

    return choose


def _check_that_games_can_be_cut(prepared: "Prepared") -> None:
    for assignment in prepared.assignments:
        if assignment.scoring == "ladder" or any(opponent.threshold is not None for opponent in assignment.opponents):
            raise click.UsageError(
                f"{assignment.title}: with a ladder or a threshold, fewer games would mean other grades. Leave --budget out, "
                "or change the number of games in the assignment."
            )


def _seconds(text: str) -> float:
    written = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", text.strip())
    if written is None:
        raise click.BadParameter(f"{text!r}: write a number and a unit, as 8h, 45m or 2d", param_hint="--budget")
    return float(written[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[written[2]]
