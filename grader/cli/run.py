"""`grader run PATH`."""

import math
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import EXIT_PROBLEM
from grader.cli.language import confirm, lang_option, speaker, speaker_for
from grader.cli.options import FILE, class_options, reveal_option
from grader.cli.output_files import relative_folder
from grader.cli.progress import engine_at, resumable, tell_estimate, watcher
from grader.errors import GraderError
from grader.language import Language, Message, say

if TYPE_CHECKING:
    from grader.cli.progress import Watcher
    from grader.competition.grades import RunResult
    from grader.competition.records import Prepared, Request
    from grader.workflow import Choose, Workload


@click.command()
@class_options("results")
@click.option("--roster", type=FILE, help="A CSV of ids and names.")
@click.option("--budget", metavar="TIME", help="Play only as many games as fit into this time, as 8h or 45m.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would be played and how long it may take.")
@click.option("--show-assignment", is_flag=True, help="Print the assignment in force, ready to edit.")
@reveal_option
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


def _grade(
    request: "Request", *, cluster: str | None, budget: str | None, sure: bool, reveal: bool, gradescope: Path | None
) -> None:
    from grader import workflow
    from grader.cli.gradescope_live import GradescopeWatcher

    speak = speaker(*request.assignments)
    watch = watcher(speak)
    choose = _choice(watch, speak, budget, sure=sure)
    live = GradescopeWatcher(gradescope, watch, speak) if gradescope else None
    if live:
        watch, choose = live, live.require_one_submission(choose)
    try:
        engine = engine_at(cluster, request.workers, watch, speak)
        context = workflow.Context(engine=engine, watch=watch, speak_for=speaker_for, reveal=reveal)
        with resumable(watch):
            result = workflow.run(request, context, choose)
        if live:
            live.conclude(result)
    except GraderError as error:
        if live:
            live.fail(error)
        raise
    show_result(result, request.results, speak)


def show_result(result: "RunResult", folder: Path, speak: Language) -> None:
    """Show the class, and exit with 1 if a submission could not be graded."""
    from grader.reports import summary

    click.echo(summary.render(result.grades, result.games, speak) or speak.say("There was nothing to grade."))
    for one in result.competition.unplayed:
        click.echo(speak.say("Not played: {fault}", fault=one.text), err=True)
    for unused in result.unused_overrides:
        click.echo(speak.say("overrides: no submission has the id {id}.", id=repr(unused)), err=True)
    if (unknown := _lateness_warning(result.prepared)) is not None:
        click.echo(speak(unknown), err=True)
    skipped = sum(part.skipped for grade in result if grade.status == "graded" for part in grade.parts)
    if skipped:
        said = speak.say("{skipped} games were not played: they could not change any points.", skipped=skipped)
        click.echo(f"\n{said}")
    level = str(result.prepared.level)
    click.echo("\n" + speak.say("Isolation: {level}. Reports: {folder}", level=level, folder=relative_folder(folder)))
    if any(grade.status == "ungraded" for grade in result):
        click.echo(
            speak.say("Some could not be graded, through no fault of theirs: run the same command again."), err=True
        )
        sys.exit(EXIT_PROBLEM)


def _lateness_warning(prepared: "Prepared") -> Message | None:
    """Why no points were taken off for lateness though the assignment does so, if it is known of no submission."""
    held_to = [one.submission for one in prepared.entrants if one.assignment.late is not None]
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

    speak = speaker(*request.assignments)
    click.echo("---\n".join(render_assignment(assignment, speak) for assignment in request.assignments), nl=False)


def _show_plan(request: "Request") -> None:
    """Every fixture, and how long all of them may take. Writes nothing."""
    from tabulate import tabulate

    from grader.scoring.estimate import duration, estimate
    from grader.workflow import plan

    speak = speaker(*request.assignments)
    prepared, planned = plan(request)
    first, second = speak.say("first"), speak.say("second")
    headers = [
        *(speak.say("submission"), speak.say("opponent"), speak.say("game")),
        *(speak.say("moves as"), speak.say("opening"), speak.say("seed")),
    ]
    rows = [
        [
            *(fixture.submission, fixture.opponent, fixture.number + 1),
            *(first if fixture.seat == 0 else second, fixture.opening + 1, fixture.seed),
        ]
        for _, fixture in planned
    ]
    click.echo(tabulate(rows, headers))
    whole = estimate(planned, {}, request.workers)
    said = speak.say(
        "Submissions: {submissions}, games: {games}, at a time: {workers}. That takes about {expected} if players take a "
        "quarter of their time, {worst} at worst.",
        games=whole.games,
        submissions=len(prepared.entrants),
        workers=request.workers,
        expected=duration(whole.expected),
        worst=duration(whole.worst),
    )
    click.echo(f"\n{said}")


def _choice(watch: "Watcher", speak: Language, budget: str | None, *, sure: bool) -> "Choose":
    """How many games against each opponent to play: all, or what fits and the person agrees to."""
    from grader.workflow import games_within

    limit = (
        math.inf if budget is None else _seconds(budget)
    )  # here: a typing error is reported before anything is loaded

    def choose(prepared: "Prepared", work: "Workload") -> int | None:
        watch.close()  # a bar would draw over what is said and asked
        tell_estimate(work.estimate, speak)
        games = games_within(limit, prepared, work)
        if games is None:
            return None
        said = speak.say(
            "At most {games} games against each opponent fit into {budget}, the same for everybody.",
            games=games,
            budget=budget or "",
        )
        click.echo(said, err=True)
        if not sure and not confirm(say("Play those?")):
            raise click.Abort
        return games

    return choose


def _seconds(text: str) -> float:
    written = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", text.strip())
    if written is None:
        raise click.BadParameter(
            say("{written}: write a number and a unit, as 8h, 45m or 2d", written=repr(text)),
            param_hint="--budget",
        )
    return float(written[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[written[2]]
