"""The commands. The only place that prints and exits."""

import click

from grader import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
def main() -> None:
    """Grade game-playing agents: students' players against a course's reference players."""


@main.command("list")
def list_() -> None:
    """Show the games that can be graded, and their options."""
    from dataclasses import fields

    from grader.games import GAMES

    click.echo("Games")
    for name, game in GAMES.items():
        options = ", ".join(f"{field.name}={field.default}" for field in fields(game))
        click.echo(f"  {name:<12} {game.title} ({options})")
