"""A game of a person at the terminal against a player, in which moves can be taken back."""

import io
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from grader.cli.output import echo, read_line
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
"""The person's name in the record of the game."""


class UndoRequest(Exception):
    """The person wants to take back their last move."""


class QuitRequest(Exception):
    """The person wants to stop playing."""


@dataclass(slots=True)
class ReplayingSeat:
    """A seat that first repeats its answers from before a move was taken back, and then continues."""

    seat: Seat
    known: tuple[Answer, ...] = ()
    answers: list[Answer] = field(default_factory=list)
    """All answers in this game so far."""
    on_new: Callable[[], None] = lambda: None
    """Called before it is asked for an answer that is not known."""

    def load(self) -> Fault | None:
        """Get ready to play."""
        return self.seat.load()

    def choose(self, position: Any) -> Answer:
        """The known answer, or a new one."""
        at = len(self.answers)
        if at < len(self.known):
            answer = self.known[at]
        else:
            self.on_new()
            answer = self.seat.choose(position)
        self.answers.append(answer)
        return answer

    def learn(self, result: int) -> Fault | None:
        """Pass on the result."""
        return self.seat.learn(result)

    def report(self) -> SeatReport:
        """End the seat and return its report."""
        return self.seat.report()


class Person:
    """The seat of the person, who types moves without a time limit."""

    def __init__(self, info: MatchInfo, side: int, hint: Callable[[Any], str]) -> None:
        self._info, self._side, self._hint = info, side, hint
        self.before: Any = None
        """The previous position, to mark what has changed since."""
        self.can_undo = False

    def load(self) -> None:
        """Do nothing: a person is always ready."""

    def choose(self, position: Any) -> Answer:
        """The move that the person types. Raises `UndoRequest` or `QuitRequest` if they ask for that instead."""
        began = time.monotonic()
        self.draw(position)
        while (move := self._ask_for_move(position)) is None:
            pass
        charge = Charge(wall=time.monotonic() - began, cpu=0.0, waited=0.0, charged=0.0)
        return Answer(charge=charge, value=self._info.game.move_json(move))

    def draw(self, position: Any) -> None:
        """Print the board, with the last move marked."""
        echo(f"\n{paint(self._info.game, position, self.before, colour=in_colour())}\n", coloured=True)

    def wants_undo(self) -> bool:
        """Ask, after the end of the game, whether the person wants to take back their last move."""
        while (text := self._read_line(self._info.speak.say("Press Enter to finish, or type undo: "))) is not None:
            command = _COMMANDS.get(text.lower())
            if command is Person._undo:
                return True
            if not text or command is Person._leave:
                return False
        return False

    def learn(self, result: int) -> None:
        """Do nothing: the person has seen the result."""

    def report(self) -> SeatReport:
        """A report without any details."""
        return SeatReport(name=NAME, isolation="none")

    def _ask_for_move(self, position: Any) -> Any:
        """A legal move, or None after the person typed something else."""
        text = self._read_line(self._info.speak.say("Your move (player {side}): ", side=self._side + 1))
        if text is None:
            raise QuitRequest
        command = _COMMANDS.get(text.lower())
        if command is not None:
            command(self, position)
            return None
        return self._parse_move(position, text) if text else None

    @staticmethod
    def _read_line(prompt: str) -> str | None:
        """The line that was typed, or None at the end of the input."""
        try:
            text = read_line(prompt).strip()
        except EOFError:
            echo()
            return None
        if not sys.stdin.isatty():
            echo(text)  # a terminal would have shown it
        return text

    def _parse_move(self, position: Any, text: str) -> Any:
        game, speak = self._info.game, self._info.speak
        try:
            move = parse_typed_move(game, text)
        except ValueError as problem:
            echo_wrapped(speak.say("{problem}, or type help.", problem=problem.args[0]))
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
            speak.say("moves   list the legal moves"),
            speak.say("board   print the board again"),
            speak.say("hint    ask a reference player"),
            speak.say("undo    take back your last move and the reply"),
            speak.say("quit    stop playing"),
        ]
        echo_wrapped("\n".join(lines))

    def _moves(self, position: Any) -> None:
        game = self._info.game
        echo_wrapped(" ".join(game.move_text(move) for move in game.legal_moves(position)))

    def _ask_for_hint(self, position: Any) -> None:
        echo(self._hint(position))

    def _undo(self, _: Any) -> None:
        if self.can_undo:
            raise UndoRequest
        echo(self._info.speak.say("You have no move to take back."))

    def _leave(self, _: Any) -> NoReturn:
        raise QuitRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanMatch:
    """A game of a person against a player, in which moves can be taken back."""

    info: MatchInfo
    side: int
    """The person's seat: 0 moves first."""
    opponent: Seating
    limits: Limits
    seed: int

    def play(self) -> MatchRecord:
        """Play until the game has ended and the person takes nothing back. Raises `QuitRequest` if they leave before."""
        answers: tuple[tuple[Answer, ...], tuple[Answer, ...]] = ((), ())
        while True:
            with PlayerProcess(self.opponent, self.info.game, self.limits) as opponent:
                person = Person(self.info, self.side, self._hint)
                own = ReplayingSeat(person, answers[0])
                others = ReplayingSeat(opponent, answers[1], on_new=self._announce)
                before_own: list[int] = []
                try:
                    record = self._match(person, own, others, before_own)
                    echo(_ending(record, self.info, self.side))
                    if not own.answers or not person.wants_undo():
                        return record
                except UndoRequest:
                    pass
                remaining = len(own.answers) - 1
                answers = (tuple(own.answers[:remaining]), tuple(others.answers[: before_own[remaining]]))
            name = self.info.names[1 - self.side]
            echo(
                self.info.speak.say(
                    "Move undone. {name} continues in a new process, without memory of earlier moves.", name=name
                )
            )

    def _announce(self) -> None:
        if sys.stdout.isatty():
            echo(self.info.speak.say("{name} is thinking…", name=self.info.names[1 - self.side]))

    def _match(self, person: Person, own: ReplayingSeat, others: ReplayingSeat, before_own: list[int]) -> MatchRecord:
        seats = (own, others) if self.side == 0 else (others, own)
        record = play_match(self.info.game, seats, seed=self.seed, watch=self._watch(person, own, others, before_own))
        return replace(record, machine=machine_summary(), speed=self.limits.speed, time_scale=self.limits.time_scale)

    def _watch(self, person: Person, own: ReplayingSeat, others: ReplayingSeat, before_own: list[int]) -> MoveListener:
        """A listener that prints the player's moves, except those that are repeated after an undo.

        It appends to `before_own` the number of the player's answers before each move of the person.
        """
        game, speak = self.info.game, self.info.speak
        last = game.start()

        def watch(position: Any, move: str) -> None:
            nonlocal last
            mover = game.turn(last)
            person.before, last = last, position
            person.can_undo = bool(own.answers)
            if mover == self.side:
                before_own.append(len(others.answers))
            elif len(others.answers) > len(others.known):
                seconds = others.answers[-1].charge.charged
                name = self.info.names[1 - self.side]
                echo(speak.say("{name} plays {move} ({seconds:.2f} s).", name=name, move=move, seconds=seconds))
            if game.outcome(position) is not None:
                person.draw(position)

        return watch

    def _hint(self, position: Any) -> str:
        """A sentence with the move that a reference player would play."""
        game, speak = self.info.game, self.info.speak
        adviser = reference_player(game.hint_player, game)
        assert adviser.entry is not None
        entry = adviser.entry.as_order()
        seating = Seating(name=adviser.name, entry=entry, player_id=self.side + 1, seed=self.seed, installed=True)
        with PlayerProcess(seating, game, replace(self.limits, time=TimeLimits())) as process:
            fault = process.load()
            answer = None if fault else process.choose(position)
        if answer is None or answer.fault or (move := game.read_move(answer.value)) is None:
            return speak.say("{name} has no hint.", name=adviser.name)
        return speak.say("{name} would play {move}.", name=adviser.name, move=game.move_text(move))


