"""Take in whatever folder, file or download an instructor has, and give every submission a folder of its own.

1. The download of a platform is told by the names in it (`platforms`).
2. Else a folder is one submission if a player lies at its top: a `solution.py`, a `player.py` that plays, files that
   import one another, or a `src` or `tests` folder or a list of requirements beside them.
3. Else each folder, `<id>.py`, `<id>.zip` in it is a submission. Hidden files and all others are not, nor is a
   `player.py` or `board.py` of the course that cannot play.
4. A single folder or zip that holds such folders, files or a download is only a wrapper.

What is wrong with one submission is its own problem or finding; the others do not notice.
"""

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from grader.intake.archive import BROKEN, open_zip
from grader.intake.file_tree import FileNode, Refused, disk_node, virtual_folder
from grader.intake.handed_out import player_codes
from grader.intake.names import printable, safe_id, unique_ids
from grader.intake.platforms import platform_uploads
from grader.intake.staging import MAX_BYTES, stage
from grader.intake.submission import IntakeError, Submission
from grader.intake.upload import Upload, plain_upload
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source
from grader.source.reading import MAX_BYTES as MAX_SOURCE_BYTES
from grader.source.reading import parse_source

__all__ = ["IntakeError", "Submission", "collect"]

MAX_WRAPPERS = 3
_SUBMITTED = (".py", ".zip", ".ipynb", ".rar", ".7z", ".tar", ".gz", ".tgz")
_ENTRIES = ("solution.py", "player.py")
_OF_A_PROJECT = {"player", "__init__", "conftest", "setup"}
"""Files of a project that an instructor may leave among the submissions, as those of the course."""
_OF_ONE_PROJECT = {"src", "tests", "test", "docs", "doc", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg"}


def collect(path: Path, staging: Path, *, due: datetime | None = None, single: bool = False) -> tuple[Submission, ...]:
    """Every submission in a folder, file or zip, each copied to a folder below `staging`, in the order of their ids.

    `due` is when the course wants them; where it does not say, what the platform says counts.
    `single` says that all of it is one submission, such as a student's repository, whatever it looks like.
    `staging` must be empty, or not be there yet; nothing is written outside it. Raises `IntakeError` if `path` cannot
    be read or holds no submission.
    """
    path, staging = path.resolve(), staging.resolve()
    _check_paths(path, staging)
    staging.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        uploads = [plain_upload(disk_node(path))] if single else _Sorter(staging, stack).uploads(path)
        if not uploads:
            raise IntakeError(
                say(
                    "{path}: expected submissions, found none. Give a folder with a folder, a .py or a .zip for each.",
                    path=str(path),
                )
            )
        ids = unique_ids([(upload.id, upload.source) for upload in uploads])
        staged = [_stage_upload(upload, own, staging, due) for upload, own in zip(uploads, ids, strict=True)]
    return _remove_copies(staged, dict(zip(ids, uploads, strict=True)))


def _check_paths(path: Path, staging: Path) -> None:
    if not path.exists():
        raise IntakeError(
            say("{path}: there is no such file or folder. Give the folder that holds the submissions.", path=str(path))
        )
    if path.is_file() and path.suffix.lower() not in (".py", ".zip"):
        raise IntakeError(
            say(
                "{path}: expected a folder, a .py or a .zip. Give the folder that holds the submissions.",
                path=str(path),
            )
        )
    if staging.exists() and (not staging.is_dir() or any(staging.iterdir())):
        raise IntakeError(
            say(
                "{staging}: expected an empty folder to copy submissions to. Remove it, or choose another.",
                staging=str(staging),
            )
        )


def _stage_upload(upload: Upload, own: str, staging: Path, due: datetime | None) -> Submission:
    folder = staging / own
    staged = stage(upload.content, folder, staging)
    renamed = (_id_taken_finding(upload, own),) if own != safe_id(upload.id) else ()
    due = _due_date(upload, due)
    late = upload.submitted_at - due if upload.submitted_at and due else None
    return Submission(
        id=own,
        name=printable(upload.name) or own,
        folder=folder,
        digest=staged.digest,
        contents=staged.contents,
        platform=upload.platform,
        members=tuple(printable(member) for member in upload.members),
        submitted_at=upload.submitted_at.isoformat() if upload.submitted_at else None,
        late_seconds=max(0, int(late.total_seconds())) if late is not None else None,
        attempts=upload.attempts,
        findings=(*renamed, *upload.findings, *staged.findings),
        problem=staged.problem,
    )


def _due_date(upload: Upload, due: datetime | None) -> datetime | None:
    """When a submission was due: as the course says, else as the platform does, and later for who was given longer."""
    if due is None:
        return upload.due
    return max(due.astimezone(), upload.due) if upload.due and upload.extended else due.astimezone()


def _remove_copies(staged: list[Submission], uploads: dict[str, Upload]) -> tuple[Submission, ...]:
    """Leave out the zip beside the folder into which somebody unpacked it: the same id and the same files."""
    kept: dict[tuple[str, str], Submission] = {}
    for submission in sorted(staged, key=lambda one: (one.id != safe_id(uploads[one.id].id), one.id)):
        upload = uploads[submission.id]
        key = (upload.id, submission.digest if submission.problem is None else submission.id)
        if key in kept:
            shutil.rmtree(submission.folder)
            first, source = kept[key], printable(upload.source)
            text = say("{source} holds the same files once more, and was left out.", source=source)
            finding = Finding(code="copy_left_out", text=text, help=say("Nothing needs to be done."))
            kept[key] = replace(first, findings=(*first.findings, finding))
        else:
            kept[key] = submission
    return tuple(sorted(kept.values(), key=lambda one: one.id))


@dataclass(frozen=True, slots=True)
class _Sorter:
    """Finds out what kind of folder it has before it."""

    staging: Path
    stack: ExitStack

    def uploads(self, path: Path) -> list[Upload]:
        if path.is_file():
            return self._uploads_in("", [disk_node(path)])
        inside = self.staging.relative_to(path).parts[:1] if self.staging.is_relative_to(path) else ()
        return self._uploads_in(path.name, [node for node in disk_node(path).children() if node.name not in inside])

    def _uploads_in(self, name: str, nodes: Sequence[FileNode], wrappers: int = 0) -> list[Upload]:
        downloaded = platform_uploads(name, nodes)
        if downloaded is not None:
            return downloaded
        if self._is_one_submission(nodes):
            whole = virtual_folder(name.lstrip(".") or "submission", nodes)
            return [plain_upload(whole)]
        counted = [node for node in nodes if _is_submitted(node)]
        if len(counted) == 1 and wrappers < MAX_WRAPPERS:
            inner = self._listing(counted[0])
            if self._is_class(counted[0].stem, inner, wrappers + 1):
                return self._uploads_in(counted[0].stem, inner, wrappers + 1)
        return [plain_upload(node) for node in counted]

    def _is_one_submission(self, nodes: Sequence[FileNode]) -> bool:
        """Whether a folder is itself one submission."""
        names = {node.name.lower() for node in nodes}
        files = {node.stem: node for node in nodes if node.suffix == ".py" and not node.is_folder}
        if "solution.py" in names or any(_has_play(node) for stem, node in files.items() if stem.lower() == "player"):
            return True
        own = {stem for stem in files if not _is_handed_out(stem)}
        if any((own - {stem}) & _imported_names(node) for stem, node in files.items()):
            return True
        others = [node for node in nodes if node.name.lower() not in _OF_ONE_PROJECT]
        return len(others) < len(nodes) and sum(self._can_play(node) for node in others) < 2

    def _is_class(self, name: str, nodes: Sequence[FileNode], wrappers: int) -> bool:
        """Whether a folder holds submissions rather than being one."""
        if self._is_one_submission(nodes):  # first, because names inside may be a lonely student's own choice
            return False
        if platform_uploads(name, nodes) is not None:
            return True
        counted = [node for node in nodes if _is_submitted(node)]
        if not counted:
            return False
        if len(counted) > 1:
            return sum(self._can_play(node) for node in counted) > 1
        return wrappers < MAX_WRAPPERS and self._is_class(counted[0].stem, self._listing(counted[0]), wrappers + 1)

    def _can_play(self, node: FileNode, wrappers: int = 0) -> bool:
        """Whether something looks like a submission of its own, rather than like a part of one."""
        if not node.is_folder:
            return node.is_zip or node.name.lower() in _ENTRIES or (node.suffix == ".py" and _has_play(node))
        inner = self._listing(node)
        files = [one for one in inner if not one.is_folder]
        folders = [one for one in inner if one.is_folder]
        if any(one.name == "pyvenv.cfg" for one in files):
            return False
        within = len(folders) == 1 and wrappers < MAX_WRAPPERS and self._can_play(folders[0], wrappers + 1)
        return within or any(self._can_play(one) for one in files)

    def _listing(self, node: FileNode) -> list[FileNode]:
        """What a folder or zip holds; nothing, if that cannot be told. Its staging will say why."""
        try:
            if not node.is_zip:
                return node.children()
            # To look into a zip inside a zip, it has to be unpacked.
            small = node.packed is None or node.size <= MAX_BYTES
            return open_zip(node, self.staging, self.stack).children() if small else []
        except Refused:
            return []


def _is_submitted(node: FileNode) -> bool:
    """Whether something in a class's folder is a submission, or wants to be one."""
    if node.is_folder or node.refused is not None:
        return True
    if node.suffix == ".py" and _is_handed_out(node.stem):
        return _has_play(node)
    return node.suffix in _SUBMITTED


def _read_source(node: FileNode) -> Source | None:
    """What a Python file says about itself; nothing if it cannot be read."""
    if node.read is None or node.size > MAX_SOURCE_BYTES:
        return None
    try:
        with node.read() as file:
            source = parse_source(Path(node.name), file.read())
    except (Refused, *BROKEN):
        return None
    return source if isinstance(source, Source) else None


def _imported_names(node: FileNode) -> set[str]:
    source = _read_source(node)
    return {taken.module.partition(".")[0] for taken in source.imports} if source is not None else set()


def _has_play(node: FileNode) -> bool:
    source = _read_source(node)
    return source is not None and source.has_play


def _id_taken_finding(upload: Upload, own: str) -> Finding:
    text = say(
        "{source} would have the id {id}, which another submission has: it is graded as {own}.",
        source=printable(upload.source),
        id=safe_id(upload.id),
        own=own,
    )
    return Finding(code="id_taken", text=text, help=say("Give every submission a name of its own."))


def _is_handed_out(stem: str) -> bool:
    """Whether a file of that name is one of the course's, or of a project around it."""
    return stem.lower() in _OF_A_PROJECT.union(*(code.files for code in player_codes().values()))
