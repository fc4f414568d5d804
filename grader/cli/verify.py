"""`grader verify RESULTS`: check recorded games and grades."""

import re
import sys
from pathlib import Path

import click

from grader import api
from grader.cli import EXIT_PROBLEM
from grader.cli.help import command, option
from grader.cli.language import lang_option, speaker
from grader.cli.output import echo
from grader.cli.results_options import known_game, results_argument
from grader.intake.names import printable
from grader.language import say
from grader.reports import verification


@command(
    examples=[
        ("Check results, e.g. after an appeal, and print their seal", "grader verify results"),
        ("Find out whether anything has changed since then", "grader verify results --seal 3f2a9c…"),
        ("Recompute all moves of the reference players", "grader verify results --all"),
    ]
)
@results_argument
@known_game
@option(
    "--seal",
    group="What to check",
    metavar="HASH",
    help="A seal that `grader run` or this command printed earlier: also check that nothing has changed since.",
)
@option(
    "--all",
    "all_games",
    group="What to check",
    is_flag=True,
    help="Recompute all moves of the reference players, not just a random sample (the sample takes about 10 s).",
)
@lang_option
def verify(results: Path, seal: str | None, *, all_games: bool) -> None:
    """Check every recorded move in RESULTS against the rules, and the grades against the games.

    It also recomputes moves of the reference players and compares them with the recorded ones. No student code is run. Exit
    status 1 if something does not match.
    """
    if seal is not None and not re.fullmatch(r"\s*[0-9a-fA-F]{64}\s*", seal):
        raise click.BadParameter(
            say(
                "{seal} is not a seal. A seal has 64 hexadecimal digits, as `grader verify` prints it.",
                seal=repr(printable(seal[:80])),
            ),
            param_hint="--seal",
        )
    checked = api.verify(results, seal, all_games=all_games)
    text = verification.render(
        [(doubt.where, doubt.text) for doubt in checked.doubts],
        submissions=checked.submissions,
        games=checked.games,
        moves=checked.moves,
        remarks=(*checked.recheck.summary(), *(() if checked.warning is None else (checked.warning,))),
        unasked=checked.recheck.unasked,
        own=checked.own,
        seal=checked.seal,
        matches=checked.seal_matches,
        speak=speaker(*checked.assignments),
    )
    echo(text)
    if checked.doubts:
        sys.exit(EXIT_PROBLEM)
