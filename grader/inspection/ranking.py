"""The rank of a candidate by the published rule, and why it has that rank."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from grader.inspection.folder_names import aside_name, is_person
from grader.inspection.import_graph import DefinedClass, ImportGraph
from grader.inspection.submission_code import SubmissionCode
from grader.intake.files import decode_text, printable_path
from grader.language import Message, say
from grader.source.facts import Source

OWN, ASIDE, HANDED_OUT, STAND_IN, TEST = range(5)
"""Whose work a candidate is, best first."""
SOLUTION, PLAYER, OTHER = range(3)
"""The names of files, best first."""
SMART, NAMED_PLAYER, OTHER_CLASS, STAND_IN_CLASS, FUNCTION = range(5)
"""The names of classes, best first."""
_FILES = {"solution.py": SOLUTION, "player.py": PLAYER}
_STAND_INS = ("random", "human", "dummy")
_README = re.compile(r"(readme|leeme|léeme)(\..*)?", re.IGNORECASE)
_MAX_README = 200_000
_COMMON_WORDS = frozenset({"Player", "Jugador", "play"})
"""Names that a README uses in sentences, without meaning the class."""


@dataclass(frozen=True, slots=True, order=True)
class Rank:
    """The rank of a candidate: the first member that differs decides, and the lowest plays."""

    standing: int
    file: int
    name: int
    folder: int
    """0 at the top or in a folder named like a person, 1 in any other folder."""
    depth: int
    readme: int
    """0 if the README names the class, 1 if it names the file, 2 if neither."""

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The part of the rank that a file has even if it cannot be parsed."""
        return self.standing, self.file, self.folder, self.depth


@dataclass(frozen=True, slots=True)
class Clues:
    """What the rank of a candidate depends on besides its own file."""

    top: Path
    """The folder that contains all Python files."""
    readme: frozenset[str] = frozenset()
    """The words and file names in the README."""
    handed_out: frozenset[str] = frozenset()
    """The digests of the code of files that many submissions of the class share."""

    @classmethod
    def of(cls, code: SubmissionCode, handed_out: frozenset[str] = frozenset()) -> "Clues":
        """The clues of a submission."""
        parents = [str(file.parent) for file in code.files.python]
        return cls(Path(os.path.commonpath(parents)) if parents else Path(), _readme_words(code), handed_out)

    def is_named(self, name: str) -> bool:
        """Whether the README names a class."""
        return name in self.readme and name not in _COMMON_WORDS

    def file_rank(self, file: Path, code: str = "") -> Rank:
        """The rank of a file, judging by its name, its folders, and whether others have submitted the same code."""
        rank = _path_rank(file, self.top)
        if code in self.handed_out and rank.file != SOLUTION:
            rank = replace(rank, standing=max(rank.standing, HANDED_OUT))
        return replace(rank, readme=1) if file.name in self.readme else rank

    def class_rank(self, source: Source, name: str, cls: DefinedClass, graph: ImportGraph) -> Rank:
        """The rank of a class that is loaded from a file under a name."""
        rank = self.file_rank(source.file, cls.source.code)
        stand_in = is_stand_in(cls) and rank.file != SOLUTION
        return replace(
            rank,
            standing=max(rank.standing, STAND_IN if stand_in else OWN),
            name=_name_rank(name, cls, graph),
            readme=0 if self.is_named(name) else rank.readme,
        )

    def function_rank(self, source: Source) -> Rank:
        """The rank of a function `play(game, player)`."""
        rank = self.file_rank(source.file, source.code)
        stand_in = rank.file == OTHER and source.file.name.lower().startswith(_STAND_INS)
        return replace(rank, standing=max(rank.standing, STAND_IN if stand_in else OWN), name=FUNCTION)

    def reasons(self, file: Path, rank: Rank) -> Message:
        """Why a candidate has its rank, in the order in which the rule asks."""
        inside = _inside(file, self.top)
        folder = printable_path(inside.parent)
        parts = {
            ASIDE: [say("set aside, judging by the name {name}", name=printable_path(Path(aside_name(inside) or "")))],
            HANDED_OUT: [say("handed out: several submissions contain it")],
            STAND_IN: [_STAND_IN],
            TEST: [say("a test")],
        }.get(rank.standing, [])
        parts += [(say("in solution.py"), say("in player.py"), say("in another file"))[rank.file]]
        parts += [_NAMES[rank.name]]
        if folder == ".":
            parts += [say("at the top")]
        elif rank.folder == 0:
            parts += [say("in {folder}, named like a person", folder=folder)]
        else:
            parts += [say("in the folder {folder}", folder=folder)]
        parts += [[say("the README names it")], [say("the README names its file")], []][rank.readme]
        return _join(dict.fromkeys(parts))  # once, if standing and name say the same


_STAND_IN = say("a random, human or dummy player")
_NAMES = (
    say("named SmartPlayer"),
    say("a Player by its name or base class"),
    say("a class with another name"),
    _STAND_IN,
    say("a function"),
)


def _join(parts: Iterable[Message]) -> Message:
    first, *rest = parts
    text = first
    for part in rest:
        text = say("{before}; {part}", before=text, part=part)
    return text


def is_stand_in(cls: DefinedClass) -> bool:
    """Whether a class only stands in for a player: it plays at random, or a person types its moves."""
    return cls.shape.calls_input or cls.shape.name.lower().startswith(_STAND_INS)


@lru_cache(maxsize=4096)  # a file may contain thousands of classes
def _path_rank(file: Path, top: Path) -> Rank:
    inside = _inside(file, top)
    standing = TEST if _is_test(inside) else ASIDE if aside_name(inside) else OWN
    folders = inside.parts[:-1]
    folder = int(bool(folders) and not any(map(is_person, folders)))
    return Rank(standing, _FILES.get(file.name.lower(), OTHER), SMART, folder, len(file.parts), 2)


def _inside(file: Path, top: Path) -> Path:
    return file.relative_to(top) if file.is_relative_to(top) else file


def _is_test(file: Path) -> bool:
    name = file.name.lower()
    folders = {part.lower() for part in file.parts[:-1]}
    return name.startswith(("test_", "conftest")) or name.endswith("_test.py") or bool({"test", "tests"} & folders)


def _name_rank(name: str, cls: DefinedClass, graph: ImportGraph) -> int:
    if name == "SmartPlayer":
        return SMART
    if is_stand_in(cls):
        return STAND_IN_CLASS
    names = [name, *(base for member in graph.ancestry(cls) for base in member.shape.bases)]
    is_player = any(word in text.lower() for text in names for word in ("player", "jugador"))
    return NAMED_PLAYER if is_player else OTHER_CLASS


def _readme_words(code: SubmissionCode) -> frozenset[str]:
    """The words of the README at the top of the submission, or of the folder that contains its code."""
    for file in code.files.others:
        if len(file.parts) <= 2 and _README.fullmatch(file.name):
            try:
                with (code.root / file).open("rb") as stream:
                    text = decode_text(stream.read(_MAX_README))
            except OSError:
                continue
            return frozenset(re.findall(r"\w+(?:\.py\b)?", text))
    return frozenset()
