"""Read folders of former years and public solutions, from the stored index where it has them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.language import Message, say
from grader.reading.source_index import DamagedEntryError, SourceIndex
from grader.reading.tasks import DocumentReading, read_digests
from grader.similarity import SourceFolder
from grader.similarity.documents import Document


@dataclass(frozen=True, slots=True)
class SourcesRead:
    """The folders, in the order of their paths, and what to say about the index."""

    folders: tuple[SourceFolder, ...]
    notes: tuple[Message, ...]


def read_sources(paths: Sequence[Path], staging: Path, index: SourceIndex | None) -> SourcesRead:
    """Read folders with `staging` as an empty folder for copies. Problems of the index never stop the comparison."""
    if not paths:
        return SourcesRead((), ())
    digests = read_digests(paths) if index is not None else [None] * len(paths)
    folders, notes, stored = [], list[Message](), 0
    for number, (name, path, digest) in enumerate(zip(_names(paths), paths, digests, strict=True)):
        documents = _load(index, digest, notes)
        stored += documents is not None
        if documents is None:
            with DocumentReading(path, staging / str(number)) as reading:
                documents = tuple(reading.documents())
            _store(index, None if reading.has_failed else digest, documents, notes)
        folders.append(SourceFolder(name, tuple(_named(document, name) for document in documents)))
    if index is not None and not notes:
        notes.append(
            say(
                "Index: {folder} ({stored} of {n} folder was already there).",
                "Index: {folder} ({stored} of {n} folders were already there).",
                n=len(paths),
                stored=stored,
                folder=str(index.folder),
            )
        )
    return SourcesRead(tuple(folders), tuple(notes))


def _load(index: SourceIndex | None, digest: str | None, notes: list[Message]) -> tuple[Document, ...] | None:
    if index is None or digest is None:
        return None
    try:
        return index.load(digest)
    except DamagedEntryError:
        notes.append(say("A damaged entry of the index in {folder} was replaced.", folder=str(index.folder)))
    except OSError as error:
        notes.append(_problem(index, error))
    return None


def _store(
    index: SourceIndex | None, digest: str | None, documents: tuple[Document, ...], notes: list[Message]
) -> None:
    if index is None or digest is None:
        return
    try:
        index.store(digest, documents)
    except OSError as error:
        problem = _problem(index, error)
        notes += [] if problem in notes else [problem]


def _problem(index: SourceIndex, error: OSError) -> Message:
    return say(
        "The index in {folder} cannot be used: {problem}. The comparison is complete, but the next one will not be faster. "
        "Choose another folder with --index, or turn the index off with --no-index.",
        folder=str(index.folder),
        problem=str(error.strerror),
    )


def _names(paths: Sequence[Path]) -> list[str]:
    """The names of folders; where two are the same, the whole paths as they were given."""
    names = [path.resolve().name for path in paths]
    counts = Counter(names)
    return [name if counts[name] == 1 else path.as_posix() for name, path in zip(names, paths, strict=True)]


def _named(document: Document, folder: str) -> Document:
    id_ = f"{folder}/{document.id}"
    return replace(document, id=id_, name=id_ if document.name == document.id else document.name)
