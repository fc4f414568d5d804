"""Match the rows of a platform's list with our results. Everything left unmatched, on either side, is reported."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.exports.exported_grades import ExportedGrade
from grader.intake.names import printable, safe_id
from grader.language import Language, Message, say

Keys = Sequence[str]
"""The values that identify the person in a row, most reliable first; empty strings for missing ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The result of an export: which row got which grade, and which grades were not exported."""

    rows: Mapping[int, ExportedGrade]
    """By row number in the list."""
    unlisted: tuple[str, ...] = ()
    """People in the results without a matching row."""
    ambiguous: tuple[str, ...] = ()
    """People in the results who match several rows, or a row that matches someone else, too."""
    unmatched_rows: tuple[str, ...] = ()
    """Rows of the list without a matching result."""
    withheld: tuple[Message, ...] = ()
    """Grades that have a row but were not written, each with the reason."""
    scaled_to: float | None = None
    """The list's maximum, if points were scaled to it."""
    unscaled: Message | None = None
    """The reason why points were not scaled to the list's maximum, if they should have been."""
    replaced: int = 0
    """The number of grades that replaced a different one in the list."""

    @property
    def complete(self) -> bool:
        """Whether every grade was exported."""
        return not self.unlisted and not self.ambiguous and not self.withheld

    def summary_lines(self, speak: Language, file: str) -> list[str]:
        """What the instructor should know about this export."""
        lines = []
        if self.scaled_to is not None:
            lines.append(
                speak.say(
                    "Scores were scaled to the maximum in {file} ({maximum:g}); use --no-scale to keep raw points.",
                    file=file,
                    maximum=self.scaled_to,
                )
            )
        if self.unscaled is not None:
            lines.append(speak.say("Scores were not scaled, because {why}.", why=self.unscaled))
        if self.replaced:
            lines.append(
                speak.say(
                    "{n} grade that was already in {file} was changed.",
                    "{n} grades that were already in {file} were changed.",
                    n=self.replaced,
                    file=file,
                )
            )
        ambiguous = say(
            "Not exported, because several rows of {file} match, or the same row matches several submissions; identify "
            "these submissions by a value that is unique in {file}:",
            file=file,
        )
        for title, items in (
            (say("Not exported, no matching row in {file}:", file=file), self.unlisted),
            (ambiguous, self.ambiguous),
            (say("Not exported:"), self.withheld),
            (say("In {file} but not in the results, left unchanged:", file=file), self.unmatched_rows),
        ):
            if items:
                lines += [speak(title), *(f"  - {printable(speak(item))}" for item in items)]
        return lines


def match_people(people: Mapping[int, Keys], grades: Sequence[ExportedGrade]) -> Delivery:
    """Find each person's row: by the most reliable key first, by a later one if exactly one free row matches."""
    wanted = [(who, exported) for exported in grades for who in exported.members or (exported.grade.id,)]
    rows: dict[int, ExportedGrade] = {}
    matched: set[str] = set()
    """People for whom some row matches, even if it cannot be used."""
    for level in range(max((len(keys) for keys in people.values()), default=0)):
        matching: dict[str, list[int]] = defaultdict(list)
        for row, keys in people.items():
            if level < len(keys) and keys[level].strip():  # including taken rows, so that a namesake is ambiguous
                matching[_fold(keys[level])].append(row)
        waiting, wanted = wanted, []
        for who, exported in waiting:
            found = matching.get(_fold(who), [])
            if len(found) == 1 and found[0] not in rows:
                rows[found[0]] = exported
            else:
                wanted.append((who, exported))
                matched.update([who] if found else [])
    return Delivery(
        rows=rows,
        unlisted=tuple(_person_label(who, exported) for who, exported in wanted if who not in matched),
        ambiguous=tuple(_person_label(who, exported) for who, exported in wanted if who in matched),
        unmatched_rows=tuple(
            " · ".join(dict.fromkeys(filter(None, keys))) for row, keys in people.items() if row not in rows
        ),
    )


def _fold(key: str) -> str:
    return safe_id(key.strip()).casefold()


def _person_label(who: str, exported: ExportedGrade) -> str:
    name = exported.grade.name
    return who if name in ("", who) else f"{who} ({name})"
