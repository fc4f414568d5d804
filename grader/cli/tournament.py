"""`grader tournament PATH`: let submissions play against each other."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from grader import workflow
from grader.cli import EXIT_PROBLEM
from grader.cli.announcement import announcer, show_isolation
from grader.cli.class_options import class_options
from grader.cli.completion import complete_reference_player
from grader.cli.help import command, option
from grader.cli.language import lang_option, speaker, speaker_for
from grader.cli.options import WHAT_TO_PLAY, class_option
from grader.cli.output import echo
from grader.cli.progress import engine_at, resumable, show_estimate, watcher
from grader.cli.replacement import confirm_replacement
from grader.cli.report_display import echo_report, echo_report_path
from grader.cli.terminal import echo_wrapped
from grader.competition.assignments import with_anchors
from grader.competition.disturbance import find_disturbance
from grader.competition.records import Pairing, Request, Setup
from grader.competition.tournament import TournamentResult
from grader.language import Language, say
from grader.reports import standings, verification
from grader.reports.machines import machine_line
from grader.reports.system_load import system_load
from grader.results.publish import notice_of
from grader.scoring.estimate import Estimate

WHO_PLAYS = "Who plays"


@command(
    examples=[
        ("Everyone against everyone, two games per pair", "grader tournament submissions/"),
        ("A large class: 7 Swiss rounds", "grader tournament submissions/ --swiss 7"),
        (
            "Compare the class with two reference players",
            'grader tournament class.zip --anchor random --anchor "mcts(simulations=500)"',
        ),
    ]
)
@class_options("A folder or zip of submissions.", "tournament", WHO_PLAYS, class_option)
@option(
    "--anchor",
    "anchors",
    group=WHO_PLAYS,
    multiple=True,
    metavar="PLAYER",
    shell_complete=complete_reference_player,
    help="Add a reference player, e.g. mcts(simulations=500); the first one sets the rating scale (can be repeated).",
)
@option(
    "--games",
    group=WHAT_TO_PLAY,
    type=click.IntRange(2, 1000),
    default=2,
    show_default=True,
    help="Games per pair, an even number: each player moves first in half of them.",
)
@option(
    "--swiss",
    "rounds",
    group=WHAT_TO_PLAY,
    type=click.IntRange(1, 1000),
    metavar="R",
    help="Play R Swiss rounds instead of a round robin.",
)
@option("--yes", group=WHAT_TO_PLAY, is_flag=True, help="Do not ask for confirmation.")
@lang_option
def tournament(
    request: Request,
    cluster: str | None,
    games: int,
    rounds: int | None,
    anchors: tuple[str, ...],
    yes: bool,
) -> None:
    """Run a tournament between the submissions in PATH and rate them.

    Exit status 1 if a game could not be played because of a grader error.
    """
    if games % 2:
        raise click.BadParameter(
            say("{games} is odd; choose an even number, so that each player moves first equally often", games=games),
            param_hint="--games",
        )
    request = replace(request, assignments=with_anchors(request.assignments, anchors))
    _play(request, Pairing(games=games, rounds=rounds), cluster, sure=yes)


def _play(request: Request, pairing: Pairing, cluster: str | None, *, sure: bool) -> None:
    speak = speaker(*request.assignments)
    watch = watcher(speak)

    def announce(setup: Setup) -> None:
        announcer(speak)(setup)
        confirm_replacement(setup, speak, sure=sure, tournament=True)

    def announce_estimate(estimate: Estimate) -> None:
        watch.close()  # a bar would be drawn over the text
        show_estimate(estimate, speak)

    engine = engine_at(cluster, request.workers, watch, speak)
    context = workflow.Context(engine=engine, announce=announce, watch=watch, speak_for=speaker_for)
    with resumable(watch):
        result = workflow.tournament(request, pairing, context, announce_estimate)
    show_standings(result, request.results, speak)


def show_standings(result: TournamentResult, folder: Path, speak: Language) -> None:
    """Print the standings, and exit with status 1 if a game could not be played."""
    notice = notice_of(result)
    if notice is not None:
        echo_wrapped(speak(notice) + "\n")
    echo_report([block for ranking in result for block in standings.render(ranking, speak)], speak)
    show_isolation(result.competition.setup.level, speak)
    level = speak.say("Isolation level: {level}.", level=str(result.competition.setup.level))
    load = system_load(find_disturbance(result.competition), speak)
    seal = [verification.render_seal(result.competition.seal, speak)] if notice is None else []
    machine = machine_line(result.competition, speak)
    echo_wrapped("\n" + "\n".join(filter(None, [level, machine, load, *seal])))
    echo_report_path(folder / "tournament.html", speak)
    for fault in result.competition.unplayed:
        echo(speak.say("Not played: {fault}", fault=fault.text), err=True)
    if result.competition.unplayed:
        echo(
            speak.say(
                "Some games could not be played because of an error in the grader; the players are not at fault. "
                "Run the same command again; if the machine was too busy, at a quieter time."
            ),
            err=True,
        )
        sys.exit(EXIT_PROBLEM)
