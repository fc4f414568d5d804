"""Copy a submission to its own folder: only plain files, with limits on their number and size."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from grader.intake.archive import open_zip, refuse_broken_zip
from grader.intake.file_tree import FileNode, Refusal
from grader.intake.names import printable, staged_name
from grader.intake.second_uploads import newest_uploads
from grader.intake.submission import StagingFault
from grader.language import say
from grader.records import Finding
from grader.source.notebook import NOTEBOOK

MAX_BYTES = 200_000_000
MAX_FILES = 5_000
MAX_DEPTH = 40
MAX_NAME = 200
"""The longest name of a file or folder in bytes; common file systems allow 255."""
MAX_PATH = 1_000
MAX_ZIPS = 3
"""How deeply zips may be nested."""
MAX_OPEN_ZIPS = 20
"""How many zips a submission may contain."""
MAX_RATIO = 100
"""The highest compression ratio. Code has about 4, zeros have 1000."""
_RATIO_FROM = 10_000_000
_CHUNK = 1 << 20
_OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")
_ONLY_NEEDED = say("Submit only the files that the player needs.")
_UNPACK = say("Submit the files themselves, or a single zip.")

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StagedFiles:
    """The result of copying a submission."""

    digest: str
    contents: str
    findings: tuple[Finding, ...] = ()
    problem: Finding | None = None


def stage(content: FileNode, folder: Path, scratch: Path) -> StagedFiles:
    """Copy the contents of a folder to a new folder. If there is a problem, the caller removes what was copied."""
    folder.mkdir()
    try:
        with ExitStack() as stack:
            walk = _FileWalk(scratch, stack)
            files = _index_by_path(walk.files(content))
            if not files:
                text = say("The submission contains no files.")
                help_ = say("Submit solution.py with your player in it.")
                raise Refusal(Finding(code="empty_submission", text=text, help=help_))
            digests = {parts: _copy(node, folder.joinpath(*parts)) for parts, node in files.items()}
            if not any(parts[-1].lower().endswith((".py", NOTEBOOK)) for parts in files):
                _check_archives(files, walk.findings)
    except Refusal as refusal:
        return refused(refusal.finding)
    digests = _unwrap(folder, digests)
    return StagedFiles(_digest(digests), _contents(digests), (*walk.findings, *walk.repeated))


def refused(problem: Finding) -> StagedFiles:
    """The result for a submission of which nothing is used."""
    return StagedFiles(_digest({}), _contents({}), problem=problem)


@dataclass(slots=True)
class _FileWalk:
    """Walks through a submission and checks the limits before anything is copied."""

    scratch: Path
    stack: ExitStack
    findings: list[Finding] = field(default_factory=list)
    """About zips that cannot be opened."""
    repeated: list[Finding] = field(default_factory=list)
    """About files that were uploaded several times."""
    _bytes: int = 0
    _packed: int = 0
    _files: int = 0
    _opened: int = 0

    def files(self, folder: FileNode, at: Parts = (), zips: int = 0) -> Iterator[tuple[Parts, FileNode]]:
        """All files below a folder, treating zips as folders."""
        if len(at) > MAX_DEPTH:
            text = say("Folders are nested more than {most} levels deep.", most=MAX_DEPTH)
            help_ = say("Put solution.py at the top level of the folder.")
            raise Refusal(Finding(code="too_deep", text=text, help=help_))
        children, repeated = newest_uploads(folder.children())
        self.repeated += repeated
        names = {staged_name(node.name) for node in children}
        if at and any(node.name == "pyvenv.cfg" for node in children):
            return  # a virtual environment, whatever its name
        for node in children:
            if node.refusal is not None:
                raise Refusal(node.refusal)
            name = staged_name(node.name)
            where = (*at, name)
            if len(name.encode()) > MAX_NAME or len("/".join(where).encode()) > MAX_PATH:
                raise _long_name(name)
            if node.is_folder:
                yield from self.files(node, where, zips)
                continue
            self._count(node)
            if node.is_zip and (inner := self._open_zip(node, zips)) is not None:
                # Next to a folder of the same name, it keeps its suffix.
                stem = staged_name(node.stem)
                yield from self.files(inner, (*at, name if stem in names else stem), zips + 1)
            else:
                yield where, node

    def _count(self, node: FileNode) -> None:
        self._files += 1
        self._bytes += node.size
        self._packed += node.size if node.packed is None else node.packed
        if self._files > MAX_FILES:
            text = say("The submission has more than {most} files.", most=MAX_FILES)
            raise Refusal(Finding(code="too_many_files", text=text, help=_ONLY_NEEDED))
        if self._bytes > _RATIO_FROM and self._bytes > MAX_RATIO * self._packed:
            text = say("The zip expands to more than {most} times its size.", most=MAX_RATIO)
            raise Refusal(Finding(code="zip_bomb", text=text, help=_ONLY_NEEDED))
        if self._bytes > MAX_BYTES:
            raise _too_large(node)

    def _open_zip(self, node: FileNode, zips: int) -> FileNode | None:
        """The zip as a folder, or None if it is broken: then it is copied like any other file."""
        if zips >= MAX_ZIPS:
            text = say("Zips are nested more than {most} levels deep.", most=MAX_ZIPS)
            raise Refusal(Finding(code="nested_zips", text=text, help=_UNPACK))
        self._opened += 1
        if self._opened > MAX_OPEN_ZIPS:  # each stays open until everything is copied
            text = say("The submission has more than {most} zips.", most=MAX_OPEN_ZIPS)
            raise Refusal(Finding(code="nested_zips", text=text, help=_UNPACK))
        try:
            return open_zip(node, self.scratch, self.stack)
        except Refusal as refusal:
            self.findings.append(refusal.finding)
            return None


def _index_by_path(found: Iterator[tuple[Parts, FileNode]]) -> dict[Parts, FileNode]:
    files: dict[Parts, FileNode] = {}
    for parts, node in found:
        if parts in files:  # the names differed only in characters that are replaced
            raise _same_name(parts[-1])
        files[parts] = node
    return files


def _copy(node: FileNode, target: Path) -> str:
    """Copy a file and return the hash of its content."""
    assert node.read is not None
    digest = hashlib.sha256()
    copied = 0
    with refuse_broken_zip(node.name) if node.packed is not None else ExitStack(), node.read() as source:
        chunk = source.read(_CHUNK)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as copy:
                while chunk:
                    digest.update(chunk)
                    copied += copy.write(chunk)
                    if copied > MAX_BYTES:  # it grew while it was being read
                        raise _too_large(node)
                    chunk = source.read(_CHUNK)
        except (FileExistsError, NotADirectoryError):  # a file system that ignores case
            raise _same_name(node.name) from None
        except OSError as error:
            raise StagingFault.cannot_write(target, error) from error
    return digest.hexdigest()


def _unwrap(folder: Path, digests: dict[Parts, str]) -> dict[Parts, str]:
    """Remove folders that only wrap all other files, unless the code imports from them by name."""
    while len({parts[0] for parts in digests}) == 1 and all(len(parts) > 1 for parts in digests):
        wrapper = next(iter(digests))[0]
        if wrapper == "src" or _is_imported(folder, digests, wrapper):
            break
        aside = folder.with_name(f".{folder.name}.unwrapped")
        (folder / wrapper).rename(aside)
        folder.rmdir()
        aside.rename(folder)
        digests = {parts[1:]: digest for parts, digest in digests.items()}
    return digests


def _is_imported(folder: Path, files: dict[Parts, str], name: str) -> bool:
    if not name.isidentifier():
        return False
    # Not `\s`, which also matches line ends: a file of blank lines would take hours.
    imported = re.compile(rb"^[ \t\f]*(?:from|import)[ \t\f]+" + re.escape(name.encode()) + rb"\b", re.MULTILINE)
    sources = (folder.joinpath(*parts) for parts in files if parts[-1].endswith(".py"))
    return any(imported.search(path.read_bytes()) for path in sources if path.stat().st_size <= 2_000_000)


def _digest(digests: dict[Parts, str]) -> str:
    total = hashlib.sha256()
    for parts, digest in sorted(digests.items()):
        total.update(f"{'/'.join(parts)}\0{digest}\n".encode())
    return total.hexdigest()


def _contents(digests: dict[Parts, str]) -> str:
    return hashlib.sha256("\n".join(sorted(digests.values())).encode()).hexdigest()


def _check_archives(files: dict[Parts, FileNode], findings: list[Finding]) -> None:
    """If there are no Python files, raise `Refusal` for an archive that could not be unpacked."""
    if findings:
        raise Refusal(findings[0])
    for node in files.values():
        if node.suffix in _OTHER_ARCHIVES:
            name, help_ = printable(node.name), say("Submit the files themselves, or a single zip.")
            text = say("{name} is an archive in an unsupported format.", name=name)
            raise Refusal(Finding(code="archive_format", file=name, text=text, help=help_))


def _too_large(node: FileNode) -> Refusal:
    text = say("The submission is larger than {size} MB.", size=MAX_BYTES // 1_000_000)
    return Refusal(Finding(code="too_large", file=printable(node.name), text=text, help=_ONLY_NEEDED))


def _long_name(name: str) -> Refusal:
    start, help_ = printable(name)[:60], say("Use a shorter name.")
    text = say("The name or path of a file or folder is too long: {name}…", name=start)
    return Refusal(Finding(code="long_name", file=f"{start}…", text=text, help=help_))


def _same_name(raw: str) -> Refusal:
    name = printable(raw)
    text = say("Two files, or a file and a folder, have the same name: {name}.", name=name)
    help_ = say("Rename one of them. Some systems ignore the difference between upper and lower case.")
    return Refusal(Finding(code="same_name", file=name, text=text, help=help_))
