"""The frozen records that flow from stage to stage."""

from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any


class Ending(str, Enum):
    """Why a match ended: by the rules of its game, by a fault of one seat, or by a fault of ours."""

    CONNECTED = "connected"
    LINE = "line"
    FULL_BOARD = "full_board"
    REPETITION = "repetition"
    PLY_LIMIT = "ply_limit"

    LOAD_ERROR = "load_error"
    """Anything that went wrong before the player was ready to move."""
    ILLEGAL_MOVE = "illegal_move"
    """The player answered with something that is no legal move."""
    TIMEOUT = "timeout"
    CRASH = "crash"
    """The player raised an exception."""
    MEMORY = "memory"
    EXITED = "exited"
    """The player's process ended by itself."""
    BAD_REPLY = "bad_reply"
    """The player's process sent something that is not an answer to the question."""

    GRADER_FAULT = "grader_fault"
    """Ours: the match is played again and never scored."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game that is over ended by its own rules."""

    ending: Ending
    winner: int | None
    """The seat that won, 0 (moved first) or 1, or None for a draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a student or an instructor should know about a submission, short of a verdict."""

    code: str
    text: str
    """One sentence: what was found."""
    help: str
    """One sentence: what to do about it."""
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """How a seat failed: a value, because a student's fault is no error of ours."""

    ending: Ending
    text: str
    """One sentence: what happened."""
    help: str
    """One sentence: what to do about it."""
    where: str | None = None
    """The last line of the student's own code that was running, as `solution.py:12`."""
    trace: str = ""
    """The traceback, trimmed to the student's own frames."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """The time that a player used for one answer, in seconds."""

    wall: float
    cpu: float
    waited: float
    """How long it was ready to run and had no core."""
    charged: float
    """What counts against its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One move of a match."""

    move: str
    charge: Charge
    late: bool = False
    """The player overran its time, and the move was chosen for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReport:
    """What one player did in a match beside its moves."""

    name: str
    isolation: str
    """The level that its process really ran at."""
    load: Charge | None = None
    output: str = ""
    """The beginning of what it printed."""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """Everything that scoring and reports may know about one match."""

    game: str
    options: dict[str, Any]
    seed: int
    seats: tuple[SeatReport, SeatReport]
    turns: tuple[Turn, ...]
    ending: Ending
    winner: int | None
    """Index into `seats`, or None for a draw."""
    fault: Fault | None = None
    """Why, if the ending is a fault."""
    at_fault: int | None = None
    """Whose fault, as an index into `seats`."""
    last_charge: Charge | None = None
    """The time that went into an answer that was a fault."""


def as_json(record: Any) -> Any:
    """Any of these records as what `json` can write, the same way every time."""
    if is_dataclass(record):
        return {part.name: as_json(getattr(record, part.name)) for part in fields(record)}
    if isinstance(record, Enum):
        return record.value
    if isinstance(record, dict):
        return {str(key): as_json(value) for key, value in record.items()}
    if isinstance(record, list | tuple):
        return [as_json(value) for value in record]
    return round(record, 6) if isinstance(record, float) else record


def read_record(data: dict[str, Any]) -> MatchRecord:
    """The match that `as_json` wrote."""
    return MatchRecord(
        game=data["game"],
        options=data["options"],
        seed=data["seed"],
        seats=tuple(
            SeatReport(
                **{
                    **seat,
                    "load": seat["load"] and Charge(**seat["load"]),
                    "findings": tuple(Finding(**finding) for finding in seat["findings"]),
                }
            )
            for seat in data["seats"]
        ),  # type: ignore[arg-type]  # there are two
        turns=tuple(Turn(**{**turn, "charge": Charge(**turn["charge"])}) for turn in data["turns"]),
        ending=Ending(data["ending"]),
        winner=data["winner"],
        fault=data["fault"] and Fault(**{**data["fault"], "ending": Ending(data["fault"]["ending"])}),
        at_fault=data["at_fault"],
        last_charge=data["last_charge"] and Charge(**data["last_charge"]),
    )
