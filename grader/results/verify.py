"""Check that saved results follow from their games, without running any student's code.

Every recorded move goes through the rules again, every ending and its winner are worked out anew, the fixtures are drawn up
again, and the grades or standings that follow are compared with those in the files. A change that would still be consistent,
such as another legal move or another time, shows in the hashes that were saved of all games.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.competition.gauntlet import gauntlet_fixtures
from grader.competition.grades import RunResult
from grader.competition.records import Competition
from grader.competition.tournament import Tournament, able_players
from grader.errors import GraderError
from grader.fixtures import REFERENCE, Fixture, player_name
from grader.games import Game
from grader.language import LANGUAGES, Message, language, say
from grader.records import Ending, MatchRecord
from grader.results import saved
from grader.results.lookup import own_digests
from grader.results.publish import GRADES, STANDINGS, AnyResult, compared_files, conclude
from grader.store import FILE, Store, UnreadableMatch

ROUNDING = 1e-5
"""Times are stored with six digits."""
REPAIR = say("`grader report` writes it again")


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that does not check out."""

    where: str
    """A file, or a game of a submission."""
    text: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What was checked, and what is wrong."""

    submissions: int
    games: int
    moves: int
    doubts: tuple[Doubt, ...]
    assignments: tuple[Assignment, ...]
    own: Mapping[str, str]
    """A hash of the game and of each opponent that is the course's own, by name."""
    seal: str
    """A hash of everything that was saved: kept in another place, it shows whether any of it was changed."""


def verify(store: Store, folder: Path, seal: str | None = None) -> Verification:
    """Go through everything in a results folder; with the seal of an earlier time, also say whether it has changed since."""
    saved.check_version(store)
    note = store.read_note(saved.NOTE)
    if note is None:
        return _without_note(store, folder)
    competition = saved.load(store, partial(_readable, store))
    now = saved.seal(note)
    doubts = [*_seal(saved.saved_seal(store), now, seal)]
    doubts += _fixtures(competition)
    games = moves = 0
    for fixture in competition.fixtures:
        record, wrong = _stored_game(store, note, fixture.key)
        if record is not None:
            games, moves = games + 1, moves + len(record.turns)
            wrong += _game(competition, fixture, record)
        doubts += [Doubt(_where(competition, fixture), text) for text in wrong]
    result = conclude(competition)
    doubts += _files(result, folder)
    return Verification(
        submissions=len(result.grades)
        if isinstance(result, RunResult)
        else sum(not row.competitor.reference for one in result for row in one.rows),
        games=games,
        moves=moves,
        doubts=tuple(doubts),
        assignments=competition.prepared.assignments,
        own=own_digests(competition),
        seal=now,
    )


def _without_note(store: Store, folder: Path) -> Verification:
    """Results of which only the reports are left."""
    doubts = [
        Doubt(FILE, say("it no longer holds what {file} was made from: take the folder from a backup", file=file))
        for file in (GRADES, STANDINGS)
        if (folder / file).exists()
    ]
    if not doubts:
        saved.load(store)  # raises, and says why
    return Verification(submissions=0, games=0, moves=0, doubts=tuple(doubts), assignments=(), own={}, seal="")


def _seal(then: str | None, now: str, given: str | None) -> Iterator[Doubt]:
    """Whether what was saved is as it was."""
    if given is not None and given.strip().lower() != now:
        yield Doubt(FILE, say("its seal is {now}, not the one that was given: it is not as it was", now=now))
    if then is None:
        yield Doubt(FILE, say("it has no seal: an older grader has written it, or the seal was taken away"))
    elif then != now:
        yield Doubt(FILE, say("what it says of the submissions, the assignment or the games was changed afterwards"))


def _stored_game(store: Store, note: dict[str, Any], key: str) -> tuple[MatchRecord | None, list[Message]]:
    """The record of a game, if it was played and can be read, and what is wrong with how it was stored."""
    try:
        return store.get(key), [*_digest(store, note, key)]
    except UnreadableMatch as error:
        return None, [say("its record cannot be read: {problem}", problem=error.problem)]


def _readable(store: Store, key: str) -> MatchRecord | None:
    try:
        return store.get(key)
    except UnreadableMatch:
        return None


def _digest(store: Store, note: dict[str, Any], key: str) -> Iterator[Message]:
    """Whether a game is still what it was when the results were saved."""
    then, now = note["games"].get(key, ""), store.digest(key)
    if then and not now:
        yield say("it was played, and is gone")
    elif now and not then:
        yield say("it was not there when the results were written")
    elif then != now:
        yield say("its record was changed afterwards")


def _where(competition: Competition, fixture: Fixture) -> str:
    if competition.pairing is None:
        return f"{fixture.submission}, {fixture.opponent} #{fixture.number + 1}"
    first, second = map(player_name, fixture.players)
    return f"{first} – {second} #{fixture.opening + 1}"


