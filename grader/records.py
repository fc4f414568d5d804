"""The frozen records that flow from stage to stage."""

from dataclasses import dataclass
from enum import Enum


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
