"""`grader play PLAYER`: play against a player yourself."""

from pathlib import Path

import click

from grader.cli.announcement import show_assignment
from grader.cli.completion import complete_player
from grader.cli.help import argument, command, option
from grader.cli.human_match import NAME, HumanMatch, QuitRequest, prepare_input
from grader.cli.language import lang_option, speaker
from grader.cli.options import OUTPUT, WHAT_TO_PLAY, parse_game_options, playing_options
from grader.cli.output import echo
from grader.cli.output_files import FileToWrite, save_match
from grader.cli.spectators import MatchInfo
from grader.cli.terminal import echo_wrapped, in_colour
from grader.competition.match_terms import match_terms
from grader.engine.match import detect_game, prepare_match
from grader.errors import OptionError
from grader.inspection.players import ResolvedPlayer
from grader.language import say
from grader.reports.board import heading
from grader.sandbox.process import Seating
from grader.sandbox.scratch import sweep


@command(
    examples=[
        ("Play on a small board", "grader play mcts --option size=5"),
        ("Let your own player move first, and save the game", "grader play solution.py --as 2 --save game.json"),
    ]
)
@argument("player", "Your opponent: a file, a folder or a reference player.", shell_complete=complete_player)
@option(
    "--as",
    "number",
    group=WHAT_TO_PLAY,
    type=click.Choice(["1", "2"]),
    default="1",
    show_default=True,
    help="Your player number: player 1 moves first.",
)
@playing_options
@option(
    "--save",
    "output",
    group=OUTPUT,
    type=FileToWrite(),
    metavar="FILE",
    help="Save the game to this file, for `grader replay`.",
)
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
    """Play against PLAYER yourself. Your own moves are not timed."""
    sweep()
    prepare_input()
    side = int(number) - 1
    terms = match_terms((player,), assignment_file, game_name, parse_game_options(options), move_time)
    speak = speaker(*terms.assignments)
    show_assignment(terms.in_force, terms.source, speak)
    (opponent,) = terms.players
    if opponent.entry is None:
        problem = opponent.findings[0]
        raise OptionError(say("{player}: {text} {help}", player=player, text=problem.text, help=problem.help))
    person = ResolvedPlayer(name=NAME, entry=None)
    players = (person, opponent) if side == 0 else (opponent, person)
    game, seatings = prepare_match(players, terms.game or detect_game([opponent]), terms.options, seed)
    you = speak.say("you")
    info = MatchInfo(game=game, names=(you, opponent.name) if side == 0 else (opponent.name, you), speak=speak)
    seating = terms.widen(seatings[1 - side], isolation)
    assert isinstance(seating, Seating), "a player with an entry has a seat"
    match = HumanMatch(info=info, side=side, opponent=seating, limits=terms.limits(isolation), seed=seed)
    echo(heading(game, info.names, speak, colour=in_colour()), coloured=True)
    echo_wrapped(f"{speak(game.legend())} {speak.say('Type a move, or help for a list of commands.')}")
    try:
        record = match.play()
    except QuitRequest:
        saved = " " + speak.say("The game was not saved.") if output else ""
        echo(speak.say("You left the game.") + saved)
        return
    if output:
        save_match(output, record, "--save")
        echo(speak.say("Saved as {file}.", file=output))
