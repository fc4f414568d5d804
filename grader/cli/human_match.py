"""A match of a person at the terminal against a player: the person's seat, and how the game goes on and back."""

import io
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import click

from grader.cli.spectators import MatchInfo
from grader.cli.terminal import echo_wrapped, in_colour
from grader.games.endings import explain_ending
from grader.inspection.players import reference_player
from grader.records import Answer, Charge, Fault, MatchRecord, SeatReport
from grader.referee import MoveListener, Seat, play_match
from grader.reports.board import paint
from grader.reports.match import fault_lines, output_lines
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.machine import machine_summary
from grader.sandbox.process import PlayerProcess, Seating

NAME = "person"
"""In the record of the match."""


class UndoRequest(Exception):
    """The person wants to be where they were before their last move."""


class QuitRequest(Exception):
    """The person does not want to play on."""


@dataclass(slots=True)
class ReplayingSeat:
    """A seat that repeats what it answered before the game was taken back, and then goes on."""

    seat: Seat
    known: tuple[Answer, ...] = ()
    given: list[Answer] = field(default_factory=list)
    """All its answers in this game."""
    on_new: Callable[[], None] = lambda: None
    """Called when it is asked for an answer that is not known."""

    def load(self) -> Fault | None:
        """Get ready to play."""
        return self.seat.load()

    def choose(self, position: Any) -> Answer:
        """The answer of then, or a new one."""
        at = len(self.given)
        if at < len(self.known):
            answer = self.known[at]
        else:
            self.on_new()
            answer = self.seat.choose(position)
        self.given.append(answer)
        return answer

    def learn(self, result: int) -> Fault | None:
        """Hear how it ended."""
        return self.seat.learn(result)

    def report(self) -> SeatReport:
        """Say what there is to say, and leave."""
        return self.seat.report()


