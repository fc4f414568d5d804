"""Reading and writing a CSV file unchanged gives the same bytes, whatever its format."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.exports.sheet import SheetError, read_sheet

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.sampled_from('",;\n'), max_size=8)


@given(st.lists(st.lists(TEXT, min_size=2, max_size=4), min_size=2, max_size=5), st.sampled_from(["\r\n", "\n"]))
def test_a_table_written_by_python_survives_reading_and_writing(table, newline):
    table = [["id", "name"], *([f"x{row[0]}", *row[1:]] for row in table)]
    text = io.StringIO()
    csv.writer(text, lineterminator=newline).writerows(table)
    data = text.getvalue().encode()

    sheet = read_sheet(data, "a.csv")

    assert [list(row.cells) for row in sheet.rows] == table
    assert sheet.to_bytes() == data


@given(TEXT)
def test_a_filled_cell_is_quoted_so_that_csv_readers_get_its_text(text):
    filled = read_sheet(b'a,b\n1,"2"\n', "a.csv").fill({(1, 0): f"x{text}", (1, 1): text})

    (row,) = csv.reader(io.StringIO(filled.to_bytes().decode().split("\n", 1)[1], newline=""))

    assert row == [f"x{text}", text]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("a;b\r\n1;ñ".encode("cp1252"), id="cp1252, no final line break"),
        pytest.param(b"\xff\xfe" + "a\tb\n1\tñ\n".encode("utf-16-le"), id="UTF-16 with tabs"),
        pytest.param(b'\xef\xbb\xbf"a","b"\r"1","x ""y"" z"\r', id="BOM, all quoted, old Mac line endings"),
        pytest.param(b"a,b\n1,\n2,", id="ends with a separator"),
    ],
)
def test_encodings_separators_and_line_endings_are_kept(data):
    sheet = read_sheet(data, "a.csv")

    assert sheet.to_bytes() == data
    assert len(sheet.header) == 2


def test_characters_outside_the_encoding_become_html_entities():
    sheet = read_sheet("a,b\n1,ñ\n".encode("cp1252"), "a.csv")

    assert sheet.fill({(1, 1): "→"}).to_bytes() == b"a,b\n1,&#8594;\n"


def test_invalid_utf_16_is_rejected():
    with pytest.raises(SheetError, match="cannot be decoded as utf-16-le"):
        read_sheet(b"\xff\xfea\x00b", "a.csv")
