"""A table that is not changed is written as it was read, whatever it looks like."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exports.sheet import SheetError, read_sheet

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.sampled_from('",;\n'), max_size=8)


@given(st.lists(st.lists(TEXT, min_size=2, max_size=4), min_size=2, max_size=5), st.sampled_from(["\r\n", "\n"]))
def test_what_python_writes_is_read_the_same_and_written_back(table, newline):
    table = [["id", "name"], *([f"x{row[0]}", *row[1:]] for row in table)]
    text = io.StringIO()
    csv.writer(text, lineterminator=newline).writerows(table)
    data = text.getvalue().encode()

    sheet = read_sheet(data, "a.csv")

    assert [list(row.cells) for row in sheet.rows] == table
    assert sheet.to_bytes() == data


@given(TEXT)
def test_a_cell_that_is_filled_is_read_as_it_was_meant(text):
    filled = read_sheet(b'a,b\n1,"2"\n', "a.csv").fill({(1, 0): f"x{text}", (1, 1): text})

    (row,) = csv.reader(io.StringIO(filled.to_bytes().decode().split("\n", 1)[1], newline=""))

    assert row == [f"x{text}", text]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("a;b\r\n1;ñ".encode("cp1252"), id="cp1252, no last line end"),
        pytest.param(b"\xff\xfe" + "a\tb\n1\tñ\n".encode("utf-16-le"), id="UTF-16 with tabs"),
        pytest.param(b'\xef\xbb\xbf"a","b"\r"1","x ""y"" z"\r', id="BOM, all quoted, old Mac line ends"),
        pytest.param(b"a,b\n1,\n2,", id="ends behind a separator"),
    ],
)
def test_every_manner_of_writing_is_kept(data):
    sheet = read_sheet(data, "a.csv")

    assert sheet.to_bytes() == data
    assert len(sheet.header) == 2


def test_letters_that_the_encoding_lacks_are_written_as_html_does():
    sheet = read_sheet("a,b\n1,ñ\n".encode("cp1252"), "a.csv")

    assert sheet.fill({(1, 1): "→"}).to_bytes() == b"a,b\n1,&#8594;\n"


def test_utf_16_that_is_none_is_refused():
    with pytest.raises(SheetError, match="cannot be read as utf-16-le"):
        read_sheet(b"\xff\xfea\x00b", "a.csv")
