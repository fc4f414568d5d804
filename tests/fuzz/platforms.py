"""What platforms write, with the words of students in it: downloads, what describes them, and lists to be filled."""

import os
import tempfile
from pathlib import Path

from grader.exports import canvas, moodle
from grader.exports.sheet import Sheet, SheetError, read_sheet
from grader.intake.collect import IntakeError, collect
from tests.exports.samples import ENGLISH, mark
from tests.fuzz.clear import is_clear, is_plain

MARKS = (mark("101"), mark("102", shown="José Ñandú"), mark("ana@uh.cu", ("lost", "lost", "lost", "won")))
MOST_FILES = 20
_MARK = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def download(data: bytes) -> None:
    """The names of the files in a folder, one a line, any of which may be a platform's."""
    names = {os.fsdecode(line[:200]) for line in data.split(b"\n")[:MOST_FILES] if not {0, 0x2F} & set(line[:200])}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "class")
        source.mkdir()
        for name in names - {"", ".", ".."}:
            (source / name).write_bytes(b"class SmartPlayer: pass\n")
        _taken_in(source, Path(folder, "staging"))


def metadata(data: bytes) -> None:
    """What Gradescope says about submissions, to instructors and to autograders."""
    for file, own in (("submission_metadata.yml", "submission_1"), ("submission_metadata.json", "submission")):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "class")
            (source / own).mkdir(parents=True)
            (source / own / "solution.py").write_text("class SmartPlayer: pass\n", encoding="utf-8")
            (source / file).write_bytes(data)
            _taken_in(source, Path(folder, "staging"))


def worksheet(data: bytes) -> None:
    """A grading worksheet of Moodle."""
    try:
        filled = moodle.fill(data, "worksheet.csv", MARKS, ENGLISH)
    except SheetError as error:
        is_clear(error)
        return
    before = read_sheet(data, "before")
    if not before.mark and filled.worksheet.startswith(_MARK):
        return  # a blank line stood before what is no mark there
    after = read_sheet(filled.worksheet, "after")
    columns = moodle.find_columns(before)
    _only_these_changed(before, after, {columns.grade, columns.comments})
    _are_numbers(after.column(columns.grade))
    moodle.feedback_zip(filled.participants)
    for line in filled.delivery.summary_lines(ENGLISH, "worksheet.csv"):
        is_plain(line)


def gradebook(data: bytes) -> None:
    """A gradebook of Canvas."""
    try:
        filled, delivery = canvas.fill(data, "gradebook.csv", MARKS)
    except SheetError as error:
        is_clear(error)
        return
    read_sheet(filled, "after")
    for line in delivery.summary_lines(ENGLISH, "gradebook.csv"):
        is_plain(line)


def _taken_in(source: Path, staging: Path) -> None:
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


def _only_these_changed(before: Sheet, after: Sheet, columns: set[int | None]) -> None:
    assert len(before.rows) == len(after.rows)
    for old, new in zip(before.rows, after.rows, strict=True):
        changed = {at for at, (one, other) in enumerate(zip(old.raw, new.raw, strict=True)) if one != other}
        assert changed <= columns


def _are_numbers(cells: list[str]) -> None:
    for cell in cells:
        assert cell in ("", "-") or cell.replace(",", "").replace(".", "").isdecimal(), cell
