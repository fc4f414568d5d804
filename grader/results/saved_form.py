"""The form in which a competition is saved: as JSON, and read again with every value checked."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from grader.assignment import Assignment, AssignmentOrigin, read_assignments, render_assignment
from grader.competition.records import Competition, Entrant, Pairing, Request, Setup, UnplayedGame
from grader.engine.jobs import Trial
from grader.fixtures import REFERENCE, Fixture, opponent_key
from grader.games import Game
from grader.games.known_games import recorded_game
from grader.inspection.chance import Chance
from grader.inspection.players import ResolvedPlayer
from grader.intake.roster import RosterEntry
from grader.intake.submission import Submission
from grader.language import from_json, to_json
from grader.records import Finding, MatchRecord, RankedCandidate, as_json, read_candidate, read_finding
from grader.sandbox.isolation import Level
from grader.sandbox.machine import machine_summary
from grader.store import Store

CONDITIONS = ("fewest", "speed")
"""The members of a note that say under which conditions games were played, as far as that is not in their records."""


def competition_note(store: Store, competition: Competition) -> dict[str, Any]:
    """Everything about a competition as JSON, with a hash of each of its games in the store."""
    setup = competition.setup
    return {
        "pairing": as_json(competition.pairing),
        "assignments": [render_assignment(assignment) for assignment in setup.assignments],
        "rules": [[assignment.rules.name, assignment.rules.digest()] for assignment in setup.assignments],
        "folder": str(setup.assignments[0].folder),
        "entrants": [_entrant_json(entrant, setup.assignments) for entrant in setup.entrants],
        "opponents": {key: _opponent_json(player) for key, player in setup.opponents.items()},
        "unloadable": {name: trial.as_json() for name, trial in competition.unloadable.items()},
        "roster": as_json(setup.request.roster),
        "only": list(setup.request.only),
        "level": str(setup.level),
        "references": setup.reference_digest,
        "version": setup.rules,
        "unplayed": [[game.game, to_json(game.text)] for game in competition.unplayed],
        "fewest": competition.fewest,
        "path": str(setup.request.path),
        "single": setup.request.single,
        "machine": machine_summary(),
        "speed": competition.speed,
        "fixtures": as_json(competition.fixtures),
        "games": {key: digest for fixture in competition.fixtures if (digest := store.digest(key := fixture.key))},
    }


def read_competition(note: dict[str, Any], get: Callable[[str], MatchRecord | None]) -> Competition:
    """The competition in a note, with its games as far as `get` finds them."""
    setup = _read_prepared(note)
    fixtures = check_type(tuple[Fixture, ...], tuple(_fixture(data) for data in note["fixtures"]))
    pairing = note["pairing"] and Pairing(**note["pairing"])
    check_type(dict[str, str], note["games"])
    players = {entrant.id for entrant in setup.entrants}
    players |= {REFERENCE + opponent.name for assignment in setup.assignments for opponent in assignment.opponents}
    if not all(players.issuperset(fixture.players) for fixture in fixtures):
        raise LookupError("a game of an unknown player")
    return Competition(
        setup=setup,
        pairing=check_type(Pairing | None, pairing),
        fixtures=fixtures,
        results={fixture.key: record for fixture in fixtures if (record := get(fixture.key)) is not None},
        unloadable=check_type(
            dict[str, Trial], {name: Trial.from_json(data) for name, data in note["unloadable"].items()}
        ),
        unplayed=check_type(
            tuple[UnplayedGame, ...],
            tuple(UnplayedGame(game=game, text=_message(text)) for game, text in note["unplayed"]),
        ),
        fewest=check_type(int | None, note.get("fewest")),
    )


def _read_prepared(note: dict[str, Any]) -> Setup:
    assignments = tuple(
        assignment
        for text, (name, digest) in zip(note["assignments"], check_type(list[list[str]], note["rules"]), strict=True)
        for assignment in _read_assignment(text, name, digest, Path(note["folder"]), note["opponents"])
    )
    if not assignments:
        raise ValueError("no assignment")
    return Setup(
        request=Request(
            path=Path(note["path"]),
            single=check_type(bool | None, note.get("single")),
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
    """A saved assignment, with the game it was played with and the opponents that took part."""
    kind = recorded_game(name, digest)

    def find(_: str) -> type[Game]:
        return kind

    # Never run a file that the results name: they may come from anywhere.
    origin = AssignmentOrigin(folder, find, recorded=True)
    for assignment in read_assignments(text.encode(), "results", origin=origin):
        present = [opponent for opponent in assignment.opponents if opponent_key(assignment, opponent) in opponents]
        yield assignment.model_copy(update={"opponents": tuple(present)})


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
        "candidates": as_json(entrant.candidates),
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
        candidates=check_type(
            tuple[RankedCandidate, ...], tuple(read_candidate(candidate) for candidate in data.get("candidates", ()))
        ),
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
    """Return a value if everything in it has the right type. Raises `ValueError` with the location if not."""
    try:
        _adapter(kind).validate_python((value,))
    except ValidationError as error:
        wrong = error.errors()[0]
        raise ValueError(f"{'.'.join(map(str, wrong['loc'][1:]))}: {wrong['msg']}") from None
    return value


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    # Wrapped in a tuple, because strictness cannot be set for a dataclass directly.
    return TypeAdapter(tuple[kind], config=ConfigDict(strict=True, revalidate_instances="always"))
