"""The saved form of a competition, next to its games in the store: grades, standings and reports can be made from it again.

A hash of each game is saved too, and one of everything together, the seal: a change made afterwards can be detected.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from grader.assignment import Assignment, AssignmentOrigin, read_assignments, render_assignment
from grader.competition.records import Competition, Entrant, Pairing, Prepared, Request, Unplayed
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.fixtures import REFERENCE, Fixture, opponent_key
from grader.games import Game
from grader.games.known_games import UnknownGame, recorded_game
from grader.inspection.chance import Chance
from grader.inspection.players import ResolvedPlayer
from grader.intake.collect import Submission
from grader.intake.roster import RosterEntry
from grader.language import from_json, say, to_json
from grader.records import Finding, MatchRecord, as_json, read_finding
from grader.sandbox.isolation import Level
from grader.sandbox.machine import machine_summary
from grader.store import NOT_OURS, Store

NOTE = "competition"
"""The name of the note that holds it."""
_SEAL = "seal"
_KIND = "kind"
_NAMED = 5
"""Ids in a message, at most."""
_OF_VERSION_1 = ("run", "tournament")
"""The notes of grader 0.1, which this version does not read."""


def begin(store: Store, *, tournament: bool, entrants: Collection[str], only: bool) -> None:
    """Note which kind of competition a folder is for.

    Raises `OptionError` if a run would begin where a tournament was begun, or the other way round, and if a tournament of
    `only` some submissions would replace one with more players.
    """
    check_version(store)
    kind = store.read_note(_KIND)
    if kind not in (None, "run", "tournament"):
        raise store.unreadable_error(ValueError(f"a competition of the kind {kind!r}"))
    if kind not in (None, _kind(tournament)):
        raise OptionError(
            say("these are the results of a run: name another folder for the tournament with -o")
            if tournament
            else say("these are the results of a tournament: name another folder for the run with -o")
        )
    if tournament and only and (note := store.read_note(NOTE)) is not None:
        try:
            missing = {entrant["submission"]["id"] for entrant in note["entrants"]} - {*entrants}
        except NOT_OURS as error:
            raise store.unreadable_error(error) from error
        if missing:
            raise OptionError(
                say(
                    "these are the standings of a tournament with more players: name another folder with -o (missing now: {ids})",
                    ids=", ".join(sorted(missing)[:_NAMED]),
                )
            )
    store.note({_KIND: _kind(tournament)})


def _kind(tournament: bool) -> str:
    return "tournament" if tournament else "run"


def check_version(store: Store) -> None:
    """Raise `OptionError` for results that grader 0.1 has written."""
    if store.read_note(NOTE) is None and any(store.read_note(name) is not None for name in _OF_VERSION_1):
        raise OptionError(
            say(
                "these results were written by grader 0.1, which this version cannot read: choose another folder with -o"
            )
        )


def save(store: Store, competition: Competition) -> None:
    """Save everything about a competition that its games do not say."""
    prepared = competition.prepared
    note = {
        "pairing": as_json(competition.pairing),
        "assignments": [render_assignment(assignment) for assignment in prepared.assignments],
        "rules": [[assignment.rules.name, assignment.rules.digest()] for assignment in prepared.assignments],
        "folder": str(prepared.assignments[0].folder),
        "entrants": [_entrant_json(entrant, prepared.assignments) for entrant in prepared.entrants],
        "opponents": {key: _opponent_json(player) for key, player in prepared.opponents.items()},
        "unloadable": {name: trial.as_json() for name, trial in competition.unloadable.items()},
        "roster": as_json(prepared.request.roster),
        "only": list(prepared.request.only),
        "level": str(prepared.level),
        "references": prepared.reference_digest,
        "version": prepared.rules,
        "unplayed": [[one.game, to_json(one.text)] for one in competition.unplayed],
        "path": str(prepared.request.path),
        "machine": machine_summary(),
        "fixtures": as_json(competition.fixtures),
        "games": {key: digest for fixture in competition.fixtures if (digest := store.digest(key := fixture.key))},
    }
    save_note(store, note)


def save_note(store: Store, note: dict[str, Any]) -> None:
    """Save a note with its seal."""
    store.note({NOTE: note, _SEAL: seal(note)})


def seal(note: dict[str, Any]) -> str:
    """A hash of all that was saved; with the hashes of the games in it, of everything in the results."""
    return hashlib.sha256(json.dumps(note).encode()).hexdigest()


def saved_seal(store: Store) -> str | None:
    """The seal that was saved with a competition."""
    found = store.read_note(_SEAL)
    return found if isinstance(found, str) else None


def load(store: Store, get: Callable[[str], MatchRecord | None] | None = None) -> Competition:
    """The competition that was saved, with its games: with what `get` finds of them, if not all in the store."""
    check_version(store)
    note = store.read_note(NOTE)
    if note is None:
        raise OptionError(
            say("this tournament is incomplete: run the same command again to finish it")
            if store.read_note(_KIND) == _kind(tournament=True)
            else say("this run is incomplete: run the same command again to finish it")
        )
    try:
        return _competition(note, get or store.get)
    except UnknownGame:
        raise
    except NOT_OURS as error:
        raise store.unreadable_error(error) from error


def load_run(store: Store) -> Competition:
    """The run that was saved. Raises `OptionError` if it was a tournament."""
    competition = load(store)
    if competition.pairing is not None:
        raise OptionError(
            say("these are the results of a tournament, which gives no grades: `grader replay` shows its games")
        )
    return competition


def machine_of(store: Store) -> str:
    """Which grader, Python and system saved the results."""
    return str(store.read_note(NOTE)["machine"])


def with_others(store: Store, competition: Competition) -> Competition:
    """The same with everybody who was graded before and not this time, so that a part does not replace the whole."""
    if store.read_note(NOTE) is None:
        return competition
    before = load(store)
    prepared, earlier = competition.prepared, before.prepared
    again = {entrant.id for entrant in prepared.entrants}
    others = tuple(entrant for entrant in earlier.entrants if entrant.id not in again)
    used = [entrant.assignment for entrant in prepared.entrants]
    request = replace(
        prepared.request,
        assignments=(
            *earlier.assignments,
            *(one for one in prepared.assignments if one in used and one not in earlier.assignments),
        ),
        only=earlier.request.only,
        roster=prepared.request.roster or earlier.request.roster,
    )
    return replace(
        competition,
        prepared=replace(
            prepared,
            request=request,
            entrants=(*prepared.entrants, *others),
            opponents={**earlier.opponents, **prepared.opponents},
        ),
        fixtures=(
            *competition.fixtures,
            *(fixture for entrant in others for fixture in before.fixtures_of(entrant.id)),
        ),
        results={**before.results, **competition.results},
        unloadable={
            **{name: trial for name, trial in before.unloadable.items() if name not in again},
            **competition.unloadable,
        },
    )


def _competition(note: dict[str, Any], get: Callable[[str], MatchRecord | None]) -> Competition:
    prepared = _read_prepared(note)
    fixtures = check_type(tuple[Fixture, ...], tuple(_fixture(data) for data in note["fixtures"]))
    pairing = note["pairing"] and Pairing(**note["pairing"])
    check_type(dict[str, str], note["games"])
    players = {entrant.id for entrant in prepared.entrants}
    players |= {REFERENCE + opponent.name for one in prepared.assignments for opponent in one.opponents}
    if not all(players.issuperset(fixture.players) for fixture in fixtures):
        raise LookupError("a game of a player that has not entered")
    return Competition(
        prepared=prepared,
        pairing=check_type(Pairing | None, pairing),
        fixtures=fixtures,
        results={fixture.key: record for fixture in fixtures if (record := get(fixture.key)) is not None},
        unloadable=check_type(
            dict[str, Trial], {name: Trial.from_json(data) for name, data in note["unloadable"].items()}
        ),
        unplayed=check_type(
            tuple[Unplayed, ...], tuple(Unplayed(game=game, text=_message(text)) for game, text in note["unplayed"])
        ),
    )


def _read_prepared(note: dict[str, Any]) -> Prepared:
    assignments = tuple(
        assignment
        for text, (name, digest) in zip(note["assignments"], check_type(list[list[str]], note["rules"]), strict=True)
        for assignment in _read_assignment(text, name, digest, Path(note["folder"]), note["opponents"])
    )
    if not assignments:
        raise ValueError("no assignment")
    return Prepared(
        request=Request(
            path=Path(note["path"]),
            results=Path(),
            assignments=assignments,
            only=check_type(tuple[str, ...], tuple(note["only"])),
            roster=check_type(tuple[RosterEntry, ...], tuple(RosterEntry(**entry) for entry in note["roster"])),
        ),
        entrants=tuple(_entrant(data, assignments) for data in note["entrants"]),
        opponents={key: _opponent(data) for key, data in note["opponents"].items()},
        level=Level[note["level"].upper()],
        reference_digest=check_type(str, note["references"]),
        rules=check_type(int, note["version"]),
    )


def _read_assignment(
    text: str, name: str, digest: str, folder: Path, opponents: dict[str, Any]
) -> Iterator[Assignment]:
    """An assignment that was saved, with the game by which it was played and the opponents that took part."""
    kind = recorded_game(name, digest)

    def find(_: str) -> type[Game]:
        return kind

    origin = AssignmentOrigin(folder, find)  # never a file that the results name: they may come from anywhere
    for assignment in read_assignments(text.encode(), "results", origin=origin):
        joined = [one for one in assignment.opponents if opponent_key(assignment, one) in opponents]
        yield assignment.model_copy(update={"opponents": tuple(joined)})


def _entrant_json(entrant: Entrant, assignments: tuple[Assignment, ...]) -> dict[str, Any]:
    return {
        "submission": {
            part.name: as_json(getattr(entrant.submission, part.name))
            for part in fields(entrant.submission)
            if part.name != "folder"
        },
        "assignment": assignments.index(entrant.assignment),
        "findings": as_json(entrant.findings),
        "identity": dict(entrant.identity),
        "chance": entrant.chance.value,
    }


def _entrant(data: dict[str, Any], assignments: tuple[Assignment, ...]) -> Entrant:
    submission = data["submission"]
    return Entrant(
        submission=check_type(
            Submission,
            Submission(
                **{
                    **submission,
                    "folder": Path(),
                    "members": tuple(submission["members"]),
                    "findings": tuple(read_finding(finding) for finding in submission["findings"]),
                    "problem": submission["problem"] and read_finding(submission["problem"]),
                }
            ),
        ),
        assignment=assignments[data["assignment"]],
        entry=None,
        findings=check_type(tuple[Finding, ...], tuple(read_finding(finding) for finding in data["findings"])),
        identity=check_type(dict[str, int | str | list[str] | dict[str, str] | None], data["identity"]),
        chance=Chance(data["chance"]),
    )


def _opponent_json(player: ResolvedPlayer) -> dict[str, Any]:
    return {"name": player.name, "options": dict(player.options), "digest": player.digest}


def _opponent(data: dict[str, Any]) -> ResolvedPlayer:
    check_type(tuple[str, str, dict[str, Any]], (data["name"], data["digest"], data["options"]))
    return ResolvedPlayer(name=data["name"], entry=None, options=data["options"], digest=data["digest"])


def _fixture(data: dict[str, Any]) -> Fixture:
    return Fixture(**{**data, "players": tuple(data["players"]), "seeds": tuple(data["seeds"])})


def _message(data: Any) -> Any:
    return from_json(data) if isinstance(data, list) else data


def check_type(kind: Any, value: Any) -> Any:
    """A value that was read, if everything in it has the right type. Raises `ValueError` with the place if not."""
    try:
        _adapter(kind).validate_python((value,))
    except ValidationError as error:
        wrong = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, wrong['loc'][1:]))}: {wrong['msg']}") from None
    return value


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    # In a tuple: strictness cannot be set for a dataclass by itself.
    return TypeAdapter(tuple[kind], config=ConfigDict(strict=True, revalidate_instances="always"))
