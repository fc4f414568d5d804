"""Take in whatever folder, file or download an instructor has, and give every submission a folder of its own.

1. The download of a platform is told by the names in it (`platforms`).
2. Else a folder is one submission if a player lies at its top: a `solution.py`, a `player.py` that plays, files that
   import one another, or a `src` or `tests` folder or a list of requirements beside them.
3. Else each folder, `<id>.py`, `<id>.zip` in it is a submission. Hidden files and all others are not, nor is a
   `player.py` or `board.py` of the course that cannot play.
4. A single folder or zip that holds such folders, files or a download is only a wrapper.

What is wrong with one submission is its own problem or finding; the others do not notice.
"""

import ast
import shutil
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from grader.intake.archive import BROKEN, open_zip
from grader.intake.course import codes
from grader.intake.file_tree import Node, Refused, folder_of, on_disk
from grader.intake.names import safe_id, shown, unique_ids
from grader.intake.platforms import recognise
from grader.intake.staging import MAX_BYTES, stage
from grader.intake.submission import IntakeError, Submission
from grader.intake.upload import Parcel, plain
from grader.language import say
from grader.records import Finding

__all__ = ["IntakeError", "Submission", "collect"]

MAX_WRAPPERS = 3
_MAX_SOURCE = 2_000_000
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
    _check(path, staging)
    staging.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        parcels = [plain(on_disk(path))] if single else _Sorter(staging, stack).parcels(path)
        if not parcels:
            raise IntakeError(
                say(
                    "{path}: expected submissions, found none. Give a folder with a folder, a .py or a .zip for each.",
                    path=str(path),
                )
            )
        ids = unique_ids([(parcel.id, parcel.source) for parcel in parcels])
        staged = [_staged(parcel, own, staging, due) for parcel, own in zip(parcels, ids, strict=True)]
    return _without_copies(staged, dict(zip(ids, parcels, strict=True)))


def _check(path: Path, staging: Path) -> None:
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


def _staged(parcel: Parcel, own: str, staging: Path, due: datetime | None) -> Submission:
    folder = staging / own
    staged = stage(parcel.content, folder, staging)
    renamed = (_renamed(parcel, own),) if own != safe_id(parcel.id) else ()
    due = _due(parcel, due)
    late = parcel.submitted_at - due if parcel.submitted_at and due else None
    return Submission(
        id=own,
        name=shown(parcel.name) or own,
        folder=folder,
        digest=staged.digest,
        contents=staged.contents,
        platform=parcel.platform,
        members=tuple(shown(member) for member in parcel.members),
        submitted_at=parcel.submitted_at.isoformat() if parcel.submitted_at else None,
        late_seconds=max(0, int(late.total_seconds())) if late is not None else None,
        attempts=parcel.attempts,
        findings=(*renamed, *parcel.findings, *staged.findings),
        problem=staged.problem,
    )


def _due(parcel: Parcel, due: datetime | None) -> datetime | None:
    """When a submission was due: as the course says, else as the platform does, and later for who was given longer."""
    if due is None:
        return parcel.due
    return max(due.astimezone(), parcel.due) if parcel.due and parcel.extended else due.astimezone()


def _without_copies(staged: list[Submission], parcels: dict[str, Parcel]) -> tuple[Submission, ...]:
    """Leave out the zip beside the folder into which somebody unpacked it: the same id and the same files."""
    kept: dict[tuple[str, str], Submission] = {}
    for submission in sorted(staged, key=lambda one: (one.id != safe_id(parcels[one.id].id), one.id)):
        parcel = parcels[submission.id]
        key = (parcel.id, submission.digest if submission.problem is None else submission.id)
        if key in kept:
            shutil.rmtree(submission.folder)
            first = kept[key]
            kept[key] = replace(first, findings=(*first.findings, _copy_left_out(parcel)))
        else:
            kept[key] = submission
    return tuple(sorted(kept.values(), key=lambda one: one.id))


