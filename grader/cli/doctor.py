"""`grader doctor`."""

import click

from grader.cli.language import lang_option, speaker


@click.command()
@lang_option
def doctor() -> None:
    """Say how well players can be walled in on this machine, and how to do better."""
    from grader.reports import doctor as report
    from grader.sandbox.machine import level_offers

    click.echo(report.render(level_offers(), speaker()))
