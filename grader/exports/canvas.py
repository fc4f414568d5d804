"""Canvas: fill one assignment's column in the gradebook that the teacher exported.

Only the columns that say who is who go back with it, so that nothing else in the gradebook can change.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.exports.exported_grades import ExportedGrade
from grader.exports.numbers import decimal_mark, format_points, parse_number, replaces, scale_score, strip_grouping
from grader.exports.people import Delivery, match_people
from grader.exports.sheet import Sheet, SheetError, read_sheet
from grader.intake.names import printable
from grader.language import Message, say

_WHO = (
    *("Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account"),
    "Section",
)
"""The columns that Canvas itself needs, which it never translates."""
_KEYS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID", "Student")
"""By which a student can be known, the surest first."""
_ASSIGNMENT = re.compile(r"(?P<title>.+) \((?P<id>\d+)\)", re.DOTALL)


def fill(
    data: bytes, file: str, marks: Sequence[ExportedGrade], *, column: str | None = None, scale: bool = True
) -> tuple[bytes, Delivery]:
    """The gradebook's column of an assignment with everybody's grade in it, and what did not fit.

    `column` is the title or the number of the assignment; not needed if there is only one.
    """
    sheet = read_sheet(data, file)
    who = _identity_columns(sheet)
    at = _find_column(sheet, column, [mark.assignment.title for mark in marks])
    _check_row_lengths(sheet, max(at, *who.values()))
    maximum, unscaled = _maximum(sheet, at) if scale else (None, None)
    separator = decimal_mark(map(strip_grouping, sheet.column(at)), sheet.separator)
    delivery = match_people(_student_keys(sheet, who), marks)
    cells: dict[tuple[int, int], str] = {}
    held: list[Message] = []
    for row, mark in delivery.rows.items():
        score = mark.grade.score
        if mark.grade.status == "excused":
            cells[row, at] = "EX"
        elif score is None:
            held.append(say("{who}: it is not graded. {reason}", who=mark.grade.id, reason=mark.grade.reason))
        elif sheet.rows[row].cells[at].strip().casefold() == "ex":
            held.append(say("{who}: Canvas says that this student is excused.", who=mark.grade.id))
        else:
            cells[row, at] = format_points(scale_score(score, mark.grade.max_score, maximum), separator)
    kept = sheet.fill(cells).select_columns([*who.values(), at])
    replaced = sum(
        replaces(cell, strip_grouping(sheet.rows[row].cells[at].strip())) for (row, at), cell in cells.items()
    )
    return kept.to_bytes(), replace(delivery, held=tuple(held), scaled_to=maximum, unscaled=unscaled, replaced=replaced)


def _identity_columns(sheet: Sheet) -> dict[str, int]:
    titles = [title.strip() for title in sheet.header]
    found = {title: titles.index(title) for title in _WHO if title in titles}
    if "ID" not in found or "Section" not in found or not {"Student", "LastName"} & set(found):
        raise SheetError(
            say(
                "{file}: this is not a gradebook of Canvas: expected the columns Student, ID and Section, found {titles}. "
                "Export it from the course's Grades: Export, Entire Gradebook.",
                file=sheet.file,
                titles=printable(", ".join(titles)),
            )
        )
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _find_column(sheet: Sheet, wanted: str | None, titles: Sequence[str]) -> int:
    """The assignment's column: the one that was asked for, else the one called like the assignment, else the only one."""
    found = {at: match_ for at, title in enumerate(sheet.header) if (match_ := _ASSIGNMENT.fullmatch(title.strip()))}
    names = {wanted} if wanted is not None else set(titles)
    fitting = [at for at, match_ in found.items() if names & {match_["title"], match_["id"], match_[0]}]
    if not fitting and wanted is None:
        fitting = list(found)
    if len(fitting) == 1:
        return fitting[0]
    known = ", ".join(printable(match_[0]) for match_ in found.values()) or say("none")
    raise SheetError(
        say(
            "{file}: which column is the assignment's? Name it with --column, by its title or its number. There are: {known}.",
            file=sheet.file,
            known=known,
        )
    )


def _check_row_lengths(sheet: Sheet, last: int) -> None:
    """Raise for a row that ends before the last column that is needed: where its grade would go is anybody's guess."""
    short = next((row for row in sheet.rows if len(row.raw) <= last), None)
    if short is not None:
        raise SheetError(
            say(
                "{file}:{line}: this line has {found} cells, and the header {width}. Give the gradebook as Canvas exported it.",
                file=sheet.file,
                line=short.line,
                found=len(short.raw),
                width=len(sheet.header),
            )
        )


def _student_keys(sheet: Sheet, who: dict[str, int]) -> dict[int, list[str]]:
    """What each student's row knows them by. Rows without any id are Canvas's own."""
    found = {}
    for row in range(1, len(sheet.rows)):
        cells = sheet.rows[row].cells
        keys = [cells[who[title]].strip() if title in who else "" for title in _KEYS]
        if any(keys[:-1]):
            found[row] = keys
    return found


def _maximum(sheet: Sheet, at: int) -> tuple[float | None, Message | None]:
    """What Canvas gives for the assignment at most, or else why points cannot be brought to that."""
    rows = (row.cells for row in sheet.rows[1:])
    said = next((cells[at].strip() for cells in rows if cells[0].strip().casefold() == "points possible"), None)
    if said is None:
        return None, say("{file} has no row 'Points Possible'", file=sheet.file)
    if not (maximum := parse_number(strip_grouping(said))):
        return None, say("the row 'Points Possible' says {said} for this assignment", said=repr(printable(said)))
    return maximum, None
