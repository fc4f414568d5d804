"""`grader list`: list games and reference players."""

import shutil
import sys

from grader.cli.help import command
from grader.cli.language import lang_option, speaker
from grader.cli.options import game_name_option
from grader.cli.report_display import echo_report
from grader.games import find_game, installed_games
from grader.inspection.reference_catalogue import reference_players
from grader.reports import catalogue


@command(
    name="list",
    examples=[
        ("List everything", "grader list"),
        ("List the players for your own game", "grader list --game my_game.py"),
    ],
)
@game_name_option("Only this game, by name or in a file, and the players that can play it.", group="What to list")
@lang_option
def list_(game: str | None) -> None:
    """List the games and the reference players, with their options and sources."""
    games, players = installed_games(), reference_players()
    if game is not None:
        kind = find_game(game)
        games = {kind.name: kind}
        players = tuple(player for player in players if player.plays(kind()))
    speak = speaker()
    width = min(catalogue.WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else catalogue.WIDTH
    echo_report(catalogue.render(games, players, speak, width), speak)
