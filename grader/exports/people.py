"""Match the rows of a platform's list with our results. Nobody is left out silently, on either side."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.exports.exported_grades import ExportedGrade
from grader.intake.names import printable, safe_id
from grader.language import Language, Message, say

Keys = Sequence[str]
"""What a row of a list knows a person by, the surest first; empty where it says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What became of the grades: which row got which, and what did not fit."""

    rows: Mapping[int, ExportedGrade]
    """By the number of the row in the list."""
    unknown: tuple[str, ...] = ()
    """In the results, and not in the list."""
    uncertain: tuple[str, ...] = ()
    """In the results, and two rows of the list could be theirs, or their row is another's already."""
    without: tuple[str, ...] = ()
    """In the list, and not in the results."""
    held: tuple[Message, ...] = ()
    """Grades that found their row and were not written, each with the reason."""
    scaled_to: float | None = None
    """The list's own maximum, if points were brought to it."""
    unscaled: Message | None = None
    """Why points were not brought to the list's maximum, if they should have been."""
    replaced: int = 0
    """How many grades took the place of another that was in the list."""

    @property
    def complete(self) -> bool:
        """Whether every grade found its place."""
        return not self.unknown and not self.uncertain and not self.held

    def summary_lines(self, speak: Language, file: str) -> list[str]:
        """What to tell the person who asked."""
        lines = []
        if self.scaled_to is not None:
            lines.append(
                speak.say(
                    "Points are brought to the maximum of {file}, {maximum:g}; --no-scale writes them as they are.",
                    file=file,
                    maximum=self.scaled_to,
                )
            )
        if self.unscaled is not None:
            lines.append(speak.say("Points are written as they are, not scaled, because {why}.", why=self.unscaled))
        if self.replaced == 1:
            lines.append(speak.say("1 of them takes the place of another grade that was in {file}.", file=file))
        elif self.replaced:
            lines.append(
                speak.say(
                    "{count} of them take the place of other grades that were in {file}.",
                    count=self.replaced,
                    file=file,
                )
            )
        uncertain = say(
            "It cannot be told which row of {file} is theirs (two rows fit, or a row fits two of them), "
            "so not handed on; name their submissions by something that stands there only once:",
            file=file,
        )
        for title, people in (
            (say("In the results and not in {file}, so not handed on:", file=file), self.unknown),
            (uncertain, self.uncertain),
            (say("Not written:"), self.held),
            (say("In {file} and not in the results, left as they are:", file=file), self.without),
        ):
            if people:
                lines += [speak(title), *(f"  - {printable(speak(one))}" for one in people)]
        return lines


def match_people(people: Mapping[int, Keys], marks: Sequence[ExportedGrade]) -> Delivery:
    """Find everybody's row: by the surest key first, by a later one only where exactly one row fits and is not taken."""
    wanted = [(who, mark) for mark in marks for who in mark.members or (mark.grade.id,)]
    rows: dict[int, ExportedGrade] = {}
    met: set[str] = set()
    for level in range(max((len(keys) for keys in people.values()), default=0)):
        fitting: dict[str, list[int]] = defaultdict(list)
        for row, keys in people.items():
            if level < len(keys) and keys[level].strip():  # taken rows, too: a namesake of theirs is nobody sure
                fitting[_fold(keys[level])].append(row)
        waiting, wanted = wanted, []
        for who, mark in waiting:
            found = fitting.get(_fold(who), [])
            if len(found) == 1 and found[0] not in rows:
                rows[found[0]] = mark
            else:
                wanted.append((who, mark))
                met.update([who] if found else [])
    return Delivery(
        rows=rows,
        unknown=tuple(_person_label(who, mark) for who, mark in wanted if who not in met),
        uncertain=tuple(_person_label(who, mark) for who, mark in wanted if who in met),
        without=tuple(" · ".join(dict.fromkeys(filter(None, keys))) for row, keys in people.items() if row not in rows),
    )


def _fold(key: str) -> str:
    return safe_id(key.strip()).casefold()


def _person_label(who: str, mark: ExportedGrade) -> str:
    name = mark.grade.name
    return who if name in ("", who) else f"{who} ({name})"
