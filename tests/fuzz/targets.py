"""What must hold for any bytes: they give a value or the documented error, and no file is written outside its folder."""

import json
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from grader.assignment import AssignmentError, read_assignments, render_assignment
from grader.engine.cluster import codec
from grader.engine.cluster.slurm import read_settings
from grader.errors import OptionError, RecordError
from grader.games import installed_games, make_game
from grader.inspection.entry import choose_entry
from grader.inspection.inspect_code import Inspection, inspect_code
from grader.inspection.static_check import check
from grader.inspection.submission_code import read_code
from grader.intake.names import MAX_ID, printable, safe_id, staged_name, unique_ids
from grader.intake.roster import read_roster
from grader.intake.submission import IntakeError, Submission
from grader.language import language
from grader.reading.codec import decode as decode_record
from grader.reading.codec import decode_or_none, encode
from grader.reading.failures import Failure
from grader.reading.limited import Forks
from grader.reading.tasks import inspection_at, python_folders
from grader.records import as_json, read_record
from grader.reports import match
from grader.results import saved
from grader.results.verify import verify
from grader.sandbox import explain
from grader.sandbox.protocol import MAX_TEXT, ProtocolError, clean, decode
from grader.similarity import compare
from grader.similarity.documents import Document
from grader.source.facts import Source
from grader.store import Store, StoreError
from tests.fuzz.clear import is_clear
from tests.fuzz.platforms import download, gradebook, metadata, worksheet
from tests.fuzz.shows import album, replay, similar
from tests.intake.collected import collect
from tests.intake.notebooks import notebook


def wire(data: bytes) -> None:
    """A line from a player's process."""
    try:
        message = decode(data)
    except ProtocolError:
        return
    for value in message.values():
        assert len(clean(value)) <= MAX_TEXT + 1
        for loading in (False, True):
            fault = explain.exception_fault(value, loading=loading)
            assert all(char == "\n" or char.isprintable() for char in fault.text + fault.help + fault.trace)
        explain.misfit_fault(value)
        for name in installed_games():
            game = make_game(name, {})
            move = game.read_move(value)
            assert move is None or game.read_move(game.move_json(move)) == move


def names(data: bytes) -> None:
    """Names of files and people, one per line, as the operating system returns them."""
    raw = [line.decode("utf-8", "surrogateescape") for line in data.split(b"\n")[:50]]
    for name in raw:
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", safe_id(name)) and len(safe_id(name)) <= MAX_ID
        assert "\n" not in printable(name) and "\x1b" not in printable(name)
        assert "/" not in staged_name(name) and "\0" not in staged_name(name)
        staged_name(name).encode("utf-8")
    ids = unique_ids([(name, "") for name in raw])
    assert len({id_.casefold() for id_ in ids}) == len(raw)


def archive(data: bytes) -> None:
    """A zip with submissions, through the whole intake."""
    with tempfile.TemporaryDirectory() as folder:
        file, staging = Path(folder, "class.zip"), Path(folder, "staging")
        file.write_bytes(data)
        try:
            for submission in collect(file, staging):
                assert submission.folder.resolve().is_relative_to(staging.resolve())
        except IntakeError as error:
            is_clear(error)
        assert {path.name for path in Path(folder).iterdir()} <= {"class.zip", "staging"}
        assert not any(path.is_symlink() for path in staging.rglob("*"))


def source(data: bytes) -> None:
    """A student's file, checked without running it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "solution.py").write_bytes(data)
        code = read_code(Path(folder))
        entry, findings = choose_entry(code)
        findings += check(code, entry)
        assert entry is not None or findings
        assert all(finding.text and finding.help for finding in findings)


def cells(data: bytes) -> None:
    """A student's notebook, and a notebook with these bytes as the code of a cell."""
    for content in (data, notebook(data.decode("utf-8", "replace")).encode()):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "hex.ipynb").write_bytes(content)
            inspection = inspect_code(Path(folder))
            assert inspection.entry is not None or inspection.findings
            assert all(finding.text and finding.help for finding in inspection.findings)
            assert decode_record(Inspection, encode(inspection)) == inspection


def answer(data: bytes) -> None:
    """The answer of a process that read a submission, which may have been taken over."""
    for kind in (Inspection, Document, Submission, Source):
        found = decode_or_none(kind, data)
        assert found is None or decode_or_none(kind, encode(found)) == found
        if isinstance(found, Document) and found.is_consistent:
            compare([found, replace(found, id="other")], at_least=0.0)
    root = Path("root").resolve()
    inspection = inspection_at(root, data)
    if inspection.entry is not None:
        assert (root / inspection.entry.file).resolve().is_relative_to(root)


def reader(data: bytes) -> None:
    """A student's file, read in a limited process: as in this process, or with a finding."""
    if not hasattr(os, "fork"):
        return
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder).resolve() / "own"
        own.mkdir()
        (own / "solution.py").write_bytes(data)
        read = Forks((*python_folders(), folder)).do(lambda: encode(inspect_code(own)), shown=(own,))
        if isinstance(read, Failure):
            assert read.cause != "bug", read
            assert read.finding().text.isprintable()
        else:
            assert decode_record(Inspection, read) == inspect_code(own)


def assignment(data: bytes) -> None:
    """An assignment file."""
    try:
        found = read_assignments(data, "assignment.yaml")
    except AssignmentError as error:
        is_clear(error)
        return
    for assignment_ in found:
        assert read_assignments(render_assignment(assignment_).encode(), "written") == (assignment_,)


def record(data: bytes) -> None:
    """A match record, as given to `grader replay`."""
    try:
        found = read_record(json.loads(data))
    except (RecordError, ValueError, RecursionError):
        return
    json.dumps(as_json(found))
    for name in ("en", "es"):
        match.render(found, make_game("hex"), language(name))


def roster(data: bytes) -> None:
    """A list of the class."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "class.csv")
        file.write_bytes(data)
        try:
            found = read_roster(file)
        except IntakeError as error:
            is_clear(error)
            return
        assert all(entry.id for entry in found)


def letter(data: bytes) -> None:
    """The answer of a worker on another machine."""
    try:
        codec.decode_answer(data.decode("utf-8", "replace"))
    except RecordError as error:
        is_clear(error)


def note(data: bytes) -> None:
    """The saved run or tournament in a results folder that may have been changed."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        store.note({saved.NOTE: value})
        for read in (lambda: saved.load(store), lambda: verify(store, Path(folder), seconds=0)):
            try:
                read()
            except (StoreError, OptionError) as error:
                is_clear(error)


def slurm(data: bytes) -> None:
    """The settings for a Slurm cluster."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "slurm.yaml")
        file.write_bytes(data)
        try:
            settings = read_settings(file)
        except OptionError as error:
            is_clear(error)
            return
        assert settings["jobs"] >= 1 and settings["processes"] >= 1


_READERS = (wire, names, archive, source, cells, answer, reader, assignment, record, roster, letter, note, slurm)
_PLATFORMS = (download, metadata, worksheet, gradebook)
_REPORTS = (replay, album, similar)
TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (*_READERS, *_PLATFORMS, *_REPORTS)
}
