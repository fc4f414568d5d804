"""Detect games whose records differ from the hashes saved with the results. No move is recomputed."""

from collections.abc import Iterable
from typing import Any

from grader.competition.records import Competition
from grader.fixtures import Fixture, player_name
from grader.language import Message, say
from grader.results import saved
from grader.store import Store, StoreError

_MAX_GAMES = 5
"""The maximum number of games in a message."""


def change_since_saved(store: Store, note: dict[str, Any], key: str) -> Message | None:
    """How a game differs from the one that was there when the results were saved, if it does."""
    then, now = note["games"].get(key, ""), store.digest(key)
    if then == now:
        return None
    if not now:
        return say("the game was played, but its record is missing")
    if not then:
        return say("the record was added after the results were saved")
    return say("the record was changed afterwards")


def game_label(fixture: Fixture, *, tournament: bool) -> str:
    """A game as instructors know it: the players, and its number."""
    if not tournament:
        return f"{fixture.submission}, {fixture.opponent} #{fixture.number + 1}"
    first, second = map(player_name, fixture.players)
    return f"{first} – {second} #{fixture.opening + 1}"


def refuse_changed_games(store: Store, competition: Competition) -> None:
    """Raise `StoreError` if grades or standings would be made from games that were changed after the results were saved."""
    if (problem := changed_games(store, competition.fixtures)) is not None:
        raise StoreError(problem)


def changed_games(store: Store, fixtures: Iterable[Fixture]) -> Message | None:
    """A message about the games among these that were changed after the results were saved, if there are any."""
    note = store.read_note(saved.NOTE)
    if note is None:  # unfinished: no hashes have been saved
        return None
    resumed = saved.has_plan(store)  # a later run that was not finished may have played games that were missing
    found = [
        game_label(fixture, tournament=note["pairing"] is not None)
        for fixture in fixtures
        if change_since_saved(store, note, fixture.key) and not (resumed and fixture.key not in note["games"])
    ]
    if not found:
        return None
    return say(
        "{n} game was changed, added or removed after the results were saved ({games}). Run `grader verify` for details, and "
        "restore the folder from a backup.",
        "{n} games were changed, added or removed after the results were saved ({games}). Run `grader verify` for details, "
        "and restore the folder from a backup.",
        n=len(found),
        games="; ".join([*found[:_MAX_GAMES], *(["…"] if found[_MAX_GAMES:] else [])]),
    )
