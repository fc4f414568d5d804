"""Keep Gradescope's `results.json` up to date during a run, so that Gradescope's time limit loses no finished games."""

from pathlib import Path

from grader.cli.language import speaker_for
from grader.cli.progress import Watcher
from grader.competition.grades import RunResult, grade
from grader.competition.progress import Progress
from grader.competition.records import Setup
from grader.errors import GraderError, OptionError
from grader.exports import gradescope
from grader.language import Language, say
from grader.results.export_grades import export_grades
from grader.results.write_files import write_whole


class GradescopeWatcher:
    """Writes the file after every game, and passes progress on to another watcher."""

    def __init__(self, file: Path, inner: Watcher, speak: Language) -> None:
        self._file, self._inner, self._speak = file, inner, speak
        self._has_games = False
        self._id = ""
        """The id of the one submission: a roster or earlier results may add further grades."""
        self._write(gradescope.render_without_games(gradescope.not_started_message(), speak))

    def __call__(self, progress: Progress) -> None:
        """Show a step, and write the file."""
        self._inner(progress)
        if progress.outcome is not None:
            self.conclude(grade(progress.outcome()))

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._inner.close()

    def require_one_submission(self, setup: Setup) -> None:
        """Raise `OptionError` for a run of several submissions."""
        if len(setup.entrants) != 1:
            raise OptionError(
                say(
                    "--gradescope needs a single submission, but there are {found}. For a whole class, leave it "
                    "out and run `grader export gradescope` afterwards.",
                    found=len(setup.entrants),
                )
            )
        self._id = setup.entrants[0].id

    def conclude(self, result: RunResult) -> None:
        """Write the result, which may be incomplete."""
        mark = next(mark for mark in export_grades(result, speaker_for) if mark.grade.id == self._id)
        self._has_games = True
        self._write(gradescope.render(mark, speaker_for(mark.assignment)))

    def fail(self, error: GraderError) -> None:
        """Write why the submission could not be graded, unless the file already has games."""
        if not self._has_games:
            message = gradescope.failure_message(error.translate(self._speak))
            self._write(gradescope.render_without_games(message, self._speak))

    def _write(self, text: str) -> None:
        try:
            write_whole(self._file, text)
        except OSError as error:
            raise OptionError(
                say(
                    "{file} cannot be written: {problem}. Choose a file in a writable folder.",
                    file=str(self._file),
                    problem=str(error.strerror),
                )
            ) from error
