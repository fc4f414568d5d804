"""Recognise downloads of Moodle, Canvas, Gradescope and nbgrader by the names of their files.

The submitter is read from the part of a file name that the platform wrote, never from the student's part. The names in
the whole download must agree; otherwise nothing is graded.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from grader.intake.ambiguity import ambiguous_download, check_ids
from grader.intake.canvas import canvas_uploads, is_canvas_name
from grader.intake.file_tree import FileNode, Refusal
from grader.intake.gradescope import AUTOGRADER_METADATA, METADATA, autograder_uploads, gradescope_uploads
from grader.intake.names import printable, readable_name
from grader.intake.upload import Upload, latest_attempt_finding, plain_upload
from grader.language import say

_MOODLE = re.compile(
    r"(?P<name>[^_]+)(?:_(?P<uid>\d+))?_assignsubmission_(?P<plugin>file|onlinetext)_?(?P<rest>.*)", re.DOTALL
)
"""Moodle replaces underscores in names of people and groups, so the part before the number has none."""
_MOODLE_FOLDER = re.compile(
    r"(?P<name>.+?)(?:_(?P<uid>\d+))?_assignsubmission_(?P<plugin>file|onlinetext)_?(?P<rest>)", re.DOTALL
)
_ANONYMOUS = {"participant", "participante", "group", "grupo", "team", "equipo"}
"""What Moodle writes instead of a person's name, in the languages seen so far."""
_GRADESCOPE = re.compile(r"submission_\d+")
_NBGRADER = {"submitted", "source", "release", "autograded", "feedback", "gradebook.db", "nbgrader_config.py"}
_NBGRADER_OWN = {"source", "gradebook.db", "nbgrader_config.py"}
"""What a course of nbgrader has besides submissions, at least one of them: a student can be called `submitted`."""
PLATFORMS = {"moodle": "Moodle", "canvas": "Canvas", "gradescope": "Gradescope", "nbgrader": "nbgrader"}
"""The names of the platforms, for people."""


def platform_uploads(
    name: str, nodes: Sequence[FileNode], submitted: Sequence[FileNode], *, wrapped: bool = False
) -> list[Upload] | None:
    """The submissions in a folder with this name, or None if it is not the download of a platform.

    `submitted` are those nodes that are not files of the instructor; `wrapped` is whether the folder is inside another one
    or a zip. Raises `IntakeError` if at least half of the names are a platform's, but not all, or if it is not clear whose
    a file is: one student's choice of names must not decide that.
    """
    names = {node.name for node in nodes}
    inner = {node.name: node for node in nodes if node.is_folder}
    if AUTOGRADER_METADATA in names and "submission" in inner and not wrapped:
        return autograder_uploads(nodes)
    platform = _recognise(submitted, METADATA in names)
    if platform is not None:
        uploads = _READERS[platform](nodes)
        check_ids(uploads)
        return uploads
    if "submitted" in inner and names & _NBGRADER_OWN and all(node.name in _NBGRADER for node in submitted):
        nodes = inner["submitted"].children()
    elif name != "submitted" or not all(node.is_folder for node in submitted):
        return None
    return [_nbgrader_upload(node) for node in nodes if node.is_folder]


def _recognise(submitted: Sequence[FileNode], has_metadata: bool) -> str | None:
    """The platform whose names all of these are. Raises `IntakeError` if the names do not agree."""
    others = {
        "gradescope": [node for node in submitted if not (has_metadata and _GRADESCOPE.fullmatch(node.name))],
        "moodle": [node for node in submitted if _moodle_match(node) is None],
        "canvas": [node for node in submitted if not is_canvas_name(node)],
    }
    agreed = [platform for platform, nodes in others.items() if submitted and not nodes]
    if len(agreed) > 1:
        raise ambiguous_download(
            say(
                "These names could be from {platforms}:",
                platforms=" / ".join(PLATFORMS[platform] for platform in agreed),
            ),
            [printable(node.name) for node in submitted],
        )
    likely = agreed or [platform for platform, nodes in others.items() if len(nodes) * 2 <= len(submitted) and nodes]
    if agreed or not likely:
        return agreed[0] if agreed else None
    odd = others[likely[0]]
    raise ambiguous_download(
        say(
            "This looks like a {platform} download, but {n} name in it does not follow {platform}'s naming:",
            "This looks like a {platform} download, but {n} names in it do not follow {platform}'s naming:",
            platform=PLATFORMS[likely[0]],
            n=len(odd),
        ),
        [printable(node.name) for node in odd],
    )