def _fixtures(competition: Competition) -> Iterator[Doubt]:
    """Players, colours, seeds and keys follow from the assignment, the submissions' content and the results alone."""
    prepared = competition.prepared
    for entrant in prepared.entrants:
        if not entrant.excused and entrant.identity.get("content") != entrant.submission.digest:
            yield Doubt(entrant.id, say("its games were not played by the files whose hash is kept"))
        if competition.pairing is None and gauntlet_fixtures([entrant]) != competition.fixtures_of(entrant.id):
            yield Doubt(entrant.id, say("its games are not those that the assignment and the seed lead to"))
    if competition.pairing is not None:
        for assignment in prepared.assignments:
            players = able_players(prepared, competition.unloadable, assignment)
            game = assignment.rules.name
            planned = [fixture for fixture in competition.fixtures if fixture.game == game]
            again = Tournament(prepared, assignment, players, competition.pairing, dict(competition.results))
            if again.fixtures != planned:
                yield Doubt(game, say("its games are not those that the assignment and the seed lead to"))


def _game(competition: Competition, fixture: Fixture, record: MatchRecord) -> Iterator[Message]:
    assignment = competition.prepared.assignment(fixture)
    game = assignment.rules
    if (record.game, record.options, record.rules) != (game.name, game.options(), game.digest()):
        yield say("it was played by other rules than the assignment's")
        return
    if record.seed != fixture.seed:
        yield say("it was played with the seed {seed}, not with {planned}", seed=record.seed, planned=fixture.seed)
    if record.at_fault is not None and fixture.players[record.at_fault].startswith(REFERENCE):
        yield say("a fault of the reference player is recorded, and such a game never counts")
    yield from _legal(game, record)
    for seat, player in enumerate(fixture.players):
        if not player.startswith(REFERENCE):
            yield from _times(record, seat, assignment)


def _legal(game: Game, record: MatchRecord) -> Iterator[Message]:
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


def _times(record: MatchRecord, seat: int, assignment: Assignment) -> Iterator[Message]:
    """Whether a player that overran its time lost by it, and no other. A bank is looked at as a whole."""
    most = (assignment.time.move or 0.0) + assignment.time.grace
    own = record.turns_of(seat)
    if assignment.time.bank is not None:
        most = assignment.time.bank + assignment.time.increment * len(own) + assignment.time.grace
        slowest = sum(turn.charge.charged for turn in own if not turn.late)
    else:
        slowest = max((turn.charge.charged for turn in own if not turn.late), default=0.0)
    if slowest > most + ROUNDING:
        yield say("{seconds:.2f} s were used where {most:g} s are allowed, and it went on", seconds=slowest, most=most)
    timed_out = record.ending == Ending.TIMEOUT and record.at_fault == seat
    if timed_out and assignment.time.bank is None and (record.last_charge is None or record.last_charge.charged < most):
        yield say("a timeout is recorded, and its time was not over")


def _files(result: AnyResult, folder: Path) -> Iterator[Doubt]:
    """Whether the reports say what follows from the games, in whatever language they were written."""
    versions = [compared_files(result, language(name)) for name in LANGUAGES]
    for name, content in versions[0].items():
        if name.endswith(".json"):
            yield from _json_file(folder / name, json.loads(content))
        else:
            yield from _text_file(folder / name, [files[name] for files in versions])


def _json_file(file: Path, expected: dict[str, Any]) -> Iterator[Doubt]:
    list_name, id_name = ("submissions", "id") if "submissions" in expected else ("tournaments", "game")
    try:
        found = _read_json(file)
        given = {entry[id_name]: entry for entry in found[list_name]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        yield _unreadable_file(file, error)
        return
    if {**found, "grader": ""} == {**expected, "grader": ""}:  # it may come from another version
        return
    more = Doubt(file.name, say("there is more in it than was written: {mend}", mend=REPAIR))
    yield from list(_differences(file, found, given, expected, list_name, id_name)) or [more]


def _differences(
    file: Path, found: dict[str, Any], given: dict[str, Any], expected: dict[str, Any], list_name: str, id_name: str
) -> Iterator[Doubt]:
    for entry in expected[list_name]:
        other = given.pop(entry[id_name], None)
        wrong = "" if other is None else ", ".join(name for name in entry if other.get(name) != entry[name])
        if other is None:
            yield Doubt(file.name, say("{id} is missing from it", id=entry[id_name]))
        elif wrong:
            text = say("for {id} it has another {what} than the games lead to", id=entry[id_name], what=wrong)
            yield Doubt(file.name, text)
    for extra in given:
        yield Doubt(file.name, say("{id} is in it, and played no game", id=str(extra)[:80]))
    for name in expected:
        if name not in ("grader", list_name) and found.get(name) != expected[name]:
            yield Doubt(file.name, say("its {what} is not that of the run", what=name))


def _read_json(file: Path) -> Any:
    """What a report says. Raises `ValueError` if it says something twice: programs would not agree on what it says."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(read := dict(pairs)) < len(pairs):
            raise ValueError("a name stands there twice")
        return read

    return json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=once)


def _text_file(file: Path, expected: Sequence[str]) -> Iterator[Doubt]:
    try:
        found = file.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        yield _unreadable_file(file, error)
        return
    if found not in expected:
        yield Doubt(file.name, say("it does not say what the games lead to: {mend}", mend=REPAIR))


def _unreadable_file(file: Path, error: Exception) -> Doubt:
    """A report that is missing, or is not one."""
    if isinstance(error, FileNotFoundError):
        return Doubt(file.name, say("the file is not there: {mend}", mend=REPAIR))
    return Doubt(file.name, say("the file cannot be read: {mend}", mend=REPAIR))
