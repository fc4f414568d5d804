"""Moodle: fill in the grading worksheet that the teacher downloaded, and pack the feedback files for upload.

The worksheet's titles are in the teacher's language, so its columns are recognised by their content, from left to right:
an identifier such as `Participant 123`; other columns; the grade; the maximum grade, which is the same for all; perhaps the
state of the marking workflow; whether the grade can be changed (yes or no); dates; and after the last date the comments.
"""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.exports.exported_grades import ExportedGrade, opponent_label
from grader.exports.numbers import decimal_mark, format_points, parse_number, replaces, scale_score
from grader.exports.people import Delivery, match_people
from grader.exports.sheet import Sheet, SheetError, read_sheet
from grader.exports.zip_packing import pack_zip
from grader.intake.names import printable
from grader.language import Language, Message, say
from grader.reports.labels import as_sentence, not_played_label, score_notes, sentence_case
from grader.reports.second_person import to_student

_IDENTIFIER = re.compile(r"(?P<word>.*?\D)(?P<id>\d{1,20})")
_DATE = re.compile(r"[^<]*\d{4}[^<]*\d[:.h]\d\d[^<]*|-")
"""A date with a time, in words, digits or both. Our own comments contain HTML, so they never match."""
_MAX_DATE_LENGTH = 200
_LOCKED = {
    *("no", "non", "nein", "não", "nao", "nee", "nei", "nej", "nie", "ne", "ez", "ei", "nem", "nu", "hayır"),
    *("нет", "ні", "не", "όχι", "否", "いいえ", "아니요", "아니오", "لا", "לא"),
}
"""The word for "no" (the grade cannot be changed) in various languages."""
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f&<>\"`|':\\/]|\.\.+")
"""Characters that Moodle removes from file names."""
_OURS = re.compile(r'<div class="grader">.*?</div>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class WorksheetColumns:
    """The positions of a worksheet's columns."""

    grade: int
    maximum: int
    changeable: int
    """Whether the grade can be changed."""
    comments: int | None
    """None if the assignment takes no feedback comments."""


@dataclass(frozen=True, slots=True)
class FilledWorksheet:
    """A worksheet ready to be uploaded to Moodle."""

    worksheet: bytes
    delivery: Delivery
    participants: Mapping[str, ExportedGrade]
    """The grades that it contains, by Moodle's participant number."""


def fill(
    data: bytes,
    file: str,
    grades: Sequence[ExportedGrade],
    speak: Language,
    *,
    scale: bool = True,
    reveal: bool = False,
) -> FilledWorksheet:
    """Fill in grades and comments."""
    sheet = read_sheet(data, file)
    columns = find_columns(sheet)
    delivery = match_people(_participant_keys(sheet, columns), grades)
    comma = decimal_mark([*sheet.column(columns.maximum), *sheet.column(columns.grade)], sheet.separator)
    maximum = parse_number(sheet.column(columns.maximum)[0]) or 0.0  # it is the same for all
    cells: dict[tuple[int, int], str] = {}
    withheld: list[Message] = []
    participants: dict[str, ExportedGrade] = {}
    for row, exported in delivery.rows.items():
        own, grade = sheet.rows[row].cells, exported.grade
        if grade.status == "excused":  # Moodle cannot express it, so the row stays unchanged
            continue
        why = _obstacle(exported, own, columns, maximum, scale=scale)
        if why is not None or grade.score is None:
            withheld.append(say("{who}: {why}", who=grade.id, why=why or ""))
            continue
        cells[row, columns.grade] = format_points(
            scale_score(grade.score, grade.max_score, maximum if scale else None), comma
        )
        if columns.comments is not None:
            cells[row, columns.comments] = render_comment(own[columns.comments], exported, speak, reveal=reveal)
        participants[_participant(own[0])] = exported
    replaced = sum(
        at == columns.grade and replaces(cell, sheet.rows[row].cells[at].strip()) for (row, at), cell in cells.items()
    )
    return FilledWorksheet(
        sheet.fill(cells).to_bytes(),
        replace(delivery, withheld=tuple(withheld), scaled_to=maximum if scale else None, replaced=replaced),
        participants,
    )


def find_columns(sheet: Sheet) -> WorksheetColumns:
    """Find the columns for grade, maximum and comments. Raises `SheetError` if this is not a grading worksheet."""
    if not _has_identifiers(sheet):
        raise _worksheet_error(sheet, say("its first column is not an identifier such as 'Participant 123'"))
    width = len(sheet.header)
    short = next((row for row in sheet.rows[1:] if len(row.raw) != width), None)
    if short is not None:
        raise _worksheet_error(
            sheet,
            say("line {line} has {found} cells instead of {width}", line=short.line, found=len(short.raw), width=width),
        )
    columns = [sheet.column(at) for at in range(width)]
    found = {
        at: changeable
        for at in range(2, width - 1)
        if _is_maximum(columns[at])
        and _are_grades(columns[at - 1])
        and (changeable := _find_changeable(columns, at)) is not None
    }
    if not found:
        raise _worksheet_error(
            sheet,
            say("it has no maximum grade next to the grade column (non-numeric scales are not supported)"),
        )
    maximum, changeable = list(found.items())[-1]
    return WorksheetColumns(maximum - 1, maximum, changeable, _find_comments(columns, changeable))


def _find_changeable(columns: Sequence[list[str]], maximum: int) -> int | None:
    """The yes/no column after the maximum. With a marking workflow, the column with its states comes in between."""
    first, *more = columns[maximum + 1 : maximum + 3]
    if more and _are_words(first) and _answers_yes_or_no(more[0]):
        return maximum + 2
    return maximum + 1 if _answers_yes_or_no(first) else None


def _find_comments(columns: Sequence[list[str]], changeable: int) -> int | None:
    """The column after the last date column. Another one, with the outcomes, may follow."""
    dates = [at for at in range(changeable + 1, len(columns)) if all(_is_date(cell) for cell in columns[at])]
    return dates[-1] + 1 if dates and dates[-1] + 1 < len(columns) else None


def render_comment(before: str, exported: ExportedGrade, speak: Language, *, reveal: bool = False) -> str:
    """A comment for the student as HTML, as Moodle expects. Keeps the existing comment except for what we wrote earlier."""
    grade, speak = exported.grade, to_student(speak)
    lines = [speak.say("{score:g} of {max_score:g} points.", score=exported.score, max_score=grade.max_score)]
    lines += map(speak, score_notes(grade))
    if grade.reason:
        lines.append(speak(grade.reason))
    if grade.penalty:
        lines.append(speak.say("A late penalty of {penalty:g} was deducted.", penalty=grade.penalty))
    if (not_played := not_played_label(grade)) is not None:
        lines.append(as_sentence(sentence_case(not_played, speak)))
    else:
        lines += [
            speak.say(
                "{opponent}: {points:g} of {max_points:g} (won {won}, drawn {drawn}, lost {lost})",
                opponent=opponent_label(part, at, reveal=reveal),
                **{name: getattr(part, name) for name in ("points", "max_points", "won", "drawn", "lost")},
            )
            for at, part in enumerate(grade.parts, 1)
        ]
    ours = f'<div class="grader">{"<br>".join(html.escape(line) for line in lines)}</div>'
    return _OURS.sub("", before).strip() + ours


def feedback_zip(grades: Mapping[str, ExportedGrade]) -> bytes:
    """The feedback of all participants, by Moodle's participant number, in folders named like Moodle's."""
    return pack_zip(
        {
            f"{_folder(participant, exported)}/feedback{suffix}": text.encode("utf-8", "replace")
            for participant, exported in sorted(grades.items(), key=lambda item: int(item[0]))
            for suffix, text in (exported.feedback or {}).items()
        }
    )


def _participant_keys(sheet: Sheet, columns: WorksheetColumns) -> dict[int, list[str]]:
    """The values that identify each row's participant: the number, then other cells before the grade, such as the name."""
    identity = [at for at in range(1, columns.grade) if _identifies_people(sheet.column(at))]
    return {
        row: [_participant(sheet.rows[row].cells[0]), *(sheet.rows[row].cells[at].strip() for at in identity)]
        for row in range(1, len(sheet.rows))
    }


def _identifies_people(cells: list[str]) -> bool:
    """Whether most cells differ: true for names, even if two people share one, and false for a submission's status."""
    values = [cell for cell in cells if cell]
    return 2 * len(set(values)) > len(values)


def _participant(cell: str) -> str:
    match_ = _IDENTIFIER.fullmatch(cell.strip())
    return match_["id"] if match_ else cell.strip()


def _obstacle(
    exported: ExportedGrade, cells: Sequence[str], columns: WorksheetColumns, maximum: float, *, scale: bool
) -> Message | None:
    """The reason why a grade must not be written, if there is one."""
    if exported.grade.score is None:
        return say("not graded. {reason}", reason=exported.grade.reason)
    if cells[columns.changeable].strip().casefold() in _LOCKED:
        return say("its grade is locked in the worksheet.")
    if not scale and exported.grade.score > maximum:
        return say(
            "{score:g} points exceed the worksheet's maximum ({maximum:g}), and Moodle would silently ignore them.",
            score=exported.grade.score,
            maximum=maximum,
        )
    return None


def _has_identifiers(sheet: Sheet) -> bool:
    found = [_IDENTIFIER.fullmatch(cell) for cell in sheet.column(0)]
    return len({match_["word"] if match_ else None for match_ in found} | {None}) == 2 and all(found)


def _is_maximum(cells: list[str]) -> bool:
    """Whether all cells hold the same number, with or without decimals."""
    return len(set(cells)) == 1 and bool(parse_number(cells[0]))


def _are_grades(cells: list[str]) -> bool:
    return all(cell in ("", "-") or parse_number(cell) is not None for cell in cells)


def _answers_yes_or_no(cells: list[str]) -> bool:
    return len(set(cells)) <= 2 and _are_words(cells)


def _are_words(cells: list[str]) -> bool:
    return all(re.search(r"[^\W\d]", cell) and not _is_date(cell) for cell in cells)


def _is_date(cell: str) -> bool:
    """Whether a cell holds a date. Longer texts are rejected first, because matching them could take very long."""
    return len(cell) <= _MAX_DATE_LENGTH and _DATE.fullmatch(cell) is not None


def _folder(participant: str, exported: ExportedGrade) -> str:
    """Moodle's name for a participant's folder: `Full Name_123_assignsubmission_file_`.

    Moodle splits it at the underscores, so the name must not contain any. Moodle 4.1 and later omit the last underscore, but
    read both forms; older versions only read this one.
    """
    plain = _NOT_IN_NAMES.sub("", exported.grade.name.removesuffix(participant).replace("_", " "))
    name = " ".join(plain.split()).strip(". ")
    return f"{name or 'Participant'}_{participant}_assignsubmission_file_"


def _worksheet_error(sheet: Sheet, why: Message) -> SheetError:
    return SheetError(
        say(
            "{file}: this is not a Moodle grading worksheet: {why}. Found the columns {titles}. In Moodle, open the "
            "assignment's submissions and choose 'Download grading worksheet' (it needs the feedback type 'Offline grading "
            "worksheet').",
            file=sheet.file,
            why=why,
            titles=printable(", ".join(sheet.header)),
        )
    )
