"""Games as the pages carry them: short enough for a class of hundreds, and whole enough to be replayed.

A game is a list: opponent, number, seat of the student, winner (0, 1, or −1 for a draw), ending, moves, times, plies that
were late, why it ended, fault, findings, and what the student's player printed. Opponents and texts are indexes into tables
that all games share. The moves of Hex are two letters each, column and row; those of Desconecta-4 one sign. Times are in
milliseconds, in base 36. `replay.js` reads all this.
"""

import re
from collections.abc import Sequence
from typing import Any

from grader.errors import RecordError
from grader.language import Language, say
from grader.records import Charge, Finding, Turn
from grader.reports.feedback import Played
from grader.reports.html.student import Explain, Student, seconds, shortened, where
from grader.reports.html.words import words

SCRIPTS = ("draw.js", "hex.js", "desconecta4.js", "times.js", "replay.js", "report.js")
STYLES = ("report.css",)
PRINTED = 1_000
"""Signs that are kept of what a player printed in a game; the record has more."""
TRACE = 2_000
NAME = 120
TEXTS_OF_A_STUDENT = 30_000
"""Signs that what one player printed and raised may take in all, so that nobody can blow up the report of the class."""

_HEX_MOVE = re.compile(r"[a-z][1-9][0-9]?")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Album:
    """Collects the games of a page, and what they share."""

    def __init__(self, speak: Language, explain: Explain) -> None:
        self._speak = speak
        self._explain = explain
        self._texts: dict[str, int] = {}
        self._opponents: dict[str, int] = {}
        self._assignments: list[dict[str, Any]] = []
        self._students: list[dict[str, Any]] = []
        self._left = 0

    def add(self, student: Student) -> None:
        """Add all games of a student."""
        described = _assignment(student)
        if described not in self._assignments:
            self._assignments.append(described)
        self._left = TEXTS_OF_A_STUDENT
        self._students.append(
            {
                "id": student.grade.id,
                "name": shortened(student.grade.name or student.grade.id, NAME),
                "assignment": self._assignments.index(described),
                "games": [self._game(game) for game in student.played],
            }
        )

    def as_data(self) -> dict[str, Any]:
        """What the page carries."""
        return {
            "words": words(self._speak),
            "assignments": self._assignments,
            "opponents": list(self._opponents),
            "texts": list(self._texts),
            "students": self._students,
        }

    def _game(self, game: Played) -> list[Any]:
        record, seat = game.record, game.fixture.seat
        fault = record.fault if record.at_fault == seat else None  # what the other did wrong is not theirs to know
        turns = tuple(record.turns)
        return [
            self._opponents.setdefault(game.opponent, len(self._opponents)),
            game.fixture.number + 1,
            seat,
            -1 if record.winner is None else record.winner,
            str(record.ending),
            _moves(record.game, turns),
            _times(turns, record.last_charge),
            [ply for ply, turn in enumerate(turns, 1) if turn.late],
            self._text(shortened(self._explain(game))),
            [self._text(shortened(self._speak(fault.help))), self._own_text(fault.trace, TRACE)] if fault else 0,
            self._findings(record.seats[seat].findings, told=fault.text if fault else ""),
            self._own_text(record.seats[seat].output, PRINTED),
        ]

    def _findings(self, findings: Sequence[Finding], told: str) -> list[int]:
        return [self._text(shortened(self._finding(finding))) for finding in findings if finding.text != told]

    def _finding(self, finding: Finding) -> str:
        place = where(finding)
        said = f"{self._speak(finding.text)} {self._speak(finding.help)}"
        return f"{place}: {said}" if place else said

    def _own_text(self, written: str, limit: int) -> int:
        """The number of a text of the student's own, as long as there is room for it."""
        text = shortened(written, limit)
        if text not in self._texts:
            self._left -= len(text)
            if self._left < 0:
                text = self._speak.say("This is left out, lest the page grow too large. The results hold it.")
        return self._text(text)

    def _text(self, text: str) -> int:
        """The number of a text in the table that all games share."""
        return self._texts.setdefault(text, len(self._texts))


def _moves(game: str, turns: Sequence[Turn]) -> str:
    """All moves of a game in one text."""
    if game == "hex":
        return "".join(_cell(turn.move) for turn in turns)
    return ("" if game == "desconecta4" else " ").join(turn.move for turn in turns)


def _cell(move: str) -> str:
    """A move of Hex in two letters. Raises `RecordError` for what is none: somebody has changed the results."""
    if not _HEX_MOVE.fullmatch(move):
        raise RecordError(
            say(
                "A game in the results has a move that is none: {move}. Run `grader verify` on them.",
                move=repr(move)[:80],
            )
        )
    return move[0] + chr(ord("a") + int(move[1:]) - 1)


def _times(turns: Sequence[Turn], last: Charge | None) -> str:
    """Milliseconds of all answers of a game, the one that was a fault included."""
    charges = [turn.charge for turn in turns] + ([last] if last else [])
    return " ".join(_base36(max(0, round(seconds(charge) * 1000))) for charge in charges)


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def _assignment(student: Student) -> dict[str, Any]:
    time = student.assignment.time
    return {
        "game": student.assignment.game,
        "options": student.assignment.options,
        "limit": {"move": time.move, "bank": time.bank, "increment": time.increment},
    }
