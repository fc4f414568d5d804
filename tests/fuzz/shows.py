"""Targets for what is shown of untrusted files: replayed matches, and compared code."""

import json
import tempfile
from pathlib import Path

from grader.competition.replay import Replay, replay_record
from grader.errors import OptionError, RecordError
from grader.fixtures import Match
from grader.intake.submission import Submission
from grader.language import Language, language
from grader.records import MatchRecord, read_record
from grader.reports import similarity
from grader.reports.html import feedback
from grader.reports.html import similarity as similarity_page
from grader.reports.html.student import Student
from grader.reports.replay import frame, listing, notation_input
from grader.reports.similarity_files import render_json
from grader.reports.table import plain_text
from grader.similarity import compare
from grader.similarity.documents import code_document, submission_document
from tests.exports.samples import ASSIGNMENT, exported_grade
from tests.fuzz.clear import is_clear, is_plain
from tests.matches import planned


def replay(data: bytes) -> None:
    """A record, in all the forms in which `grader replay` shows it."""
    record = _record(data)
    if record is None:
        return
    try:
        played = replay_record(record)
    except (RecordError, OptionError) as error:
        is_clear(error)
        return
    for name in ("en", "es"):
        speak = language(name)
        is_plain(listing(played, speak, every=len(played.moves) < 10))
        is_plain(frame(played, len(played.moves), speak, colour=False))
        _check_notations(played, speak)


def album(data: bytes) -> None:
    """A record, on a student's feedback page."""
    record = _record(data)
    if record is None:
        return
    games = (Match.of(planned(ASSIGNMENT, "ana")[0], record, ASSIGNMENT.rules, seat=0),)
    student = Student(grade=exported_grade("ana").grade, assignment=ASSIGNMENT, played=games)
    try:
        page = feedback.render(student, language("en"), isolation="good", reveal=True)
    except RecordError as error:
        is_clear(error)
        return
    page.encode("utf-8")
    assert page.lower().count("</script") == page.lower().count("<script")
    for seat in record.seats:
        assert "<" not in seat.output[1:] or len(seat.output) < 10 or seat.output not in page


def similar(data: bytes) -> None:
    """A student's file and notebook, compared with an identical submission."""
    with tempfile.TemporaryDirectory() as folder:
        documents = []
        for name in ("ana", "berta"):
            own = Path(folder, name)
            own.mkdir()
            (own / "solution.py").write_bytes(data)
            (own / "notes.ipynb").write_bytes(data)
            documents.append(
                submission_document(
                    Submission(id=name, name=name, folder=own, digest=name, contents=name), code_document(name, own)
                )
            )
        found = compare(documents, at_least=0.0)
        plain_text(similarity.render(found, language("en")))
        render_json(found)
        similarity_page.render(found, language("es")).encode("utf-8")


def _record(data: bytes) -> MatchRecord | None:
    try:
        return read_record(json.loads(data))
    except (RecordError, ValueError, RecursionError):
        return None


def _check_notations(played: Replay, speak: Language) -> None:
    for notation in played.game.notations():
        try:
            is_plain(notation.write(notation_input(played), speak))
        except OptionError as error:
            is_clear(error)
