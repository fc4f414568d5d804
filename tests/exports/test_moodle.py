"""Worksheets in any language are filled in with grades and comments, and nothing else in them changes."""

import io
import zipfile
from dataclasses import replace

import pytest

from grader.exports import moodle
from grader.exports.moodle import FilledWorksheet
from grader.exports.sheet import SheetError, read_sheet
from tests.exports.samples import ENGLISH, SPANISH, exported_grade, rows, spanish_worksheet, table


def fill(data, grades, **options) -> FilledWorksheet:
    return moodle.fill(data, "hoja.csv", grades, ENGLISH, **options)


def test_a_spanish_worksheet_gets_scaled_grades_with_decimal_commas():
    filled = fill(spanish_worksheet(), [exported_grade("101"), exported_grade("102", ["won"] * 4)])

    ana, jose, other = rows(filled.worksheet)
    assert (ana["Calificación"], jose["Calificación"]) == ("8,33", "10,00")
    assert other["Calificación"] == ""
    assert jose["Comentarios de retroalimentación"].startswith("<p>Visto, bien</p><div")
    assert "random: 5 of 10 (won 1, drawn 0, lost 1)" in ana["Comentarios de retroalimentación"]
    assert "minimax" not in ana["Comentarios de retroalimentación"], "it is hidden"


def test_rows_that_are_not_filled_in_stay_byte_for_byte_the_same():
    before = spanish_worksheet()

    after = fill(before, [exported_grade("101")]).worksheet

    assert after.startswith(b"\xef\xbb\xbf")
    lines = zip(before.split(b"\r\n"), after.split(b"\r\n"), strict=True)
    assert [number for number, (old, new) in enumerate(lines) if old != new] == [1]
    assert fill(before, []).worksheet == before


def test_filling_in_twice_gives_the_same_as_once():
    once = fill(spanish_worksheet(), [exported_grade("101"), exported_grade("102")]).worksheet

    assert fill(once, [exported_grade("101"), exported_grade("102")]).worksheet == once


def test_unmatched_people_are_reported_in_both_directions():
    delivery = fill(spanish_worksheet(), [exported_grade("101"), exported_grade("555", display_name="Nadie")]).delivery

    assert delivery.unlisted == ("555 (Nadie)",)
    assert [who.split(" · ")[0] for who in delivery.unmatched_rows] == ["102", "999"]
    assert not delivery.complete
    summary = "\n".join(delivery.summary_lines(ENGLISH, "hoja.csv"))
    assert "Not exported, no matching row in hoja.csv:\n  - 555 (Nadie)" in summary


def test_students_are_found_by_number_address_or_name_and_groups_by_their_members():
    found = fill(spanish_worksheet(), [exported_grade("ana_uh.cu"), exported_grade("Jose_Nandu_Ibanez")]).participants
    assert {number: exported.grade.id for number, exported in found.items()} == {
        "101": "ana_uh.cu",
        "102": "Jose_Nandu_Ibanez",
    }

    group = fill(spanish_worksheet(), [exported_grade("submission_7", members=("101", "102", "333"))])
    assert set(group.participants) == {"101", "102"}
    assert group.delivery.unlisted == ("333 (submission_7)",)


@pytest.mark.parametrize(
    ("titles", "word", "maximum", "separator", "grade"),
    [
        (("Identifier", "Full name", "Status", "Grade", "Maximum Grade"), "Participant ", "100.00", ",", "83.33"),
        (("ID", "Vollständiger Name", "Status", "Bewertung", "Bestwertung"), "Teilnehmer/in", "100,00", ";", "83,33"),
        (("識別子", "氏名", "ステータス", "評点", "最大評点"), "参加者 ", "20.00", "\t", "16.67"),
        (("Identifier", "Full name", "Status", "Grade", "Maximum Grade"), "Participant ", "100", ",", "83.33"),
        (("Identifiant", "Nom complet", "Statut", "Note", "Note maximale"), "Participant ", "20,000", ";", "16,67"),
    ],
)
def test_columns_are_recognised_by_their_content(titles, word, maximum, separator, grade):
    earlier = maximum.replace("0", "3", 1)
    data = table(
        [
            (*titles, "x", "y", "z"),
            (f"{word}101", "Ana Peña", "ok", "", maximum, "yes", "-", "-"),
            (f"{word}102", "Beto", "ok", earlier, maximum, "yes", "-", "-"),
        ],
        separator,
    ).encode()

    first, second = rows(fill(data, [exported_grade("101")]).worksheet, separator)

    assert first[titles[3]] == grade
    assert first["z"] == "-", "the date of the last change is not a comment"
    assert second[titles[3]] == earlier


