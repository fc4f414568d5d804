"""Play everything of some submissions again beside the results that there are, and say what came out differently."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.grades import Graded
from grader.competition.play import Watch
from grader.competition.prepare import Candidate, Request
from grader.competition.run import run
from grader.errors import OptionError
from grader.games.known import has_source
from grader.language import Message, say
from grader.reports.regrading import Change, Regraded
from grader.results import saved
from grader.results.lookup import no_such, own_files
from grader.store import FILE, Store, StoreError

FOLDER = "regraded"
"""Within the results, with a numbered folder for each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """What came out of grading once more."""

    graded: Graded
    folder: Path
    """Where it was put."""
    compared: tuple[Regraded, ...]
    gone: tuple[str, ...]
    """Who was graded before, and is not among the submissions any more."""


def regrade(
    results: Path, only: tuple[str, ...], source: Path | None, *, workers: int, staging: Path, watch: Watch
) -> Again:
    """Play everything of these submissions (of all, if none is named) again, into a new folder within the results.

    What was there stays as it is. One that was interrupted is gone on with.
    """
    with Store.to_read(results) as store:
        before = saved.load(store)
    request = _request(before, results, only, source, workers)
    with Store(request.results) as store:
        after = run(request, staging, store, watch, assignments=before.prepared.assignments)
        saved.save(store, after)
    present = {candidate.id for candidate in after.prepared.candidates}
    return Again(
        graded=after,
        folder=request.results,
        compared=_compared(before, after),
        gone=tuple(name for name in request.only if name not in present),
    )


def _request(before: Graded, results: Path, only: tuple[str, ...], source: Path | None, workers: int) -> Request:
    path = source or before.prepared.request.path
    if path == Path() or not path.exists():
        raise OptionError(
            say("{path}: the submissions are not there any more. Say where they are with --from.", path=str(path))
        )
    ids = [candidate.id for candidate in before.prepared.candidates]
    for name in only:
        if name not in ids:
            raise no_such(before, f"--only {name}")
    folder = _fresh(results / FOLDER)
    return Request(
        path=path.resolve(),
        results=folder,
        only=only or tuple(ids),
        passing_over=not only,
        workers=workers,
        roster=before.prepared.request.roster,
    )


def _fresh(folder: Path) -> Path:
    """The first numbered folder that is not there yet, or in which nothing was finished."""
    return next(at for number in count(1) if not _is_finished(at := folder / str(number)))


def _is_finished(folder: Path) -> bool:
    if not (folder / FILE).is_file():
        return False
    try:
        with Store.to_read(folder) as store:
            return store.noted(saved.NOTE) is not None
    except StoreError:
        return True  # whatever it is, it is not ours to go on with


def _compared(before: Graded, after: Graded) -> tuple[Regraded, ...]:
    old = {candidate.id: candidate for candidate in before.prepared.candidates}
    then, now = ({grade.id: grade for grade in graded.grades} for graded in (before, after))
    return tuple(
        Regraded(
            before=then[candidate.id],
            after=now[candidate.id],
            changes=(*_changed(old[candidate.id], candidate, before, after),),
            games=_games(old[candidate.id], candidate, before, after),
        )
        for candidate in after.prepared.candidates
    )


def _changed(old: Candidate, new: Candidate, before: Graded, after: Graded) -> Iterator[Message]:
    """What is not as it was then, apart from how the games went."""
    if old.submission.digest != new.submission.digest:
        yield say("Its files are not the ones that were graded before.")
    if old.identity.get("reference") != new.identity["reference"]:
        yield say("The reference players are not the same as before.")
    then, now = (own_files(one.assignment, one.identity) for one in (old, new))
    for name in then.keys() & now.keys():
        if then[name] != now[name]:
            yield say("{name} is not the same as before.", name=name)
    if new.assignment.rules.source is not None and _game_has_changed(new.assignment):
        yield say(
            "{file} has changed since: the games were played again by the old version.", file=new.assignment.rules.file
        )
    if before.prepared.level != after.prepared.level:
        levels = {"then": str(before.prepared.level), "now": str(after.prepared.level)}
        yield say("It was played at the isolation level {then} before, and at {now} now.", **levels)
    machines = [_machines(old, before), _machines(new, after)]
    if all(machines) and machines[0] != machines[1]:
        yield say("It was played with {then} before, and with {now} now.", then=machines[0], now=machines[1])


def _game_has_changed(assignment: Assignment) -> bool:
    """Whether the file of a course's own game is not what it was. It is compared, and not run: results name it."""
    return not has_source(assignment.folder / assignment.game, assignment.rules.source or "")


def _machines(candidate: Candidate, graded: Graded) -> str:
    """With what its games were played."""
    records = [graded.results[fixture.key] for fixture in candidate.planned if fixture.key in graded.results]
    return " + ".join(dict.fromkeys(record.machine for record in records if record.machine))


def _games(old: Candidate, new: Candidate, before: Graded, after: Graded) -> tuple[Change, ...]:
    earlier = {(fixture.opponent, fixture.number): before.results.get(fixture.key) for fixture in old.planned}
    return tuple(
        Change(
            game=new.assignment.rules,
            opponent=new.assignment.opponents[fixture.opponent].name,
            number=fixture.number,
            seat=fixture.seat,
            before=earlier.get((fixture.opponent, fixture.number)),
            after=after.results.get(fixture.key),
        )
        for fixture in new.planned
    )
