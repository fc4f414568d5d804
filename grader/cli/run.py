"""`grader run PATH`: grade submissions."""

import math
import re
import sys
import time
from dataclasses import replace
from pathlib import Path

import click

from grader import workflow
from grader.assignment import render_assignment
from grader.cli import EXIT_INTERRUPTED, EXIT_PROBLEM
from grader.cli.announcement import announcer, show_isolation
from grader.cli.attention import show_attention
from grader.cli.class_options import class_options
from grader.cli.decide import decide as ask_for_decisions
from grader.cli.gradescope_live import GradescopeWatcher
from grader.cli.help import command, option
from grader.cli.language import confirm, lang_option, speaker, speaker_for
from grader.cli.options import FILE, OUTPUT, WHAT_TO_GRADE, WHAT_TO_PLAY, reveal_option, single_option
from grader.cli.output import echo
from grader.cli.progress import Watcher, engine_at, resumable, show_estimate, watcher
from grader.cli.replacement import confirm_replacement
from grader.cli.report_display import echo_report, echo_report_path
from grader.cli.terminal import echo_wrapped
from grader.competition.disturbance import find_disturbance
from grader.competition.grades import RunResult
from grader.competition.patience import PATIENT
from grader.competition.records import Request, Setup
from grader.errors import GraderError
from grader.intake.roster import read_roster
from grader.language import Language, Message, say
from grader.reports import plan, summary, verification
from grader.reports.machines import machine_line
from grader.reports.system_load import system_load
from grader.results.publish import notice_of


@command(
    examples=[
        ("Grade a folder or a download from Moodle with the built-in assignments", "grader run submissions/"),
        ("See the plan and how long it may take", "grader run submissions/ -c assignment.yaml --dry-run"),
        ("Grade two submissions", "grader run class.zip --only ana --only luis"),
    ]
)
@class_options("A folder or zip of submissions, or a single submission.", "results", WHAT_TO_GRADE, single_option)
@option(
    "--roster",
    group=WHAT_TO_GRADE,
    type=FILE,
    help="A CSV file of ids and names, to add names and to list students who submitted nothing.",
)
@option(
    "--budget",
    group=WHAT_TO_PLAY,
    metavar="TIME",
    help="Limit the number of games so that the run fits within this time, e.g. 8h or 45m.",
)
@option(
    "--decide",
    group=WHAT_TO_GRADE,
    is_flag=True,
    help="Ask which class to use if a submission has several, and write the answers to the assignment.",
)
@option("--yes", group=WHAT_TO_PLAY, is_flag=True, help="Do not ask for confirmation.")
@reveal_option
@option(
    "--dry-run",
    group=OUTPUT,
    is_flag=True,
    help="Only show which player was found for each student, the number of games, and how long they may take.",
)
@option("--fixtures", group=OUTPUT, is_flag=True, help="With --dry-run, also list every game.")
@option("--show-assignment", group=OUTPUT, is_flag=True, help="Only print the assignment in effect, ready to edit.")
@option(
    "--gradescope",
    group=OUTPUT,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write Gradescope's results.json for a single submission to this file, updated after every game.",
)
@lang_option
def run(
    request: Request,
    cluster: str | None,
    roster: Path | None,
    budget: str | None,
    yes: bool,
    dry_run: bool,
    fixtures: bool,
    show_assignment: bool,
    reveal: bool,
    decide: bool,
    gradescope: Path | None,
) -> None:
    """Grade the submissions in PATH by playing them against the opponents of an assignment.

    Exit status 1 if a submission could not be graded, either because it needs your decision or because of a grader error.
    """
    request = replace(request, roster=read_roster(roster) if roster else ())
    if cluster is not None and dry_run:
        raise click.UsageError(
            say("--dry-run does not start a cluster: leave out --cluster and give the number of workers with --jobs.")
        )
    if budget is not None and dry_run:
        raise click.UsageError(
            say(
                "--budget measures the speed of the players, but --dry-run does not run them: use only one of them. "
                "Without --yes, --budget asks before it plays."
            )
        )
    if fixtures and not dry_run:
        raise click.UsageError(say("--fixtures lists the games of a --dry-run: give both, or neither."))
    if decide:
        write = not (dry_run or show_assignment)
        request = ask_for_decisions(request, speaker(*request.assignments), write=write)
    if show_assignment:
        _show_assignments(request)
    elif dry_run:
        _show_plan(request, fixtures=fixtures)
    else:
        _grade(request, cluster=cluster, budget=budget, sure=yes, reveal=reveal, gradescope=gradescope)


