"""`grader play A`."""

import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.language import lang_option, speaker
from grader.cli.match_options import game_options, playing_options
from grader.cli.output_files import FileToWrite, save_match
from grader.errors import OptionError
from grader.language import say

if TYPE_CHECKING:
    from grader.cli.human_seat import Person, Recalled
    from grader.cli.spectators import Table
    from grader.engine.match import EmptySeat
    from grader.records import Answer, MatchRecord
    from grader.referee import MoveListener
    from grader.sandbox.limits import Limits
    from grader.sandbox.process import PlayerProcess, Seating


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
    from grader.cli.human_seat import NAME, Left, listen
    from grader.cli.spectators import Table
    from grader.cli.terminal import in_colour, wrapped
    from grader.competition.match_terms import match_terms
    from grader.engine.match import detect_game, prepare_match
    from grader.inspection.players import ResolvedPlayer
    from grader.reports.board import heading
    from grader.sandbox.scratch import sweep

    sweep()
    listen()
    side = int(number) - 1
    given = match_terms((player,), assignment_file, game_name, game_options(options), move_time)
    speak = speaker(*given.assignments)
    (opponent,) = given.players
    if opponent.entry is None:
        why = opponent.findings[0]
        raise OptionError(say("{player}: {text} {help}", player=player, text=why.text, help=why.help))
    person = ResolvedPlayer(name=NAME, entry=None)
    players = (person, opponent) if side == 0 else (opponent, person)
    game, seatings = prepare_match(players, given.game or detect_game([opponent]), given.options, seed)
    you = speak.say("you")
    table = Table(game=game, names=(you, opponent.name) if side == 0 else (opponent.name, you), speak=speak)
    limits = given.limits(isolation)
    match = HumanMatch(
        table=table, side=side, opponent=_seated(given.widen(seatings[1 - side], isolation)), limits=limits, seed=seed
    )
    click.echo(heading(game, table.names, colour=in_colour()))
    click.echo(wrapped(f"{speak(game.legend())} {speak.say('Write a move, or help.')}"))
    try:
        record = match.play()
    except Left:
        click.echo(speak.say("You have left the game.") + (" " + speak.say("Nothing is saved.") if output else ""))
        return
    if output:
        save_match(output, record, "--save")
        click.echo(speak.say("Saved as {file}.", file=output))


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanMatch:
    """A match of a person against a player, in which moves can be taken back."""

    table: "Table"
    side: int
    """Of the person."""
    opponent: "Seating"
    limits: "Limits"
    seed: int

    def play(self) -> "MatchRecord":
        """Play it to an end that the person leaves as it is. Raises `Left` if they leave before."""
        from grader.cli.human_seat import Recalled, TakenBack

        answers: tuple[tuple[Answer, ...], tuple[Answer, ...]] = ((), ())
        while True:
            with ExitStack() as stack:
                person = self._person()
                own = Recalled(person, answers[0])
                others = Recalled(self._sat_down(stack), answers[1], asked=self._announce)
                before_own: list[int] = []
                try:
                    record = self._match(person, own, others, before_own)
                    click.echo(_ending(record, self.table, self.side))
                    if not own.given or not person.regrets():
                        return record
                except TakenBack:
                    pass
                kept = len(own.given) - 1
                answers = (tuple(own.given[:kept]), tuple(others.given[: before_own[kept]]))
            name = self.table.names[1 - self.side]
            click.echo(
                self.table.speak.say(
                    "Taken back. {name} goes on in a new process, which knows nothing of the moves before.", name=name
                )
            )

    def _person(self) -> "Person":
        from grader.cli.human_seat import Person
        from grader.cli.terminal import in_colour

        return Person(self.table, self.side, self._hint, colour=in_colour())

    def _sat_down(self, stack: ExitStack) -> "PlayerProcess":
        from grader.sandbox.process import PlayerProcess

        return stack.enter_context(PlayerProcess(self.opponent, self.table.game, self.limits))

    def _announce(self) -> None:
        if sys.stdout.isatty():
            click.echo(self.table.speak.say("{name} thinks…", name=self.table.names[1 - self.side]))

    def _match(self, person: "Person", own: "Recalled", others: "Recalled", before_own: list[int]) -> "MatchRecord":
        from grader.referee import play_match
        from grader.sandbox.machine import machine_summary

        seats = (own, others) if self.side == 0 else (others, own)
        record = play_match(self.table.game, seats, seed=self.seed, watch=self._watch(person, own, others, before_own))
        return replace(record, machine=machine_summary())

    def _watch(self, person: "Person", own: "Recalled", others: "Recalled", before_own: list[int]) -> "MoveListener":
        """Tell the person what the player does, unless they have seen it before.

        `before_own` gets the number of the player's answers before each move of the person.
        """
        game, speak = self.table.game, self.table.speak
        last = game.start()

        def watch(position: Any, move: str) -> None:
            nonlocal last
            moved = game.turn(last)
            person.before, last = last, position
            person.can_take_back = bool(own.given)
            if moved == self.side:
                before_own.append(len(others.given))
            elif len(others.given) > len(others.known):
                seconds = others.given[-1].charge.charged
                name = self.table.names[1 - self.side]
                click.echo(speak.say("{name} plays {move} ({seconds:.2f} s).", name=name, move=move, seconds=seconds))
            if game.outcome(position) is not None:
                person.draw(position)

        return watch

    def _hint(self, position: Any) -> str:
        """What a reference player would play here."""
        from grader.inspection.players import reference_player
        from grader.sandbox.limits import TimeLimits
        from grader.sandbox.process import PlayerProcess, Seating

        game, speak = self.table.game, self.table.speak
        adviser = reference_player(game.hint_player, game)
        assert adviser.entry is not None
        entry = adviser.entry.as_order()
        seating = Seating(name=adviser.name, entry=entry, player_id=self.side + 1, seed=self.seed, installed=True)
        with PlayerProcess(seating, game, replace(self.limits, time=TimeLimits())) as process:
            fault = process.load()
            answer = None if fault else process.choose(position)
        if answer is None or answer.fault or (move := game.read_move(answer.value)) is None:
            return speak.say("{name} has no hint to give.", name=adviser.name)
        return speak.say("{name} would play {move}.", name=adviser.name, move=game.move_text(move))


def _seated(seating: "Seating | EmptySeat") -> "Seating":
    from grader.sandbox.process import Seating

    assert isinstance(seating, Seating), "who has an entry has a seat"
    return seating


def _ending(record: "MatchRecord", table: "Table", side: int) -> str:
    """How it ended, said to the person."""
    from grader.games.endings import explain_ending
    from grader.reports.match import fault_lines, output_lines

    speak = table.speak
    won = None if record.winner is None else record.winner == side
    headline = {True: speak.say("You win."), False: speak.say("You lose."), None: speak.say("A draw.")}[won]
    how = speak(explain_ending(record.ending, table.game, won=won))
    printed = output_lines(record.seats[1 - side], speak)
    return "\n".join([f"{headline} {how}", *fault_lines(record, speak), *printed])
