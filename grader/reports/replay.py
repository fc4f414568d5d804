"""A match played through again from its record, position by position, for somebody at a terminal.

A record can be anybody's file: its moves are tried by the rules, and its texts are cleaned before they are shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import fill
from typing import Any

from tabulate import tabulate

from grader.errors import IllegalMove, RecordError
from grader.games import Game, make_game
from grader.games.known import recorded_game
from grader.games.notation import NotatedMatch
from grader.intake.names import shown
from grader.language import Language, Message, say, verbatim
from grader.records import Fault, Finding, MatchRecord, SeatReport
from grader.reports import match
from grader.reports.board import heading, paint
from grader.reports.endings import counted_moves, named, result
from grader.reports.show import result as outcome
from grader.sandbox.protocol import clean

MOST_PLIES = 10_000
"""More than any game has. Longer records are refused, lest they take all memory."""

_WIDTH = 78


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A game of somebody's that can be replayed."""

    opponent: str
    number: int
    """Of the game against that opponent, from 1."""
    seat: int
    game: Game
    record: MatchRecord
    played: bool = True
    """False: it counts, and would only have repeated another; this is that one."""


def of_these(record: MatchRecord, first: str, second: str) -> MatchRecord:
    """A match that others played, as a match of these two."""
    one, other = record.seats
    return replace(record, seats=(replace(one, name=first), replace(other, name=second)))


def replayed(record: MatchRecord) -> Replay:
    """Play a match through by its rules. Raises `RecordError` or `OptionError` if it cannot even begin."""
    if len(record.turns) > MOST_PLIES:
        raise RecordError(
            say("a match of {plies} moves is too long: {most} can be shown.", plies=len(record.turns), most=MOST_PLIES)
        )
    record = _cleaned(record)
    game = game_played(record)
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


def game_played(record: MatchRecord) -> Game:
    """The game of a record. Raises `OptionError` if it is not known here."""
    return make_game(recorded_game(record.game, record.rules), record.options)


def as_written(replay: Replay) -> NotatedMatch:
    """The match for another program's notation."""
    fault = replay.record.fault
    remarks = [result(replay.record, replay.game), *([fault.text] if fault else [])]
    remarks += [replay.problem] if replay.problem else []
    return NotatedMatch(
        game=replay.game,
        record=replay.record,
        moves=replay.moves,
        remarks=[verbatim(str(one)) if not isinstance(one, Message) else one for one in remarks],
    )


def frame(replay: Replay, ply: int, speak: Language, *, colour: bool) -> str:
    """The match after so many moves: who plays, what was moved, the board, and at the end the result."""
    lines = [
        _heading(replay, colour=colour),
        _board(replay, ply, speak, colour=colour),
        "",
        speak(replay.game.legend()),
    ]
    return "\n".join([*lines, *(_end(replay, speak) if ply == len(replay.moves) else [])])


def listing(replay: Replay, speak: Language, *, every: bool) -> str:
    """The whole match as text: its moves, the last board or all of them, and how it ended."""
    numbered = " ".join(f"{ply}.\xa0{move}" for ply, move in enumerate(replay.moves, start=1))
    last = len(replay.moves)
    blocks = [
        f"{_heading(replay, colour=False)}\n{speak(replay.game.legend())}",
        fill(numbered, _WIDTH, break_on_hyphens=False).replace("\xa0", " "),
        *(_board(replay, ply, speak, colour=False) for ply in (range(last + 1) if every else [last])),
        match.render(replay.record, replay.game, speak),
    ]
    return "\n\n".join(block for block in blocks if block)


def games(offered: Sequence[Offer], speak: Language) -> str:
    """A table of games to choose from."""
    rows = [
        [
            offer.opponent,
            offer.number,
            offer.seat + 1,
            outcome(offer.record, offer.seat, speak),
            speak(named(offer.record.ending, offer.game)),
            len(offer.record.turns),
            "" if offer.played else speak.say("not played: as another"),
        ]
        for offer in offered
    ]
    heads = [
        *(speak.say("opponent"), speak.say("game"), speak.say("plays as")),
        *(speak.say("result"), speak.say("ending"), speak.say("moves"), ""),
    ]
    if all(offer.played for offer in offered):
        rows, heads = [row[:-1] for row in rows], heads[:-1]
    return tabulate(rows, heads, disable_numparse=True)


def _heading(replay: Replay, *, colour: bool) -> str:
    first, second = replay.record.seats
    return heading(replay.game, (first.name, second.name), colour=colour)


def _board(replay: Replay, ply: int, speak: Language, *, colour: bool) -> str:
    before = replay.positions[ply - 1] if ply else None
    return f"{_move(replay, ply, speak)}\n\n{paint(replay.game, replay.positions[ply], before, colour=colour)}"


def _move(replay: Replay, ply: int, speak: Language) -> str:
    if ply == 0:
        return speak.say("The start. The match has {moves}.", moves=counted_moves(len(replay.moves)))
    turn = replay.record.turns[ply - 1]
    side = replay.record.mover(ply - 1)
    late = speak.say(", too late: made at random") if turn.late else ""
    return speak.say(
        "Move {ply} of {plies}: {side} plays {move} ({seconds:.2f} s{late})",
        ply=ply,
        plies=len(replay.moves),
        side=side + 1,
        move=replay.moves[ply - 1],
        seconds=turn.charge.charged,
        late=late,
    )


def _end(replay: Replay, speak: Language) -> list[str]:
    if replay.problem is not None:
        return [speak(replay.problem)]
    fault = replay.record.fault
    return [speak(result(replay.record, replay.game)), *([speak(fault.text)] if fault else [])]


def _cleaned(record: MatchRecord) -> MatchRecord:
    """The same without anything that could steer a terminal."""
    first, second = (_cleaned_seat(seat) for seat in record.seats)
    fault = record.fault and _cleaned_fault(record.fault)
    return replace(record, seats=(first, second), fault=fault)


def _cleaned_seat(seat: SeatReport) -> SeatReport:
    return replace(
        seat,
        name=shown(seat.name) or "unnamed",
        isolation=clean(seat.isolation),
        output=clean(seat.output),
        findings=tuple(_cleaned_finding(finding) for finding in seat.findings),
    )


def _cleaned_finding(finding: Finding) -> Finding:
    return replace(finding, text=_said(finding.text), help=_said(finding.help), file=clean(finding.file) or None)


def _cleaned_fault(fault: Fault) -> Fault:
    return replace(
        fault,
        text=_said(fault.text),
        help=_said(fault.help),
        where=clean(fault.where) or None,
        trace=clean(fault.trace),
    )


def _said(text: str) -> str:
    """A text, or a message with all that fills it, cleaned."""
    if not isinstance(text, Message):
        return clean(text)
    if clean(text.template) != text.template:
        return clean(str(text))
    values = {name: _said(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return Message(text.template, values)
