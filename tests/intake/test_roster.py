"""Rosters are read in the formats of spreadsheets and platforms, and errors are reported with the line."""

import pytest

from grader.errors import GraderError
from grader.intake.roster import RosterEntry, read_roster

EXPECTED = (RosterEntry("student_01", "Ejemplo Peña"), RosterEntry("student_02", "Otra Peña"))


def roster(tmp_path, data):
    file = tmp_path / "roster.csv"
    file.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return read_roster(file)


ROWS = "student_01,Ejemplo Peña\nstudent_02,Otra Peña\n"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(ROWS, id="no header"),
        pytest.param("id,name\n" + ROWS, id="header"),
        pytest.param("\ufeffid;nombre\r\n" + ROWS.replace(",", ";").replace("\n", "\r\n"), id="BOM, semicolons, CRLF"),
        pytest.param(("id\tname\n" + ROWS.replace(",", "\t")).encode("utf-16"), id="UTF-16 with tabs"),
        pytest.param(ROWS.encode("cp1252"), id="cp1252"),
        pytest.param("\n\nID , Full name\n\n" + ROWS + " , \n", id="blank lines"),
        pytest.param('Name,SID\nEjemplo Peña,student_01\n"Otra Peña",student_02\n', id="columns the other way round"),
        pytest.param("First Name,Last Name,SID\nEjemplo,Peña,student_01\nOtra,Peña,student_02\n", id="Gradescope"),
        pytest.param("Apellidos;Nombre;Usuario\nPeña;Ejemplo;student_01\nPeña;Otra;student_02\n", id="Spanish"),
        pytest.param(
            "Student,ID,Section\n    Points Possible,,\nEjemplo Peña,student_01,1\nOtra Peña,student_02,1\n",
            id="Canvas",
        ),
    ],
)
def test_every_common_format_is_read(tmp_path, data):
    assert roster(tmp_path, data) == EXPECTED


def test_moodles_identifiers_match_its_folders(tmp_path):
    data = "Identificador,Nombre completo\nParticipante 123,Ejemplo Peña\n"

    assert roster(tmp_path, data) == (RosterEntry("123", "Ejemplo Peña"),)


def test_an_id_alone_is_enough(tmp_path):
    assert roster(tmp_path, "student_01\nPeña 2\n") == (RosterEntry("student_01", "student_01"), RosterEntry("2", "2"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param("", r"roster.csv: the roster is empty", id="empty"),
        pytest.param("id,name\n", r"roster.csv: there are no students below the header", id="only a header"),
        pytest.param("a,b\n,Ejemplo Peña\n", r"roster.csv:2: no id in column 1", id="no id"),
        pytest.param("name,id\nEjemplo Peña\n", r"roster.csv:2: no id in column 2", id="a short line"),
        pytest.param("a,x\n\nA,y\n", r"roster.csv:3: the id A is already on line 1", id="an id twice"),
        pytest.param('a,"x\nb,y\n', r"roster.csv:\d+: invalid CSV", id="an open quote"),
        pytest.param(b"PK\x03\x04\n\0\0", r"roster.csv:2: not a CSV file", id="a spreadsheet, not a CSV"),
    ],
)
def test_an_error_is_reported_with_its_line(tmp_path, data, message):
    with pytest.raises(GraderError, match=message):
        roster(tmp_path, data)


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("clave,persona", id="ids have digits"),
        pytest.param("Clave,Persona", id="names have two words"),
    ],
)
def test_a_header_that_is_not_understood_is_an_error_and_not_a_student(tmp_path, header):
    with pytest.raises(
        GraderError, match=r"roster.csv:1: unknown header '\w+', '\w+'. Name the column of ids 'id'.* matricula"
    ):
        roster(tmp_path, f"{header}\n{ROWS}")


def test_without_digits_in_ids_a_header_is_still_told_from_names(tmp_path):
    with pytest.raises(GraderError, match=r"unknown header 'foo', 'bar'"):
        roster(tmp_path, "foo,bar\nana,Ejemplo Peña\nluis,Otra Peña\n")


def test_a_missing_roster_is_an_error(tmp_path):
    with pytest.raises(GraderError, match="cannot be read"):
        read_roster(tmp_path / "nowhere.csv")
