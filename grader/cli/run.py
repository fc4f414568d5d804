"""`grader run PATH` and `grader report RESULTS`."""

import math
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.class_options import class_options, engine_at
from grader.cli.game_options import known_game
from grader.cli.language import agreed, lang_option, speaker, speaker_for
from grader.cli.output_files import shown_folder
from grader.cli.progress import resumable, tell_estimate, watcher
from grader.errors import GraderError
from grader.language import Language, Message, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grader.assignment import Assignment
    from grader.cli.progress import Watcher
    from grader.competition.run import Choose, Graded, Prepared, Request
    from grader.fixtures import Fixture

EXIT_UNGRADED = 1


@click.command()
@class_options("results")
@click.option("--roster", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A CSV of ids and names.")
@click.option("--budget", metavar="TIME", help="Play only as many games as fit into this time, as 8h or 45m.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would be played and how long it may take.")
@click.option("--show-assignment", is_flag=True, help="Print the assignment in force, ready to edit.")
@click.option("--reveal", is_flag=True, help="Name hidden opponents to students.")
@click.option("--single", is_flag=True, help="PATH is one submission, whatever is in it.")
@click.option(
    "--gradescope",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write Gradescope's results.json of the one submission here, again after every game.",
)
@lang_option
def run(
    request: "Request",
    cluster: str | None,
    roster: Path | None,
    budget: str | None,
    yes: bool,
    dry_run: bool,
    show_assignment: bool,
    reveal: bool,
    single: bool,
    gradescope: Path | None,
) -> None:
    """Grade the submissions in PATH: a folder, a zip, or one submission."""
    from grader.intake.roster import read_roster

    request = replace(request, roster=read_roster(roster) if roster else (), single=single)
    if cluster is not None and dry_run:
        raise click.UsageError(
            say("--dry-run starts no cluster: leave --cluster out, and say with --jobs how many workers it has")
        )
    if show_assignment:
        _show_assignments(request)
    elif dry_run:
        _show_plan(request)
    else:
        _grade(request, cluster=cluster, budget=budget, sure=yes, reveal=reveal, gradescope=gradescope)


@click.command()
@click.argument("results", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--reveal", is_flag=True, help="Name hidden opponents to students.")
@known_game
@lang_option
def report(results: Path, reveal: bool) -> None:
    """Write the reports in RESULTS again, from what was played, without playing."""
    from grader.results import saved
    from grader.store import FILE, Store

    if not (results / FILE).is_file():
        raise click.UsageError(
            say(
                "{folder}: there are no results in it: name a folder that `grader run` has written", folder=str(results)
            )
        )
    with Store(results) as store:
        graded = saved.load(store)
        _conclude(graded, results, speaker(*graded.prepared.assignments), reveal=reveal)


def _grade(
    request: "Request", *, cluster: str | None, budget: str | None, sure: bool, reveal: bool, gradescope: Path | None
) -> None:
    from grader.cli.gradescope_live import Live
    from grader.competition.prepare import assignments_for, keep_apart
    from grader.competition.run import run as run_pipeline
    from grader.results import saved
    from grader.sandbox.scratch import Scratch, sweep
    from grader.store import Store

    sweep()
    speak = speaker(*assignments_for(request))  # what is wrong with them is said before anything is written
    keep_apart(request)
    watch = watcher(speak)
    choose = _choice(watch, speak, budget, sure=sure)
    live = Live(gradescope, watch, speak) if gradescope else None
    if live:
        watch, choose = live, live.before(choose)
    try:
        engine_there = engine_at(cluster, request.workers, watch, speak)
        with resumable(watch), Scratch() as scratch, Store(request.results) as store:
            saved.alone(store, saved.NOTE)
            with engine_there as engine:
                graded = run_pipeline(request, Path(scratch.folder, "submissions"), store, watch, choose, engine)
            if live:
                live.conclude(graded)
            if request.only:
                graded = saved.with_others(store, graded)
            saved.save(store, graded)
            watch.close()
            _conclude(graded, request.results, speak, reveal=reveal)
    except GraderError as error:
        if live:
            live.fail(error)
        raise


def _conclude(graded: "Graded", results: Path, speak: Language, *, reveal: bool) -> None:
    """Write the reports, show the class, and exit with 1 if somebody could not be graded."""
    from grader.reports import summary
    from grader.results.publish import publish

    publish(graded, results, speak_for=speaker_for, reveal=reveal)
    click.echo(summary.render(graded.grades, graded.games, speak) or speak.say("There was nothing to grade."))
    for fault in graded.faults:
        click.echo(speak.say("Not played: {fault}", fault=fault), err=True)
    for unused in graded.unused_overrides:
        click.echo(speak.say("overrides: no submission has the id {id}.", id=repr(unused)), err=True)
    if (unknown := _lateness_unknown(graded.prepared)) is not None:
        click.echo(speak(unknown), err=True)
    skipped = sum(part.skipped for grade in graded.grades if grade.status == "graded" for part in grade.parts)
    if skipped:
        said = speak.say("{skipped} games were not played: they could not change any points.", skipped=skipped)
        click.echo(f"\n{said}")
    level = str(graded.prepared.level)
    click.echo("\n" + speak.say("Isolation: {level}. Reports: {folder}", level=level, folder=shown_folder(results)))
    if any(grade.status == "ungraded" for grade in graded.grades):
        click.echo(
            speak.say("Some could not be graded, through no fault of theirs: run the same command again."), err=True
        )
        sys.exit(EXIT_UNGRADED)


def _lateness_unknown(prepared: "Prepared") -> Message | None:
    """Why nobody loses points for lateness though the assignment takes them off, if that cannot be known of anybody."""
    held_to = [one.submission for one in prepared.candidates if one.assignment.late is not None]
    if not held_to or any(own.late_seconds is not None for own in held_to):
        return None
    if all(own.submitted_at is None for own in held_to):
        return say("Nothing was taken off for lateness: nothing here says when the submissions were handed in.")
    return say(
        "Nothing was taken off for lateness: neither the assignment nor the platform says when it was due. Add `due` to "
        "`late` in the assignment."
    )


def _show_assignments(request: "Request") -> None:
    from grader.assignment import render_assignment
    from grader.competition.prepare import assignments_for

    assignments = assignments_for(request)
    speak = speaker(*assignments)
    click.echo("---\n".join(render_assignment(assignment, speak) for assignment in assignments), nl=False)


def _show_plan(request: "Request") -> None:
    """Every fixture, and how long all of them may take. Writes nothing."""
    from tabulate import tabulate

    from grader.competition.prepare import assignments_for, prepare
    from grader.sandbox.scratch import Scratch
    from grader.scoring.estimate import duration, estimate

    speak = speaker(*assignments_for(request))
    with Scratch() as scratch:
        prepared = prepare(request, Path(scratch.folder, "submissions"))
    planned = [(candidate.assignment, fixture) for candidate in prepared.candidates for fixture in candidate.planned]
    first, second = speak.say("first"), speak.say("second")
    headers = [
        *(speak.say("submission"), speak.say("opponent"), speak.say("game")),
        *(speak.say("moves as"), speak.say("opening"), speak.say("seed")),
    ]
    rows = [
        [
            *(fixture.submission, assignment.opponents[fixture.opponent].name, fixture.number + 1),
            *(first if fixture.seat == 0 else second, fixture.opening + 1, fixture.seed),
        ]
        for assignment, fixture in planned
    ]
    click.echo(tabulate(rows, headers))
    whole = estimate(planned, {}, request.workers)
    said = speak.say(
        "Submissions: {submissions}, games: {games}, at a time: {workers}. That takes about {expected} if players take a "
        "quarter of their time, {worst} at worst.",
        games=whole.games,
        submissions=len(prepared.candidates),
        workers=request.workers,
        expected=duration(whole.expected),
        worst=duration(whole.worst),
    )
    click.echo(f"\n{said}")


def _choice(watch: "Watcher", speak: Language, budget: str | None, *, sure: bool) -> "Choose":
    """How many games against each opponent to play: all, or what fits and the person agrees to."""
    from grader.scoring.estimate import estimate, games_that_fit

    limit = math.inf if budget is None else _seconds(budget)  # here: who mistypes it is told before anything is loaded

    def choose(
        prepared: "Prepared", pace: "Mapping[str, float]", unplayed: "Sequence[tuple[Assignment, Fixture]]"
    ) -> int | None:
        watch.close()  # a bar would draw over what is said and asked
        workers = prepared.request.workers
        whole = estimate(unplayed, pace, workers)
        tell_estimate(whole, speak)
        if budget is None or whole.expected <= limit:
            return None
        _check_that_games_can_be_cut(prepared)
        games = games_that_fit(unplayed, pace, workers, limit)
        if games == 0:
            raise click.UsageError(
                say("not even two games against each opponent fit into {budget}: give it more time", budget=budget)
            )
        said = speak.say(
            "At most {games} games against each opponent fit into {budget}, the same for everybody.",
            games=games,
            budget=budget,
        )
        click.echo(said, err=True)
        if not sure and not agreed(say("Play those?")):
            raise click.Abort
        return games

    return choose


def _check_that_games_can_be_cut(prepared: "Prepared") -> None:
    for assignment in prepared.assignments:
        if assignment.scoring == "ladder" or any(opponent.threshold is not None for opponent in assignment.opponents):
            raise click.UsageError(
                say(
                    "{title}: with a ladder or a threshold, fewer games would mean other grades. Leave --budget out, or "
                    "change the number of games in the assignment.",
                    title=assignment.title,
                )
            )


def _seconds(text: str) -> float:
    written = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", text.strip())
    if written is None:
        raise click.BadParameter(
            say("{written}: write a number and a unit, as 8h, 45m or 2d", written=repr(text)), param_hint="--budget"
        )
    return float(written[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[written[2]]
