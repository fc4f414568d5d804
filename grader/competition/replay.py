"""A recorded game, played through again by its rules, position by position.

A record can be anybody's file: its moves are tried by the rules, and its texts are cleaned before they are shown.
"""

from dataclasses import dataclass, replace
from typing import Any

from grader.errors import IllegalMove, RecordError
from grader.games import Game, make_game
from grader.games.known_games import recorded_game
from grader.intake.names import printable
from grader.language import Message, say
from grader.records import Fault, Finding, MatchRecord, SeatReport
from grader.sandbox.protocol import clean

MOST_PLIES = 10_000
"""More than any game has. Longer records are refused, or they could take all memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A match with all its positions, as far as its moves can be played."""

    record: MatchRecord
    """Cleaned."""
    game: Game
    moves: tuple[str, ...]
    positions: tuple[Any, ...]
    """From the start on, so one more than moves."""
    problem: Message | None = None
    """Why it goes no further, if a move of the record cannot be played."""


def replay_record(record: MatchRecord) -> Replay:
    """Play a match through by its rules. Raises `RecordError` or `OptionError` if it cannot even begin."""
    if len(record.turns) > MOST_PLIES:
        raise RecordError(
            say("a match of {plies} moves is too long: {most} can be shown.", plies=len(record.turns), most=MOST_PLIES)
        )
    record = _clean_record(record)
    game = record_game(record)
    position = game.start()
    moves, positions, problem = [], [position], None
    for ply, turn in enumerate(record.turns, start=1):
        try:
            move = game.parse_move(turn.move)
            position = game.apply(position, move)
        except (IllegalMove, ValueError) as error:
            why = error.args[0] if error.args else ""
            problem = say("Move {ply} of this record cannot be played: {why}.", ply=ply, why=why)
            break
        moves.append(game.move_text(move))
        positions.append(game.read_position(game.position_json(position)))  # without its past, which grows
    return Replay(record=record, game=game, moves=tuple(moves), positions=tuple(positions), problem=problem)


def record_game(record: MatchRecord) -> Game:
    """The game of a record. Raises `OptionError` if it is not known here."""
    return make_game(recorded_game(record.game, record.rules), record.options)


def _clean_record(record: MatchRecord) -> MatchRecord:
    """The same without anything that could steer a terminal."""
    first, second = (_clean_seat(seat) for seat in record.seats)
    fault = record.fault and _clean_fault(record.fault)
    return replace(record, seats=(first, second), fault=fault)


def _clean_seat(seat: SeatReport) -> SeatReport:
    return replace(
        seat,
        name=printable(seat.name) or "unnamed",
        isolation=clean(seat.isolation),
        output=clean(seat.output),
        findings=tuple(_clean_finding(finding) for finding in seat.findings),
    )


def _clean_finding(finding: Finding) -> Finding:
    return replace(
        finding, text=_clean_text(finding.text), help=_clean_text(finding.help), file=clean(finding.file) or None
    )


def _clean_fault(fault: Fault) -> Fault:
    return replace(
        fault,
        text=_clean_text(fault.text),
        help=_clean_text(fault.help),
        where=clean(fault.where) or None,
        trace=clean(fault.trace),
    )


def _clean_text(text: str) -> str:
    """A text, or a message with all that fills it, cleaned."""
    if not isinstance(text, Message):
        return clean(text)
    if clean(text.template) != text.template:
        return clean(str(text))
    values = {name: _clean_text(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return Message(text.template, values)
