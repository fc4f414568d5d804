"""Moodle: fill the grading worksheet that the teacher downloaded, and pack the feedback for its upload.

The worksheet's titles are in the teacher's language, so its columns are known by what is in them: first an identifier such
as `Participant 123`, somewhere a maximum that is the same for all, the grade just before it, and behind it, perhaps after
the state of the marking workflow, whether that can be changed; then dates, and behind the last of them the comments.
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

_IDENTIFIER = re.compile(r"(?P<word>.*?\D)(?P<id>\d{1,20})")
_DATE = re.compile(r"[^<]*\d{4}[^<]*\d[:.h]\d\d[^<]*|-")
"""In words, figures, or both, with a time; a comment of ours, which is HTML, is none whatever figures are in it."""
_MOST_OF_A_DATE = 200
_LOCKED = {
    *("no", "non", "nein", "não", "nao", "nee", "nei", "nej", "nie", "ne", "ez", "ei", "nem", "nu", "hayır"),
    *("нет", "ні", "не", "όχι", "否", "いいえ", "아니요", "아니오", "لا", "לא"),
}
"""How the languages seen say that a grade cannot be changed."""
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f&<>\"`|':\\/]|\.\.+")
"""What Moodle leaves out of the names of files."""
_OURS = re.compile(r'<div class="grader">.*?</div>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class WorksheetColumns:
    """Where a worksheet keeps what matters."""

    grade: int
    maximum: int
    changeable: int
    """Whether the grade can be changed."""
    comments: int | None
    """None if the assignment takes no feedback comments."""


@dataclass(frozen=True, slots=True)
class FilledWorksheet:
    """A worksheet that can go back to Moodle."""

    worksheet: bytes
    delivery: Delivery
    participants: Mapping[str, ExportedGrade]
    """Everybody whose grade is in it, by Moodle's number of the participant."""


def fill(
    data: bytes, file: str, marks: Sequence[ExportedGrade], speak: Language, *, scale: bool = True, reveal: bool = False
) -> FilledWorksheet:
    """The worksheet with everybody's grade and comment in it, and what did not fit."""
    sheet = read_sheet(data, file)
    columns = find_columns(sheet)
    delivery = match_people(_participant_keys(sheet, columns), marks)
    comma = decimal_mark([*sheet.column(columns.maximum), *sheet.column(columns.grade)], sheet.separator)
    maximum = parse_number(sheet.column(columns.maximum)[0]) or 0.0  # it is the same for all
    cells: dict[tuple[int, int], str] = {}
    held: list[Message] = []
    participants: dict[str, ExportedGrade] = {}
    for row, mark in delivery.rows.items():
        own, grade = sheet.rows[row].cells, mark.grade
        if grade.status == "excused":  # Moodle has no word for it: the row stays as it is
            continue
        why = _obstacle(mark, own, columns, maximum, scale=scale)
        if why is not None or grade.score is None:
            held.append(say("{who}: {why}", who=grade.id, why=why or ""))
            continue
        cells[row, columns.grade] = format_points(
            scale_score(grade.score, grade.max_score, maximum if scale else None), comma
        )
        if columns.comments is not None:
            cells[row, columns.comments] = render_comment(own[columns.comments], mark, speak, reveal=reveal)
        participants[_participant(own[0])] = mark
    replaced = sum(
        at == columns.grade and replaces(cell, sheet.rows[row].cells[at].strip()) for (row, at), cell in cells.items()
    )
    return FilledWorksheet(
        sheet.fill(cells).to_bytes(),
        replace(delivery, held=tuple(held), scaled_to=maximum if scale else None, replaced=replaced),
        participants,
    )


def find_columns(sheet: Sheet) -> WorksheetColumns:
    """Where grade, maximum and comments are. Raises `SheetError` if this is no grading worksheet."""
    if not _has_identifiers(sheet):
        raise _worksheet_error(sheet, say("its first column is not an identifier such as 'Participant 123'"))
    width = len(sheet.header)
    short = next((row for row in sheet.rows[1:] if len(row.raw) != width), None)
    if short is not None:
        raise _worksheet_error(
            sheet, say("line {line} has {found} cells, not {width}", line=short.line, found=len(short.raw), width=width)
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
            say("it has no column with the maximum grade, behind one for grades (a scale of words cannot be filled)"),
        )
    maximum, changeable = list(found.items())[-1]
    return WorksheetColumns(maximum - 1, maximum, changeable, _find_comments(columns, changeable))


def _find_changeable(columns: Sequence[list[str]], maximum: int) -> int | None:
    """The column with yes and no behind a maximum. With a marking workflow, its states stand between."""
    first, *more = columns[maximum + 1 : maximum + 3]
    if more and _are_words(first) and _answers_yes_or_no(more[0]):
        return maximum + 2
    return maximum + 1 if _answers_yes_or_no(first) else None


def _find_comments(columns: Sequence[list[str]], changeable: int) -> int | None:
    """The column behind the last one of dates. Another may follow, with the outcomes."""
    dates = [at for at in range(changeable + 1, len(columns)) if all(_is_date(cell) for cell in columns[at])]
    return dates[-1] + 1 if dates and dates[-1] + 1 < len(columns) else None