def _ending(record: MatchRecord, info: MatchInfo, side: int) -> str:
    """The result and its reason, addressed to the person."""
    speak = info.speak
    won = None if record.winner is None else record.winner == side
    headline = {True: speak.say("You win."), False: speak.say("You lose."), None: speak.say("Draw.")}[won]
    reason = speak(explain_ending(record.ending, info.game, won=won))
    output = output_lines(record.seats[1 - side], speak)
    return "\n".join([f"{headline} {reason}", *fault_lines(record, speak), *output])


def prepare_input() -> None:
    """Prepare standard input for a person who types."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a letter that cannot be decoded is an invalid move, not an error
    if sys.stdin.isatty():
        with suppress(ImportError):  # not every system has it
            import readline  # noqa: F401  `input` uses it for editing


def parse_typed_move(game: Any, text: str) -> Any:
    """The move that a text means: in the game's notation or, if moves are pairs, row and column as players return them."""
    pair = re.fullmatch(r"\(?\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)?", text, re.ASCII)
    move = game.read_move((int(pair[1]), int(pair[2]))) if pair else None
    return game.parse_move(text) if move is None else move


_COMMANDS: dict[str, Callable[[Person, Any], None]] = {
    **dict.fromkeys(["help", "h", "?", "ayuda"], Person._help),
    **dict.fromkeys(["moves", "jugadas"], Person._moves),
    **dict.fromkeys(["board", "tablero"], Person.draw),
    **dict.fromkeys(["hint", "pista"], Person._ask_for_hint),
    **dict.fromkeys(["undo", "u", "deshacer"], Person._undo),
    **dict.fromkeys(["quit", "q", "exit", "salir"], Person._leave),
}
"""What can be typed instead of a move: the words of all languages, whichever is in effect."""
