"""Spreadsheets hold any text as text, and numbers as numbers."""

import io
import zipfile
from xml.etree import ElementTree

import pytest

from grader.language import language
from grader.reports import xlsx
from grader.reports.spreadsheets import csv_text, number_cell, safe_cell

ENGLISH, SPANISH = language("en"), language("es")
NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = {
    "a formula": ("=cmd()", "'=cmd()", "=cmd()"),
    "a formula after spaces": ("\t =1+1", "'=1+1", "=1+1"),
    "a wide formula": ("＝1+1", "'＝1+1", "＝1+1"),
    "a formula after another separator": ("a;=1+1", "a;'=1+1", "a;=1+1"),
    "a formula after a quote": ('a," @x', "a,\" '@x", 'a," @x'),
    "control characters": ("a\0\x1b[31mb\ufffe", "a\ufffd\ufffd[31mb\ufffd", "a\ufffd\ufffd[31mb\ufffd"),
    "a lone surrogate": ("a\ud800b", "a\ufffdb", "a\ufffdb"),
    "markup": ("<v>&amp;", "<v>&amp;", "<v>&amp;"),
    "the code of a character": ("_x000D_", "_x000D_", "_x005F_x000D_"),
    "lines": ("a\r\nb", "a b", "a b"),
}


def cells(data: bytes) -> list[ElementTree.Element]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            ElementTree.fromstring(archive.read(name))
        return list(ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml")).iter(f"{NAMESPACE}c"))


@pytest.mark.parametrize(("text", "in_csv", "in_xlsx"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_stays_text(text, in_csv, in_xlsx):
    (_, cell) = cells(xlsx.render("Grades", [["name"], [text]], {}))

    assert safe_cell(text) == in_csv
    assert cell.get("t") == "inlineStr"
    assert [part.text for part in cell.iter(f"{NAMESPACE}t")] == [in_xlsx]
    assert not list(cell.iter(f"{NAMESPACE}f"))


@pytest.mark.parametrize("letter", ["x", "\N{GRINNING FACE}"])
def test_a_text_that_no_cell_can_hold_is_cut(letter):
    cut = safe_cell(letter * 40_000)

    assert cut.endswith("…") and len(cut.encode("utf-16-le")) // 2 <= 32_767
    assert cut == xlsx.one_line(letter * 40_000)


def test_numbers_are_numbers_and_empty_cells_are_left_out():
    found = cells(xlsx.render("Grades", [["score", "penalty", "reason"], [7.5, None, ""]], {}))

    assert [(cell.get("r"), cell.get("t"), cell.findtext(f"{NAMESPACE}v")) for cell in found[3:]] == [
        ("A2", None, "7.5")
    ]


def test_the_same_table_gives_the_same_bytes():
    assert xlsx.render("a", [["b"], [1.0]], {}) == xlsx.render("a", [["b"], [1.0]], {})


def test_more_than_26_columns_have_names():
    found = cells(xlsx.render("Grades", [[f"c{at}" for at in range(703)]], {}))

    assert [found[at].get("r") for at in (0, 25, 26, 701, 702)] == ["A1", "Z1", "AA1", "ZZ1", "AAA1"]


@pytest.mark.parametrize(
    ("value", "english", "spanish"),
    [(7.25, "7.25", "7,25"), (10.0, "10", "10"), (1_000_000.0, "1000000", "1000000"), (1e-4, "0.0001", "0,0001")],
)
def test_numbers_in_csv_have_the_decimal_mark_of_the_language(value, english, spanish):
    assert (number_cell(value, ENGLISH), number_cell(value, SPANISH)) == (english, spanish)


def test_the_separator_is_the_one_that_spreadsheets_expect():
    assert csv_text([["a,b", "c;d"]], ENGLISH) == '"a,b",c;d\n'
    assert csv_text([["a,b", "c;d"]], SPANISH) == 'a,b;"c;d"\n'
