"""`grader ladder-test ASSIGNMENT`: compare the opponents of an assignment."""

import sys
from pathlib import Path

import click

from grader.assignment import load_assignments
from grader.cli import EXIT_PROBLEM
from grader.cli.help import argument, command, option
from grader.cli.language import lang_option, speaker
from grader.cli.options import FILE, FOLDER, OUTPUT, WHAT_TO_PLAY, jobs_option, seed_option
from grader.cli.output import echo
from grader.cli.progress import resumable, watcher
from grader.cli.report_display import echo_report
from grader.competition.ladder_test import ladder_test as play_opponents
from grader.engine.local import LocalEngine, physical_cores
from grader.language import say
from grader.reports.ladder_test import render
from grader.sandbox.scratch import Scratch, sweep
from grader.store import Store


@command(
    name="ladder-test",
    examples=[
        ("20 games per pair of opponents", "grader ladder-test assignment.yaml"),
        ("A longer test that can be interrupted", "grader ladder-test assignment.yaml --games 100 -o ladder"),
    ],
)
@argument("assignment", "An assignment file.", type=FILE)
@option(
    "--games",
    group=WHAT_TO_PLAY,
    type=click.IntRange(2, 1000),
    default=20,
    show_default=True,
    help="Games per pair of opponents, an even number.",
)
@seed_option
@jobs_option
@option(
    "-o",
    "--output",
    group=OUTPUT,
    type=FOLDER,
    help="Save the games in this folder, so that an interrupted test can be resumed.",
)
@lang_option
def ladder_test(assignment: Path, games: int, jobs: int | None, seed: int | None, output: Path | None) -> None:
    """Let all opponents in ASSIGNMENT play each other, and show whether each is clearly stronger than the one before.

    Exit status 1 if a game could not be played because of a grader error.
    """
    if games % 2:
        raise click.BadParameter(
            say("{games} is odd; choose an even number, so that each player moves first equally often", games=games),
            param_hint="--games",
        )
    sweep()
    assignments = load_assignments(assignment)
    seeds = [one.seed if seed is None else seed for one in assignments]  # nothing is secret here
    assignments = tuple(one.model_copy(update={"seed": own or 0}) for one, own in zip(assignments, seeds, strict=True))
    speak = speaker(*assignments)
    watch = watcher(speak)
    faults: list[str] = []
    with (
        resumable(watch),
        Scratch() as scratch,
        Store(output or Path(scratch.folder, "games")) as store,
        LocalEngine(jobs or physical_cores()) as engine,
    ):
        for at, one in enumerate(assignments):
            tested = play_opponents(one, games, Path(scratch.folder, f"opponents-{at}"), engine, store, watch)
            watch.close()
            if at:
                echo()
            echo_report(render(tested, speak), speak)
            faults += tested.faults
    for fault in faults:
        echo(speak.say("Not played: {fault}", fault=fault), err=True)
    if faults:
        sys.exit(EXIT_PROBLEM)
