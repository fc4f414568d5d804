"""Errors about downloads that can be read in several ways: nothing is played before the instructor has decided."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from grader.intake.names import printable, safe_id
from grader.intake.submission import IntakeError, UnclearFolderError
from grader.intake.upload import Upload
from grader.language import Message, say

MAX_LISTED = 20


def ambiguous_download(problem: Message, lines: Sequence[str]) -> IntakeError:
    """The error about names that can be read in several ways, with a list of them."""
    return IntakeError(
        say(
            "{problem}\n{lines}\nNothing was graded. Put the files of each student into a folder named after the student, "
            "or remove what does not belong there.",
            problem=problem,
            lines=listed(lines),
        )
    )


def listed(lines: Sequence[str]) -> str:
    """A list with one line each, at most `MAX_LISTED` of them."""
    text = "\n".join(f"  - {line}" for line in lines[:MAX_LISTED])
    more = len(lines) - MAX_LISTED
    return text if more <= 0 else say("{lines}\n  - and {more} more", lines=text, more=more)


def unclear_folder(path: Path, names: Sequence[str]) -> UnclearFolderError:
    """The error about a folder that can be one submission or a class."""
    return UnclearFolderError(
        say(
            "{path} could be one submission, because its files seem to belong together, or a class:\n{lines}\n"
            "Nothing was graded. For one submission, add --single to grader run; for a class, add --class.",
            path=printable(str(path)),
            lines=listed([printable(name) for name in names]),
        )
    )


def unclear_wrapper(path: Path, name: str, inside: Sequence[str]) -> UnclearFolderError:
    """The error about a folder whose only content can be a submission or contain a class."""
    return UnclearFolderError(
        say(
            "{path} contains only {name}, which could be the submission of one student, or a class:\n{lines}\n"
            "Nothing was graded. If {name} is one student's submission, add --class (a class of one); if it "
            "contains the class, give {inner} instead.",
            path=printable(str(path)),
            name=printable(name),
            lines=listed([printable(each) for each in inside]),
            inner=printable(str(path / name)),
        )
    )


def check_ids(uploads: Sequence[Upload]) -> None:
    """Raise `IntakeError` if two students would get the same id."""
    owners: dict[str, list[Upload]] = defaultdict(list)
    for upload in uploads:
        owners[safe_id(upload.id).casefold()].append(upload)
    lines = [
        f"{id_}: {', '.join(f'{printable(each.name)} ({printable(each.source)})' for each in several)}"
        for id_, several in owners.items()
        if len(several) > 1
    ]
    if lines:
        raise ambiguous_download(
            say("{n} id belongs to several students:", "{n} ids belong to several students:", n=len(lines)), lines
        )