def _grade(
    request: Request, *, cluster: str | None, budget: str | None, sure: bool, reveal: bool, gradescope: Path | None
) -> None:
    speak = speaker(*request.assignments)
    watch = watcher(speak)
    # Parsed here, so that a typing error is reported before anything is loaded.
    limit = math.inf if budget is None else _parse_seconds(budget)
    patience = replace(PATIENT, until=time.monotonic() + limit)
    choose = _game_limit(watch, speak, limit, budget or "", sure=sure)
    live = GradescopeWatcher(gradescope, watch, speak) if gradescope else None
    if live:
        watch = live

    def announce(setup: Setup) -> None:
        if live:
            live.require_one_submission(setup)
        announcer(speak)(setup)
        confirm_replacement(setup, speak, sure=sure)

    try:
        engine = engine_at(cluster, request.workers, watch, speak)
        context = workflow.Context(
            engine=engine, announce=announce, watch=watch, patience=patience, speak_for=speaker_for, reveal=reveal
        )
        with resumable(watch):
            result = workflow.run(request, context, choose)
        if live:
            live.conclude(result)
    except GraderError as error:
        if live:
            live.fail(error)
        raise
    show_result(result, request.results, speak)


def show_result(result: RunResult, folder: Path, speak: Language) -> None:
    """Print the grades of the class, and exit with status 1 if a submission could not be graded."""
    notice = notice_of(result)
    if notice is not None:
        echo_wrapped(speak(notice) + "\n")
    show_attention(result, speak)
    echo_report(summary.render(result.grades, result.games, speak) or [speak.say("There was nothing to grade.")], speak)
    for fault in result.competition.unplayed:
        echo_wrapped(speak.say("Not played: {fault}", fault=fault.text), err=True)
    for unused in result.unused_overrides:
        echo_wrapped(speak.say("overrides: no submission has the id {id}.", id=repr(unused)), err=True)
    if (warning := _lateness_warning(result.setup)) is not None:
        echo_wrapped(speak(warning), err=True)
    skipped = sum(part.skipped for grade in result if grade.status == "graded" for part in grade.parts)
    if skipped:
        text = speak.say(
            "Skipped {n} game that could not change any points.",
            "Skipped {n} games that could not change any points.",
            n=skipped,
        )
        echo(f"\n{text}")
    show_isolation(result.setup.level, speak)
    level = speak.say("Isolation level: {level}.", level=str(result.setup.level))
    load = system_load(find_disturbance(result.competition), speak)
    seed = speak.say(
        "Seed: {seed}. Keep it secret while students can still submit.", seed=result.setup.assignments[0].secret
    )
    seal = [verification.render_seal(result.competition.seal, speak)] if notice is None else []
    machine = machine_line(result.competition, speak)
    echo_wrapped("\n" + "\n".join(filter(None, [level, machine, load, seed, *seal])))
    echo_report_path(folder / "report.html", speak)
    if notice is None and any(grade.status == "ungraded" for grade in result):
        sys.exit(EXIT_PROBLEM)


def _lateness_warning(setup: Setup) -> Message | None:
    """Why the assignment's late penalty was not applied to any submission, if that is because a time is unknown."""
    submissions = [entrant.submission for entrant in setup.entrants if entrant.assignment.late is not None]
    if not submissions or any(submission.late_seconds is not None for submission in submissions):
        return None
    if all(submission.submitted_at is None for submission in submissions):
        return say("No late penalty applied: submission times are unknown.")
    return say("No late penalty applied: the due date is unknown. Add `due` to `late` in the assignment.")


def _show_assignments(request: Request) -> None:
    speak = speaker(*request.assignments)
    echo("---\n".join(render_assignment(assignment, speak) for assignment in request.assignments), nl=False)


def _show_plan(request: Request, *, fixtures: bool) -> None:
    """Print who plays, all games if `fixtures`, and how long they may take. Writes no file."""
    speak = speaker(*request.assignments)
    setup, planned = workflow.plan(request)
    announcer(speak)(setup)
    if fixtures:
        echo_report([*plan.render_fixtures(planned, speak), ""], speak)
    echo_report(plan.render(setup, planned, speak), speak)


def _game_limit(watch: Watcher, speak: Language, limit: float, budget: str, *, sure: bool) -> workflow.Choose:
    """A function that says how many games against each opponent fit into the budget of `limit` seconds, or None for all."""

    def choose(setup: Setup, work: workflow.Workload) -> int | None:
        watch.close()  # a bar would be drawn over the question
        show_estimate(work.estimate, speak)
        games = workflow.games_within(limit, setup, work)
        if games is None:
            return None
        text = speak.say(
            "At most {games} games against each opponent fit into {budget}, the same for all submissions.",
            games=games,
            budget=budget,
        )
        echo_wrapped(text, err=True)
        if not sure and not confirm(say("Play these games?")):
            echo(speak.say("Cancelled; nothing was played."), err=True)
            sys.exit(EXIT_INTERRUPTED)
        return games

    return choose


def _parse_seconds(text: str) -> float:
    """The seconds in a time such as `8h`."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd])", text.strip())
    if match is None:
        raise click.BadParameter(
            say("{written}: write a number and a unit, e.g. 8h, 45m or 2d.", written=repr(text)),
            param_hint="--budget",
        )
    return float(match[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86_400}[match[2]]
