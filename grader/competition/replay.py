"""Replay a recorded game, position by position.

A record can come from anyone, so its moves are checked against the rules, and its texts are cleaned before they are shown.
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
"""More moves than any game has. Longer records are refused, because they could use up the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A game with its positions, up to the first move that cannot be played."""

    record: MatchRecord
    """The record with cleaned texts."""
    game: Game
    moves: tuple[str, ...]
    positions: tuple[Any, ...]
    """From the start, so one more than moves."""
    problem: Message | None = None
    """Why the replay stops early, if so."""
    refused: Any = None
    """The move that was refused after the last position, if the game ended that way."""


def replay_record(record: MatchRecord) -> Replay:
    """Replay a record. Raises `RecordError` or `OptionError` if it cannot start."""
    if len(record.turns) > MOST_PLIES:
        raise RecordError(
            say("the game has {plies} moves; at most {most} can be shown.", plies=len(record.turns), most=MOST_PLIES)
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
        positions.append(game.read_position(game.position_json(position)))  # drops the history, which grows
    refused = None if problem else refused_move(game, record)
    return Replay(
        record=record, game=game, moves=tuple(moves), positions=tuple(positions), problem=problem, refused=refused
    )


def refused_move(game: Game, record: MatchRecord) -> Any:
    """The move with which a player lost the game because it was not legal; None if the game ended differently."""
    if record.fault is None or not record.fault.move:
        return None
    try:
        return game.parse_move(record.fault.move)
    except ValueError:  # the record has been modified
        return None


def record_game(record: MatchRecord) -> Game:
    """The game of a record. Raises `OptionError` if it is unknown."""
    return make_game(recorded_game(record.game, record.rules), record.options)


def _clean_record(record: MatchRecord) -> MatchRecord:
    """A copy without characters that control a terminal."""
    first, second = (_clean_seat(seat) for seat in record.seats)
    fault = record.fault and _clean_fault(record.fault)
    attempts = tuple(_clean_text(why) for why in record.attempts)
    return replace(record, seats=(first, second), fault=fault, attempts=attempts)


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
        move=clean(fault.move),
    )


def _clean_text(text: str) -> str:
    """A text, or a message with its values, cleaned."""
    if not isinstance(text, Message):
        return clean(text)
    if any(clean(template) != template for template in (text.template, text.plural or "")):
        return clean(str(text))
    values = {name: _clean_text(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return Message(text.template, values, text.plural)
