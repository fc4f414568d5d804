"""Save a competition next to its games in the store, and load it: grades, standings and reports can be made from it again.

A hash of each game is saved as well, and a hash of everything, the seal: later changes can be detected.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.competition.records import Competition
from grader.errors import OptionError
from grader.games.known_games import UnknownGame
from grader.language import say
from grader.records import MatchRecord
from grader.results.saved_form import CONDITIONS, check_type, competition_note, read_competition
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
    note = competition_note(store, _with_earlier_conditions(store, competition))
    save_note(store, note)
    store.note({_PLAN: None})
    return _with_origin(competition, note, store)


def _with_earlier_conditions(store: Store, competition: Competition) -> Competition:
    """A competition with what is known of the conditions under which its earlier games were played."""
    before = store.read_note(NOTE) or {}
    if before.get("games", {}).keys().isdisjoint(fixture.key for fixture in competition.fixtures):
        return competition
    fewest = [limit for limit in (before.get("fewest"), competition.fewest) if isinstance(limit, int)]
    return replace(competition, fewest=min(fewest, default=None))


def save_plan(store: Store, competition: Competition) -> None:
    """Save a competition that is still being played."""
    store.note({_PLAN: competition_note(store, competition)})


def load_plan(store: Store) -> Competition | None:
    """The competition that was being played last and has not been finished, with its games so far; None if there is none."""
    note = store.read_note(_PLAN)
    return None if note is None else _load_note(store, note, store.get)


def has_plan(store: Store) -> bool:
    """Whether the competition that was being played last has not been finished."""
    return store.read_note(_PLAN) is not None


def is_finished(store: Store) -> bool:
    """Whether a competition in this folder has been finished."""
    check_version(store)
    return store.read_note(NOTE) is not None


def _with_origin(competition: Competition, note: dict[str, Any], store: Store) -> Competition:
    """A competition with its seal, and when and where it was played."""
    try:
        finished = max((store.finish_time(fixture.key) for fixture in competition.fixtures), default="")
    except StoreError:  # the results have been modified; `grader verify` reports it
        finished = ""
    machine, speed = check_type(str, note["machine"]), check_type(float | None, note.get("speed"))
    return replace(competition, seal=seal(note), finished=finished, machine=machine, speed=speed)


def save_note(store: Store, note: dict[str, Any]) -> None:
    """Save a note with its seal."""
    store.note({NOTE: note, _SEAL: seal(note)})


def seal(note: dict[str, Any]) -> str:
    """A hash of the saved competition and, because it contains the hashes of the games, of all the results.

    What may differ when the same command is run again, although nothing is played, is not part of it.
    """
    sealed = {name: value for name, value in note.items() if name not in CONDITIONS}
    return hashlib.sha256(json.dumps(sealed).encode()).hexdigest()


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
        return _with_origin(read_competition(note, get), note, store)
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
