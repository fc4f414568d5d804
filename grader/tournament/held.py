"""Keep what a tournament was about beside its games, so that its standings can be worked out again without playing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.pipeline import saved
from grader.pipeline.play import Results
from grader.records import as_json
from grader.standings import Entrant, Excluded, Standings, Terms, standings
from grader.store import Store
from grader.tournament.field import Encounter
from grader.tournament.play import bouts


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """All that the standings of a tournament follow from, beside its games."""

    terms: Terms
    options: dict[str, Any]
    """Of the game."""
    learning: bool
    """Whether players lived on from game to game."""
    entrants: tuple[Entrant, ...]
    encounters: tuple[Encounter, ...]
    byes: Mapping[str, int]
    excluded: tuple[Excluded, ...]
    unplayed: tuple[str, ...]

    def standings(self, results: Results) -> Standings:
        """What it came to with these games."""
        counted = bouts(self.encounters, results, learning=self.learning)
        return standings(
            self.terms, self.entrants, counted, byes=self.byes, excluded=self.excluded, unplayed=self.unplayed
        )


def keep(store: Store, held: Iterable[tuple[Held, Results]]) -> None:
    """Keep all tournaments of a folder, with a hash of each game and a seal."""
    tournaments = [as_json(tournament) for tournament, _ in held]
    keys = [encounter["key"] for tournament in tournaments for encounter in tournament["encounters"]]
    saved.keep(store, saved.TOURNAMENT, {"tournaments": tournaments, "games": saved.digests(store, keys)})


def kept(store: Store, note: dict[str, Any]) -> tuple[Held, ...]:
    """The tournaments that were kept in a note."""
    try:
        return tuple(_held(data) for data in note["tournaments"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise store.unreadable(error) from error


def _held(data: dict[str, Any]) -> Held:
    return Held(
        terms=Terms(**data["terms"]),
        options=dict(data["options"]),
        learning=bool(data["learning"]),
        entrants=tuple(Entrant(**entrant) for entrant in data["entrants"]),
        encounters=tuple(Encounter(**encounter) for encounter in data["encounters"]),
        byes=dict(data["byes"]),
        excluded=tuple(Excluded(id=left["id"], name=left["name"], reason=left["reason"]) for left in data["excluded"]),
        unplayed=tuple(data["unplayed"]),
    )
