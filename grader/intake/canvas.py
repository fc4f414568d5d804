"""Read the names in Canvas's download: `<name>_<LATE_><user>_<attachment>_<file>`, or `anon_<user>_…` if it is anonymous.

Students choose their file's name and often the name shown for them, both with underscores and numbers, so one name can
sometimes be read in several ways. The whole download decides: Canvas writes the same name for the same user everywhere.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.intake.ambiguity import ambiguous_download
from grader.intake.file_tree import FileNode, virtual_folder
from grader.intake.names import printable, readable_name
from grader.intake.second_uploads import original_name
from grader.intake.upload import Upload, latest_attempt_finding
from grader.language import say
from grader.records import Finding

_NUMBERS = re.compile(r"_(?=(?P<late>LATE_)?(?P<user>\d{1,30})_(?P<attachment>\d{1,30})_(?P<file>.+))", re.DOTALL)
_ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?(?P<user>anon_[A-Za-z0-9]{1,30})_(?P<attachment>\d{1,30})_(?P<file>.+)", re.DOTALL
)
_SHORT = 3
"""Numbers with fewer digits than this are not Canvas's."""
_RESUBMITTED = re.compile(
    r"^(?P<stem>.+?)-(?P<number>\d{1,3})(?P<suffix>\.(?:py|zip|ipynb))$", re.IGNORECASE | re.DOTALL
)
"""Canvas appends a number when a student submits a file with the same name again."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a file's name."""

    student: str
    """The name that Canvas shows for the student; empty if anonymous."""
    user: str
    attachment: str
    file: str
    late: bool

    @property
    def is_anonymous(self) -> bool:
        return not self.student and self.user.startswith("anon_")


def is_canvas_name(node: FileNode) -> bool:
    """Whether this can be a file in Canvas's download."""
    return not node.is_folder and bool(_readings(node))


def canvas_uploads(nodes: Sequence[FileNode]) -> list[Upload]:
    """The uploads in Canvas's download, one per user. Raises `IntakeError` if it is not clear which student a file belongs to."""
    readings = {node.name: found for node in nodes if not node.is_folder and (found := _readings(node))}
    chosen = _choose(readings)
    users: dict[str, list[tuple[_Reading, FileNode]]] = defaultdict(list)
    for node in nodes:
        if node.name in chosen:
            users[chosen[node.name].user].append((chosen[node.name], node))
    return [_upload(user, files) for user, files in users.items()]


def _readings(node: FileNode) -> list[_Reading]:
    """All ways to read a name, the one with the shortest student's name first."""
    name = readable_name(node.name)
    matches = [(name[: match.start()], match) for match in _NUMBERS.finditer(name)]
    anonymous = _ANONYMOUS.fullmatch(name)
    if anonymous:
        matches.insert(0, ("", anonymous))
    return [
        _Reading(student, match["user"], match["attachment"], match["file"], bool(match["late"]))
        for student, match in matches
        if re.fullmatch(r"\w*", student) and max(len(match["user"]), len(match["attachment"])) >= _SHORT
    ]


def _choose(readings: Mapping[str, list[_Reading]]) -> dict[str, _Reading]:
    """The reading of each name on which the whole download agrees."""
    clear = [found[0] for found in readings.values() if len(found) == 1]
    if clear and not any(reading.is_anonymous for reading in clear):
        readings = {name: [each for each in found if not each.is_anonymous] for name, found in readings.items()}
        clear = [found[0] for found in readings.values() if len(found) == 1]
    students: dict[str, set[str]] = defaultdict(set)
    for reading in clear:
        students[reading.user].add(reading.student)
    chosen, unclear = dict[str, _Reading](), list[str]()
    for name, found in readings.items():
        # A user has one name, so a reading that gives another name to a known user is wrong.
        possible = [each for each in found if each.student in students.get(each.user, {each.student})]
        likely = [each for each in possible if _is_like(each, clear)] or possible[:1]
        if any(each.user in students for each in likely):
            # Another student may have taken the name of this one, and a number of any length.
            likely += [each for each in possible if _has_like_attachment(each, clear)]
        if len({each.user for each in likely}) == 1:
            chosen[name] = likely[0]
        else:
            unclear.append(f"{printable(name)}: {_users(likely or found)}")
    names = defaultdict[str, set[str]](set)
    for reading in chosen.values():
        names[reading.user].add(reading.student)
    unclear += [
        f"{user}: {', '.join(printable(name) for name in sorted(several))}"
        for user, several in names.items()
        if len(several) > 1
    ]
    if unclear:
        raise ambiguous_download(
            say(
                "This looks like a Canvas download, but {n} name in it could belong to several students:",
                "This looks like a Canvas download, but {n} names in it could belong to several students:",
                n=len(unclear),
            ),
            unclear,
        )
    return chosen


def _is_like(reading: _Reading, clear: Sequence[_Reading]) -> bool:
    """Whether its numbers are about as long as those in the names that can be read in one way only."""
    if reading.is_anonymous:
        return any(each.is_anonymous for each in clear) or not clear
    users = [len(each.user) for each in clear if not each.is_anonymous]
    return _is_about(len(reading.user), users) and _has_like_attachment(reading, clear)


def _has_like_attachment(reading: _Reading, clear: Sequence[_Reading]) -> bool:
    """Whether this number, which Canvas counts up for everyone, is about as long as in the names that are clear."""
    return _is_about(len(reading.attachment), [len(each.attachment) for each in clear if not each.is_anonymous])


def _is_about(length: int, others: Sequence[int]) -> bool:
    return not others or min(others) - 1 <= length <= max(others) + 1


def _users(readings: Sequence[_Reading]) -> str:
    return ", ".join(dict.fromkeys(reading.user for reading in readings))


def _upload(user: str, files: list[tuple[_Reading, FileNode]]) -> Upload:
    attempts: dict[str, list[tuple[int, int, FileNode]]] = defaultdict(list)
    for reading, node in files:
        again = _RESUBMITTED.match(reading.file)
        name, _ = original_name(again["stem"] + again["suffix"] if again else reading.file)
        attempts[name].append((int(again["number"]) if again else 0, int(reading.attachment), node))
    chosen, findings = [], []
    for name, several in attempts.items():
        *earlier, (_, _, latest) = sorted(several, key=lambda attempt: attempt[:2])
        chosen.append(latest.with_name(name))
        if earlier:
            findings.append(latest_attempt_finding(latest.name, [node.name for _, _, node in earlier]))
    if any(reading.late for reading, _ in files):
        text = say("Canvas marks this submission as late, but does not say by how much.")
        findings.append(
            Finding(code="late", text=text, help=say("Your instructor decides whether to apply a penalty."))
        )
    return Upload(
        id=user,
        name=files[0][0].student or user,
        content=virtual_folder("", chosen),
        source=files[0][1].name,
        platform="canvas",
        attempts=max(len(several) for several in attempts.values()),
        findings=tuple(findings),
    )
