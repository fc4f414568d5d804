"""Find one submission or player in a competition, and its games."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from grader.competition.evidence import Evidence
from grader.competition.grades import RunResult, grade
from grader.competition.records import Competition, Entrant
from grader.competition.replay import record_game
from grader.competition.tournament import able_players, tournament_matches, why_unable
from grader.errors import OptionError
from grader.fixtures import REFERENCE, Fixture, Match, player_name
from grader.intake.names import printable
from grader.language import say
from grader.results import saved
from grader.store import Store

_LISTED = 20
"""Ids in a message, at most."""


def find_submission(result: RunResult, name: str) -> Entrant:
    """The submission of that id, or of that name if only one has it. Raises `OptionError` with the ids that there are."""
    entrants = result.prepared.entrants
    for entrant in entrants:
        if entrant.id == name:
            return entrant
    names = {grade.id: grade.name for grade in result.grades}
    fitting = [
        entrant
        for entrant in entrants
        if _plain(name) in map(_plain, (entrant.id, entrant.submission.name, names.get(entrant.id, "")))
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        ids = ", ".join(entrant.id for entrant in fitting)
        raise OptionError(say("{name}: several are called so. Name one of {ids}.", name=printable(name), ids=ids))
    if any(
        grade.status == "missing" and _plain(name) in map(_plain, (grade.id, grade.name)) for grade in result.grades
    ):
        raise OptionError(say("{name}: nothing was submitted, so nothing was played.", name=printable(name)))
    raise unknown_submission(result.competition, printable(name))


def unknown_submission(competition: Competition, name: str) -> OptionError:
    """The error for the name of a submission that there is not."""
    known = list_ids([entrant.id for entrant in competition.prepared.entrants])
    if not known:
        return OptionError(say("{name}: no such submission. There is none in these results.", name=name))
    return OptionError(say("{name}: no such submission. There are {known}.", name=name, known=known))


def find_evidence(store: Store, name: str) -> Evidence:
    """Everything behind the grade of a submission, by its id or name."""
    result = grade(saved.load_run(store))
    competition, entrant = result.competition, find_submission(result, name)
    fixtures = competition.fixtures_of(entrant.id)
    return Evidence(
        grade=next(one for one in result if one.id == entrant.id),
        entrant=entrant,
        isolation=str(competition.prepared.level),
        own=own_digests(competition, entrant),
        machine=saved.machine_of(store),
        played=result.matches_of(entrant),
        unplayed=tuple(fixture for fixture in fixtures if fixture.key not in competition.results),
        finished={fixture.key: store.finish_time(fixture.key) for fixture in fixtures},
    )


def list_ids(ids: list[str]) -> str:
    """The first of these ids, for a message."""
    return ", ".join([*ids[:_LISTED], *(["…"] if ids[_LISTED:] else [])])


def _plain(name: str) -> str:
    """A name as people compare it: small or capital, and however its accents are written."""
    return unicodedata.normalize("NFC", name).casefold()


def own_digests(competition: Competition, entrant: Entrant | None = None) -> dict[str, str]:
    """The digests of the games and opponents that are the course's own, by name: of one submission, or of all."""
    found = {}
    for assignment in [entrant.assignment] if entrant else competition.prepared.assignments:
        if assignment.rules.source is not None:
            found[assignment.rules.file] = assignment.rules.digest()
    for one in [entrant] if entrant else competition.prepared.entrants:
        found |= one.identity.get("opponents", {})
    return found


def matches_of(competition: Competition, name: str, folder: Path) -> Sequence[Match]:
    """The games of a submission of a run, or of a player of a tournament, as they count.

    Raises `OptionError` if there are none. `folder` is where the results are, for a message.
    """
    if competition.pairing is not None:
        return _tournament_matches_of(competition, name)
    result = grade(competition)
    entrant = find_submission(result, name)
    found = result.matches_of(entrant)
    if not found:
        raise OptionError(
            say(
                "{name}: none of its games was played. `grader show {folder} {name}` says why.",
                name=entrant.id,
                folder=str(folder),
            )
        )
    return found


def _tournament_matches_of(competition: Competition, name: str) -> list[Match]:
    prepared, unloadable = competition.prepared, competition.unloadable
    players = [player for one in prepared.assignments for player in able_players(prepared, unloadable, one)]
    if name in {entrant.id for entrant in prepared.entrants} - {*players}:
        why = why_unable(prepared, unloadable, name) or say("There is nobody else to play against.")
        raise OptionError(say("{name}: it did not play. {why}", name=printable(name), why=why))
    player = name if name in players else REFERENCE + name
    if player not in players:
        known = list_ids([player_name(one) for one in players])
        raise OptionError(say("{name}: no such player. There are {known}.", name=printable(name), known=known))
    return [match.seen_by(player) for match in tournament_matches(competition) if player in match.fixture.players]


def stored_matches_of(store: Store, name: str) -> list[Match]:
    """Every game of a player, in the order in which they ended, of a competition that is not over yet."""
    found = []
    for key in store.keys():  # noqa: SIM118  it is no dictionary
        record = store.get(key)
        players = tuple(seat.name for seat in record.seats) if record else ()
        if record and name in players:
            fixture = Fixture(
                game=record.game,
                players=(players[0], players[1]),
                number=0,
                seed=record.seed,
                seeds=(record.seed, record.seed),
                key=key,
            )
            found.append(Match(fixture=fixture, record=record, game=record_game(record), seat=players.index(name)))
    return found