def _moodle_match(node: FileNode) -> re.Match[str] | None:
    name = readable_name(node.name)
    return (_MOODLE_FOLDER.fullmatch(name) if node.is_folder else None) or _MOODLE.fullmatch(name)


def _moodle_uploads(nodes: Sequence[FileNode]) -> list[Upload]:
    found: dict[tuple[str, str], list[tuple[str, FileNode]]] = defaultdict(list)
    for node in nodes:
        match = _moodle_match(node)
        if match is not None:
            found[match["name"], match["uid"] or ""].append((match["rest"], node))
    return [_moodle_upload(name, uid, parts) for (name, uid), parts in found.items()]


def _moodle_upload(name: str, uid: str, parts: list[tuple[str, FileNode]]) -> Upload:
    return Upload(
        id=uid or name,
        name=f"{name} {uid}" if uid and name.lower() in _ANONYMOUS else name,
        content=FileNode("", listing=lambda: _moodle_files(parts)),
        source=parts[0][1].name,
        platform="moodle",
    )


def _moodle_files(parts: list[tuple[str, FileNode]]) -> list[FileNode]:
    """The files of one participant: from a folder by Moodle, or flat, with Moodle's prefix in each name."""
    nodes: list[FileNode] = []
    for rest, node in parts:
        nodes += [node.with_name(rest)] if rest else node.children() if node.is_folder else [node]
    return nodes


_READERS: dict[str, Callable[[Sequence[FileNode]], list[Upload]]] = {
    "gradescope": gradescope_uploads,
    "moodle": _moodle_uploads,
    "canvas": canvas_uploads,
}


def _nbgrader_upload(student: FileNode) -> Upload:
    try:
        assignments = [node for node in student.children() if node.is_folder]
        loose = len(student.children()) > len(assignments)
    except Refusal:
        assignments, loose = [], True  # staging reports the problem
    if not assignments or loose:
        return replace(plain_upload(student), platform="nbgrader")
    *earlier, (when, latest) = sorted(
        ((_timestamp(node), node) for node in assignments),
        key=lambda pair: (pair[0] is not None, pair[0] or datetime.min.replace(tzinfo=timezone.utc), pair[1].name),
    )
    return Upload(
        id=student.name,
        name=student.name,
        content=FileNode("", listing=lambda: [node for node in latest.children() if node.name != "timestamp.txt"]),
        source=student.name,
        platform="nbgrader",
        submitted_at=when,
        attempts=len(assignments),
        findings=(latest_attempt_finding(latest.name, [node.name for _, node in earlier]),) if earlier else (),
    )


def _timestamp(assignment: FileNode) -> datetime | None:
    """The submission time in nbgrader's file, e.g. `2026-03-02 15:58:23.948203 America/Havana`."""
    try:
        stamp = next((node for node in assignment.children() if node.name == "timestamp.txt" and node.read), None)
        if stamp is None or stamp.read is None:
            return None
        with stamp.read() as file:
            text = file.read(100).decode("utf-8-sig", "replace").strip()
    except Refusal:
        return None
    match = re.match(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)(?:\.\d+)?\s*(.*)", text)
    try:
        return datetime.fromisoformat(match[1]).replace(tzinfo=_zone(match[2])) if match else None
    except ValueError:
        return None


def _zone(name: str) -> timezone | ZoneInfo:
    if not re.fullmatch(r"[A-Za-z_]+(/[A-Za-z_+-]+[0-9]*)*", name):
        return timezone.utc
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown zone, or no time zone data on this machine
        return timezone.utc
