"""Find the submissions in an instructor's folder, file or download, and copy each to its own folder.

1. The download of a platform is recognised by the names in it (`platforms`).
2. Otherwise a folder is one submission if there is a player at its top: a `solution.py`, a `player.py` that plays,
   files that import each other, or a `src` or `tests` folder or a requirements file next to them.
3. Otherwise each folder, `<id>.py` and `<id>.zip` in it is a submission. Hidden files and all others are not, nor is a
   `player.py` or `board.py` of the course that cannot play.
4. A single folder or zip with such folders, files or a download in it is only a wrapper.

A problem of one submission is recorded with that submission and does not affect the others.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from grader.file_removal import remove_tree
from grader.intake.archive import open_zip
from grader.intake.file_tree import FileNode, Refusal, disk_node, virtual_folder
from grader.intake.handouts import player_codes
from grader.intake.names import printable, safe_id, unique_ids
from grader.intake.platforms import platform_uploads
from grader.intake.reader import Reader
from grader.intake.staging import MAX_BYTES
from grader.intake.submission import IntakeError, Submission
from grader.intake.upload import Upload, plain_upload
from grader.language import say
from grader.records import Finding

__all__ = ["IntakeError", "Submission", "collect", "submission_ids"]

MAX_WRAPPERS = 3
_SUBMISSION_SUFFIXES = (".py", ".zip", ".ipynb", ".rar", ".7z", ".tar", ".gz", ".tgz")
_ENTRIES = ("solution.py", "player.py")
_COURSE_STEMS = {"player", "__init__", "conftest", "setup"}
"""Names of files that an instructor may leave among the submissions, besides those of the course."""
_PROJECT_FILES = {"src", "tests", "test", "docs", "doc", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg"}


def collect(
    path: Path, staging: Path, reader: Reader, *, due: datetime | None = None, single: bool = False
) -> tuple[Submission, ...]:
    """All submissions in a folder, file or zip, sorted by id, each copied to its own folder below `staging`.

    `due` is the course's deadline (default: the platform's). `single` means that everything is one submission, for
    example a student's repository. `staging` must be empty or not exist yet; nothing is written outside it.
    Raises `IntakeError` if `path` cannot be read or has no submissions.
    """
    path, staging = path.resolve(), staging.resolve()
    _check_paths(path, staging)
    staging.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        uploads = [plain_upload(disk_node(path))] if single else _Sorter(staging, stack, reader).uploads(path)
        if not uploads:
            raise IntakeError(
                say(
                    "{path}: no submissions found. Give a folder that has a folder, a .py file or a .zip file per student.",
                    path=str(path),
                )
            )
        ids = unique_ids([(upload.id, upload.source) for upload in uploads])
        staged = [_stage_upload(upload, id_, staging, due, reader) for upload, id_ in zip(uploads, ids, strict=True)]
    return _remove_copies(staged, dict(zip(ids, uploads, strict=True)))


def submission_ids(path: Path, staging: Path, reader: Reader) -> list[str]:
    """The ids that `collect` gives to the submissions at a path, without copying them.

    `staging` is an empty folder, in which a zip inside a zip is unpacked.
    """
    with ExitStack() as stack:
        uploads = _Sorter(staging.resolve(), stack, reader).uploads(path.resolve())
        return unique_ids([(upload.id, upload.source) for upload in uploads])


def _check_paths(path: Path, staging: Path) -> None:
    if not path.exists():
        raise IntakeError(say("{path}: no such file or folder. Give the folder with the submissions.", path=str(path)))
    if path.is_file() and path.suffix.lower() not in (".py", ".zip"):
        raise IntakeError(
            say(
                "{path}: not a folder, a .py file or a .zip file. Give the folder with the submissions.",
                path=str(path),
            )
        )
    if staging.exists() and (not staging.is_dir() or any(staging.iterdir())):
        raise IntakeError(
            say(
                "{staging}: the folder for copies of the submissions must be empty. Choose another one.",
                staging=str(staging),
            )
        )


def _stage_upload(upload: Upload, id_: str, staging: Path, due: datetime | None, reader: Reader) -> Submission:
    folder = staging / id_
    staged = reader.stage(upload.content, folder, staging)
    if staged.problem is not None:
        remove_tree(folder)
        folder.mkdir()
    renamed = (_id_taken_finding(upload, id_),) if id_ != safe_id(upload.id) else ()
    due = _due_date(upload, due)
    late = upload.submitted_at - due if upload.submitted_at and due else None
    return Submission(
        id=id_,
        name=printable(upload.name) or id_,
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
    """The deadline of a submission: the course's, else the platform's; or a later one that the platform granted."""
    if due is None:
        return upload.due
    return max(due.astimezone(), upload.due) if upload.due and upload.extended else due.astimezone()


def _remove_copies(staged: list[Submission], uploads: dict[str, Upload]) -> tuple[Submission, ...]:
    """Drop a zip that was unpacked next to itself: it has the same id and the same files."""
    unique: dict[tuple[str, str], Submission] = {}
    for submission in sorted(staged, key=lambda found: (found.id != safe_id(uploads[found.id].id), found.id)):
        upload = uploads[submission.id]
        key = (upload.id, submission.digest if submission.problem is None else submission.id)
        if key in unique:
            remove_tree(submission.folder)
            first, source = unique[key], printable(upload.source)
            text = say("{source} contains the same files and was ignored.", source=source)
            finding = Finding(code="copy_left_out", text=text, help=say("No action needed."))
            unique[key] = replace(first, findings=(*first.findings, finding))
        else:
            unique[key] = submission
    return tuple(sorted(unique.values(), key=lambda submission: submission.id))


@dataclass(frozen=True, slots=True)
class _Sorter:
    """Decides which files and folders are submissions."""

    staging: Path
    stack: ExitStack
    reader: Reader

    def uploads(self, path: Path) -> list[Upload]:
        if path.is_file():
            return self._uploads_in("", [disk_node(path)])
        inside = self.staging.relative_to(path).parts[:1] if self.staging.is_relative_to(path) else ()
        return self._uploads_in(path.name, [node for node in disk_node(path).children() if node.name not in inside])

    def _uploads_in(self, name: str, nodes: Sequence[FileNode], wrappers: int = 0) -> list[Upload]:
        counted = [node for node in nodes if self._is_submitted(node)]
        uploads = platform_uploads(name, nodes, counted, wrapped=wrappers > 0)
        if uploads is not None:
            return uploads
        if self._is_one_submission(nodes):
            return [plain_upload(virtual_folder(name.lstrip(".") or "submission", nodes))]
        if len(counted) == 1 and wrappers < MAX_WRAPPERS:
            inner = self._listing(counted[0])
            if self._is_class(counted[0].stem, inner, wrappers + 1):
                return self._uploads_in(counted[0].stem, inner, wrappers + 1)
        return [plain_upload(node) for node in counted]

    def _is_one_submission(self, nodes: Sequence[FileNode]) -> bool:
        """Whether a folder is one submission."""
        names = {node.name.lower() for node in nodes}
        files = {node.stem: node for node in nodes if node.suffix == ".py" and not node.is_folder}
        if "solution.py" in names or any(
            self._has_play(node) for stem, node in files.items() if stem.lower() == "player"
        ):
            return True
        own = {stem for stem in files if not _is_course_file(stem)}
        if any((own - {stem}) & self._imported_names(node) for stem, node in files.items()):
            return True
        others = [node for node in nodes if node.name.lower() not in _PROJECT_FILES]
        return len(others) < len(nodes) and sum(self._can_play(node) for node in others) < 2

    def _is_class(self, name: str, nodes: Sequence[FileNode], wrappers: int) -> bool:
        """Whether a folder contains submissions and is not one itself."""
        if self._is_one_submission(nodes):  # first, because a single student can choose any names inside
            return False
        counted = [node for node in nodes if self._is_submitted(node)]
        if platform_uploads(name, nodes, counted, wrapped=True) is not None:
            return True
        if not counted:
            return False
        if len(counted) > 1:
            return sum(self._can_play(node) for node in counted) > 1
        return wrappers < MAX_WRAPPERS and self._is_class(counted[0].stem, self._listing(counted[0]), wrappers + 1)

    def _can_play(self, node: FileNode, wrappers: int = 0) -> bool:
        """Whether a file or folder looks like a submission, not like a part of one."""
        if not node.is_folder:
            return node.is_zip or node.name.lower() in _ENTRIES or (node.suffix == ".py" and self._has_play(node))
        inner = self._listing(node)
        files = [child for child in inner if not child.is_folder]
        folders = [child for child in inner if child.is_folder]
        if any(file.name == "pyvenv.cfg" for file in files):
            return False
        within = len(folders) == 1 and wrappers < MAX_WRAPPERS and self._can_play(folders[0], wrappers + 1)
        return within or any(self._can_play(file) for file in files)

    def _listing(self, node: FileNode) -> list[FileNode]:
        """The contents of a folder or zip; empty if it cannot be read, which staging reports."""
        try:
            if not node.is_zip:
                return node.children()
            # A zip inside a zip has to be unpacked to be listed.
            small = node.packed is None or node.size <= MAX_BYTES
            if not small or not self.reader.can_list(node, self.staging):
                return []
            return open_zip(node, self.staging, self.stack).children()
        except Refusal:
            return []

    def _is_submitted(self, node: FileNode) -> bool:
        """Whether something in a class's folder is meant to be a submission."""
        if node.is_folder or node.refusal is not None:
            return True
        if node.suffix == ".py" and _is_course_file(node.stem):
            return self._has_play(node)
        return node.suffix in _SUBMISSION_SUFFIXES

    def _imported_names(self, node: FileNode) -> set[str]:
        source = self.reader.source(node)
        return {use.module.partition(".")[0] for use in source.imports} if source is not None else set()

    def _has_play(self, node: FileNode) -> bool:
        source = self.reader.source(node)
        return source is not None and source.has_play


def _id_taken_finding(upload: Upload, id_: str) -> Finding:
    text = say(
        "{source}: the id {id} belongs to another submission, so this one is graded as {new_id}.",
        source=printable(upload.source),
        id=safe_id(upload.id),
        new_id=id_,
    )
    return Finding(code="id_taken", text=text, help=say("Give each submission a different name."))


def _is_course_file(stem: str) -> bool:
    """Whether a file with this name belongs to the course or its project."""
    return stem.lower() in _COURSE_STEMS.union(*(code.files for code in player_codes().values()))
