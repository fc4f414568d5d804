"""The reader that commands use: everything is opened, parsed and copied in a limited process, one for each submission."""

from collections.abc import Callable
from pathlib import Path

from grader.file_removal import remove_tree
from grader.intake.file_tree import FileNode
from grader.intake.reader import PlainReader
from grader.intake.signs import Signs, unread_signs
from grader.intake.staging import StagedFiles, refused
from grader.reading.codec import decode_or_none, encode
from grader.reading.failures import INVALID, Failure
from grader.reading.limited import ReadingPlace

Then = Callable[[Path, str], bytes]
"""What is read from a submission once it is copied: its folder and id in, an encoded record out."""
NOTHING = b"null"


class LimitedReader:
    """Reads in limited processes. What one of them says about its submission is kept in `read` as it came."""

    def __init__(self, limits: ReadingPlace, shown: Path, then: Then) -> None:
        self._limits, self._shown, self._then = limits, shown, then
        self.read: dict[str, bytes] = {}
        """What was read from each submission, by id."""
        self._signs: dict[FileNode, Signs] = {}

    def signs(self, node: FileNode) -> Signs:
        if node not in self._signs:
            answer = self._limits.do(lambda: encode(PlainReader().signs(node)), shown=(self._shown,))
            read = None if isinstance(answer, Failure) else decode_or_none(Signs, answer)
            self._signs[node] = unread_signs(node) if read is None else read
        return self._signs[node]

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
