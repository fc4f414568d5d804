"""A person at the terminal, as one of the two seats of a match, and how a game with one goes on and back."""

import io
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

import click

from grader.cli.terminal import wrapped
from grader.records import Answer, Charge, Fault, SeatReport
from grader.reports.board import paint

if TYPE_CHECKING:
    from grader.cli.spectators import Table
    from grader.referee import Seat

NAME = "person"
"""In the record of the match."""


class TakenBack(Exception):
    """The person wants to be where they were before their last move."""


class Left(Exception):
    """The person does not want to play on."""


@dataclass(slots=True)
class Recalled:
    """A seat that repeats what it answered before the game was taken back, and then goes on."""

    seat: "Seat"
    known: tuple[Answer, ...] = ()
    given: list[Answer] = field(default_factory=list)
    """All its answers in this game."""
    asked: Callable[[], None] = lambda: None
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
            self.asked()
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

    def __init__(self, table: "Table", side: int, hint: Callable[[Any], str], *, colour: bool) -> None:
        self._table, self._side, self._hint, self._colour = table, side, hint, colour
        self.before: Any = None
        """The position before the one that is asked about, to mark what has changed since."""
        self.can_take_back = False

    def load(self) -> None:
        """Always ready."""

    def choose(self, position: Any) -> Answer:
        """The move that the person writes. Raises `TakenBack` or `Left` if they want something else."""
        began = time.monotonic()
        self.draw(position)
        while (move := self._asked(position)) is None:
            pass
        thought = time.monotonic() - began
        charge = Charge(wall=thought, cpu=0.0, waited=0.0, charged=0.0)
        return Answer(charge=charge, value=self._table.game.move_json(move))

    def draw(self, position: Any) -> None:
        """Show the board, with the last move marked."""
        click.echo(f"\n{paint(self._table.game, position, self.before, colour=self._colour)}\n")

    def regrets(self) -> bool:
        """Whether they want their last move back, now that the game is over."""
        while (text := self._written(self._table.speak.say("Enter to end, or undo: "))) is not None:
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

    def _asked(self, position: Any) -> Any:
        """A legal move, or None after doing something else that was asked for."""
        text = self._written(self._table.speak.say("Your move, as {side}: ", side=self._side + 1))
        if text is None:
            raise Left
        command = _COMMANDS.get(text.lower())
        if command is not None:
            command(self, position)
            return None
        return self._understood(position, text) if text else None

    @staticmethod
    def _written(prompt: str) -> str | None:
        """A line of theirs, or None if there will be none any more."""
        try:
            text = input(prompt).strip()
        except EOFError:
            click.echo()
            return None
        if not sys.stdin.isatty():
            click.echo(text)  # as a terminal would have shown it
        return text

    def _understood(self, position: Any, text: str) -> Any:
        game, speak = self._table.game, self._table.speak
        try:
            move = written_move(game, text)
        except ValueError as problem:
            click.echo(wrapped(speak.say("{problem}, or help.", problem=problem.args[0])))
            return None
        if move not in game.legal_moves(position):
            click.echo(wrapped(speak(game.refusal(move))))
            return None
        return move

    def _help(self, _: Any) -> None:
        game, speak = self._table.game, self._table.speak
        lines = [
            speak(game.legend()),
            speak(game.move_help()),
            speak.say("moves   list what can be played"),
            speak.say("board   draw the board again"),
            speak.say("hint    ask a reference player"),
            speak.say("undo    take back your last move and the reply to it"),
            speak.say("quit    stop playing"),
        ]
        click.echo(wrapped("\n".join(lines)))

    def _moves(self, position: Any) -> None:
        game = self._table.game
        click.echo(wrapped(" ".join(game.move_text(move) for move in game.legal_moves(position))))

    def _ask_for_hint(self, position: Any) -> None:
        click.echo(self._hint(position))

    def _take_back(self, _: Any) -> None:
        if self.can_take_back:
            raise TakenBack
        click.echo(self._table.speak.say("There is no move of yours to take back."))

    def _leave(self, _: Any) -> NoReturn:
        raise Left


def listen() -> None:
    """Prepare for what a person types, before the first of it is read."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a letter that is none is no move, and no reason to stop
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  `input` edits its line by it, where there is one


def written_move(game: Any, text: str) -> Any:
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
