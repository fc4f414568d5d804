"""Phrases that the project does not use, and what to write instead.

The texts, documents, docstrings and comments of this project are plain technical English. Each `Habit` here is a phrase of an
odd dialect in which they once were written. `test_voice.py` keeps it out of everything that is shipped.

`python -m tests.language.voice [FOLDER]` counts the habits in this or another working tree; with `--list` it prints every hit.
"""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent.parent
SHIPPED = (
    "grader",
    "reference_players",
    "docs",
    ".ci",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "pyproject.toml",
)
TESTS = ("tests",)
SUFFIXES = {".py", ".j2", ".js", ".css", ".yaml", ".md", ".toml", ".sh", ""}
NOT_SEARCHED = re.compile(
    r"""(?:^|/)(?:__pycache__|_build|data|examples)/   # generated files, recorded facts, and courses' own code
      | (?:^|[./])es(?:\.md\.j2|\.md|\.yaml)$           # Spanish
      | ^tests/players/ | ^tests/checks/players/        # students' code
      | ^tests/language/(?:test_)?voice\.py$            # the phrases themselves
    """,
    re.VERBOSE,
)

_UNITS = (
    "move|game|pair|worker|core|job|line|match|player|row|run|machine|minute|second|round|submission|student|side|cell"
)
_AMOUNT = r"(?:\d[\d.,]*|one|two|three|four|five|ten|seconds?|s|ms|min|minutes?|MB)"
_THINGS = (
    r"(?:(?:CPU )?seconds?|s|ms|min|minutes?|MB|games?|moves?|stones?|rows?|lines?|points?|values?|nodes?|workers?)"
)
_SPACE = r"""(?:[ \t]+|[ \t]*["']?[ \t]*\n[ \t]*(?:[#*>"']|//)?[ \t]*)"""
_PARTICIPLES = "said|told|shown|kept|called|spared|judged|seated|earned|held|given|taken|made|seen|asked|written"


@dataclass(frozen=True, slots=True)
class Habit:
    """A phrase to avoid."""

    name: str
    pattern: str
    """A regular expression. A space in it also matches a line break, in a paragraph, a comment or a divided string."""
    instead: str

    @property
    def expression(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self.pattern.replace(" ", _SPACE), re.MULTILINE)


HABITS = (
    Habit("mend", r"\b[Mm]end(?:s|ed|ing)?\b", "fix"),
    Habit(
        "is no X",
        r"(?<![Tt]here\s)\b(?:is|are|was|were) no (?!(?:longer|more than|less than|fewer than|better|worse|different)\b)[A-Za-z'{]",
        "is not a …; is not a valid …",
    ),
    Habit("there is no X here", r"\b[Tt]here (?:is|are) no ['{]", "unknown … 'x'"),
    Habit("walled in", r"\b[Ww]all(?:s|ed|ing)?\b(?= in\b)|\b[Ww]all(?:s|ed|ing)\b", "sandboxed, isolated; isolation level"),
    Habit("to be had", r"\bto be had\b|\bcan be had\b", "available"),
    Habit(
        "is told, is said, is looked at",
        r"\b(?:is|are|was|were|be|been|being) (?:told|said|looked at|found out|spoken)\b(?! to [a-z])",
        "is detected, reported, checked; or name who does it",
    ),
    Habit("whoever", r"\b[Ww]ho(?:so)?ever\b", "name the subject: 'submissions that …', 'people who …'"),
    Habit("Who … (as a subject)", r"(?<![#\w]\s)\bWho (?:is|are|was|has|have|can|cannot|does|[a-z]+s)\b(?![^.\n]*\bwh(?:at|om)\b)[^?\n]*\.", "'Submissions that …'"),
    Habit("as 8h; as in:", r"\bas in:|, as (?:\d+[a-z]?\b|[a-z_]+=\w)", "e.g. 8h; for example"),
    Habit("in place of", r"\b[Ii]n place of\b", "instead of"),
    Habit("beside", r"\b[Bb]eside\b", "next to, apart from, besides"),
    Habit("by the first moves", r"(?<!judging\s)\bby the first moves\b", "judging by the first moves"),
    Habit("otherwise (differently)", r"\b(?:plays?|played|do|does|did|done|told|said|behaves?) otherwise\b", "differently"),
    Habit("any more", r"\b[Aa]ny ?more\b(?! (?:than|of|[a-z]+s)\b)", "no longer"),
    Habit(
        "go on",
        r"\b(?:goes|go|went|gone) on\b(?! (?:the|a|an|top|line|to)\b)|\bgoing on with\b",
        "continue, resume",
    ),
    Habit("hand on, hand in", r"\b[Hh]and(?:s|ed|ing)? (?:on|in)\b(?! hand)|\b[Hh]and-outs?\b", "export, pass; submit; handout"),
    Habit("brought to", r"\bb(?:rought|rings?) (?:[a-z]+ )?to (?:the|its|that|this|a) maximum\b|\bbrought to\b", "scaled to"),
    Habit("9 s a move", rf"\b{_AMOUNT}(?: {_THINGS})? an? (?:{_UNITS})\b", "per move, per game"),
    Habit("nobody, somebody", r"\b(?:[Nn]obody|[Ss]omebody|[Ee]verybody)\b", "no worker, a player, all submissions; someone"),
    Habit("so many", r"\b(?:at most|of the first|first|with|after) so many\b|\bso many (?!that\b)|\bas many as there are\b", "N; the number of …"),
    Habit("lest", r"\b[Ll]est\b", "so that … not"),
    Habit("that there is", r"\b(?:that|what) there (?:is|are)(?: not)?(?=[.,;:)\"'`]|$)|\bof then\b", "existing …; available …"),
    Habit("participles as function names", rf"^\s*(?:async )?def _?(?:{_PARTICIPLES})\(", "a noun for the result, a verb for the action"),
)  # fmt: skip

