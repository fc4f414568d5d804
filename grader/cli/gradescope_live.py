"""Keep Gradescope's `results.json` up to date while a submission is played, so that its time limit loses nothing."""

from pathlib import Path
from typing import Any

from grader.cli.language import speaker_for
from grader.cli.progress import Watcher
from grader.competition.grades import RunResult, grade
from grader.competition.play import Progress
from grader.competition.records import Prepared
from grader.errors import GraderError, OptionError
from grader.exports import gradescope
from grader.language import Language, say
from grader.results.export_grades import export_grades
from grader.results.write_files import write_whole
from grader.workflow import Choose


class GradescopeWatcher:
    """Shows progress as another watcher does, and writes the file after every game."""

    def __init__(self, file: Path, inner: Watcher, speak: Language) -> None:
        self._file, self._inner, self._speak = file, inner, speak
        self._played = False
        self._id = ""
        """Of the one submission: a roster, or earlier results, may bring further grades."""
        self._write(gradescope.render_without_games(gradescope.not_started_message(), speak))

    def __call__(self, progress: Progress) -> None:
        """Something is done."""
        self._inner(progress)
        if progress.outcome is not None:
            self.conclude(grade(progress.outcome()))

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._inner.close()

    def require_one_submission(self, choose: Choose) -> Choose:
        """Make sure first that there is one submission: Gradescope asks about one at a time."""

        def choose_for_one(prepared: Prepared, *more: Any) -> int | None:
            if len(prepared.entrants) != 1:
                raise OptionError(
                    say(
                        "--gradescope is for one submission, and here are {found}. For a whole class, leave it out and "
                        "run `grader export gradescope` afterwards.",
                        found=len(prepared.entrants),
                    )
                )
            self._id = prepared.entrants[0].id
            return choose(prepared, *more)

        return choose_for_one

    def conclude(self, result: RunResult) -> None:
        """Write what it came to, or has come to so far."""
        mark = next(one for one in export_grades(result, speaker_for) if one.grade.id == self._id)
        self._played = True
        self._write(gradescope.render(mark, speaker_for(mark.assignment)))

    def fail(self, error: GraderError) -> None:
        """Say that it could not be graded, and why, unless there are games to show."""
        if not self._played:
            self._write(
                gradescope.render_without_games(gradescope.failure_message(error.translate(self._speak)), self._speak)
            )

    def _write(self, text: str) -> None:
        try:
            write_whole(self._file, text)
        except OSError as error:
            raise OptionError(
                say(
                    "{file}: it cannot be written ({problem}). Name a file in a folder that can be written to.",
                    file=str(self._file),
                    problem=str(error.strerror),
                )
            ) from error
