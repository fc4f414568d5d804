"""Play all games of some submissions again, alongside the existing results, and compare the grades."""

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from grader.competition.comparison import GradeChange
from grader.competition.grades import RunResult
from grader.competition.records import Request
from grader.errors import GraderError, OptionError
from grader.language import say
from grader.results import saved
from grader.results.lookup import unknown_submission
from grader.sandbox.isolation import Level
from grader.store import FILE, Store

FOLDER = "regraded"
"""The folder within the results that holds a numbered folder for each regrading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrading:
    """The outcome of a regrading."""

    result: RunResult
    folder: Path
    """The folder with its results."""
    changes: tuple[GradeChange, ...]
    missing: tuple[str, ...]
    """Submissions that were graded before but no longer exist."""


def regrade_request(
    before: RunResult,
    results: Path,
    only: tuple[str, ...],
    source: Path | None,
    workers: int,
    accepted: Level | None = None,
) -> Request:
    """A request to grade these submissions (by default all) again, into a new folder within the results."""
    path = source or before.setup.request.path
    if path == Path() or not path.exists():
        raise OptionError(
            say("{path}: the submissions have moved. Give their new location with --from.", path=str(path))
        )
    ids = [entrant.id for entrant in before.setup.entrants]
    for name in only:
        if name not in ids:
            raise unknown_submission(before.competition, f"--only {name}")
    return Request(
        path=path.resolve(),
        results=_next_folder(results / FOLDER),
        assignments=before.setup.assignments,
        only=only or tuple(ids),
        missing_ok=not only,
        workers=workers,
        roster=before.setup.request.roster,
        single=before.setup.request.single,
        graded_by={entrant.id: entrant.assignment for entrant in before.setup.entrants},
        accepted=accepted,
    )


def _next_folder(folder: Path) -> Path:
    """The first numbered folder that does not exist yet or holds an unfinished regrading."""
    return next(at for number in count(1) if not _is_finished(at := folder / str(number)))


def _is_finished(folder: Path) -> bool:
    if not (folder / FILE).is_file():
        return False
    try:
        with Store.open_read_only(folder) as store:
            return store.read_note(saved.NOTE) is not None and not saved.load(store).unplayed
    except GraderError:
        return True  # not readable, so it cannot be resumed
