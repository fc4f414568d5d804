"""`grader list`."""

import click

from grader.cli.language import lang_option, speaker


@click.command("list")
@click.option("--game", metavar="GAME", help="Only this game, by name or in a file, and the players that can play it.")
@lang_option
def list_(game: str | None) -> None:
    """Show the games and the reference players, with their options and where they come from."""
    from grader.games import find_game, installed_games
    from grader.inspection.reference_catalogue import reference_players
    from grader.reports import catalogue

    games, players = installed_games(), reference_players()
    if game is not None:
        kind = find_game(game)
        games = {kind.name: kind}
        players = tuple(player for player in players if player.plays(kind()))
    click.echo(catalogue.render(games, players, speaker()))
