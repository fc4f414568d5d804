"""Check that kept results say what their games say, without any student's code.

Every recorded move goes through the rules again, every ending and its winner are worked out anew, the fixtures are drawn up
again, and the grades that follow are compared with those in the files. What would hold and yet is not what was played, as a
game with another legal move or another time, is found by the hashes that the run has kept of all its games.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.competition.grades import Graded
from grader.competition.prepare import Candidate
from grader.errors import GraderError
from grader.fixtures import Fixture, fixtures
from grader.games import Game
from grader.language import LANGUAGES, Message, language, say
from grader.records import Ending, MatchRecord
from grader.reports import grades_csv, results
from grader.results import saved
from grader.results.lookup import own_files
from grader.store import FILE, Store, UnreadableMatch

ROUNDING = 1e-5
"""Times are kept with six digits."""
REPORT = say("`grader report` writes it again")
"""How the reports of a run are mended."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that does not hold."""

    where: str
    """A file, or a game of a submission."""
    text: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was looked at, and what does not hold."""

    submissions: int
    games: int
    moves: int
    doubts: tuple[Doubt, ...]
    assignments: tuple[Assignment, ...]
    own: Mapping[str, str]
    """A hash of the game and of each opponent that is the course's own, by name."""
    seal: str
    """A hash of everything that was kept: whoever knows it from another place knows whether any of it was changed."""


def verify(store: Store, folder: Path) -> Verified:
    """Go through everything that a run has left in a folder."""
    graded = saved.load(store, partial(_readable, store))
    note = store.noted(saved.NOTE)
    doubts = [*sealed(store, saved.NOTE, note)]
    games = moves = 0
    for candidate in graded.prepared.candidates:
        doubts += _fixtures(candidate)
        for fixture in candidate.planned:
            record, wrong = kept_game(store, note, fixture.key)
            if record is not None:
                games, moves = games + 1, moves + len(record.turns)
                wrong += _game(record, fixture, candidate.assignment)
            doubts += [Doubt(_where(candidate, fixture), text) for text in wrong]
    doubts += _files(graded, folder)
    return Verified(
        submissions=len(graded.grades),
        games=games,
        moves=moves,
        doubts=tuple(doubts),
        assignments=graded.prepared.assignments,
        own={
            name: digest
            for candidate in graded.prepared.candidates
            for name, digest in own_files(candidate.assignment, candidate.identity).items()
        },
        seal=saved.seal(note),
    )


def sealed(store: Store, name: str, note: dict[str, Any]) -> Iterator[Doubt]:
    """Whether a note is the one that was kept."""
    kept = saved.kept_seal(store, name)
    if kept is None:
        yield Doubt(FILE, say("it has no seal: an older grader has written it, or the seal was taken away"))
    elif kept != saved.seal(note):
        yield Doubt(FILE, say("what it says of the submissions, the assignment or the games was changed afterwards"))


def kept_game(store: Store, note: dict[str, Any], key: str) -> tuple[MatchRecord | None, list[Message]]:
    """The record of a game, if it was played and can be read, and what is wrong with how it was kept."""
    try:
        return store.get(key), [*_unchanged(store, note, key)]
    except UnreadableMatch as error:
        return None, [say("its record cannot be read: {problem}", problem=error.problem)]


def _readable(store: Store, key: str) -> MatchRecord | None:
    try:
        return store.get(key)
    except UnreadableMatch:
        return None


def _unchanged(store: Store, note: dict[str, Any], key: str) -> Iterator[Message]:
    """Whether a game is still what it was when the note was kept."""
    if "games" not in note:  # an older grader kept no hashes
        return
    then, now = note["games"].get(key, ""), store.digest(key)
    if then and not now:
        yield say("it was played, and is gone")
    elif now and not then:
        yield say("it was not there when the results were written")
    elif then != now:
        yield say("its record was changed afterwards")


def _where(candidate: Candidate, fixture: Fixture) -> str:
    return f"{candidate.id}, {candidate.assignment.opponents[fixture.opponent].name} #{fixture.number + 1}"


def _fixtures(candidate: Candidate) -> Iterator[Doubt]:
    """Colours, openings, seeds and keys follow from the assignment and the submission's content alone."""
    if candidate.excused:
        return
    if candidate.identity and fixtures(candidate.assignment, candidate.id, candidate.identity) != candidate.planned:
        yield Doubt(candidate.id, say("its games are not those that the assignment and the seed lead to"))
    if candidate.identity.get("content") != candidate.submission.digest:
        yield Doubt(candidate.id, say("its games were not played by the files whose hash is kept"))


def _game(record: MatchRecord, fixture: Fixture, assignment: Assignment) -> Iterator[Message]:
    game = assignment.rules
    if (record.game, record.options, record.rules) != (game.name, game.options(), game.digest()):
        yield say("it was played by other rules than the assignment's")
        return
    if record.seed != fixture.seed:
        yield say("it was played with the seed {seed}, not with {planned}", seed=record.seed, planned=fixture.seed)
    if record.fault is not None and record.at_fault != fixture.seat:
        yield say("a fault of the reference player is recorded, and such a game never counts")
    yield from legal(game, record)
    yield from _times(record, fixture, assignment)


