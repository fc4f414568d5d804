"""Play everything of some submissions again next to the existing results, and compare."""

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
from grader.store import FILE, Store

FOLDER = "regraded"
"""Within the results, with a numbered folder for each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrading:
    """What came out of grading again."""

    result: RunResult
    folder: Path
    """Where it was put."""
    changes: tuple[GradeChange, ...]
    missing: tuple[str, ...]
    """Submissions that were graded before, and are no longer there."""


def regrade_request(
    before: RunResult, results: Path, only: tuple[str, ...], source: Path | None, workers: int
) -> Request:
    """Grade these submissions (all, if none is named) again, into a new folder within the results."""
    path = source or before.prepared.request.path
    if path == Path() or not path.exists():
        raise OptionError(
            say("{path}: the submissions are not there any more. Say where they are with --from.", path=str(path))
        )
    ids = [entrant.id for entrant in before.prepared.entrants]
    for name in only:
        if name not in ids:
            raise unknown_submission(before.competition, f"--only {name}")
    return Request(
        path=path.resolve(),
        results=_next_folder(results / FOLDER),
        assignments=before.prepared.assignments,
        only=only or tuple(ids),
        missing_ok=not only,
        workers=workers,
        roster=before.prepared.request.roster,
        graded_by={entrant.id: entrant.assignment for entrant in before.prepared.entrants},
    )


def _next_folder(folder: Path) -> Path:
    """The first numbered folder that is not there yet, or in which a regrading has not been played to its end."""
    return next(at for number in count(1) if not _is_finished(at := folder / str(number)))


def _is_finished(folder: Path) -> bool:
    if not (folder / FILE).is_file():
        return False
    try:
        with Store.open_read_only(folder) as store:
            return store.read_note(saved.NOTE) is not None and not saved.load(store).unplayed
    except GraderError:
        return True  # whatever it is, it is not ours to continue
