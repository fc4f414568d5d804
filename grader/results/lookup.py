"""The games of one submission, out of those of a run."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from grader.assignment import Assignment
from grader.competition.grades import Graded
from grader.competition.prepare import Candidate
from grader.errors import OptionError
from grader.fixtures import rival
from grader.intake.names import printable
from grader.language import say
from grader.records import MatchRecord
from grader.reports.feedback import Played
from grader.store import Store

_NAMED = 20
"""So many ids are told to somebody who named another."""


def submission_of(graded: Graded, name: str) -> Candidate:
    """The submission of that id, or of that name if only one has it. Raises `OptionError` with the ids that there are."""
    for candidate in graded.prepared.candidates:
        if candidate.id == name:
            return candidate
    names = {grade.id: grade.name for grade in graded.grades}
    called = [
        candidate
        for candidate in graded.prepared.candidates
        if _plain(name) in map(_plain, (candidate.id, candidate.submission.name, names.get(candidate.id, "")))
    ]
    if len(called) == 1:
        return called[0]
    if called:
        ids = ", ".join(candidate.id for candidate in called)
        raise OptionError(say("{name}: several are called so. Name one of {ids}.", name=printable(name), ids=ids))
    if any(
        grade.status == "missing" and _plain(name) in map(_plain, (grade.id, grade.name)) for grade in graded.grades
    ):
        raise OptionError(say("{name}: nothing was submitted, so nothing was played.", name=printable(name)))
    raise no_such(graded, printable(name))


def no_such(graded: Graded, name: str) -> OptionError:
    """What to raise where somebody names a submission that there is not."""
    if not graded.prepared.candidates:
        return OptionError(say("{name}: no such submission. There is none in these results.", name=name))
    return OptionError(say("{name}: no such submission. There are {known}.", name=name, known=known(graded)))


def _plain(name: str) -> str:
    """A name as people compare it: small or capital, and however its accents are written."""
    return unicodedata.normalize("NFC", name).casefold()


def known(graded: Graded) -> str:
    """The ids of the first submissions."""
    ids = [candidate.id for candidate in graded.prepared.candidates]
    return ", ".join([*ids[:_NAMED], *(["…"] if ids[_NAMED:] else [])])


def own_files(assignment: Assignment, identity: Mapping[str, Any]) -> dict[str, str]:
    """The digests of the game and of the opponents that are the course's own, by name."""
    own = {rival(one): one.name for one in assignment.opponents if one.is_own}
    game = {assignment.rules.file: assignment.rules.digest()} if assignment.rules.source is not None else {}
    return game | {own[text]: digest for text, digest in identity.get("opponents", {}).items() if text in own}


def games_of(graded: Graded, candidate: Candidate) -> tuple[Played, ...]:
    """Its games that were played, in the order in which they count."""
    opponents = candidate.assignment.opponents
    return tuple(
        Played(fixture, opponents[fixture.opponent].name, graded.results[fixture.key], candidate.assignment.rules)
        for fixture in candidate.planned
        if fixture.key in graded.results
    )


def matches_of(store: Store, name: str) -> tuple[MatchRecord, ...]:
    """Every match in which somebody of that name sat, in the order in which they ended: a tournament has no fixtures."""
    records = (store.get(key) for key in store.keys())  # noqa: SIM118  it is no dictionary
    return tuple(record for record in records if record and name in (seat.name for seat in record.seats))
