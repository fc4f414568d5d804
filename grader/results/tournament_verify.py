"""Check that what is kept in a folder holds, whether it comes from a run, from a tournament or from both."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grader.competition.field import REFERENCE, Encounter
from grader.language import LANGUAGES, Message, language, say
from grader.records import MatchRecord
from grader.reports import standings_json
from grader.results import saved
from grader.results.held import Held, kept
from grader.results.tournament_publish import tables
from grader.results.verify import Doubt, Verified, kept_game, legal, one_of, read_json, sealed, unread
from grader.results.verify import verify as verify_run
from grader.scoring.standings import Standings
from grader.store import FILE, Store

GRADES, STANDINGS = "results.json", "standings.json"
AGAIN = say("the same `grader tournament` writes it again")
"""How the reports of a tournament are mended."""


def verify(store: Store, folder: Path, seal: str | None = None) -> Verified:
    """Go through everything in a folder; with the seal of an earlier time, also say whether it has changed since."""
    notes = {name: note for name in (saved.NOTE, saved.TOURNAMENT) if (note := store.noted(name)) is not None}
    doubts = [
        Doubt(FILE, say("it no longer holds what {file} was made from: take the folder from a backup", file=file))
        for name, file in ((saved.NOTE, GRADES), (saved.TOURNAMENT, STANDINGS))
        if name not in notes and (folder / file).exists()
    ]
    parts = [verify_run(store, folder)] if saved.NOTE in notes or not (notes or doubts) else []
    parts += [verify_tournament(store, folder)] if saved.TOURNAMENT in notes else []
    now = saved.seal(notes)
    doubts += [doubt for part in parts for doubt in part.doubts]
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
        own={name: digest for part in parts for name, digest in part.own.items()},
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
            record, wrong = kept_game(store, note, encounter.key)
            if record is not None:
                results[encounter.key] = record
                wrong += _game(record, encounter, held)
            doubts += [Doubt(where, text) for text in wrong]
    doubts += _files(folder, [held.standings(results) for held in tournaments])
    return Verified(
        submissions=sum(not entrant.reference for held in tournaments for entrant in held.entrants),
        games=len(results),
        moves=sum(len(record.turns) for record in results.values()),
        doubts=tuple(doubts),
        assignments=(),
        own={held.terms.game: held.rules for held in tournaments if held.rules},
        seal=saved.seal(note),
    )


def _game(record: MatchRecord, encounter: Encounter, held: Held) -> Iterator[Message]:
    game = held.game()
    if (record.game, record.options, record.rules) != (game.name, game.options(), game.digest()):
        yield say("it was played by other rules than the assignment's")
        return
    if record.seed != encounter.seed:
        yield say("it was played with the seed {seed}, not with {planned}", seed=record.seed, planned=encounter.seed)
    yield from legal(game, record)


def _files(folder: Path, tournaments: Sequence[Standings]) -> Iterator[Doubt]:
    """Whether the standings in the files are those that follow from the games."""
    yield from _standings(folder / STANDINGS, json.loads(standings_json.render(tournaments))["tournaments"])
    spoken = [tables(tournaments, language(name)) for name in LANGUAGES]
    for name in spoken[0]:
        yield from one_of(folder / name, [texts[name] for texts in spoken], AGAIN)


def _standings(file: Path, expected: list[dict[str, Any]]) -> Iterator[Doubt]:
    try:
        found = list(read_json(file)["tournaments"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        yield unread(file, error, AGAIN)
        return
    for one, other in zip(expected, found, strict=False):
        wrong = [name for name in one if not isinstance(other, dict) or other.get(name) != one[name]]
        if wrong:
            text = say("for {id} it has another {what} than the games lead to", id=one["game"], what=", ".join(wrong))
            yield Doubt(file.name, text)
        elif one != other:
            yield Doubt(file.name, say("there is more in it than was written: {mend}", mend=AGAIN))
    if len(found) != len(expected):
        yield Doubt(file.name, say("it does not hold the tournaments that were played"))