@dataclass(frozen=True, slots=True)
class _Sorter:
    """Finds out what kind of folder it has before it."""

    staging: Path
    stack: ExitStack

    def parcels(self, path: Path) -> list[Parcel]:
        if path.is_file():
            return self._in_folder("", [on_disk(path)])
        inside = self.staging.relative_to(path).parts[:1] if self.staging.is_relative_to(path) else ()
        return self._in_folder(path.name, [node for node in on_disk(path).children() if node.name not in inside])

    def _in_folder(self, name: str, nodes: Sequence[Node], wrappers: int = 0) -> list[Parcel]:
        recognised = recognise(name, nodes)
        if recognised is not None:
            return recognised
        if self._is_one(nodes):
            whole = folder_of(name.lstrip(".") or "submission", nodes)
            return [plain(whole)]
        counted = [node for node in nodes if _is_submitted(node)]
        if len(counted) == 1 and wrappers < MAX_WRAPPERS:
            inner = self._listing(counted[0])
            if self._is_class(counted[0].stem, inner, wrappers + 1):
                return self._in_folder(counted[0].stem, inner, wrappers + 1)
        return [plain(node) for node in counted]

    def _is_one(self, nodes: Sequence[Node]) -> bool:
        """Whether a folder is itself one submission."""
        names = {node.name.lower() for node in nodes}
        files = {node.stem: _Text.of(node) for node in nodes if node.suffix == ".py" and not node.is_folder}
        own = {stem for stem in files if not _is_handed_out(stem)}
        if "solution.py" in names or any(text.plays for stem, text in files.items() if stem.lower() == "player"):
            return True
        if any((own - {stem}) & text.imports for stem, text in files.items()):
            return True
        others = [node for node in nodes if node.name.lower() not in _OF_ONE_PROJECT]
        return len(others) < len(nodes) and sum(self._could_play(node) for node in others) < 2

    def _is_class(self, name: str, nodes: Sequence[Node], wrappers: int) -> bool:
        """Whether a folder holds submissions rather than being one."""
        if self._is_one(nodes):  # first, because names inside may be a lonely student's own choice
            return False
        if recognise(name, nodes) is not None:
            return True
        counted = [node for node in nodes if _is_submitted(node)]
        if not counted:
            return False
        if len(counted) > 1:
            return sum(self._could_play(node) for node in counted) > 1
        return wrappers < MAX_WRAPPERS and self._is_class(counted[0].stem, self._listing(counted[0]), wrappers + 1)

    def _could_play(self, node: Node, wrappers: int = 0) -> bool:
        """Whether something looks like a submission of its own, rather than like a part of one."""
        if not node.is_folder:
            return node.is_zip or node.name.lower() in _ENTRIES or (node.suffix == ".py" and _Text.of(node).plays)
        inner = self._listing(node)
        files = [one for one in inner if not one.is_folder]
        folders = [one for one in inner if one.is_folder]
        if any(one.name == "pyvenv.cfg" for one in files):
            return False
        within = len(folders) == 1 and wrappers < MAX_WRAPPERS and self._could_play(folders[0], wrappers + 1)
        return within or any(self._could_play(one) for one in files)

    def _listing(self, node: Node) -> list[Node]:
        """What a folder or zip holds; nothing, if that cannot be told. Its staging will say why."""
        try:
            if not node.is_zip:
                return node.children()
            # To look into a zip inside a zip, it has to be unpacked.
            small = node.packed is None or node.size <= MAX_BYTES
            return open_zip(node, self.staging, self.stack).children() if small else []
        except Refused:
            return []


def _is_submitted(node: Node) -> bool:
    """Whether something in a class's folder is a submission, or wants to be one."""
    if node.is_folder or node.refused is not None:
        return True
    if node.suffix == ".py" and _is_handed_out(node.stem):
        return _Text.of(node).plays
    return node.suffix in _SUBMITTED


@dataclass(frozen=True, slots=True)
class _Text:
    """What a Python file says about its place among others."""

    plays: bool = False
    imports: frozenset[str] = frozenset()

    @staticmethod
    def of(node: Node) -> "_Text":
        if node.read is None or node.size > _MAX_SOURCE:
            return _Text()
        try:
            with node.read() as file, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(file.read())
        except (Refused, SyntaxError, RecursionError, MemoryError, *BROKEN):
            return _Text()
        imports = {alias.name for item in ast.walk(tree) if isinstance(item, ast.Import) for alias in item.names}
        imports |= {item.module or "" for item in ast.walk(tree) if isinstance(item, ast.ImportFrom)}
        return _Text(_plays(tree), frozenset(name.partition(".")[0] for name in imports))


def _plays(tree: ast.Module) -> bool:
    """Whether there is a `play` that does something."""
    bodies = [tree.body, *(item.body for item in tree.body if isinstance(item, ast.ClassDef))]
    functions = [item for body in bodies for item in body if isinstance(item, ast.FunctionDef) and item.name == "play"]
    idle = (ast.Pass, ast.Raise, ast.Expr)
    return any(not isinstance(item, idle) for function in functions for item in function.body)


def _renamed(parcel: Parcel, own: str) -> Finding:
    return Finding(
        code="id_taken",
        text=say(
            "{source} would have the id {id}, which another submission has: it is graded as {own}.",
            source=shown(parcel.source),
            id=safe_id(parcel.id),
            own=own,
        ),
        help=say("Give every submission a name of its own."),
    )


def _copy_left_out(parcel: Parcel) -> Finding:
    return Finding(
        code="copy_left_out",
        text=say("{source} holds the same files once more, and was left out.", source=shown(parcel.source)),
        help=say("Nothing needs to be done."),
    )


def _is_handed_out(stem: str) -> bool:
    """Whether a file of that name is one of the course's, or of a project around it."""
    return stem.lower() in _OF_A_PROJECT.union(*(code.files for code in codes().values()))
