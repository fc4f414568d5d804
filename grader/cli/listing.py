"""`grader list`."""

import click

from grader.cli.language import lang_option, speaker


@click.command("list")
@lang_option
def list_() -> None:
    """Show the games and the reference players, with their options and where they come from."""
    from grader.games import GAMES
    from grader.intake.catalogue import reference_players
    from grader.reports import catalogue

    click.echo(catalogue.render(GAMES, reference_players(), speaker()))
