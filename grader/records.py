"""The records of moves, faults and matches that the referee writes and that scoring and reports read. They are immutable."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, Literal, overload

from grader import display
from grader.errors import RecordError
from grader.language import Message, from_json, say, to_json, valid_text


class Ending(str, Enum):
    """How a match ends if a player or the grader fails. Each game names its own natural endings."""

    LOAD_ERROR = "load_error"
    """Anything that went wrong before the player was ready to move."""
    ILLEGAL_MOVE = "illegal_move"
    """The player returned something that is not a legal move."""
    TIMEOUT = "timeout"
    CRASH = "crash"
    """The player raised an exception."""
    MEMORY = "memory"
    EXITED = "exited"
    """The player ended its own process."""
    BAD_REPLY = "bad_reply"
    """The player's process sent something other than a valid reply."""

    GRADER_FAULT = "grader_fault"
    """The grader failed: the match is played again and never scored."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended by its own rules."""

    ending: str
    """The game's own name for it, e.g. `connected`."""
    winner: int | None
    """The seat that won, 0 (moved first) or 1, or None for a draw."""


Overrun = Literal["forfeit", "disqualify", "random-move"]
"""What happens after a late move: the player loses the game; its submission is disqualified; or a random move is made instead.

After a random move the player continues; if it could not be stopped, in a new process.
"""

PLY_LIMIT = "ply_limit"
"""The ending of a game that is stopped because it has too many moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a student or an instructor should know about a submission."""

    code: str
    text: str
    """One sentence: what was found."""
    help: str
    """One sentence: what to do about it."""
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedCandidate:
    """A class or function of a submission that could be its player."""

    entry: str
    """As an assignment names it: `src/solution.py:SmartPlayer`."""
    why: str
    """Why it ranks where it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """How a player failed. It is a value, not an exception, because the grader itself did not fail."""

    ending: Ending
    text: str
    """One sentence: what happened."""
    help: str
    """One sentence: what to do about it."""
    where: str | None = None
    """The last line of the student's own code that was running, e.g. `solution.py:12`."""
    trace: str = ""
    """The traceback, reduced to the student's own frames."""
    move: str = ""
    """The refused move as the game writes it, if the answer was a move but not a legal one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """The time that a player used for one answer, in seconds."""

    wall: float
    cpu: float
    waited: float
    """How long it was ready to run but had no core."""
    charged: float
    """What counts against its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A seat's answer when it is asked for a move: a move or a fault, and the time it took."""

    charge: Charge
    value: Any = None
    """The move as JSON."""
    value_text: str = ""
    """What it returned, as text, if that was not a move."""
    late: bool = False
    """It exceeded its time limit, and a random move has to be made for it."""
    fault: Fault | None = None
    changed: bool = False
    """It modified the board it was given. Only detected if requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One move of a match."""

    move: str
    charge: Charge
    late: bool = False
    """The player exceeded its time limit, and a random move was made for it."""


