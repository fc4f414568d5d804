"""Downloads of Moodle, Canvas, Gradescope and nbgrader, told by the names of their files.

Who submitted is read from what the platform wrote, never from what the student did: file names count only up to where
the student's own part begins.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from grader.intake.file_tree import FileNode, Refused, virtual_folder
from grader.intake.gradescope import AUTOGRADER_METADATA, METADATA, autograder_uploads, gradescope_uploads
from grader.intake.names import readable_name
from grader.intake.upload import Upload, latest_attempt_finding, plain_upload
from grader.language import say
from grader.records import Finding

_MOODLE = re.compile(
    r"^(?P<name>.+?)(?:_(?P<uid>\d+))?_assignsubmission_(?P<plugin>file|onlinetext)_?(?P<rest>.*)$", re.DOTALL
)
_CANVAS = re.compile(
    r"^(?:(?P<slug>\w+?)_)??(?:(?P<late>LATE)_)?(?P<uid>\d+|anon_[A-Za-z0-9]+)_(?P<att>\d+)_(?P<file>.+)$", re.DOTALL
)
_RESUBMITTED = re.compile(
    r"^(?P<stem>.+?)-(?P<number>\d{1,3})(?P<suffix>\.(?:py|zip|ipynb))$", re.IGNORECASE | re.DOTALL
)
"""Canvas puts a number behind the name when a student hands in a file of the same name again."""
_NOBODY = {"participant", "participante", "group", "grupo", "team", "equipo"}
"""What Moodle writes in place of a person's name, in the languages seen."""
_NBGRADER = {"source", "release", "autograded", "feedback", "gradebook.db", "nbgrader_config.py"}


def platform_uploads(name: str, nodes: Sequence[FileNode]) -> list[Upload] | None:
    """The submissions in a folder of that name, if it is the download of a platform."""
    names = {node.name for node in nodes}
    if METADATA in names and any(re.fullmatch(r"submission_\d+", other) for other in names):
        return gradescope_uploads(nodes)
    if AUTOGRADER_METADATA in names and any(node.name == "submission" and node.is_folder for node in nodes):
        return autograder_uploads(nodes)
    if any(_MOODLE.match(readable_name(node.name)) for node in nodes):
        return _moodle_uploads(nodes)
    if _is_canvas(nodes):
        return _canvas_uploads(nodes)
    submitted = next((node for node in nodes if node.name == "submitted" and node.is_folder), None)
    if submitted is not None and (len(nodes) == 1 or names & _NBGRADER):
        nodes = submitted.children()
    elif name != "submitted":
        return None
    return [_nbgrader_upload(node) for node in nodes if node.is_folder]


def _moodle_uploads(nodes: Sequence[FileNode]) -> list[Upload]:
    found: dict[tuple[str, str], list[tuple[str, FileNode]]] = defaultdict(list)
    others = []
    for node in nodes:
        match = _MOODLE.match(readable_name(node.name))
        if match is not None:
            found[match["name"], match["uid"] or ""].append((match["rest"], node))
        elif node.is_folder or node.suffix in (".py", ".zip"):
            others.append(plain_upload(node))
    return [_moodle_upload(name, uid, parts) for (name, uid), parts in found.items()] + others


def _moodle_upload(name: str, uid: str, parts: list[tuple[str, FileNode]]) -> Upload:
    nobody = name.lower() in _NOBODY
    group = nobody and not name.lower().startswith("participant")
    return Upload(
        id=f"{name}_{uid}" if group and uid else uid or name,
        name=f"{name} {uid}" if nobody and uid else name,
        content=FileNode("", listing=lambda: _moodle_files(parts)),
        source=parts[0][1].name,
        platform="moodle",
    )


def _moodle_files(parts: list[tuple[str, FileNode]]) -> list[FileNode]:
    """What one participant submitted: in the folder that Moodle made, or flat, with Moodle's words before each name."""
    nodes: list[FileNode] = []
    for rest, node in parts:
        nodes += [node.with_name(rest)] if rest else node.children() if node.is_folder else [node]
    return nodes


def _is_canvas(nodes: Sequence[FileNode]) -> bool:
    """Whether most files are called as Canvas calls them, with numbers as long as Canvas's are."""
    files = [node for node in nodes if not node.is_folder and node.suffix in (".py", ".zip", ".ipynb")]
    matches = [match for node in files if (match := _CANVAS.match(readable_name(node.name)))]
    likely = [match for match in matches if len(match["att"]) >= 3 or len(match["uid"]) >= 3]
    return 2 * len(likely) > len(files) and not any(node.is_folder for node in nodes)


def _canvas_uploads(nodes: Sequence[FileNode]) -> list[Upload]:
    found: dict[str, list[tuple[re.Match[str], FileNode]]] = defaultdict(list)
    others = []
    for node in nodes:
        match = _CANVAS.match(readable_name(node.name))
        if match is not None:
            found[match["uid"]].append((match, node))
        elif node.suffix in (".py", ".zip"):
            others.append(plain_upload(node))
    return [_canvas_upload(uid, files) for uid, files in found.items()] + others


def _canvas_upload(uid: str, files: list[tuple[re.Match[str], FileNode]]) -> Upload:
    attempts: dict[str, list[tuple[int, int, FileNode]]] = defaultdict(list)
    for match, node in files:
        again = _RESUBMITTED.match(match["file"])
        name = again["stem"] + again["suffix"] if again else match["file"]
        attempts[name].append((int(again["number"]) if again else 0, int(match["att"]), node))
    chosen, findings = [], []
    for name, several in attempts.items():
        *earlier, (_, _, latest) = sorted(several, key=lambda attempt: attempt[:2])
        chosen.append(latest.with_name(name))
        if earlier:
            findings.append(latest_attempt_finding(latest.name, [node.name for _, _, node in earlier]))
    if any(match["late"] for match, _ in files):
        text = say("Canvas marks this submission as late, and does not say by how much.")
        findings.append(Finding(code="late", text=text, help=say("The instructor decides what that costs.")))
    return Upload(
        id=uid,
        name=next((match["slug"] for match, _ in files if match["slug"]), uid),
        content=virtual_folder("", chosen),
        source=files[0][1].name,
        platform="canvas",
        attempts=max(len(several) for several in attempts.values()),
        findings=tuple(findings),
    )


def _nbgrader_upload(student: FileNode) -> Upload:
    try:
        assignments = [node for node in student.children() if node.is_folder]
        loose = len(student.children()) > len(assignments)
    except Refused:
        assignments, loose = [], True  # its staging will say what is wrong
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
    """When it was submitted: `2026-03-02 15:58:23.948203 America/Havana`, as nbgrader leaves it beside the files."""
    try:
        stamp = next((node for node in assignment.children() if node.name == "timestamp.txt" and node.read), None)
        if stamp is None or stamp.read is None:
            return None
        with stamp.read() as file:
            text = file.read(100).decode("utf-8-sig", "replace").strip()
    except Refused:
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
    except (KeyError, ValueError, OSError):  # no such zone, or no zones on this machine
        return timezone.utc
