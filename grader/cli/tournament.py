"""`grader tournament PATH`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.class_options import class_options, engine_at
from grader.cli.language import lang_option, speaker
from grader.cli.output_files import shown_folder
from grader.cli.progress import resumable, tell_estimate, watcher
from grader.language import Language, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.cli.progress import Watcher
    from grader.competition.run import Request
    from grader.competition.tournament import Announce, Plan
    from grader.scoring.estimate import Estimate
    from grader.scoring.standings import Standings

EXIT_UNGRADED = 1


@click.command()
@class_options("tournament")
@click.option(
    "--games",
    type=click.IntRange(2, 1000),
    default=2,
    show_default=True,
    help="Games a pair, an even number: half with each colour.",
)
@click.option(
    "--swiss",
    "rounds",
    type=click.IntRange(1, 1000),
    metavar="R",
    help="So many rounds between players with about as many points, in place of all against all.",
)
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="PLAYER",
    help="A reference player that joins, as mcts(simulations=500); the first fixes the scale. Can be given several times.",
)
@lang_option
def tournament(
    request: "Request",
    cluster: str | None,
    games: int,
    rounds: int | None,
    anchors: tuple[str, ...],
) -> None:
    """Let the submissions in PATH play one another, and rate them."""
    from grader.competition.tournament import Plan

    if games % 2:
        raise click.BadParameter(
            say("{games} is odd: both colours are played equally often, so write an even number", games=games),
            param_hint="--games",
        )
    _hold(Plan(request=request, games=games, rounds=rounds, anchors=anchors), cluster)


def _hold(plan: "Plan", cluster: str | None) -> None:
    from grader.competition.prepare import keep_apart
    from grader.competition.tournament import assignments_of, hold
    from grader.results import saved
    from grader.sandbox.scratch import Scratch, sweep
    from grader.store import Store

    sweep()
    request = plan.request
    # What is wrong with what was asked is said before anything is written.
    speak = speaker(*assignments_of(request, plan.anchors))
    keep_apart(request)
    watch = watcher(speak)
    engine_there = engine_at(cluster, request.workers, watch, speak)
    with resumable(watch), Scratch() as scratch, Store(request.results) as store:
        saved.alone(store, saved.TOURNAMENT)
        with engine_there as engine:
            held = hold(plan, Path(scratch.folder, "submissions"), engine, store, watch, _announcing(watch, speak))
        watch.close()
        _conclude(held, request.results, speak)


def _announcing(watch: "Watcher", speak: Language) -> "Announce":
    def announce(whole: "Estimate") -> None:
        watch.close()  # a bar would draw over what is said
        tell_estimate(whole, speak)

    return announce


def _conclude(held: "Sequence[Standings]", results: Path, speak: Language) -> None:
    """Write the reports, show the standings, and exit with 1 if a game could not be played."""
    from grader.reports import standings
    from grader.results.tournament_publish import publish

    publish(held, results, speak)
    click.echo("\n\n".join(standings.render(one, speak) for one in held))
    level = held[0].terms.isolation
    click.echo("\n" + speak.say("Isolation: {level}. Reports: {folder}", level=level, folder=shown_folder(results)))
    unplayed = [fault for one in held for fault in one.unplayed]
    for fault in unplayed:
        click.echo(speak.say("Not played: {fault}", fault=fault), err=True)
    if unplayed:
        click.echo(
            speak.say("Some games could not be played, through no fault of the players: run the same command again."),
            err=True,
        )
        sys.exit(EXIT_UNGRADED)
