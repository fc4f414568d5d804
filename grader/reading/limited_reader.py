"""The reader that commands use: everything is opened, parsed and copied in a limited process, one for each submission."""

from collections.abc import Callable
from pathlib import Path

from grader.file_removal import remove_tree
from grader.intake.file_tree import FileNode
from grader.intake.reader import PlainReader
from grader.intake.staging import StagedFiles, refused
from grader.reading.codec import decode_or_none, encode
from grader.reading.failures import INVALID, Failure
from grader.reading.limited import ReadingPlace
from grader.source.facts import Source
from grader.source.reading import remember

Then = Callable[[Path, str], bytes]
"""What is read from a submission once it is copied: its folder and id in, an encoded record out."""
NOTHING = b"null"


class LimitedReader:
    """Reads in limited processes. What one of them says about its submission is kept in `read` as it came."""

    def __init__(self, limits: ReadingPlace, shown: Path, then: Then) -> None:
        self._limits, self._shown, self._then = limits, shown, then
        self.read: dict[str, bytes] = {}
        """What was read from each submission, by id."""
        self._sources: dict[FileNode, Source | None] = {}

    def source(self, node: FileNode) -> Source | None:
        if node not in self._sources:
            self._sources[node] = self._source(node)
        return self._sources[node]

    def _source(self, node: FileNode) -> Source | None:
        answer = self._limits.do(lambda: encode(PlainReader().source(node)), shown=(self._shown,))
        source = None if isinstance(answer, Failure) else decode_or_none(Source, answer)
        if source is not None and node.read is not None:
            with node.read() as file:  # has just worked in the other process
                remember(file.read(), source)
        return source

    def can_list(self, node: FileNode, scratch: Path) -> bool:
        answer = self._limits.do(lambda: encode(PlainReader().can_list(node, scratch)), scratch, (self._shown,))
        return answer == encode(True)

    def stage(self, content: FileNode, folder: Path, scratch: Path) -> StagedFiles:
        own = scratch / ".reading"  # the only folder that the process may change
        own.mkdir()
        copy = own / folder.name

        def work() -> bytes:
            staged = PlainReader().stage(content, copy, own)
            return encode(staged) + b"\n" + (self._then(copy, folder.name) if staged.problem is None else NOTHING)

        try:
            answer = self._limits.do(work, own, (copy, own, self._shown))
            if isinstance(answer, Failure):
                return refused(answer.finding())
            first, _, read = answer.partition(b"\n")
            staged = decode_or_none(StagedFiles, first)
            if staged is None:
                return refused(INVALID.finding())
            if staged.problem is None:
                copy.rename(folder)
                self.read[folder.name] = read.replace(b"\n", b" ")
            return staged
        finally:
            remove_tree(own)