class Turns(Sequence[Turn]):
    """The moves of a match, stored in a tenth of the memory that `Turn` objects take: a class has a million of them."""

    __slots__ = ("_late", "_moves", "_times")

    def __init__(self, turns: Iterable[Turn] = ()) -> None:
        from array import array  # here: every player's process imports this module, and none has a match

        items = list(turns)
        self._moves = tuple(sys.intern(turn.move) for turn in items)
        self._late = frozenset(at for at, turn in enumerate(items) if turn.late)
        self._times = array("d")
        for turn in items:
            charge = turn.charge
            self._times.extend((charge.wall, charge.cpu, charge.waited, charge.charged))

    def __len__(self) -> int:
        return len(self._moves)

    @overload
    def __getitem__(self, at: int) -> Turn: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Turn, ...]: ...
    def __getitem__(self, at: int | slice) -> Turn | tuple[Turn, ...]:
        indices = range(len(self))[at]
        return self._turn(indices) if isinstance(indices, int) else tuple(map(self._turn, indices))

    def __iter__(self) -> Iterator[Turn]:
        return map(self._turn, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Turns | tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # not hashable, like the options of its match

    def __repr__(self) -> str:
        return f"Turns({list(self)!r})"

    def total_charge(self) -> Charge:
        """The time of all moves together."""
        wall, cpu, waited, charged = (sum(self._times[part::4]) for part in range(4))
        return Charge(wall=wall, cpu=cpu, waited=waited, charged=charged)

    def _turn(self, at: int) -> Turn:
        wall, cpu, waited, charged = self._times[4 * at : 4 * at + 4]
        charge = Charge(wall=wall, cpu=cpu, waited=waited, charged=charged)
        return Turn(move=self._moves[at], charge=charge, late=at in self._late)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReport:
    """The report on one player in a match, apart from its moves."""

    name: str
    isolation: str
    """The actual isolation level of its process."""
    load: Charge | None = None
    """The time that loading took."""
    output: str = ""
    """What it printed, up to a limit."""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """Everything that is recorded about one match."""

    game: str
    options: dict[str, Any]
    seed: int
    seats: tuple[SeatReport, SeatReport]
    turns: Sequence[Turn]
    ending: str
    """An `Ending`, or the name that the game gives to one of its natural endings."""
    winner: int | None
    """Index into `seats`, or None for a draw."""
    fault: Fault | None = None
    """What went wrong, if the ending is a fault."""
    at_fault: int | None = None
    """Index into `seats` of the player that failed."""
    last_charge: Charge | None = None
    """The time of the answer that was the fault."""
    machine: str = ""
    """The grader, Python and system it was played with."""
    speed: float | None = None
    """The speed of the core it was played on, if it was known."""
    time_scale: float = 1.0
    """The factor by which the time limits of the assignment were multiplied there. All times are those of the clock."""
    rules: str = ""
    """The digest of the file that defines the game, if it is a course's own."""
    order: str = ""
    """The seat that moved at each ply, as digits; empty if the seats simply alternated."""
    attempts: tuple[str, ...] = ()
    """Why each earlier attempt at this game did not count."""
    busy_attempts: int = 0
    """How many of them did not count because the machine was too busy."""

    def mover(self, ply: int) -> int:
        """The seat that made a move; the first move is ply 0."""
        return int(self.order[ply]) if self.order else ply % 2

    def turns_of(self, seat: int) -> list[Turn]:
        """The moves of one seat."""
        if not self.order:
            return list(self.turns[seat::2])
        return [turn for ply, turn in enumerate(self.turns) if self.mover(ply) == seat]

    def charges_of(self, seat: int) -> list[Charge]:
        """The time of each answer of one seat, including the one that was its fault."""
        charges = [turn.charge for turn in self.turns_of(seat)]
        last = self.last_charge
        return [*charges, last] if last is not None and self.at_fault == seat else charges

    def total_charge(self) -> Charge:
        """The time of all moves of both seats together."""
        assert isinstance(self.turns, Turns)
        return self.turns.total_charge()

    def __post_init__(self) -> None:
        if not isinstance(self.turns, Turns):
            object.__setattr__(self, "turns", Turns(self.turns))

    def __str__(self) -> str:
        return display.as_text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return display.as_html(self)


def as_json(record: Any) -> Any:
    """Any of these records as data for `json`; equal records give equal data.

    The member `said` holds the templates and values of its messages, so that they can be translated later.
    """
    if is_dataclass(record):
        values = {part.name: getattr(record, part.name) for part in fields(record)}
        messages = {name: to_json(value) for name, value in values.items() if isinstance(value, Message)}
        return {**{name: as_json(value) for name, value in values.items()}, **({"said": messages} if messages else {})}
    if isinstance(record, Enum):
        return record.value
    if isinstance(record, str):
        return record if record.isascii() else valid_text(record)
    if isinstance(record, dict):
        return {str(key): as_json(value) for key, value in record.items()}
    if isinstance(record, list | tuple | Turns):
        return [to_json(value) if isinstance(value, Message) else as_json(value) for value in record]
    return round(record, 6) if isinstance(record, float) else record


def read_finding(data: dict[str, Any]) -> Finding:
    """The finding that `as_json` wrote."""
    return Finding(**_restore_messages(data))


def read_candidate(data: dict[str, Any]) -> RankedCandidate:
    """The candidate that `as_json` wrote."""
    return RankedCandidate(**_restore_messages(data))


def read_fault(data: dict[str, Any]) -> Fault:
    """The fault that `as_json` wrote."""
    return Fault(**{**_restore_messages(data), "ending": Ending(data["ending"])})


def _restore_messages(data: dict[str, Any]) -> dict[str, Any]:
    plain = {name: value for name, value in data.items() if name != "said"}
    return {**plain, **{name: from_json(value) for name, value in data.get("said", {}).items()}}


def read_record(data: Any) -> MatchRecord:
    """The match that `as_json` wrote. Raises `RecordError` for anything else: the data may come from anyone."""
    try:
        record = _build_record(data)
        valid = _is_valid(record)
    except KeyError as error:
        raise RecordError(say("not a valid game record: {name} is missing", name=str(error)[:200])) from error
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise RecordError(say("not a valid game record ({problem})", problem=repr(error)[:200])) from error
    if not valid:
        raise RecordError(say("not a valid game record: some of its values are invalid"))
    return record


def _build_record(data: dict[str, Any]) -> MatchRecord:
    first, second = (
        SeatReport(
            **{
                **seat,
                "load": seat["load"] and Charge(**seat["load"]),
                "findings": tuple(read_finding(finding) for finding in seat["findings"]),
            }
        )
        for seat in data["seats"]
    )
    turns = [Turn(**{**turn, "charge": Charge(**turn["charge"])}) for turn in data["turns"]]
    if not all(type(turn.move) is str and type(turn.late) is bool and _is_time(turn.charge) for turn in turns):
        raise ValueError("a move or its time is invalid")
    return MatchRecord(
        game=data["game"],
        options=dict(data["options"]),
        seed=data["seed"],
        seats=(first, second),
        turns=turns,
        ending=read_ending(data["ending"]),
        winner=data["winner"],
        fault=data["fault"] and read_fault(data["fault"]),
        at_fault=data["at_fault"],
        last_charge=data["last_charge"] and Charge(**data["last_charge"]),
        machine=data.get("machine", ""),
        speed=data.get("speed"),
        time_scale=data.get("time_scale", 1.0),
        rules=data.get("rules", ""),
        order=data.get("order", ""),
        attempts=tuple(from_json(why) if isinstance(why, list) else why for why in data.get("attempts", ())),
        busy_attempts=data.get("busy_attempts", 0),
    )


def read_ending(name: str) -> str:
    """An ending by its name: an `Ending`, or the name that a game gave to one of its own."""
    return Ending(name) if name in _FAULTS else name


_FAULTS = frozenset(ending.value for ending in Ending)


def _is_valid(record: MatchRecord) -> bool:
    """Whether all values have the right types. Checked by hand for speed: a class has thousands of records."""
    findings = [finding for seat in record.seats for finding in seat.findings]
    texts = [record.game, record.machine, record.ending, record.rules, *record.attempts]
    texts += [text for seat in record.seats for text in (seat.name, seat.isolation, seat.output)]
    texts += [text for finding in findings for text in (finding.text, finding.help, finding.file or "")]
    if record.fault is not None:
        fault = record.fault
        texts += [fault.text, fault.help, fault.where or "", fault.trace, fault.move]
    charges = (*(seat.load for seat in record.seats), record.last_charge)
    return (
        all(isinstance(text, str) for text in texts)
        and all(charge is None or _is_time(charge) for charge in charges)
        and all(finding.line is None or type(finding.line) is int for finding in findings)
        and all(side is None or (type(side) is int and side in (0, 1)) for side in (record.winner, record.at_fault))
        and type(record.seed) is int
        and type(record.busy_attempts) is int
        and 0 <= record.busy_attempts <= len(record.attempts)
        and (record.speed is None or _is_factor(record.speed))
        and _is_factor(record.time_scale)
        and _is_order(record.order, len(record.turns))
        and _is_consistent(record)
    )


def _is_consistent(record: MatchRecord) -> bool:
    """Whether the ending, the winner and the fault are consistent."""
    if record.fault is not None:
        return (
            record.fault.ending == record.ending
            and record.at_fault is not None
            and record.winner == 1 - record.at_fault
        )
    return record.at_fault is None and record.ending not in _FAULTS


def _is_order(order: object, plies: int) -> bool:
    return order == "" or (isinstance(order, str) and len(order) == plies and set(order) <= {"0", "1"})


def _is_factor(value: object) -> bool:
    return type(value) in (float, int) and 1e-6 < value < 1e6  # type: ignore[operator]  # it is a number


_LONGEST_TIME = 1e9
"""Seconds, about thirty years. A larger value is invalid, and would fill a screen with digits."""


def _is_time(charge: Charge) -> bool:
    return all(
        type(value) in (float, int) and 0 <= value < _LONGEST_TIME
        for value in (charge.wall, charge.cpu, charge.waited, charge.charged)
    )
