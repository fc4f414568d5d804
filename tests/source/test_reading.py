"""Each file is parsed once per run, and the cache is bounded."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.inspection.inspect_code import inspect_code
from grader.inspection.opponents import own_opponent
from grader.intake.collect import collect
from grader.reading.codec import encode
from grader.reading.limited import Forks
from grader.reading.limited_reader import LimitedReader
from grader.reading.tasks import python_folders
from grader.source import reading
from grader.source.facts import Source, Unreadable
from grader.source.reading import parse_source, read_source
from tests.intake.folders import PLAYER, make
from tests.intake.zips import zipped


class Parsed:
    """How often each text was parsed, by its digest, in this process and its forks: they all write to one file."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._open = log.open("ab", buffering=0)

    def add(self, text: str | bytes) -> None:
        self._open.write(digest(text).encode() + b"\n")

    def close(self) -> None:
        self._open.close()

    def __getitem__(self, text: str) -> int:
        return Counter(self._log.read_text(encoding="ascii").split())[text]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Parsed]:
    times = Parsed(tmp_path / "parsed.log")
    parse = ast.parse

    def count(source: Any, *arguments: Any, **options: Any) -> Any:
        times.add(source)
        return parse(source, *arguments, **options)

    monkeypatch.setattr(reading, "_CACHE", reading._Cache())
    monkeypatch.setattr(ast, "parse", count)
    yield times
    times.close()


def digest(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def submission(name: str) -> dict[str, str]:
    """Files that are all imported, no two of them the same."""
    return {
        "solution.py": f"# {name}\nfrom moves import best\nfrom ai.deep import value\n{PLAYER}",
        "moves.py": f"# {name}\nimport random\nbest = open('book.json')\n",
        "ai/deep.py": f"# {name}\nvalue = 1\n",
        "tests/test_it.py": f"# {name}\ndef (\n",
    }


CLASS = {name: submission(name) for name in ("ana", "ben", "eva")}
WHOLE = {f"{name}/{path}": text for name, files in CLASS.items() for path, text in files.items()}


def grade(path: Path, folder: Path) -> None:
    """What a run or a tournament does with submissions before the first game."""

    def inspect(copy: Path, id_: str) -> bytes:
        inspection = inspect_code(copy, (), id_)
        assert inspection.entry is not None
        return encode(inspection)

    reader = LimitedReader(Forks([*python_folders(), str(path.parent)]), path, inspect)
    found = collect(path, folder / "staging", reader)
    assert [submission.id for submission in found] == sorted(reader.read)


def test_each_file_of_a_class_is_parsed_once(tmp_path, parsed):
    grade(make(tmp_path, WHOLE, name="class"), tmp_path)

    assert {text: parsed[digest(text)] for text in WHOLE.values()} == dict.fromkeys(WHOLE.values(), 1)


def test_each_file_of_a_zip_is_parsed_at_most_twice_once_to_tell_submissions_apart(tmp_path, parsed):
    path = tmp_path / "class.zip"
    path.write_bytes(zipped(WHOLE))

    grade(path, tmp_path)

    assert {parsed[digest(text)] for text in WHOLE.values()} <= {1, 2}


def test_each_file_of_zips_next_to_single_files_is_parsed_at_most_twice(tmp_path, parsed):
    single = {f"student_{at}.py": f"# {at}\n{PLAYER}" for at in range(3)}
    make(tmp_path, {"zip.zip": zipped(CLASS["ana"]), **single}, name="class")

    grade(tmp_path / "class", tmp_path)

    texts = [*single.values(), *CLASS["ana"].values()]
    assert {parsed[digest(text)] for text in texts} <= {1, 2}


def test_a_file_used_as_opponent_is_parsed_once(tmp_path, parsed):
    root = make(tmp_path, CLASS["ana"])

    own_opponent("solution.py", {}, root, "mine")

    assert parsed[digest(CLASS["ana"]["solution.py"])] == parsed[digest(CLASS["ana"]["moves.py"])] == 1


def test_the_same_text_in_two_files_is_parsed_once_and_each_keeps_its_name(tmp_path, parsed):
    root = make(tmp_path, {"a.py": PLAYER, "b.py": PLAYER, "c.py": "def (", "d.py": "def ("})

    read = [read_source(root, Path(name)) for name in ("a.py", "b.py", "c.py", "d.py")]

    assert [source.file.name for source in read] == ["a.py", "b.py", "c.py", "d.py"]
    assert [type(source) for source in read] == [Source, Source, Unreadable, Unreadable]
    assert (parsed[digest(PLAYER)], parsed[digest("def (")]) == (1, 1)


def test_the_cache_is_bounded_and_keeps_what_was_used_last(monkeypatch, parsed):
    monkeypatch.setattr(reading, "MAX_REMEMBERED", 8)
    texts = [b"a = 1", b"b=2", b"a = 1", b"c=3", b"a = 1", b"b=2"]

    for text in texts:
        parse_source(Path("x.py"), text)

    assert [parsed[digest(text)] for text in (b"a = 1", b"b=2", b"c=3")] == [1, 2, 1]


def test_texts_are_strings_that_are_used():
    source = parse_source(Path("x.py"), b'"""Not this."""\nopen("book.json")\n"nor this"\nx = "' + b"a" * 5000 + b'"\n')

    assert isinstance(source, Source) and source.texts == {"book.json"}