class Person:
    """Asks for moves at the terminal. No clock runs."""

    def __init__(self, info: MatchInfo, side: int, hint: Callable[[Any], str]) -> None:
        self._info, self._side, self._hint = info, side, hint
        self.before: Any = None
        """The position before the one that is asked about, to mark what has changed since."""
        self.can_take_back = False

    def load(self) -> None:
        """Always ready."""

    def choose(self, position: Any) -> Answer:
        """The move that the person writes. Raises `UndoRequest` or `QuitRequest` if they want something else."""
        began = time.monotonic()
        self.draw(position)
        while (move := self._ask_for_move(position)) is None:
            pass
        thought = time.monotonic() - began
        charge = Charge(wall=thought, cpu=0.0, waited=0.0, charged=0.0)
        return Answer(charge=charge, value=self._info.game.move_json(move))

    def draw(self, position: Any) -> None:
        """Show the board, with the last move marked."""
        click.echo(f"\n{paint(self._info.game, position, self.before, colour=in_colour())}\n")

    def wants_undo(self) -> bool:
        """Whether they want their last move back, now that the game is over."""
        while (text := self._read_line(self._info.speak.say("Enter to end, or undo: "))) is not None:
            command = _COMMANDS.get(text.lower())
            if command is Person._take_back:
                return True
            if not text or command is Person._leave:
                return False
        return False

    def learn(self, result: int) -> None:
        """They will have seen it."""

    def report(self) -> SeatReport:
        """Nothing is known of them."""
        return SeatReport(name=NAME, isolation="none")

    def _ask_for_move(self, position: Any) -> Any:
        """A legal move, or None after doing something else that was asked for."""
        text = self._read_line(self._info.speak.say("Your move, as {side}: ", side=self._side + 1))
        if text is None:
            raise QuitRequest
        command = _COMMANDS.get(text.lower())
        if command is not None:
            command(self, position)
            return None
        return self._parse_move(position, text) if text else None

    @staticmethod
    def _read_line(prompt: str) -> str | None:
        """A line of theirs, or None if there will be none any more."""
        try:
            text = input(prompt).strip()
        except EOFError:
            click.echo()
            return None
        if not sys.stdin.isatty():
            click.echo(text)  # as a terminal would have shown it
        return text

    def _parse_move(self, position: Any, text: str) -> Any:
        game, speak = self._info.game, self._info.speak
        try:
            move = parse_typed_move(game, text)
        except ValueError as problem:
            echo_wrapped(speak.say("{problem}, or help.", problem=problem.args[0]))
            return None
        if move not in game.legal_moves(position):
            echo_wrapped(speak(game.refusal(move)))
            return None
        return move

    def _help(self, _: Any) -> None:
        game, speak = self._info.game, self._info.speak
        lines = [
            speak(game.legend()),
            speak(game.move_help()),
            speak.say("moves   list what can be played"),
            speak.say("board   draw the board again"),
            speak.say("hint    ask a reference player"),
            speak.say("undo    take back your last move and the reply to it"),
            speak.say("quit    stop playing"),
        ]
        echo_wrapped("\n".join(lines))

    def _moves(self, position: Any) -> None:
        game = self._info.game
        echo_wrapped(" ".join(game.move_text(move) for move in game.legal_moves(position)))

    def _ask_for_hint(self, position: Any) -> None:
        click.echo(self._hint(position))

    def _take_back(self, _: Any) -> None:
        if self.can_take_back:
            raise UndoRequest
        click.echo(self._info.speak.say("There is no move of yours to take back."))

    def _leave(self, _: Any) -> NoReturn:
        raise QuitRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanMatch:
    """A match of a person against a player, in which moves can be taken back."""

    info: MatchInfo
    side: int
    """Of the person."""
    opponent: Seating
    limits: Limits
    seed: int

    def play(self) -> MatchRecord:
        """Play it to an end that the person leaves as it is. Raises `QuitRequest` if they leave before."""
        answers: tuple[tuple[Answer, ...], tuple[Answer, ...]] = ((), ())
        while True:
            with PlayerProcess(self.opponent, self.info.game, self.limits) as opponent:
                person = Person(self.info, self.side, self._hint)
                own = ReplayingSeat(person, answers[0])
                others = ReplayingSeat(opponent, answers[1], on_new=self._announce)
                before_own: list[int] = []
                try:
                    record = self._match(person, own, others, before_own)
                    click.echo(_ending(record, self.info, self.side))
                    if not own.given or not person.wants_undo():
                        return record
                except UndoRequest:
                    pass
                kept = len(own.given) - 1
                answers = (tuple(own.given[:kept]), tuple(others.given[: before_own[kept]]))
            name = self.info.names[1 - self.side]
            click.echo(
                self.info.speak.say(
                    "Taken back. {name} goes on in a new process, which knows nothing of the moves before.", name=name
                )
            )

    def _announce(self) -> None:
        if sys.stdout.isatty():
            click.echo(self.info.speak.say("{name} thinks…", name=self.info.names[1 - self.side]))

    def _match(self, person: Person, own: ReplayingSeat, others: ReplayingSeat, before_own: list[int]) -> MatchRecord:
        seats = (own, others) if self.side == 0 else (others, own)
        record = play_match(self.info.game, seats, seed=self.seed, watch=self._watch(person, own, others, before_own))
        return replace(record, machine=machine_summary())

    def _watch(self, person: Person, own: ReplayingSeat, others: ReplayingSeat, before_own: list[int]) -> MoveListener:
        """Tell the person what the player does, unless they have seen it before.

        `before_own` gets the number of the player's answers before each move of the person.
        """
        game, speak = self.info.game, self.info.speak
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
                name = self.info.names[1 - self.side]
                click.echo(speak.say("{name} plays {move} ({seconds:.2f} s).", name=name, move=move, seconds=seconds))
            if game.outcome(position) is not None:
                person.draw(position)

        return watch

    def _hint(self, position: Any) -> str:
        """What a reference player would play here."""
        game, speak = self.info.game, self.info.speak
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


def _ending(record: MatchRecord, info: MatchInfo, side: int) -> str:
    """How it ended, said to the person."""
    speak = info.speak
    won = None if record.winner is None else record.winner == side
    headline = {True: speak.say("You win."), False: speak.say("You lose."), None: speak.say("A draw.")}[won]
    how = speak(explain_ending(record.ending, info.game, won=won))
    printed = output_lines(record.seats[1 - side], speak)
    return "\n".join([f"{headline} {how}", *fault_lines(record, speak), *printed])


def prepare_input() -> None:
    """Prepare for what a person types, before the first of it is read."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a letter that is none is no move, and no reason to stop
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  `input` edits its line by it, where there is one


def parse_typed_move(game: Any, text: str) -> Any:
    """The move that a text means: as the game writes it, or, where a move is a pair, row and column as players return it."""
    pair = re.fullmatch(r"\(?\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)?", text, re.ASCII)
    move = game.read_move((int(pair[1]), int(pair[2]))) if pair else None
    return game.parse_move(text) if move is None else move


_COMMANDS: dict[str, Callable[[Person, Any], None]] = {
    **dict.fromkeys(["help", "h", "?", "ayuda"], Person._help),
    **dict.fromkeys(["moves", "jugadas"], Person._moves),
    **dict.fromkeys(["board", "tablero"], Person.draw),
    **dict.fromkeys(["hint", "pista"], Person._ask_for_hint),
    **dict.fromkeys(["undo", "u", "deshacer"], Person._take_back),
    **dict.fromkeys(["quit", "q", "exit", "salir"], Person._leave),
}
"""What can be written in place of a move, in every language, whichever is spoken."""