def legal(game: Game, record: MatchRecord) -> Iterator[Message]:
    """Whether the moves are legal and lead to the ending that was recorded."""
    position = game.start()
    for ply, turn in enumerate(record.turns, 1):
        if game.outcome(position) is None and game.turn(position) != record.mover(ply - 1):
            yield say("move {ply} ({move}) was not this player's turn", ply=ply, move=turn.move[:20])
            return
        try:
            position = game.apply(position, game.parse_move(turn.move))
        except (ValueError, GraderError):
            yield say("move {ply} ({move}) is not legal", ply=ply, move=turn.move[:20])
            return
    outcome = game.outcome_after(position, len(record.turns))
    if record.fault is None:
        if outcome is None or (outcome.ending, outcome.winner) != (record.ending, record.winner):
            yield say("its moves do not lead to the ending {ending} with that winner", ending=str(record.ending))
        return
    side = game.turn(position)
    if outcome is not None:
        yield say("a fault is recorded after the game was over")
    elif record.ending != record.fault.ending or record.at_fault is None or record.winner != 1 - record.at_fault:
        yield say("its winner is not the one that the fault leaves")
    elif record.ending != Ending.LOAD_ERROR and record.at_fault != side:
        yield say("the fault is not of the player that was to move")


def _times(record: MatchRecord, fixture: Fixture, assignment: Assignment) -> Iterator[Message]:
    """Whether a player that overran its time was told so, and nobody else. A bank is looked at as a whole."""
    most = (assignment.time.move or 0.0) + assignment.time.grace
    own = record.turns_of(fixture.seat)
    if assignment.time.bank is not None:
        most = assignment.time.bank + assignment.time.increment * len(own) + assignment.time.grace
        slowest = sum(turn.charge.charged for turn in own if not turn.late)
    else:
        slowest = max((turn.charge.charged for turn in own if not turn.late), default=0.0)
    if slowest > most + ROUNDING:
        yield say("{seconds:.2f} s were used where {most:g} s are allowed, and it went on", seconds=slowest, most=most)
    timed_out = record.ending == Ending.TIMEOUT and record.at_fault == fixture.seat
    if timed_out and assignment.time.bank is None and (record.last_charge is None or record.last_charge.charged < most):
        yield say("a timeout is recorded, and its time was not over")


def _files(graded: Graded, folder: Path) -> Iterator[Doubt]:
    """Whether the grades in the files are those that follow from the games."""
    assignments, level = graded.prepared.assignments, str(graded.prepared.level)
    expected = results.render(graded.grades, assignments, seed=assignments[0].seed, isolation=level)
    yield from _grades(folder / "results.json", json.loads(expected))
    texts = [grades_csv.render(graded.grades, language(name)) for name in LANGUAGES]
    yield from one_of(folder / "grades.csv", texts, REPORT)


def _grades(file: Path, expected: dict[str, Any]) -> Iterator[Doubt]:
    try:
        found = read_json(file)
        given = {entry["id"]: entry for entry in found["submissions"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        yield unread(file, error, REPORT)
        return
    if {**found, "grader": ""} != {**expected, "grader": ""}:  # it may come from another version
        more = Doubt(file.name, say("there is more in it than was written: {mend}", mend=REPORT))
        yield from list(_differences(file, found, given, expected)) or [more]


def _differences(file: Path, found: dict[str, Any], given: dict[str, Any], expected: dict[str, Any]) -> Iterator[Doubt]:
    for entry in expected["submissions"]:
        other = given.pop(entry["id"], None)
        wrong = "" if other is None else ", ".join(name for name in entry if other.get(name) != entry[name])
        if other is None:
            yield Doubt(file.name, say("{id} is missing from it", id=entry["id"]))
        elif wrong:
            text = say("for {id} it has another {what} than the games lead to", id=entry["id"], what=wrong)
            yield Doubt(file.name, text)
    for extra in given:
        yield Doubt(file.name, say("{id} is in it, and played no game", id=str(extra)[:80]))
    for name in ("seed", "isolation", "assignments"):
        if found.get(name) != expected[name]:
            yield Doubt(file.name, say("its {what} is not that of the run", what=name))


def read_json(file: Path) -> Any:
    """What a report says. Raises `ValueError` if it says something twice: programs would not agree on what it says."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(read := dict(pairs)) < len(pairs):
            raise ValueError("a name stands there twice")
        return read

    return json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=once)


def one_of(file: Path, expected: Sequence[str], mend: Message) -> Iterator[Doubt]:
    """Whether a file says this, in whatever language it was written."""
    try:
        found = file.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        yield unread(file, error, mend)
        return
    if found not in expected:
        yield Doubt(file.name, say("it does not say what the games lead to: {mend}", mend=mend))


def unread(file: Path, error: Exception, mend: Message) -> Doubt:
    """A report that is gone, or is none."""
    if isinstance(error, FileNotFoundError):
        return Doubt(file.name, say("the file is not there: {mend}", mend=mend))
    return Doubt(file.name, say("the file cannot be read: {mend}", mend=mend))
