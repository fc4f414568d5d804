"""Problems in an assignment file, with file, line and column."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from grader.errors import GraderError
from grader.games.base import quote
from grader.language import Language, Message, language, say

MAX_SHOWN = 20
"""More problems than this are usually one mistake repeated."""
MAX_NAME = 60

Loc = tuple[str | int, ...]
"""The path to a value in the file, e.g. `("opponents", 0, "points")`."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem in a file, and its place."""

    file: str
    line: int
    """From 1, as editors count."""
    column: int
    field: str
    """For example `opponents[0].points`; empty if the problem concerns the whole file."""
    text: str
    """What is wrong and what is allowed."""

    def __str__(self) -> str:
        return self.translate(language("en"))

    def translate(self, speak: Language) -> str:
        """The place and the problem, in a language."""
        field = f"{self.field}: " if self.field else ""
        return f"{self.file}:{self.line}:{self.column}: {field}{speak(self.text)}"


class AssignmentError(GraderError, ValueError):
    """A file is not a valid assignment. The text has one line per problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda problem: (problem.line, problem.column)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return self.translate(language("en"))

    def translate(self, speak: Language) -> str:
        """One line per problem, in a language."""
        lines = [problem.translate(speak) for problem in self.problems[:MAX_SHOWN]]
        more = [speak.say("… and more problems; fix these first")] if len(self.problems) > MAX_SHOWN else []
        return "\n".join(lines + more)


def field_name(loc: Loc) -> str:
    """A path as text, e.g. `opponents[0].points`. Parts that are not plain names are quoted and shortened."""
    plain = [isinstance(part, str) and part.isidentifier() and len(part) < MAX_NAME for part in loc]
    parts = [f".{part}" if is_plain else f"[{quote(part)}]" for part, is_plain in zip(loc, plain, strict=True)]
    return "".join(parts).removeprefix(".")


def choose_from(allowed: Sequence[str], written: object) -> Message:
    """The allowed values, after a suggestion if one of them is similar to what was written."""
    close = get_close_matches(written.lower(), allowed, n=1) if isinstance(written, str) else []
    listed = ", ".join(allowed)
    if close:
        return say("did you mean {close}? Choose from {listed}", close=repr(close[0]), listed=listed)
    return say("choose from {listed}", listed=listed)


def quote_yaml(value: object) -> str:
    """A value as a YAML file has it, shortened: `true`, `null`, `'text'`."""
    words = {None: "null", True: "true", False: "false"}
    return words[value] if value is None or isinstance(value, bool) else quote(value)