def test_identical_grades_are_not_mistaken_for_the_maximum():
    titles = ("Identifier", "Group", "Grade", "Maximum Grade", "Grade can be changed")
    data = table(
        [titles, ("Participant 101", "", "5.00", "10.00", "Yes"), ("Participant 102", "", "5.00", "10.00", "Yes")]
    )

    first, _ = rows(fill(data.encode(), [exported_grade("101")]).worksheet)

    assert (first["Grade"], first["Maximum Grade"]) == ("8.33", "10.00")


def test_identical_numeric_comments_are_not_mistaken_for_the_maximum():
    titles = (
        "Identifier",
        "Name",
        "Grade",
        "Maximum Grade",
        "Grade can be changed",
        "Last modified (grade)",
        "Comments",
    )
    data = table(
        [titles, *((f"Participant {at}", f"Name {at}", "", "10", "Yes", "-", "5") for at in (101, 102))]
    ).encode()

    first, second = rows(fill(data, [exported_grade("101")]).worksheet)

    assert first["Grade"] == "8.33"
    assert second["Comments"] == "5"


def test_namesakes_do_not_prevent_others_from_being_found_by_name():
    data = spanish_worksheet().replace("José Ñandú Ibáñez".encode(), "Ana Peña".encode())
    data += 'Participante 103,Eva Sol,eva@uh.cu,Enviado,,"10,00",Sí,-,-,\r\n'.encode()

    filled = fill(data, [exported_grade("Eva_Sol"), exported_grade("Ana_Pena")])

    assert set(filled.participants) == {"103"}
    assert filled.delivery.ambiguous == ("Ana_Pena",) and not filled.delivery.unlisted


def test_a_shared_name_is_ambiguous_even_if_one_of_the_rows_already_has_its_grade():
    data = spanish_worksheet().replace("José Ñandú Ibáñez".encode(), "Ana Peña".encode())

    filled = fill(data, [exported_grade("101"), exported_grade("Ana_Pena")])

    assert set(filled.participants) == {"101"}
    assert filled.delivery.ambiguous == ("Ana_Pena",) and not filled.delivery.complete
    assert "  - Ana_Pena" in filled.delivery.summary_lines(ENGLISH, "hoja.csv")


WORKFLOW = (
    *("Identifier", "Full name", "Status", "Marker", "Grade", "Maximum Grade", "Marking workflow state"),
    *("Grade can be changed", "Last modified (submission)", "Last modified (grade)", "Feedback comments"),
)


@pytest.mark.parametrize("states", [["Not marked"] * 3, ["Not marked", "Released", "Released"], ["A", "B", "C"]])
def test_the_states_of_a_marking_workflow_are_not_mistaken_for_the_lock(states):
    data = table(
        [
            WORKFLOW,
            *(
                (f"Participant {at}", f"Name {at}", "ok", "", "", "100.00", state, changeable, "-", "-", "")
                for at, state, changeable in zip((101, 102, 103), states, ("Yes", "No", "Yes"), strict=True)
            ),
        ]
    ).encode()

    filled = fill(data, [exported_grade("101"), exported_grade("102"), exported_grade("103")])

    assert [row["Grade"] for row in rows(filled.worksheet)] == ["83.33", "", "83.33"]
    assert [row["Marking workflow state"] for row in rows(filled.worksheet)] == states
    assert filled.delivery.withheld == ("102: its grade is locked in the worksheet.",)


def test_the_comment_goes_after_the_dates_and_not_into_the_outcomes():
    titles = (*SPANISH, "Resultados")
    data = table([titles, *((*cells.values(), "Competencia 1: Bien") for cells in rows(spanish_worksheet()))]).encode()

    ana, *_ = rows(fill(data, [exported_grade("101")]).worksheet)

    assert ana["Comentarios de retroalimentación"].startswith("<div")
    assert ana["Resultados"] == "Competencia 1: Bien"


@pytest.mark.parametrize(
    "date", ["maanantai 16. marraskuuta 2026, 10.05", "2026年 11月 16日(月曜日) 10:05", "16/11/2026 10h05"]
)
def test_dates_are_recognised_in_every_language(date):
    data = table(
        [
            ("Identifier", "Name", "Grade", "Max", "x", "y", "z", "w"),
            ("Participant 1", "A", "", "10", "Ei", date, "-", ""),
        ]
    ).encode()

    columns = moodle.find_columns(read_sheet(data, "hoja.csv"))

    assert (columns.changeable, columns.comments) == (4, 7)


