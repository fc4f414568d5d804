"""`grader ladder-test ASSIGNMENT`."""

import sys
from pathlib import Path

import click

from grader.cli import EXIT_PROBLEM
from grader.cli.language import lang_option, speaker
from grader.cli.options import FILE, FOLDER, seed_option
from grader.language import say


@click.command("ladder-test")
@click.argument("assignment", type=FILE)
@click.option(
    "--games", type=click.IntRange(2, 1000), default=20, show_default=True, help="Games per pair, an even number."
)
@click.option("-j", "--jobs", type=click.IntRange(1), help="Games at a time (default: the number of cores).")
@seed_option
@click.option(
    "-o",
    "--output",
    type=FOLDER,
    help="Keep the games in this folder, so that an interrupted test can be resumed.",
)
@lang_option
def ladder_test(assignment: Path, games: int, jobs: int | None, seed: int | None, output: Path | None) -> None:
    """Let the opponents of ASSIGNMENT play each other, and show whether each is a clear step above the last."""
    from grader.assignment import load_assignments
    from grader.cli.progress import resumable, watcher
    from grader.competition.ladder_test import ladder_test as test
    from grader.engine.local import LocalEngine, physical_cores
    from grader.reports.ladder_test import render
    from grader.sandbox.scratch import Scratch, sweep
    from grader.store import Store

    if games % 2:
        raise click.BadParameter(
            say("{games} is odd: write an even number, so that both colours are played.", games=games)
        )
    sweep()
    found = load_assignments(assignment)
    if seed is not None:
        found = tuple(one.model_copy(update={"seed": seed}) for one in found)
    speak = speaker(*found)
    watch = watcher(speak)
    faults: list[str] = []
    with resumable(watch), Scratch() as scratch, Store(output or Path(scratch.folder, "games")) as store:
        for at, one in enumerate(found):
            tested = test(
                one, games, Path(scratch.folder, f"opponents-{at}"), LocalEngine(jobs or physical_cores()), store, watch
            )
            watch.close()
            click.echo(("\n" if at else "") + render(tested, speak))
            faults += tested.faults
    for fault in faults:
        click.echo(speak.say("Not played: {fault}", fault=fault), err=True)
    if faults:
        sys.exit(EXIT_PROBLEM)
