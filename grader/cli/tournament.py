"""`grader tournament PATH`."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import EXIT_PROBLEM
from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.options import class_options
from grader.cli.output_files import relative_folder
from grader.cli.progress import engine_at, resumable, tell_estimate, watcher
from grader.language import Language

if TYPE_CHECKING:
    from grader.competition.records import Pairing, Request
    from grader.competition.tournament import TournamentResult
    from grader.scoring.estimate import Estimate


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
    from grader.competition.assignments import with_anchors
    from grader.competition.records import Pairing

    request = replace(request, assignments=with_anchors(request.assignments, anchors))
    _play(request, Pairing(games=games, rounds=rounds), cluster)


def _play(request: "Request", pairing: "Pairing", cluster: str | None) -> None:
    from grader import workflow

    speak = speaker(*request.assignments)
    watch = watcher(speak)

    def announce(whole: "Estimate") -> None:
        watch.close()  # a bar would draw over what is said
        tell_estimate(whole, speak)

    engine = engine_at(cluster, request.workers, watch, speak)
    context = workflow.Context(engine=engine, watch=watch, speak_for=speaker_for)
    with resumable(watch):
        result = workflow.tournament(request, pairing, context, announce)
    show_standings(result, request.results, speak)


def show_standings(result: "TournamentResult", folder: Path, speak: Language) -> None:
    """Show the standings, and exit with 1 if a game could not be played."""
    from grader.reports import standings

    click.echo("\n\n".join(standings.render(one, speak) for one in result))
    level = str(result.competition.prepared.level)
    click.echo("\n" + speak.say("Isolation: {level}. Reports: {folder}", level=level, folder=relative_folder(folder)))
    for one in result.competition.unplayed:
        click.echo(speak.say("Not played: {fault}", fault=one.text), err=True)
    if result.competition.unplayed:
        click.echo(
            speak.say("Some games could not be played, through no fault of the players: run the same command again."),
            err=True,
        )
        sys.exit(EXIT_PROBLEM)