def test_an_ungraded_submission_and_a_locked_row_are_left_unchanged_and_reported():
    data = spanish_worksheet().replace(b",S\xc3\xad,", b",No,", 1)

    filled = fill(data, [exported_grade("101"), exported_grade("102", ["won"])])

    assert filled.worksheet == data
    assert ["101" in filled.delivery.withheld[0], "102" in filled.delivery.withheld[1]] == [True, True]
    assert not filled.participants, "without a grade there is no feedback either"
    assert not filled.delivery.complete


def test_replaced_grades_are_counted():
    given = spanish_worksheet().replace(b'calificar,,"10,00"', b'calificar,"5,00","10,00"')

    delivery = fill(given, [exported_grade("101"), exported_grade("102")]).delivery

    assert "2 grades that were already in hoja.csv were changed." in delivery.summary_lines(ENGLISH, "hoja.csv")
    assert fill(spanish_worksheet(), [exported_grade("101")]).delivery.replaced == 0


def test_unscaled_points_above_the_maximum_are_withheld():
    filled = fill(spanish_worksheet(), [exported_grade("101"), exported_grade("102", ["lost"] * 4)], scale=False)

    assert rows(filled.worksheet)[1]["Calificación"] == "0,00"
    assert "25 points exceed the worksheet's maximum (10)" in filled.delivery.withheld[0]


def test_feedback_is_packed_in_folders_whose_names_moodle_can_parse():
    filled = fill(
        spanish_worksheet(),
        [exported_grade("101", display_name="Ana_María/Peña"), exported_grade("102", display_name="Participante 102")],
    )

    with zipfile.ZipFile(io.BytesIO(moodle.feedback_zip(filled.participants))) as archive:
        names = archive.namelist()
        assert archive.read(names[0]).decode() == "# Ana_María/Peña\n"
    assert names == [
        "Ana MaríaPeña_101_assignsubmission_file_/feedback.md",
        "Participante_102_assignsubmission_file_/feedback.md",
    ]
    for name, number in zip(names, ("101", "102"), strict=True):
        # Moodle up to 4.0 skips a folder whose name does not split into five parts.
        assert name.partition("/")[0].split("_", 4)[1:] == [number, "assignsubmission", "file", ""]


@pytest.mark.parametrize("name", ["José Ñandú-Ibáñez", "García, Ana (A)", "李 小龙", "J. R. Ortiz"])
def test_feedback_folders_are_named_like_those_in_moodles_downloads(name):
    filled = fill(spanish_worksheet(), [exported_grade("101", display_name=name)])

    with zipfile.ZipFile(io.BytesIO(moodle.feedback_zip(filled.participants))) as archive:
        assert archive.namelist() == [f"{name}_101_assignsubmission_file_/feedback.md"]


@pytest.mark.parametrize("name", ["../../etc", "..", "/", "\\\\x", "a\x00\n/b", "_", ""])
def test_no_name_escapes_from_the_feedback_folder(name):
    filled = fill(
        spanish_worksheet(), [replace(exported_grade("101"), grade=replace(exported_grade("101").grade, name=name))]
    )

    with zipfile.ZipFile(io.BytesIO(moodle.feedback_zip(filled.participants))) as archive:
        (packed,) = archive.namelist()
    folder, _, file = packed.partition("/")
    assert file == "feedback.md"
    assert ".." not in folder and "\\" not in folder and folder.split("_")[1] == "101"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"id,name\n101,Ana\n", "its first column is not an identifier such as 'Participant 123'"),
        (b"Identifier,Grade\nParticipant 1,\n", "no maximum grade next to the grade column"),
        (b"Identifier,Name,Grade,Maximum\nParticipant 1,Ana,,10.00\n", "no maximum grade next to the grade column"),
        (b"", "found no students"),
        (b"PK\x03\x04\x00\x00", "this is not a CSV file"),
        (b'Identifier,Name\nParticipant 1,"Ana\n', ":2: unbalanced quotation mark"),
        (",".join(SPANISH).encode() + b"\nParticipante 1,Ana\n", "line 2 has 2 cells instead of 10"),
    ],
)
def test_a_wrong_file_is_rejected_with_what_was_expected(data, message):
    with pytest.raises(SheetError, match=r"hoja\.csv") as error:
        fill(data, [exported_grade("101")])

    assert message in str(error.value)
