"""List the files of a submission, without hidden files, installed packages and links to other folders."""

import os
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.language import say
from grader.records import Finding

IGNORED_FOLDERS = frozenset({"__MACOSX", "__pycache__", "node_modules", "site-packages", "venv", "lost+found"})
ASSIGNMENT = "assignment.yaml"
"""The name of a course's assignment file."""
UTF16 = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks of UTF-16."""
MAX_PYTHON_FILES = 2000
MAX_FILES = 20_000
"""The most files of any kind. A folder with more is a data set, or an attack on the grader."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a submission, relative to its folder: those at the top first, always in the same order."""

    python: tuple[Path, ...]
    others: tuple[Path, ...]
    findings: tuple[Finding, ...]


def list_files(root: Path) -> Files:
    """The files in a folder and below it, without hidden files, installed packages and links that lead out of it."""
    python: list[Path] = []
    others: list[Path] = []
    closed: list[Path] = []
    findings: list[Finding] = []
    for number, file in enumerate(_walk(root, closed)):
        if number >= MAX_FILES or len(python) >= MAX_PYTHON_FILES:
            text = say(
                "The submission has too many files: only the first {n} Python file was checked.",
                "The submission has too many files: only the first {n} Python files were checked.",
                n=len(python),
            )
            help_ = say("Submit only the files that the player needs.")
            findings.append(Finding(code="too_many_files", text=text, help=help_))
            break
        (python if file.suffix.lower() == ".py" else others).append(file)
    findings += [_unreadable_folder_finding(folder) for folder in closed]
    return Files(tuple(python), tuple(others), tuple(findings))


def decode_text(data: bytes, *fallbacks: str) -> str:
    """Decode a text: UTF-16 if it has a byte order mark, else UTF-8, else the first fallback that works."""
    if data.startswith(UTF16):
        return data.decode("utf-16", "replace")
    for encoding in ("utf-8-sig", *fallbacks):
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    return data.decode("utf-8-sig", "replace")


def printable_path(path: Path) -> str:
    """A path without characters that cannot be printed: students choose it freely."""
    return "".join(letter if letter.isprintable() else "�" for letter in path.as_posix())


def _walk(root: Path, closed: list[Path]) -> Iterator[Path]:
    folders = deque([Path()])
    while folders:
        below = folders.popleft()
        try:
            with os.scandir(root / below) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            closed.append(below)
            continue
        if below.parts and any(entry.name == "pyvenv.cfg" for entry in entries):
            continue  # a virtual environment, whatever its name
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders += [below / entry.name] if entry.name not in IGNORED_FOLDERS else []
            elif _is_own_file(entry, root):
                yield below / entry.name


def _is_own_file(entry: os.DirEntry[str], root: Path) -> bool:
    """Whether this is a file, or a link to one inside the submission."""
    try:
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root):
            return False
        return entry.is_file()
    except (OSError, RuntimeError):  # a broken or circular link
        return False


def _unreadable_folder_finding(folder: Path) -> Finding:
    name, text = None, say("The submission's folder cannot be read.")
    if folder.parts:
        name = printable_path(folder)
        text = say("The folder {folder} cannot be read.", folder=name)
    help_ = say("Make it readable for everyone, or submit it again.")
    return Finding(code="unreadable_folder", file=name, text=text, help=help_)
