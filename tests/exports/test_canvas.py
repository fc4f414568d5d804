"""The file for Canvas has one column filled in, and no other columns that an import could change."""

import pytest

from grader.exports import canvas
from grader.exports.sheet import SheetError
from tests.exports.samples import ENGLISH, exported_grade, rows, table

TITLES = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Práctica 1 (4711)", "Otra (4712)", "Final Score")
GRADEBOOK = table(
    [
        TITLES,
        ("", "", "", "", "", "Manual Posting", "", ""),
        ("    Points Possible", "", "", "", "", "100.00", "10.00", "(read only)"),
        ("Peña, Ana", "501", "S1", "ana", "=Grupo 1", "", "3.00", "30"),
        ("Ñandú, José", "502", "S2", "jose", "Grupo 1 and Grupo 2", "EX", "4.00", "40"),
        ("Student, Test", "503", "", "abc123", "Grupo 1", "", "", ""),
    ]
).encode()


def test_the_file_has_only_the_identity_columns_and_the_assignments_column():
    filled, delivery = canvas.fill(GRADEBOOK, "g.csv", [exported_grade("501")])

    _, possible, ana, jose, _ = rows(filled)
    assert list(ana) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Práctica 1 (4711)"]
    assert (possible["Student"], possible["Práctica 1 (4711)"]) == ("    Points Possible", "100.00")
    assert ana["Práctica 1 (4711)"] == "83.33"
    assert ana["Section"] == "=Grupo 1", "Canvas must recognise its own values"
    assert jose["Práctica 1 (4711)"] == "EX"
    assert delivery.complete
    assert delivery.unmatched_rows == ("502 · S2 · jose · Ñandú, José", "503 · abc123 · Student, Test")


def test_students_are_also_found_by_sis_id_and_unlisted_ones_are_reported():
    filled, delivery = canvas.fill(GRADEBOOK, "g.csv", [exported_grade("S1"), exported_grade("anon_x9")], scale=False)

    assert rows(filled)[2]["Práctica 1 (4711)"] == "25.00"
    assert delivery.unlisted == ("anon_x9",)


def test_an_excused_student_stays_excused_and_is_reported():
    filled, delivery = canvas.fill(GRADEBOOK, "g.csv", [exported_grade("502")])

    assert rows(filled)[3]["Práctica 1 (4711)"] == "EX"
    assert delivery.withheld == ("502: excused in Canvas.",)


@pytest.mark.parametrize(
    ("written", "grade"),
    [("1,000.00", "833.33"), ("1.000,00", "833,33"), ("1,000", "833.33"), ("1 000,00", "833,33"), ("12.5", "10.42")],
)
def test_numbers_may_have_thousands_separators(written, grade):
    gradebook = GRADEBOOK.replace(b"100.00", f'"{written}"'.encode())

    filled, delivery = canvas.fill(gradebook, "g.csv", [exported_grade("501")])

    assert rows(filled)[2]["Práctica 1 (4711)"] == grade
    assert delivery.unscaled is None


@pytest.mark.parametrize(
    ("gradebook", "why"),
    [
        (GRADEBOOK.replace(b"100.00", b"0.00"), "the 'Points Possible' row has '0.00' for this assignment"),
        (GRADEBOOK.replace(b"100.00", b""), "the 'Points Possible' row has '' for this assignment"),
        (GRADEBOOK.replace(b"    Points Possible", b""), "g.csv has no 'Points Possible' row"),
    ],
)
def test_points_that_cannot_be_scaled_are_kept_and_the_reason_is_reported(gradebook, why):
    filled, delivery = canvas.fill(gradebook, "g.csv", [exported_grade("501")])

    assert rows(filled)[2]["Práctica 1 (4711)"] == "25.00"
    assert f"Scores were not scaled, because {why}." in delivery.summary_lines(ENGLISH, "g.csv")
    assert canvas.fill(gradebook, "g.csv", [exported_grade("501")], scale=False)[1].unscaled is None, (
        "scaling was not requested"
    )


def test_replaced_grades_are_counted():
    gradebook = GRADEBOOK.replace(b"=Grupo 1,,", b"=Grupo 1,50.00,")

    _, delivery = canvas.fill(gradebook, "g.csv", [exported_grade("501"), exported_grade("503")])
    filled, again = canvas.fill(gradebook.replace(b"50.00", b"83.3300"), "g.csv", [exported_grade("501")])

    assert "1 grade that was already in g.csv was changed." in delivery.summary_lines(ENGLISH, "g.csv")
    assert (again.replaced, rows(filled)[2]["Práctica 1 (4711)"]) == (0, "83.33")


@pytest.mark.parametrize("column", ["4712", "Otra", "Otra (4712)"])
def test_a_column_can_be_named_by_title_or_number(column):
    filled, _ = canvas.fill(GRADEBOOK, "g.csv", [exported_grade("501")], column=column)

    assert rows(filled)[2]["Otra (4712)"] == "8.33"


def test_semicolons_and_decimal_commas_are_kept():
    european = GRADEBOOK.replace(b",", b";").replace(b"100.00", b"100,00").replace(b"Pe\xc3\xb1a; Ana", b"Ana")

    filled, _ = canvas.fill(european.replace(b'"', b""), "g.csv", [exported_grade("501")])

    assert b";83,33" in filled


@pytest.mark.parametrize(
    ("data", "column", "message"),
    [
        (
            GRADEBOOK.replace(b"=Grupo 1,,3.00,30", b"=Grupo 1", 1),
            None,
            "g.csv:4: expected 8 cells as in the header, found 5.",
        ),
        (
            b"id,name\n101,Ana\n",
            None,
            "this is not a Canvas gradebook: expected the columns Student, ID and Section",
        ),
        (GRADEBOOK, "Examen", "no assignment column 'Examen'. Choose one by title or number"),
        (GRADEBOOK.replace(b" (47", b" (x47"), None, "found no assignment column, e.g. 'Project 1 (123)'"),
        (GRADEBOOK.replace(b"ctica 1 (", b"ctica 2 ("), None, "by title or number: Práctica 2 (4711), Otra (4712)"),
    ],
)
def test_a_wrong_file_or_column_is_rejected_with_the_columns_found(data, column, message):
    with pytest.raises(SheetError) as error:
        canvas.fill(data, "g.csv", [exported_grade("501")], column=column)

    assert message in str(error.value)
