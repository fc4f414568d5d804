"""Save a competition next to its games in the store, and load it: grades, standings and reports can be made from it again.

A hash of each game is saved as well, and a hash of everything, the seal: later changes can be detected.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from grader.assignment import Assignment, AssignmentOrigin, read_assignments, render_assignment
from grader.competition.records import Competition, Entrant, Pairing, Request, Setup, UnplayedGame
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.fixtures import REFERENCE, Fixture, opponent_key
from grader.games import Game
from grader.games.known_games import UnknownGame, recorded_game
from grader.inspection.chance import Chance
from grader.inspection.players import ResolvedPlayer
from grader.intake.roster import RosterEntry
from grader.intake.submission import Submission
from grader.language import from_json, say, to_json
from grader.records import Finding, MatchRecord, RankedCandidate, as_json, read_candidate, read_finding
from grader.sandbox.isolation import Level
from grader.sandbox.machine import machine_summary
from grader.store import FILE, NOT_OURS, Store, StoreError

NOTE = "competition"
"""The name of the note that holds the competition."""
_SEAL = "seal"
_KIND = "kind"
_SEEDS = "seeds"
_PLAN = "plan"
"""The name of the note that holds a competition that is being played."""
_MAX_IDS = 5
"""The maximum number of ids in a message."""
_VERSION_1_NOTES = ("run", "tournament")
"""The notes of grader 0.1, which this version does not read."""


def begin(store: Store, *, tournament: bool, entrants: Collection[str], only: bool) -> None:
    """Record which kind of competition a folder is for.

    Raises `OptionError` if the folder belongs to the other kind, or if a tournament of `only` some submissions would replace
    one with more players.
    """
    check_version(store)
    kind = store.read_note(_KIND)
    if kind not in (None, "run", "tournament"):
        raise store.unreadable_error(ValueError(f"a competition of the kind {kind!r}"))
    if kind not in (None, _kind(tournament)):
        raise OptionError(
            say("this folder holds the results of a run: choose another one for the tournament with -o")
            if tournament
            else say("this folder holds the results of a tournament: choose another one for the run with -o")
        )
    if tournament and only and (note := store.read_note(NOTE)) is not None:
        try:
            missing = {entrant["submission"]["id"] for entrant in note["entrants"]} - {*entrants}
        except NOT_OURS as error:
            raise store.unreadable_error(error) from error
        if missing:
            raise OptionError(
                say(
                    "this folder holds a tournament with more players: choose another one with -o (missing here: {ids})",
                    ids=", ".join(sorted(missing)[:_MAX_IDS]),
                )
            )
    store.note({_KIND: _kind(tournament)})


def seeds_of(folder: Path) -> dict[str, int]:
    """The seeds by game with which a results folder was last used; empty for a new folder."""
    if not (folder / FILE).is_file():
        return {}
    with Store.open_read_only(folder) as store:
        try:
            return dict(check_type(dict[str, int], store.read_note(_SEEDS) or {}))
        except NOT_OURS as error:
            raise store.unreadable_error(error) from error


def save_seeds(store: Store, assignments: Sequence[Assignment]) -> None:
    """Save the seeds before anything is played, so that an interrupted competition resumes with the same games."""
    before = store.read_note(_SEEDS) or {}
    store.note({_SEEDS: {**before, **{each.rules.name: each.secret for each in assignments}}})


def _kind(tournament: bool) -> str:
    return "tournament" if tournament else "run"


def check_version(store: Store) -> None:
    """Raise `OptionError` for results written by grader 0.1."""
    if store.read_note(NOTE) is None and any(store.read_note(name) is not None for name in _VERSION_1_NOTES):
        raise OptionError(
            say(
                "these results were written by grader 0.1, and this version cannot read them: choose another folder with -o"
            )
        )


def save(store: Store, competition: Competition) -> Competition:
    """Save everything about a competition except its games, which are in the store already. Returns it with its seal."""
    note = _note(store, competition)
    save_note(store, note)
    store.note({_PLAN: None})
    return _with_origin(competition, note, store)


def save_plan(store: Store, competition: Competition) -> None:
    """Save a competition that is still being played."""
    store.note({_PLAN: _note(store, competition)})


def load_plan(store: Store) -> Competition | None:
    """The competition that was being played last and has not been finished, with its games so far; None if there is none."""
    note = store.read_note(_PLAN)
    return None if note is None else _load_note(store, note, store.get)


def is_finished(store: Store) -> bool:
    """Whether a competition in this folder has been finished."""
    check_version(store)
    return store.read_note(NOTE) is not None


def _note(store: Store, competition: Competition) -> dict[str, Any]:
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
        "path": str(setup.request.path),
        "single": setup.request.single,
        "machine": machine_summary(),
        "fixtures": as_json(competition.fixtures),
        "games": {key: digest for fixture in competition.fixtures if (digest := store.digest(key := fixture.key))},
    }


def _with_origin(competition: Competition, note: dict[str, Any], store: Store) -> Competition:
    """A competition with its seal, and when and where it was played."""
    try:
        finished = max((store.finish_time(fixture.key) for fixture in competition.fixtures), default="")
    except StoreError:  # the results have been modified; `grader verify` reports it
        finished = ""
    return replace(competition, seal=seal(note), finished=finished, machine=check_type(str, note["machine"]))


def save_note(store: Store, note: dict[str, Any]) -> None:
    """Save a note with its seal."""
    store.note({NOTE: note, _SEAL: seal(note)})


def seal(note: dict[str, Any]) -> str:
    """A hash of the saved competition and, because it contains the hashes of the games, of all the results."""
    return hashlib.sha256(json.dumps(note).encode()).hexdigest()


def saved_seal(store: Store) -> str | None:
    """The seal saved with a competition."""
    found = store.read_note(_SEAL)
    return found if isinstance(found, str) else None


def load(store: Store, get: Callable[[str], MatchRecord | None] | None = None) -> Competition:
    """The saved competition with its games, as far as `get` (by default the store) finds them."""
    check_version(store)
    note = store.read_note(NOTE)
    if note is None:
        raise OptionError(
            say(
                "this tournament is unfinished: run the same `grader tournament` command again to finish it. `grader report` "
                "shows the games so far."
            )
            if store.read_note(_KIND) == _kind(tournament=True)
            else say(
                "this run is unfinished: run the same `grader run` command again to finish it. `grader report` shows the games "
                "so far."
            )
        )
    return _load_note(store, note, get or store.get)


def _load_note(store: Store, note: dict[str, Any], get: Callable[[str], MatchRecord | None]) -> Competition:
    try:
        return _with_origin(_competition(note, get), note, store)
    except UnknownGame:
        raise
    except NOT_OURS as error:
        raise store.unreadable_error(error) from error


def load_run(store: Store) -> Competition:
    """The saved run. Raises `OptionError` for a tournament."""
    competition = load(store)
    if competition.pairing is not None:
        raise OptionError(
            say("these are the results of a tournament, which has no grades; use `grader replay` to see its games")
        )
    return competition


def with_earlier_submissions(store: Store, competition: Competition) -> Competition:
    """Add the submissions that were graded earlier but not this time, so that their results are not lost."""
    if store.read_note(NOTE) is None:
        return competition
    before = load(store)
    setup, earlier = competition.setup, before.setup
    current = {entrant.id for entrant in setup.entrants}
    others = tuple(entrant for entrant in earlier.entrants if entrant.id not in current)
    used = [entrant.assignment for entrant in setup.entrants]
    request = replace(
        setup.request,
        assignments=(
            *earlier.assignments,
            *(
                assignment
                for assignment in setup.assignments
                if assignment in used and assignment not in earlier.assignments
            ),
        ),
        only=earlier.request.only,
        roster=setup.request.roster or earlier.request.roster,
    )
    return replace(
        competition,
        setup=replace(
            setup,
            request=request,
            entrants=(*setup.entrants, *others),
            opponents={**earlier.opponents, **setup.opponents},
        ),
        fixtures=(
            *competition.fixtures,
            *(fixture for entrant in others for fixture in before.fixtures_of(entrant.id)),
        ),
        results={**before.results, **competition.results},
        unloadable={
            **{name: trial for name, trial in before.unloadable.items() if name not in current},
            **competition.unloadable,
        },
    )


def _competition(note: dict[str, Any], get: Callable[[str], MatchRecord | None]) -> Competition:
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
