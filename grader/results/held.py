"""Keep what a tournament was about beside its games, so that its standings can be worked out again without playing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.competition.field import Encounter
from grader.competition.play import Results
from grader.competition.tournament_play import bouts
from grader.games import Game, make_game
from grader.games.known import UnknownGame, recorded_game
from grader.language import from_json
from grader.records import as_json
from grader.results import saved
from grader.scoring.standings import Bout, Entrant, Excluded, Standings, Terms, standings
from grader.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """All that the standings of a tournament follow from, beside its games."""

    terms: Terms
    options: dict[str, Any]
    """Of the game."""
    rules: str
    """The digest of the game's file, if it is a course's own."""
    entrants: tuple[Entrant, ...]
    encounters: tuple[Encounter, ...]
    byes: Mapping[str, int]
    excluded: tuple[Excluded, ...]
    unplayed: tuple[str, ...]

    def game(self) -> Game:
        """The game that was played. Raises `OptionError` if it is not known here."""
        return make_game(recorded_game(self.terms.game, self.rules), self.options)

    def bouts(self, results: Results) -> list[Bout]:
        """The games that count, of these."""
        return bouts(self.encounters, results)

    def standings(self, results: Results) -> Standings:
        """What it came to with these games."""
        return standings(
            self.terms,
            self.entrants,
            self.bouts(results),
            byes=self.byes,
            excluded=self.excluded,
            unplayed=self.unplayed,
        )


def keep(store: Store, held: Iterable[tuple[Held, Results]]) -> None:
    """Keep all tournaments of a folder, with a hash of each game and a seal."""
    tournaments = [as_json(tournament) for tournament, _ in held]
    keys = [encounter["key"] for tournament in tournaments for encounter in tournament["encounters"]]
    saved.keep(store, saved.TOURNAMENT, {"tournaments": tournaments, "games": saved.digests(store, keys)})


def kept(store: Store, note: dict[str, Any]) -> tuple[Held, ...]:
    """The tournaments that were kept in a note."""
    try:
        saved.check_digests(note)
        return tuple(_held(data) for data in note["tournaments"])
    except UnknownGame:
        raise
    except saved.NOT_OURS as error:
        raise store.unreadable(error) from error


def games_of(store: Store, held: Held) -> list[Bout]:
    """The games of a tournament that count, out of the store."""
    keys = {encounter.key for encounter in held.encounters}
    return held.bouts({key: record for key in keys if (record := store.get(key)) is not None})


def _held(data: dict[str, Any]) -> Held:
    held = Held(
        terms=Terms(**data["terms"]),
        options=dict(data["options"]),
        rules=data.get("rules", ""),
        entrants=tuple(Entrant(**entrant) for entrant in data["entrants"]),
        encounters=tuple(Encounter(**encounter) for encounter in data["encounters"]),
        byes=dict(data["byes"]),
        excluded=tuple(_excluded(left) for left in data["excluded"]),
        unplayed=tuple(data["unplayed"]),
    )
    saved.checked(Held, held)
    held.game()
    players = {entrant.id for entrant in held.entrants}
    if not all(players.issuperset(encounter.order) for encounter in held.encounters):
        raise LookupError("a game of somebody who has not entered")
    return held


def _excluded(data: dict[str, Any]) -> Excluded:
    said = data.get("said", {})
    return Excluded(
        id=data["id"],
        name=data["name"],
        reason=from_json(said["reason"]) if "reason" in said else data["reason"],
    )
