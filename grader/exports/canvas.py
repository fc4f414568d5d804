"""Canvas: fill one assignment's column in the gradebook that the teacher exported.

The result contains only the columns that identify students and the assignment's column, so importing it cannot change
anything else in the gradebook.
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

_IDENTITY_COLUMNS = (
    *("Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account"),
    "Section",
)
"""The columns that Canvas needs for an import. It never translates their titles."""
_KEYS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID", "Student")
"""The columns that can identify a student, most reliable first."""
_ASSIGNMENT = re.compile(r"(?P<title>.+) \((?P<id>\d+)\)", re.DOTALL)


def fill(
    data: bytes, file: str, grades: Sequence[ExportedGrade], *, column: str | None = None, scale: bool = True
) -> tuple[bytes, Delivery]:
    """Fill in the column of an assignment. Returns the file for Canvas, and which grades were exported and which were not.

    `column` is the title or the number of the assignment; it can be omitted if there is only one.
    """
    sheet = read_sheet(data, file)
    identity = _identity_columns(sheet)
    at = _find_column(sheet, column, [exported.assignment.title for exported in grades])
    _check_row_lengths(sheet, max(at, *identity.values()))
    maximum, unscaled = _maximum(sheet, at) if scale else (None, None)
    separator = decimal_mark(map(strip_grouping, sheet.column(at)), sheet.separator)
    delivery = match_people(_student_keys(sheet, identity), grades)
    cells: dict[tuple[int, int], str] = {}
    withheld: list[Message] = []
    for row, exported in delivery.rows.items():
        score = exported.grade.score
        if exported.grade.status == "excused":
            cells[row, at] = "EX"
        elif score is None:
            withheld.append(say("{who}: not graded. {reason}", who=exported.grade.id, reason=exported.grade.reason))
        elif sheet.rows[row].cells[at].strip().casefold() == "ex":
            withheld.append(say("{who}: excused in Canvas.", who=exported.grade.id))
        else:
            cells[row, at] = format_points(scale_score(score, exported.grade.max_score, maximum), separator)
    filled = sheet.fill(cells).select_columns([*identity.values(), at])
    replaced = sum(
        replaces(cell, strip_grouping(sheet.rows[row].cells[at].strip())) for (row, at), cell in cells.items()
    )
    return filled.to_bytes(), replace(
        delivery, withheld=tuple(withheld), scaled_to=maximum, unscaled=unscaled, replaced=replaced
    )


def _identity_columns(sheet: Sheet) -> dict[str, int]:
    titles = [title.strip() for title in sheet.header]
    found = {title: titles.index(title) for title in _IDENTITY_COLUMNS if title in titles}
    if "ID" not in found or "Section" not in found or not {"Student", "LastName"} & set(found):
        raise SheetError(
            say(
                "{file}: this is not a Canvas gradebook: expected the columns Student, ID and Section, found {titles}. "
                "In Canvas, open Grades and choose Export, Export Entire Gradebook.",
                file=sheet.file,
                titles=printable(", ".join(titles)),
            )
        )
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _find_column(sheet: Sheet, wanted: str | None, titles: Sequence[str]) -> int:
    """The assignment's column: the one asked for, else the one titled like the assignment, else the only one."""
    found = {at: match_ for at, title in enumerate(sheet.header) if (match_ := _ASSIGNMENT.fullmatch(title.strip()))}
    names = {wanted} if wanted is not None else set(titles)
    fitting = [at for at, match_ in found.items() if names & {match_["title"], match_["id"], match_[0]}]
    if not fitting and wanted is None:
        fitting = list(found)
    if len(fitting) == 1:
        return fitting[0]
    if not found:
        raise SheetError(say("{file}: found no assignment column, e.g. 'Project 1 (123)'.", file=sheet.file))
    known = ", ".join(printable(match_[0]) for match_ in found.values())
    if wanted is None:
        text = say(
            "{file} has several assignments. Choose one with --column, by title or number: {known}.",
            file=sheet.file,
            known=known,
        )
    elif fitting:
        text = say(
            "{file} has several assignment columns called {column}. Choose one by its number: {known}.",
            file=sheet.file,
            column=repr(printable(wanted)),
            known=known,
        )
    else:
        text = say(
            "{file} has no assignment column {column}. Choose one by title or number: {known}.",
            file=sheet.file,
            column=repr(printable(wanted)),
            known=known,
        )
    raise SheetError(text)


def _check_row_lengths(sheet: Sheet, last: int) -> None:
    """Raise `SheetError` for a row that ends before the last column needed: there is no cell for its grade."""
    short = next((row for row in sheet.rows if len(row.raw) <= last), None)
    if short is not None:
        raise SheetError(
            say(
                "{file}:{line}: expected {width} cells as in the header, found {found}. Use the gradebook exactly as Canvas "
                "exported it.",
                file=sheet.file,
                line=short.line,
                found=len(short.raw),
                width=len(sheet.header),
            )
        )


def _student_keys(sheet: Sheet, identity: dict[str, int]) -> dict[int, list[str]]:
    """The values that identify each student, by row. Rows without any id are Canvas's own."""
    found = {}
    for row in range(1, len(sheet.rows)):
        cells = sheet.rows[row].cells
        keys = [cells[identity[title]].strip() if title in identity else "" for title in _KEYS]
        if any(keys[:-1]):
            found[row] = keys
    return found


def _maximum(sheet: Sheet, at: int) -> tuple[float | None, Message | None]:
    """The assignment's maximum score in Canvas, or the reason why it is unknown and scores cannot be scaled."""
    rows = (row.cells for row in sheet.rows[1:])
    cell = next((cells[at].strip() for cells in rows if cells[0].strip().casefold() == "points possible"), None)
    if cell is None:
        return None, say("{file} has no 'Points Possible' row", file=sheet.file)
    if not (maximum := parse_number(strip_grouping(cell))):
        return None, say("the 'Points Possible' row has {value} for this assignment", value=repr(printable(cell)))
    return maximum, None
