"""A gradebook goes back to Canvas with one column filled, and none that could change anything else."""

import pytest

from grader.exports import canvas
from grader.exports.sheet import SheetError
from tests.exports.samples import ENGLISH, mark, rows, table

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


def test_only_the_assignments_column_goes_back_with_those_that_say_who_is_who():
    filled, delivery = canvas.fill(GRADEBOOK, "g.csv", [mark("501")])

    _, possible, ana, jose, _ = rows(filled)
    assert list(ana) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Práctica 1 (4711)"]
    assert (possible["Student"], possible["Práctica 1 (4711)"]) == ("    Points Possible", "100.00")
    assert ana["Práctica 1 (4711)"] == "83.33"
    assert ana["Section"] == "=Grupo 1", "Canvas must find what it wrote"
    assert jose["Práctica 1 (4711)"] == "EX"
    assert delivery.complete
    assert delivery.without == ("502 · S2 · jose · Ñandú, José", "503 · abc123 · Student, Test")


def test_students_are_also_known_by_their_sis_ids_and_unknown_ones_are_listed():
    filled, delivery = canvas.fill(GRADEBOOK, "g.csv", [mark("S1"), mark("anon_x9")], scale=False)

    assert rows(filled)[2]["Práctica 1 (4711)"] == "25.00"
    assert delivery.unknown == ("anon_x9",)


def test_who_is_excused_stays_so_and_is_listed():
    filled, delivery = canvas.fill(GRADEBOOK, "g.csv", [mark("502")])

    assert rows(filled)[3]["Práctica 1 (4711)"] == "EX"
    assert "502: Canvas says that this student is excused" in delivery.held[0]


@pytest.mark.parametrize(
    ("written", "grade"),
    [("1,000.00", "833.33"), ("1.000,00", "833,33"), ("1,000", "833.33"), ("1 000,00", "833,33"), ("12.5", "10.42")],
)
def test_thousands_may_be_set_apart(written, grade):
    gradebook = GRADEBOOK.replace(b"100.00", f'"{written}"'.encode())

    filled, delivery = canvas.fill(gradebook, "g.csv", [mark("501")])

    assert rows(filled)[2]["Práctica 1 (4711)"] == grade
    assert delivery.unscaled is None


@pytest.mark.parametrize(
    ("gradebook", "why"),
    [
        (GRADEBOOK.replace(b"100.00", b"0.00"), "the row 'Points Possible' says '0.00' for this assignment"),
        (GRADEBOOK.replace(b"100.00", b""), "the row 'Points Possible' says '' for this assignment"),
        (GRADEBOOK.replace(b"    Points Possible", b""), "g.csv has no row 'Points Possible'"),
    ],
)
def test_points_that_cannot_be_scaled_are_written_as_they_are_and_that_is_said(gradebook, why):
    filled, delivery = canvas.fill(gradebook, "g.csv", [mark("501")])

    assert rows(filled)[2]["Práctica 1 (4711)"] == "25.00"
    assert f"Points are written as they are, not scaled, because {why}." in delivery.summary_lines(ENGLISH, "g.csv")
    assert canvas.fill(gradebook, "g.csv", [mark("501")], scale=False)[1].unscaled is None, "nobody asked for it"


def test_grades_that_somebody_has_given_are_not_replaced_without_a_word():
    gradebook = GRADEBOOK.replace(b"=Grupo 1,,", b"=Grupo 1,50.00,")

    _, delivery = canvas.fill(gradebook, "g.csv", [mark("501"), mark("503")])
    filled, again = canvas.fill(gradebook.replace(b"50.00", b"83.3300"), "g.csv", [mark("501")])

    assert "1 of them takes the place of another grade that was in g.csv." in delivery.summary_lines(ENGLISH, "g.csv")
    assert (again.replaced, rows(filled)[2]["Práctica 1 (4711)"]) == (0, "83.33")


@pytest.mark.parametrize("column", ["4712", "Otra", "Otra (4712)"])
def test_a_column_can_be_named_by_title_or_number(column):
    filled, _ = canvas.fill(GRADEBOOK, "g.csv", [mark("501")], column=column)

    assert rows(filled)[2]["Otra (4712)"] == "8.33"


def test_semicolons_and_decimal_commas_stay():
    european = GRADEBOOK.replace(b",", b";").replace(b"100.00", b"100,00").replace(b"Pe\xc3\xb1a; Ana", b"Ana")

    filled, _ = canvas.fill(european.replace(b'"', b""), "g.csv", [mark("501")])

    assert b";83,33" in filled


@pytest.mark.parametrize(
    ("data", "column", "said"),
    [
        (
            GRADEBOOK.replace(b"=Grupo 1,,3.00,30", b"=Grupo 1", 1),
            None,
            "g.csv:4: this line has 5 cells, and the header 8",
        ),
        (
            b"id,name\n101,Ana\n",
            None,
            "this is not a gradebook of Canvas: expected the columns Student, ID and Section",
        ),
        (GRADEBOOK, "Examen", "which column is the assignment's? Name it with --column"),
        (GRADEBOOK.replace(b"ctica 1 (", b"ctica 2 ("), None, "There are: Práctica 2 (4711), Otra (4712)"),
    ],
)
def test_another_file_or_column_is_refused_with_what_there_is(data, column, said):
    with pytest.raises(SheetError) as refused:
        canvas.fill(data, "g.csv", [mark("501")], column=column)

    assert said in str(refused.value)
