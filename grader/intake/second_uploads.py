"""Second uploads of the same file: browsers and Moodle call them `solution (1).py`.

Of such files in one folder only the newest is copied, under the name without the number. The dates decide; if there are none
that differ, the highest number is probably the newest, and a finding says so.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from grader.intake.archive import BROKEN
from grader.intake.file_tree import FileNode
from grader.intake.names import printable
from grader.intake.upload import copy_finding, latest_attempt_finding
from grader.language import say
from grader.records import Finding

UNCLEAR_UPLOAD = "unclear_upload"
"""The code of a finding that another file than the graded one may be the newest."""
_NUMBERED = re.compile(
    r"(?P<stem>.+?) ?\((?P<number>\d{1,3})\)(?P<suffix>\.(?:py|zip|ipynb))", re.IGNORECASE | re.DOTALL
)
_APART = timedelta(seconds=2)
"""Dates in a zip are only that precise, and files that are unpacked together may get dates that differ by less."""
_CHUNK = 1 << 20
_MAX_COMPARED = 20_000_000
"""Larger files are not compared: a zip can claim any size."""


def original_name(name: str) -> tuple[str, int]:
    """The name without the number of a second upload, and the number; 0 if it has none."""
    match = _NUMBERED.fullmatch(name)
    return (match["stem"] + match["suffix"], int(match["number"])) if match else (name, 0)


def newest_uploads(nodes: Sequence[FileNode]) -> tuple[list[FileNode], list[Finding]]:
    """The contents of a folder with only the newest upload of each file, and the findings about this."""
    uploads: dict[str, list[FileNode]] = defaultdict(list)
    others = []
    for node in nodes:
        if node.read is not None:
            uploads[original_name(node.name)[0]].append(node)
        else:
            others.append(node)
    taken = {node.name for node in others}
    chosen, findings = [], []
    for name, several in uploads.items():
        newest, finding = _newest(several) if len(several) > 1 else (several[0], None)
        chosen.append(newest if name in taken else newest.with_name(name))
        findings += [finding] if finding is not None else []
    return sorted([*chosen, *others], key=lambda node: node.name), findings


def _newest(uploads: Sequence[FileNode]) -> tuple[FileNode, Finding]:
    """The newest of several uploads, and the finding that the others are ignored."""
    *earlier, last = sorted(uploads, key=lambda node: (original_name(node.name)[1], node.name))
    if all(_is_same(last, other) for other in earlier):
        return last, copy_finding(", ".join(printable(node.name) for node in earlier))
    latest = _latest(uploads)
    if latest is last:
        return last, latest_attempt_finding(last.name, [node.name for node in earlier])
    chosen = latest or last
    names = ", ".join(printable(node.name) for node in uploads if node is not chosen)
    if latest is None:
        text = say(
            "Graded {chosen} instead of {names}: it is probably the newer upload, judging by its name.",
            chosen=printable(chosen.name),
            names=names,
        )
    else:
        text = say(
            "Graded {chosen} instead of {names}: it has the later date, although the names suggest the opposite.",
            chosen=printable(chosen.name),
            names=names,
        )
    help_ = say("If another file should be graded, leave only that one in the submission.")
    return chosen, Finding(code=UNCLEAR_UPLOAD, file=printable(chosen.name), text=text, help=help_)


def _latest(uploads: Sequence[FileNode]) -> FileNode | None:
    """The upload that is later than all others; None if that is not known."""
    dated = sorted((node.modified, number) for number, node in enumerate(uploads) if node.modified is not None)
    if len(dated) < len(uploads) or dated[-1][0] - dated[-2][0] < _APART:
        return None
    return uploads[dated[-1][1]]


def _is_same(first: FileNode, second: FileNode) -> bool:
    """Whether two files have the same content."""
    assert first.read is not None
    assert second.read is not None
    if first.size != second.size or first.size > _MAX_COMPARED:
        return False
    try:
        with first.read() as one, second.read() as other:
            while part := one.read(_CHUNK):
                if part != other.read(_CHUNK):
                    return False
    except BROKEN:  # copying it says what is wrong
        return False
    return True
