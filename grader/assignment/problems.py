"""Problems in an assignment file, with file, line and column."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from grader.errors import GraderError
from grader.games.base import quote
from grader.language import Language, Message, language, say

MAX_SHOWN = 20
"""Whoever has more problems than this has one problem many times."""
MAX_NAME = 60

Loc = tuple[str | int, ...]
"""The way to a value: `("opponents", 0, "points")`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and where it stands."""

    file: str
    line: int
    """From 1, as editors count."""
    column: int
    field: str
    """As `opponents[0].points`; empty if it is about the whole file."""
    text: str
    """What is wrong and what is allowed."""

    def __str__(self) -> str:
        return self.translate(language("en"))

    def translate(self, speak: Language) -> str:
        """The place, and what is wrong there in a language."""
        field = f"{self.field}: " if self.field else ""
        return f"{self.file}:{self.line}:{self.column}: {field}{speak(self.text)}"


class AssignmentError(GraderError, ValueError):
    """A file is no assignment. The text has a line for each problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return self.translate(language("en"))

    def translate(self, speak: Language) -> str:
        """A line for each problem, in a language."""
        lines = [problem.translate(speak) for problem in self.problems[:MAX_SHOWN]]
        more = [speak.say("… and more: mend these first")] if len(self.problems) > MAX_SHOWN else []
        return "\n".join(lines + more)


def field_name(loc: Loc) -> str:
    """The way to a value as a text: names as they are, and what can be no name quoted and cut."""
    plain = [isinstance(part, str) and part.isidentifier() and len(part) < MAX_NAME for part in loc]
    parts = [f".{part}" if is_plain else f"[{quote(part)}]" for part, is_plain in zip(loc, plain, strict=True)]
    return "".join(parts).removeprefix(".")


def choose_from(allowed: Sequence[str], written: object) -> Message:
    """What is allowed instead of what was written, the likeliest first."""
    close = get_close_matches(written.lower(), allowed, n=1) if isinstance(written, str) else []
    listed = ", ".join(allowed)
    if close:
        return say("did you mean {close}? Choose from {listed}", close=repr(close[0]), listed=listed)
    return say("Choose from {listed}", listed=listed)
