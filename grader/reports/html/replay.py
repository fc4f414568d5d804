"""The data of the games that a page can replay, compact enough for a class of hundreds. `replay.js` reads it.

The games of each student are in an element of their own, which is read when the student is opened. A game is a list:
opponent, number, seat of the student, winner (0, 1, or −1 for a draw), ending, moves, times, why it ended, what the
student's player printed, its row, plies that were late, fault, findings, failure, exports, boards, and order; what is empty
at the end is left out. Opponents and texts are indexes into tables that all games of the page share. The row has the texts
of the table of games, unless the page contains that table. The failure is the seat that failed, and for a failed answer the
refused move in both notations; or, if there was no such move, an empty text and the ending in words.

If the game has a script that draws it, its moves are packed into one text. Otherwise the boards are included: the first one
with the assignment, and the changed lines for each move. The order of the seats is included if they did not alternate.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.competition.replay import refused_move
from grader.errors import GraderError
from grader.fixtures import Match
from grader.games import Game
from grader.games.base import replay_positions
from grader.games.endings import ending_label
from grader.language import Language
from grader.records import Ending, Finding, MatchRecord, Turn
from grader.reports.html.exports import game_exports
from grader.reports.html.student import Explain, GameRow, row_texts, shorten
from grader.reports.html.times import pack_times
from grader.reports.html.words import words
from grader.reports.labels import finding_place

_BEFORE, _AFTER = ("draw.js",), ("plain.js", "times.js", "exports.js", "replay.js", "games.js", "report.js")
"""The scripts of a page with games, before and after those of the games themselves."""
PRINTED = 1_000
"""How many characters of a player's output in a game are included; the record has more."""
TRACE = 2_000
"""How many characters of a traceback are included."""
NAME = 120
"""How many characters of a name are shown."""
LABEL = 60
"""How many characters of a refused move are shown."""
TEXTS_OF_A_STUDENT = 30_000
"""How many characters of output and tracebacks are included per player: no student can make the report too large."""


def scripts(assignments: Iterable[Assignment], *more: str) -> tuple[str | Path, ...]:
    """The scripts of a page that shows games of these assignments; `more` come before those of the games."""
    games = {assignment.rules.name: assignment.rules for assignment in assignments}
    return (*_BEFORE, *more, *(script for game in games.values() if (script := game.script())), *_AFTER)


def styles(assignments: Iterable[Assignment]) -> tuple[str | Path, ...]:
    """The style sheets of such a page."""
    games = {assignment.rules.name: assignment.rules for assignment in assignments}
    return ("report.css", *(style for game in games.values() if (style := game.style())))


