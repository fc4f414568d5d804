"""Check that what is kept in a folder holds, whether it comes from a run, from a tournament or from both."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from grader.games import make_game
from grader.language import Message, say
from grader.pipeline import saved
from grader.pipeline.verify import Doubt, Verified, legal, sealed, unchanged
from grader.pipeline.verify import verify as verify_run
from grader.records import MatchRecord
from grader.reports import standings_json
from grader.store import FILE, Store
from grader.tournament.field import REFERENCE, Encounter, game_seed
from grader.tournament.held import Held, kept

STANDINGS = "standings.json"


def verify(store: Store, folder: Path, seal: str | None = None) -> Verified:
    """Go through everything in a folder; with the seal of an earlier time, also say whether it has changed since."""
    notes = {name: note for name in (saved.NOTE, saved.TOURNAMENT) if (note := store.noted(name)) is not None}
    parts = [verify_run(store, folder)] if saved.NOTE in notes or not notes else []
    parts += [verify_tournament(store, folder)] if saved.TOURNAMENT in notes else []
    now = saved.seal(notes)
    doubts = [doubt for part in parts for doubt in part.doubts]
    if seal is not None and seal.strip().lower() != now:
        doubts.insert(
            0, Doubt(FILE, say("its seal is {now}, not the one that was given: it is not as it was", now=now))
        )
    return Verified(
        submissions=sum(part.submissions for part in parts),
        games=sum(part.games for part in parts),
        moves=sum(part.moves for part in parts),
        doubts=tuple(doubts),
        assignments=tuple(assignment for part in parts for assignment in part.assignments),
        seal=now,
    )


def verify_tournament(store: Store, folder: Path) -> Verified:
    """Every move of the tournaments in a folder through the rules again, and the standings from them."""
    note = store.noted(saved.TOURNAMENT)
    tournaments = kept(store, note)
    doubts = [*sealed(store, saved.TOURNAMENT, note)]
    results: dict[str, MatchRecord] = {}
    for held in tournaments:
        for encounter in held.encounters:
            first, second = (player.removeprefix(REFERENCE) for player in encounter.order)
            where = f"{first} – {second} #{encounter.number + 1}"
            record = store.get(encounter.key)
            if record is not None:
                results[encounter.key] = record
                doubts += [Doubt(where, text) for text in _game(record, encounter, held)]
            doubts += [Doubt(where, text) for text in unchanged(store, note, encounter.key)]
    expected = standings_json.render([held.standings(results) for held in tournaments])
    doubts += _standings(folder / STANDINGS, expected)
    return Verified(
        submissions=sum(not entrant.reference for held in tournaments for entrant in held.entrants),
        games=len(results),
        moves=sum(len(record.turns) for record in results.values()),
        doubts=tuple(doubts),
        assignments=(),
        seal=saved.seal(note),
    )


def _game(record: MatchRecord, encounter: Encounter, held: Held) -> Iterator[Message]:
    game = make_game(held.terms.game, held.options)
    options = asdict(game)  # type: ignore[call-overload]  # every game is a dataclass
    if (record.game, record.options) != (game.name, options):
        yield say("it was played by other rules than the assignment's")
        return
    planned = game_seed(held.terms.seed, encounter)
    if record.seed != planned:
        yield say("it was played with the seed {seed}, not with {planned}", seed=record.seed, planned=planned)
    yield from legal(game, record)


def _standings(file: Path, expected: str) -> Iterator[Doubt]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["tournaments"]
    except (OSError, ValueError, KeyError, TypeError):
        yield Doubt(file.name, say("the file cannot be read: the same `grader tournament` writes it again"))
        return
    for one, other in zip(json.loads(expected)["tournaments"], found, strict=False):
        wrong = [name for name in one if not isinstance(other, dict) or other.get(name) != one[name]]
        if wrong:
            text = say("for {id} it has another {what} than the games lead to", id=one["game"], what=", ".join(wrong))
            yield Doubt(file.name, text)
    if len(found) != len(json.loads(expected)["tournaments"]):
        yield Doubt(file.name, say("it does not hold the tournaments that were played"))