def render_comment(before: str, mark: ExportedGrade, speak: Language, *, reveal: bool = False) -> str:
    """A comment, which Moodle takes for HTML: what was there stays, and what we wrote earlier is replaced."""
    grade = mark.grade
    lines = [speak.say("{score:g} of {max_score:g} points.", score=mark.score, max_score=grade.max_score)]
    if grade.reason:
        lines.append(speak(grade.reason))
    if grade.penalty:
        lines.append(speak.say("A penalty of {penalty:g} for lateness is taken off.", penalty=grade.penalty))
    lines += [
        speak.say(
            "{opponent}: {points:g} of {max_points:g} (won {won}, drawn {drawn}, lost {lost})",
            opponent=opponent_label(part, at, reveal=reveal),
            **{name: getattr(part, name) for name in ("points", "max_points", "won", "drawn", "lost")},
        )
        for at, part in enumerate(grade.parts, 1)
    ]
    ours = f'<div class="grader">{"<br>".join(html.escape(line) for line in lines)}</div>'
    kept = _OURS.sub("", before).strip()
    return f"{kept}{ours}"


def feedback_zip(marks: Mapping[str, ExportedGrade]) -> bytes:
    """The feedback of everybody, by Moodle's number of the participant, in folders named as Moodle names them."""
    return pack_zip(
        {
            f"{_folder(participant, mark)}/feedback{suffix}": text.encode("utf-8")
            for participant, mark in sorted(marks.items(), key=lambda item: int(item[0]))
            for suffix, text in (mark.feedback or {}).items()
        }
    )


def _participant_keys(sheet: Sheet, columns: WorksheetColumns) -> dict[int, list[str]]:
    """What each row knows its participant by: the number, then the other cells before the grade that tell people apart."""
    telling = [at for at in range(1, columns.grade) if _tells_apart(sheet.column(at))]
    return {
        row: [_participant(sheet.rows[row].cells[0]), *(sheet.rows[row].cells[at].strip() for at in telling)]
        for row in range(1, len(sheet.rows))
    }


def _tells_apart(cells: list[str]) -> bool:
    """Whether most are different: names do, though two people may have the same, and what became of a submission does not."""
    given = [cell for cell in cells if cell]
    return 2 * len(set(given)) > len(given)


def _participant(cell: str) -> str:
    match_ = _IDENTIFIER.fullmatch(cell.strip())
    return match_["id"] if match_ else cell.strip()


def _obstacle(
    mark: ExportedGrade, cells: Sequence[str], columns: WorksheetColumns, maximum: float, *, scale: bool
) -> Message | None:
    """Why a grade must not be written."""
    if mark.grade.score is None:
        return say("it is not graded. {reason}", reason=mark.grade.reason)
    if cells[columns.changeable].strip().casefold() in _LOCKED:
        return say("the worksheet says that its grade cannot be changed.")
    if not scale and mark.grade.score > maximum:
        return say(
            "{score:g} points are more than the worksheet's maximum, {maximum:g}, and Moodle would leave them out silently.",
            score=mark.grade.score,
            maximum=maximum,
        )
    return None


def _has_identifiers(sheet: Sheet) -> bool:
    found = [_IDENTIFIER.fullmatch(cell) for cell in sheet.column(0)]
    return len({match_["word"] if match_ else None for match_ in found} | {None}) == 2 and all(found)


def _is_maximum(cells: list[str]) -> bool:
    """With as many decimals as the gradebook shows, which may be none."""
    return len(set(cells)) == 1 and bool(parse_number(cells[0]))


def _are_grades(cells: list[str]) -> bool:
    return all(cell in ("", "-") or parse_number(cell) is not None for cell in cells)


def _answers_yes_or_no(cells: list[str]) -> bool:
    return len(set(cells)) <= 2 and _are_words(cells)


def _are_words(cells: list[str]) -> bool:
    return all(re.search(r"[^\W\d]", cell) and not _is_date(cell) for cell in cells)


def _is_date(cell: str) -> bool:
    """No date is longer than that, and a long text would be searched for ever."""
    return len(cell) <= _MOST_OF_A_DATE and _DATE.fullmatch(cell) is not None


def _folder(participant: str, mark: ExportedGrade) -> str:
    """`Full Name_123_assignsubmission_file_`, as Moodle names it. It splits it at the underscores, so a name must have none.

    The last underscore is gone from what Moodle 4.1 and later write, but they read both, and older ones only this.
    """
    plain = _NOT_IN_NAMES.sub("", mark.grade.name.removesuffix(participant).replace("_", " "))
    name = " ".join(plain.split()).strip(". ")
    return f"{name or 'Participant'}_{participant}_assignsubmission_file_"


def _worksheet_error(sheet: Sheet, why: Message) -> SheetError:
    return SheetError(
        say(
            "{file}: this is not Moodle's grading worksheet: {why}. Its titles are {titles}. Download it from the assignment's "
            "submissions, 'Download grading worksheet' (which needs the feedback type 'Offline grading worksheet').",
            file=sheet.file,
            why=why,
            titles=printable(", ".join(sheet.header)),
        )
    )