class ReplayData:
    """Collects the games of a page, and the tables of texts that they share."""

    def __init__(
        self, speak: Language, explain: Explain, *, exports: bool = False, names: Mapping[str, str] | None = None
    ) -> None:
        """With `exports`, each game includes its notations and Python code, too much for the page of a whole class.

        With `names`, by id, games are between equals: both players are named in the headings.
        """
        self._names = names
        self._speak = speak
        self._exports = exports
        self._explain = explain
        self._texts: dict[str, int] = {}
        self._opponents: dict[str, int] = {}
        self._assignments: list[dict[str, Any]] = []
        self._students: list[dict[str, Any]] = []
        self._games: list[list[list[Any]]] = []
        self._words: dict[str, str] = {}
        self._left = 0

    def add(
        self,
        id_: str,
        name: str,
        assignment: Assignment,
        matches: Sequence[Match],
        *,
        rows: Sequence[GameRow] = (),
        known: Sequence[Finding] = (),
        entry: str = "",
    ) -> None:
        """Add the games of a player, whose file and class are `entry`.

        `rows` are those of the table of games, unless the page contains that table. `known` are findings that the page shows
        elsewhere, so the games leave them out.
        """
        described = _assignment(assignment)
        if described not in self._assignments:
            self._assignments.append(described)
        own = assignment.rules.script_words()
        self._words |= {name: self._speak(text) for name, text in own.items()}
        self._left = TEXTS_OF_A_STUDENT
        self._students.append(
            {
                "id": id_,
                "name": shorten(name or id_, NAME),
                "assignment": self._assignments.index(described),
            }
        )
        shown = {finding.text for finding in known}
        self._games.append(
            [
                self._game(match, None if row is None else self._row(row, assignment.rules), shown, entry)
                for match, row in zip_longest(matches, rows)
            ]
        )

    def as_data(self) -> dict[str, Any]:
        """The data that all students share."""
        names = self._names
        return {
            "words": {**words(self._speak, len(self._students)), **self._words},
            "assignments": self._assignments,
            "opponents": list(self._opponents),
            "names": None if names is None else [shorten(names.get(id_) or id_, NAME) for id_ in self._opponents],
            "texts": list(self._texts),
            "students": self._students,
        }

    def games_by_student(self) -> list[dict[str, Any]]:
        """The data of each student's games."""
        return [{"games": games} for games in self._games]

    def _row(self, row: GameRow, game: Game) -> list[int]:
        """The texts of a row that the script cannot tell from the game, and whether the opponent failed."""
        texts = row_texts(row, game, self._speak)
        found = [self._text(texts[name]) for name in ("details", "ending", "slowest")]
        return [*found, 1] if row.opponent_fault else found

    def _game(self, match: Match, row: list[int] | None, known: set[str], entry: str) -> list[Any]:
        record, seat, game = match.record, match.seat, match.game
        fault = record.fault if record.at_fault == seat else None  # the opponent's fault is not shown to the student
        turns = tuple(record.turns)
        if fault:
            known = known | {fault.text}
        always = [
            self._opponents.setdefault(match.opponent, len(self._opponents)),
            match.fixture.number + 1,
            seat,
            -1 if record.winner is None else record.winner,
            self._text(str(record.ending)),
            game.packed_moves([turn.move for turn in turns]),
            pack_times(turns, record.last_charge),
            self._text(shorten(self._explain(match))),
            self._own_text(record.seats[seat].output, PRINTED),
        ]
        often_empty = [
            row or [],
            [ply for ply, turn in enumerate(turns, 1) if turn.late],
            [self._text(shorten(self._speak(fault.help))), self._own_text(fault.trace, TRACE)] if fault else [],
            self._findings(record.seats[seat].findings, known) + self._attempts(record),
            self._failure(game, record),
            game_exports(match, entry, self._speak) if self._exports else [],
            _frames(game, turns),
            _order(record),
            record.time_scale if record.time_scale != 1.0 else 0,
        ]
        while often_empty and not often_empty[-1]:
            often_empty.pop()
        return always + often_empty

    def _failure(self, game: Game, record: MatchRecord) -> list[Any]:
        """The seat that failed, and its failed answer as the board and as the code write it; empty if neither failed."""
        if record.at_fault is None or record.ending == Ending.LOAD_ERROR:  # it was never asked for a move
            return []
        move = refused_move(game, record)
        if move is not None:
            return [record.at_fault, game.move_text(move), shorten(game.move_label(move), LABEL)]
        ending = self._speak(ending_label(record.ending, game))
        return [record.at_fault, *(["", ending] if record.last_charge is not None else [])]

    def _findings(self, findings: Sequence[Finding], known: set[str]) -> list[int]:
        return [self._text(shorten(self._finding(finding))) for finding in findings if finding.text not in known]

    def _attempts(self, record: MatchRecord) -> list[int]:
        say = self._speak.say
        texts = [say("An earlier attempt at this game did not count: {why}", why=why) for why in record.attempts]
        return [self._text(shorten(text)) for text in texts]

    def _finding(self, finding: Finding) -> str:
        place = finding_place(finding)
        text = f"{self._speak(finding.text)} {self._speak(finding.help)}"
        return f"{place}: {text}" if place else text

    def _own_text(self, text: str, limit: int) -> int:
        """The number of a text that the student's player wrote, or of a notice if there is no more room for it."""
        text = shorten(text, limit)
        if text not in self._texts:
            self._left -= len(text)
            if self._left < 0:
                text = self._speak.say("Omitted to keep this page small; see the results folder.")
        return self._text(text)

    def _text(self, text: str) -> int:
        """The number of a text in the table that all games share."""
        return self._texts.setdefault(text, len(self._texts))


def _frames(game: Game, turns: Sequence[Turn]) -> list[str | list[Any]]:
    """What each move changes on the board, up to the first move that cannot be played."""
    if game.script() is not None:
        return []
    found: list[str | list[Any]] = []
    before: str | None = None
    try:
        for position in replay_positions(game, [turn.move for turn in turns]):
            now = _frame(game, position)
            if before is not None:
                found.append(_difference(before, now))
            before = now
    except (ValueError, GraderError):  # the results have been modified; `grader verify` reports it
        pass
    return found


def _frame(game: Game, position: Any) -> str:
    """A board as text: rows of cells separated by tabs, or what the game draws."""
    rows = game.cells(position)
    if rows is None:
        return game.draw(position)
    return "\n".join("\t".join(_cell(cell) for cell in row) for row in rows)


def _cell(cell: object) -> str:
    return "" if cell in (0, None, "") else str(cell).replace("\t", " ").replace("\n", " ")[:8]


def _difference(before: str, now: str) -> str | list[Any]:
    """The lines that differ, each with its number, or the whole board if the number of lines differs."""
    old, new = before.split("\n"), now.split("\n")
    if len(old) != len(new):
        return now
    return [part for at, (was, is_) in enumerate(zip(old, new, strict=True)) if was != is_ for part in (at, is_)]


def _order(record: MatchRecord) -> str:
    """The seat of each answer, including one that was a fault; empty if the seats alternated."""
    last = str(record.at_fault) if record.order and record.last_charge is not None else ""
    return record.order + last


def _assignment(assignment: Assignment) -> dict[str, Any]:
    time, game = assignment.time, assignment.rules
    start = game.start()
    plain = {"start": _frame(game, start), "grid": game.cells(start) is not None} if game.script() is None else {}
    return {
        **plain,
        "game": game.name,
        "rules": game.digest(),
        "options": assignment.options,
        "limit": {"move": time.move, "bank": time.bank, "increment": time.increment},
    }