ALLOWED = (
    r"[Nn]obody can type",  # about people, not programs
    r"mended",  # the former value of an option, which is still accepted
    r"wall(?:-| )clock",
)
"""Phrases that are idiomatic although a habit matches them."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a habit was found."""

    habit: Habit
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text!r}: write {self.habit.instead}"


def find_hits(root: Path = ROOT, places: tuple[str, ...] = SHIPPED) -> Iterator[Hit]:
    """Every use of a habit in the files of a working tree."""
    for file, text in _texts(root, places):
        searched = _blank_allowed(text)
        for habit in HABITS:
            for match in habit.expression.finditer(searched):
                line = searched.count("\n", 0, match.start() + len(match[0]) - len(match[0].lstrip())) + 1
                yield Hit(habit, file, line, " ".join(match[0].split())[:80])


def _texts(root: Path, places: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for place in places:
        for path in sorted((root / place).rglob("*")) if (root / place).is_dir() else [root / place]:
            name = path.relative_to(root).as_posix()
            if path.is_file() and path.suffix in SUFFIXES and not NOT_SEARCHED.search(name):
                yield name, path.read_text(encoding="utf-8")
            elif path.suffix == ".po":
                yield name, _catalogue_text(path)


def _catalogue_text(path: Path) -> str:
    """The English texts of a catalogue, each on its line of the file."""
    lines = [""] * (path.read_text(encoding="utf-8").count("\n") + 1)
    with path.open("rb") as opened:
        for message in read_po(opened):
            if message.id and message.lineno:
                forms = [message.id] if isinstance(message.id, str) else message.id
                lines[message.lineno - 1] = " | ".join(forms).replace("\n", " ")
    return "\n".join(lines)


def _blank_allowed(text: str) -> str:
    for phrase in ALLOWED:
        text = re.sub(phrase, lambda match: "~" * len(match[0]), text)
    return text


def main() -> None:
    """Print the number of hits of each habit, and with `--list` all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.language.voice", description="Count odd phrases.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT, help="a working tree (default: this one)")
    parser.add_argument("--list", action="store_true", help="print every hit")
    options = parser.parse_args()
    shipped, tests = (list(find_hits(options.folder.resolve(), places)) for places in (SHIPPED, TESTS))
    for hit in (*shipped, *tests) if options.list else ():
        print(hit)
    print(f"{'habit':34}{'shipped':>8}{'tests':>8}")
    for habit in HABITS:
        print(f"{habit.name:34}{_count(shipped, habit):8}{_count(tests, habit):8}")
    print(f"{'total':34}{len(shipped):8}{len(tests):8}")


def _count(hits: list[Hit], habit: Habit) -> int:
    return sum(hit.habit == habit for hit in hits)


if __name__ == "__main__":
    main()
