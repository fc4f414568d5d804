"""Errors about downloads that can be read in several ways: nothing is played before the instructor has decided."""

from collections import defaultdict
from collections.abc import Sequence

from grader.intake.names import printable, safe_id
from grader.intake.submission import IntakeError
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


def check_ids(platform: str, uploads: Sequence[Upload]) -> None:
    """Raise `IntakeError` if two students of a platform would get the same id."""
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
            say(
                "In this {platform} download, {n} id belongs to several students:",
                "In this {platform} download, {n} ids belong to several students:",
                platform=platform,
                n=len(lines),
            ),
            lines,
        )
