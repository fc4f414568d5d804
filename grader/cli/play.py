"""`grader play A`."""

from pathlib import Path

import click

from grader.cli.language import lang_option, speaker
from grader.cli.options import parse_game_options, playing_options
from grader.cli.output_files import FileToWrite, save_match
from grader.errors import OptionError
from grader.language import say


@click.command()
@click.argument("player")
@click.option("--as", "number", type=click.Choice(["1", "2"]), default="1", show_default=True, help="1 moves first.")
@playing_options
@click.option("--save", "output", type=FileToWrite(), metavar="FILE", help="Keep the record of the match.")
@lang_option
def play(
    player: str,
    number: str,
    assignment_file: Path | None,
    game_name: str | None,
    options: tuple[str, ...],
    move_time: float | None,
    seed: int,
    isolation: str | None,
    output: str | None,
) -> None:
    """Play against PLAYER yourself: a file, a folder or a reference player. Your moves are not timed."""
    from grader.cli.human_match import NAME, HumanMatch, QuitRequest, prepare_input
    from grader.cli.spectators import MatchInfo
    from grader.cli.terminal import echo_wrapped, in_colour
    from grader.competition.match_terms import match_terms
    from grader.engine.match import detect_game, prepare_match
    from grader.inspection.players import ResolvedPlayer
    from grader.reports.board import heading
    from grader.sandbox.process import Seating
    from grader.sandbox.scratch import sweep

    sweep()
    prepare_input()
    side = int(number) - 1
    given = match_terms((player,), assignment_file, game_name, parse_game_options(options), move_time)
    speak = speaker(*given.assignments)
    (opponent,) = given.players
    if opponent.entry is None:
        why = opponent.findings[0]
        raise OptionError(say("{player}: {text} {help}", player=player, text=why.text, help=why.help))
    person = ResolvedPlayer(name=NAME, entry=None)
    players = (person, opponent) if side == 0 else (opponent, person)
    game, seatings = prepare_match(players, given.game or detect_game([opponent]), given.options, seed)
    you = speak.say("you")
    info = MatchInfo(game=game, names=(you, opponent.name) if side == 0 else (opponent.name, you), speak=speak)
    seating = given.widen(seatings[1 - side], isolation)
    assert isinstance(seating, Seating), "a player with an entry has a seat"
    match = HumanMatch(info=info, side=side, opponent=seating, limits=given.limits(isolation), seed=seed)
    click.echo(heading(game, info.names, colour=in_colour()))
    echo_wrapped(f"{speak(game.legend())} {speak.say('Write a move, or help.')}")
    try:
        record = match.play()
    except QuitRequest:
        click.echo(speak.say("You have left the game.") + (" " + speak.say("Nothing is saved.") if output else ""))
        return
    if output:
        save_match(output, record, "--save")
        click.echo(speak.say("Saved as {file}.", file=output))
