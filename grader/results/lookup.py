"""Find one submission or player in a competition, and its games."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from grader.competition.attention import concern_about
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

_MAX_IDS = 20
"""The maximum number of ids in a message."""


def find_submission(result: RunResult, name: str) -> Entrant:
    """The submission with that id, or with that name if it is unique. Raises `OptionError` with the known ids."""
    entrants = result.setup.entrants
    for entrant in entrants:
        if entrant.id == name:
            return entrant
    names = {grade.id: grade.name for grade in result.grades}
    matching = [
        entrant
        for entrant in entrants
        if _plain(name) in map(_plain, (entrant.id, entrant.submission.name, names.get(entrant.id, "")))
    ]
    if len(matching) == 1:
        return matching[0]
    if matching:
        ids = ", ".join(entrant.id for entrant in matching)
        raise OptionError(
            say("{name}: that name is ambiguous; use one of the ids {ids}.", name=printable(name), ids=ids)
        )
    if any(
        grade.status == "missing" and _plain(name) in map(_plain, (grade.id, grade.name)) for grade in result.grades
    ):
        raise OptionError(say("{name}: nothing was submitted, so no games were played.", name=printable(name)))
    raise unknown_submission(result.competition, printable(name))


def unknown_submission(competition: Competition, name: str) -> OptionError:
    """The error for a name that no submission has."""
    known = list_ids([entrant.id for entrant in competition.setup.entrants])
    if not known:
        return OptionError(say("{name}: unknown submission; these results contain none.", name=name))
    return OptionError(say("{name}: unknown submission. Choose from {known}.", name=name, known=known))


def find_evidence(store: Store, name: str) -> Evidence:
    """Everything behind the grade of a submission, by its id or name."""
    result = grade(saved.load_run(store))
    competition, entrant = result.competition, find_submission(result, name)
    fixtures, played = competition.fixtures_of(entrant.id), result.matches_of(entrant)
    own = next(entry for entry in result if entry.id == entrant.id)
    return Evidence(
        grade=own,
        entrant=entrant,
        isolation=str(competition.setup.level),
        own=own_digests(competition, entrant),
        played=played,
        concern=concern_about(own, played),
        machine=competition.machine,
        unplayed=tuple(fixture for fixture in fixtures if fixture.key not in competition.results),
        finished={fixture.key: store.finish_time(fixture.key) for fixture in fixtures},
    )


def list_ids(ids: list[str]) -> str:
    """The first of these ids, for a message."""
    return ", ".join([*ids[:_MAX_IDS], *(["…"] if ids[_MAX_IDS:] else [])])


def _plain(name: str) -> str:
    """A name in a form for comparison: ignores case and how accents are encoded."""
    return unicodedata.normalize("NFC", name).casefold()


def own_digests(competition: Competition, entrant: Entrant | None = None) -> dict[str, str]:
    """The digests of the course's own games and opponents by name, for one submission or for all."""
    found = {}
    for assignment in [entrant.assignment] if entrant else competition.setup.assignments:
        if assignment.rules.source is not None:
            found[assignment.rules.file] = assignment.rules.digest()
    for player in [entrant] if entrant else competition.setup.entrants:
        found |= player.identity.get("opponents", {})
    return found


def matches_of(competition: Competition, name: str, folder: Path) -> Sequence[Match]:
    """The scored games of a submission in a run, or of a player in a tournament.

    Raises `OptionError` if there are none. `folder` is the results folder, for the message.
    """
    if competition.pairing is not None:
        return _tournament_matches_of(competition, name)
    result = grade(competition)
    entrant = find_submission(result, name)
    found = result.matches_of(entrant)
    if not found:
        raise OptionError(
            say(
                "{name}: none of its games have been played. `grader show {folder} {name}` explains why.",
                name=entrant.id,
                folder=str(folder),
            )
        )
    return found


def _tournament_matches_of(competition: Competition, name: str) -> list[Match]:
    setup, unloadable = competition.setup, competition.unloadable
    players = [player for assignment in setup.assignments for player in able_players(setup, unloadable, assignment)]
    if name in {entrant.id for entrant in setup.entrants} - {*players}:
        why = why_unable(setup, unloadable, name) or say("There was no opponent.")
        raise OptionError(say("{name}: did not play. {why}", name=printable(name), why=why))
    player = name if name in players else REFERENCE + name
    if player not in players:
        known = list_ids([player_name(id_) for id_ in players])
        raise OptionError(say("{name}: unknown player. Choose from {known}.", name=printable(name), known=known))
    return [match.seen_by(player) for match in tournament_matches(competition) if player in match.fixture.players]


def stored_matches_of(store: Store, name: str) -> list[Match]:
    """All games of a player so far, in the order in which they ended, in a competition that is not finished."""
    found = []
    for key in store.keys():  # noqa: SIM118  the store is not a dictionary
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
