"""Files that are hard to read are read in time that grows with their size, or are refused."""

import ast
import itertools
import time
from pathlib import Path

import pytest

from grader.source.encoding import declared_encoding, is_allowed
from grader.source.facts import Source, Unreadable
from grader.source.reading import parse_source

ALLOWED = [
    "utf-8",
    "UTF8",
    "utf-8-unix",
    "utf-8-sig",
    "latin-1",
    "L1",
    "iso-8859-15",
    "cp1252",
    "windows-1251",
    "us-ascii",
]
REFUSED = [
    "utf-7",
    "punycode",
    "idna",
    "utf-16",
    "unicode_escape",
    "raw-unicode-escape",
    "rot13",
    "gbk",
    "zlib",
    "bogus",
    ".",
]
PIECES = [b"", b"\r", b"\n", b"\f", b" ", b"#", b"x=1", b"# coding: bogus ", b"# fileencoding=bogus :", b"\xef\xbb\xbf"]


@pytest.mark.parametrize("encoding", ALLOWED)
def test_usual_encodings_are_read(encoding):
    source = parse_source(Path("x.py"), f"#!/usr/bin/python\n# -*- coding: {encoding} -*-\nimport os\n".encode())

    assert isinstance(source, Source) and source.imports[0].module == "os"


@pytest.mark.parametrize("encoding", REFUSED)
@pytest.mark.parametrize("start", ["", "\r", "\f\n", "#!x\r\n", "\ufeff"])
def test_other_encodings_are_reported_and_never_decoded(monkeypatch, encoding, start):
    monkeypatch.setattr(ast, "parse", None)
    source = parse_source(Path("x.py"), f"{start}# vim: set fileencoding={encoding} :\nimport os\n".encode())

    assert not is_allowed(encoding)
    assert isinstance(source, Unreadable) and encoding in source.reason


def test_an_encoding_is_found_wherever_python_finds_one():
    for pieces in itertools.chain.from_iterable(itertools.product(PIECES, repeat=count) for count in (1, 2, 3)):
        data = b"".join(pieces)
        try:
            ast.parse(data)
            known = True
        except SyntaxError as error:
            known = "bogus" not in str(error)

        assert known or declared_encoding(data) == "bogus", data


def nested(line: str, body: str) -> str:
    return "".join(f"{' ' * depth}{line}\n" for depth in range(90)) + f"{' ' * 90}{body}\n"


SLOW = {
    "nested try": nested("try:", "f(" + "x," * 100_000 + ")")
    + "".join(f"{' ' * depth}finally: pass\n" for depth in range(89, -1, -1)),
    "nested classes": nested("class A:", "f(" + "x," * 100_000 + ")"),
    "a chain of elif": "if a: pass\n" + "elif b: pass\n" * 400 + "else:\n" + " x\n" * 50_000,
    "stars": "".join(f"from m{number} import *\n" for number in range(3_000)) + "f(" + "x\n," * 50_000 + ")",
    "spaces before an encoding": " " * 2_000_000,
    "words like coding": "#" + "coding " * 250_000,
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in SLOW.items()])
def test_code_that_is_nested_or_repeated_takes_seconds_at_most(text):
    start = time.process_time()
    parse_source(Path("x.py"), text.encode())

    assert time.process_time() - start < 8


def test_names_that_are_no_text_are_made_printable():
    source = parse_source(
        Path("x.py"), rb'__import__("a\ud800\x1b[31m" + "b")' + b"\n" + rb'__import__("a\ud800\x1b[31m")'
    )

    assert isinstance(source, Source)
    assert all(use.name.isprintable() for use in source.uses)
    assert "a��[31m" in [use.name for use in source.uses]
