"""Find the submissions in an instructor's folder, file or download, and copy each to its own folder.

1. The download of a platform is recognised by the names in it (`platforms`).
2. Otherwise a folder is one submission if it has a `solution.py`, or a `player.py` that plays, and nothing else in it can
   play; or if it has only a `src` or `tests` folder, or one file or folder and its requirements.
3. Otherwise each folder, `<id>.py` and `<id>.zip` in it is a submission. Hidden files and all others are not, nor is a
   `player.py` or `board.py` of the course that cannot play.
4. In a zip, a single folder with such folders, files or a download in it is only a wrapper.

What one student can add to a class never decides between these: where it could, nothing is graded until the instructor
says `--single` or `--class`. A problem of one submission is recorded with that submission and does not affect the others.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto
from itertools import islice
from pathlib import Path

from grader.file_removal import remove_tree
from grader.intake.ambiguity import check_ids, unclear_folder, unclear_wrapper
from grader.intake.archive import open_zip
from grader.intake.file_tree import FileNode, Refusal, disk_node, virtual_folder
from grader.intake.handouts import player_codes
from grader.intake.names import printable, safe_id, unique_ids
from grader.intake.platforms import platform_uploads
from grader.intake.reader import Reader
from grader.intake.second_uploads import original_name
from grader.intake.signs import MAX_WRAPPERS
from grader.intake.staging import MAX_BYTES
from grader.intake.submission import IntakeError, Submission
from grader.intake.upload import Upload, copy_finding, plain_upload
from grader.language import say
from grader.source.notebook import NOTEBOOK

__all__ = ["FolderUse", "IntakeError", "Submission", "collect", "folder_use", "submission_ids"]

_SUBMISSION_SUFFIXES = (".py", ".zip", NOTEBOOK, ".rar", ".7z", ".tar", ".gz", ".tgz")
_COURSE_STEMS = {"player", "__init__", "conftest", "setup"}
"""Names of files that an instructor may leave among the submissions, besides those of the course."""
_PROJECT_FILES = {"src", "tests", "test", "docs", "doc", "requirements.txt", "pyproject.toml", "setup.py", "setup.cfg"}


def collect(
    path: Path, staging: Path, reader: Reader, *, due: datetime | None = None, single: bool | None = None
) -> tuple[Submission, ...]:
    """All submissions in a folder, file or zip, sorted by id, each copied to its own folder below `staging`.

    `due` is the course's deadline (default: the platform's). `single` is whether everything is one submission, for
    example a student's repository (default: recognised). `staging` must be empty or not exist yet; nothing is written
    outside it. Raises `IntakeError` if `path` cannot be read, has no submissions, or can be read in several ways.
    """
    path, staging = path.resolve(), staging.resolve()
    _check_paths(path, staging)
    staging.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        uploads = _Sorter(path, staging, stack, reader, single).uploads()
        if not uploads:
            raise IntakeError(
                say(
                    "{path}: no submissions found. Give a folder that has a folder, a .py file or a .zip file per student.",
                    path=str(path),
                )
            )
        ids = unique_ids([(upload.id, upload.source) for upload in uploads])
        staged = [_stage_upload(upload, id_, staging, due, reader) for upload, id_ in zip(uploads, ids, strict=True)]
    by_id = dict(zip(ids, uploads, strict=True))
    submissions = _remove_copies(staged, by_id)
    check_ids([by_id[submission.id] for submission in submissions])
    return submissions


class FolderUse(Enum):
    """What a folder with an assignment file is used for."""

    SUBMISSION = "submission"
    """It is itself the submission of one student."""
    CLASS = "class"
    CLASS_OF_ONE = "class of one"
    """It contains one submission, or is one."""


def folder_use(folder: Path, staging: Path, reader: Reader, *, single: bool | None = None) -> FolderUse:
    """What a folder is used for. Raises `IntakeError` if it is unclear whether it is one submission.

    `staging` is an empty folder, in which a zip inside a zip is unpacked.
    """
    folder = folder.resolve()
    with ExitStack() as stack:
        uploads = _Sorter(folder, staging.resolve(), stack, reader, single).uploads()
    if [upload.source for upload in uploads] == [folder.name]:
        return FolderUse.SUBMISSION
    return FolderUse.CLASS_OF_ONE if single is None and len(uploads) == 1 else FolderUse.CLASS


def submission_ids(path: Path, staging: Path, reader: Reader) -> list[str]:
    """The ids that `collect` gives to the submissions at a path, without copying them.

    `staging` is an empty folder, in which a zip inside a zip is unpacked.
    """
    with ExitStack() as stack:
        uploads = _Sorter(path.resolve(), staging.resolve(), stack, reader).uploads()
        return unique_ids([(upload.id, upload.source) for upload in uploads])


def _check_paths(path: Path, staging: Path) -> None:
    if not path.exists():
        raise IntakeError(say("{path}: no such file or folder. Give the folder with the submissions.", path=str(path)))
    if path.is_file() and path.suffix.lower() not in (".py", ".zip", NOTEBOOK):
        raise IntakeError(
            say(
                "{path}: not a folder, a .py file, a notebook or a .zip file. Give the folder with the submissions.",
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
        findings=(*upload.findings, *staged.findings),
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
            first = unique[key]
            unique[key] = replace(first, findings=(*first.findings, copy_finding(printable(upload.source))))
        else:
            unique[key] = submission
    return tuple(sorted(unique.values(), key=lambda submission: submission.id))


class _FolderKind(Enum):
    """What a folder or zip is."""

    ONE = auto()
    """One submission."""
    CLASS = auto()
    UNCLEAR = auto()
    """It can be either."""


@dataclass(frozen=True, slots=True)
class _Sorter:
    """Decides which files and folders are submissions."""

    path: Path
    staging: Path
    stack: ExitStack
    reader: Reader
    single: bool | None = None

    def uploads(self) -> list[Upload]:
        node = disk_node(self.path)
        if self.single:
            return [plain_upload(node)]
        if node.is_zip:
            return self._uploads_in_zip(node)
        if not node.is_folder:
            return self._uploads_in("", [node])
        inside = self.staging.relative_to(self.path).parts[:1] if self.staging.is_relative_to(self.path) else ()
        return self._uploads_in(self.path.name, [child for child in node.children() if child.name not in inside])

    def _uploads_in_zip(self, node: FileNode) -> list[Upload]:
        """The submissions in a zip that the instructor named: the zip is one itself, or contains a class."""
        inner = self._listing(node)
        kind = self._kind(node.stem, inner)
        if self.single is None and kind is _FolderKind.UNCLEAR:
            raise unclear_folder(self.path, [child.name for child in inner if self._is_submitted(child)])
        if inner and (self.single is False or kind is _FolderKind.CLASS):
            return self._uploads_in(node.stem, inner, wrappers=1)
        return self._uploads_in("", [node], wrappers=MAX_WRAPPERS)

    def _uploads_in(self, name: str, nodes: Sequence[FileNode], wrappers: int = 0) -> list[Upload]:
        counted = [node for node in nodes if self._is_submitted(node)]
        uploads = platform_uploads(name, nodes, counted, wrapped=wrappers > 0)
        if uploads is not None:
            return uploads
        kind = self._kind_by_signs(nodes) if self.single is None else None
        if kind is _FolderKind.UNCLEAR:
            raise unclear_folder(self.path, [node.name for node in counted])
        if kind is _FolderKind.ONE:
            return [plain_upload(virtual_folder(name.lstrip(".") or "submission", nodes))]
        if len(counted) == 1 and wrappers < MAX_WRAPPERS:
            inner = self._listing(counted[0])
            kind = self._kind(counted[0].stem, inner, wrappers + 1)
            if wrappers and kind is not _FolderKind.ONE:
                return self._uploads_in(counted[0].stem, inner, wrappers + 1)
            if self.single is None and (
                kind is _FolderKind.CLASS or (kind is _FolderKind.UNCLEAR and self._may_be_several(inner))
            ):
                raise unclear_wrapper(self.path, counted[0].name, [node.name for node in inner])
        return [plain_upload(node) for node in counted]

    def _kind(self, name: str, nodes: Sequence[FileNode], wrappers: int = 1) -> _FolderKind:
        """What a zip, or a folder or zip inside another one, is."""
        kind = self._kind_by_signs(nodes)  # first, because a single student can choose any names inside
        if kind is not None:
            return kind
        counted = [node for node in nodes if self._is_submitted(node)]
        if platform_uploads(name, nodes, counted, wrapped=True) is not None:
            return _FolderKind.CLASS
        if len(counted) == 1 and wrappers < MAX_WRAPPERS:
            return self._kind(counted[0].stem, self._listing(counted[0]), wrappers + 1)
        if not self._may_be_several(counted):
            return _FolderKind.ONE
        return (
            _FolderKind.CLASS if sum(self.reader.signs(node).can_play for node in counted) > 1 else _FolderKind.UNCLEAR
        )

    def _kind_by_signs(self, nodes: Sequence[FileNode]) -> _FolderKind | None:
        """What a folder is by the signs that its contents belong together; None if there are none."""
        counted = [node for node in nodes if self._is_submitted(node)]
        if self._has_entry(nodes):
            files = [node for node in counted if node.suffix != NOTEBOOK]  # a notebook only plays without such a file
            return _FolderKind.UNCLEAR if self._may_be_several(files) else _FolderKind.ONE
        if self._has_own_import(nodes):
            return _FolderKind.UNCLEAR  # a student can import anything
        others = [node for node in counted if node.name.lower() not in _PROJECT_FILES]
        if all(node.name.lower() not in _PROJECT_FILES for node in nodes) or self._may_be_several(others):
            return None
        alone = not others or (counted == others and len(others) == 1)
        return _FolderKind.ONE if alone else _FolderKind.UNCLEAR

    def _may_be_several(self, nodes: Sequence[FileNode]) -> bool:
        """Whether more than one thing in a folder may play."""
        playing = (node for node in nodes if self._is_submitted(node) and self.reader.signs(node).may_play)
        return len(list(islice(playing, 2))) > 1

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
            return self.reader.signs(node).has_play
        return node.suffix in _SUBMISSION_SUFFIXES

    def _has_entry(self, nodes: Sequence[FileNode]) -> bool:
        """Whether a `solution.py`, or a `player.py` that plays, is directly in a folder."""
        names = {original_name(node.name)[0].lower(): node for node in nodes if not node.is_folder}
        return "solution.py" in names or ("player.py" in names and self.reader.signs(names["player.py"]).has_play)

    def _has_own_import(self, nodes: Sequence[FileNode]) -> bool:
        """Whether a file directly in a folder imports another one that is not the course's."""
        files = {node.stem: node for node in nodes if node.suffix == ".py" and not node.is_folder}
        own = {stem for stem in files if not _is_course_file(stem)}
        return any((own - {stem}).intersection(self.reader.signs(node).imports) for stem, node in files.items())


def _is_course_file(stem: str) -> bool:
    """Whether a file with this name belongs to the course or its project."""
    return stem.lower() in _COURSE_STEMS.union(*(code.files for code in player_codes().values()))
