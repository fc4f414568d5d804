"""Targets for files from platforms, which contain text by students: downloads, their metadata, and grade lists to fill in."""

import os
import tempfile
from pathlib import Path

from grader.exports import canvas, moodle
from grader.exports.sheet import Sheet, SheetError, read_sheet
from grader.intake.submission import IntakeError
from tests.exports.samples import ENGLISH, exported_grade
from tests.fuzz.clear import is_clear, is_plain
from tests.intake.collected import collect

GRADES = (
    exported_grade("101"),
    exported_grade("102", display_name="José Ñandú"),
    exported_grade("ana@uh.cu", ("lost", "lost", "lost", "won")),
)
MAX_FILES = 20
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def download(data: bytes) -> None:
    """File names in a folder, one per line, any of which may look like a platform's."""
    names = {os.fsdecode(line[:200]) for line in data.split(b"\n")[:MAX_FILES] if not {0, 0x2F} & set(line[:200])}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "class")
        source.mkdir()
        for name in names - {"", ".", ".."}:
            (source / name).write_bytes(b"class SmartPlayer: pass\n")
        _check_intake(source, Path(folder, "staging"))


def metadata(data: bytes) -> None:
    """Gradescope's metadata about submissions, for instructors and for autograders."""
    for file, own in (("submission_metadata.yml", "submission_1"), ("submission_metadata.json", "submission")):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "class")
            (source / own).mkdir(parents=True)
            (source / own / "solution.py").write_text("class SmartPlayer: pass\n", encoding="utf-8")
            (source / file).write_bytes(data)
            _check_intake(source, Path(folder, "staging"))


def worksheet(data: bytes) -> None:
    """A Moodle grading worksheet."""
    try:
        filled = moodle.fill(data, "worksheet.csv", GRADES, ENGLISH)
    except SheetError as error:
        is_clear(error)
        return
    before = read_sheet(data, "before")
    if not before.bom and filled.worksheet.startswith(_BYTE_ORDER_MARKS):
        return  # dropping a blank line turned the next bytes into a byte order mark
    after = read_sheet(filled.worksheet, "after")
    columns = moodle.find_columns(before)
    _check_changes(before, after, {columns.grade, columns.comments})
    _check_numbers(after.column(columns.grade))
    moodle.feedback_zip(filled.participants)
    for line in filled.delivery.summary_lines(ENGLISH, "worksheet.csv"):
        is_plain(line)


def gradebook(data: bytes) -> None:
    """A Canvas gradebook."""
    try:
        filled, delivery = canvas.fill(data, "gradebook.csv", GRADES)
    except SheetError as error:
        is_clear(error)
        return
    read_sheet(filled, "after")
    for line in delivery.summary_lines(ENGLISH, "gradebook.csv"):
        is_plain(line)


def _check_intake(source: Path, staging: Path) -> None:
    try:
        found = collect(source, staging)
    except IntakeError as error:
        is_clear(error)
        return
    for submission in found:
        assert submission.folder.resolve().is_relative_to(staging.resolve())
        for text in (submission.id, submission.name, *submission.members):
            is_plain(text)
            assert "\n" not in text
        for finding in submission.findings:
            is_plain(finding.text + finding.help)


def _check_changes(before: Sheet, after: Sheet, columns: set[int | None]) -> None:
    assert len(before.rows) == len(after.rows)
    for old, new in zip(before.rows, after.rows, strict=True):
        changed = {at for at, (left, right) in enumerate(zip(old.raw, new.raw, strict=True)) if left != right}
        assert changed <= columns


def _check_numbers(cells: list[str]) -> None:
    for cell in cells:
        assert cell in ("", "-") or cell.replace(",", "").replace(".", "").isdecimal(), cell
