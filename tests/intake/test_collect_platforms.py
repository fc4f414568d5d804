"""Downloads of Moodle, Canvas, Gradescope and nbgrader are recognised automatically."""

import pytest

from grader.intake.collect import IntakeError
from tests.intake.folders import PLAYER
from tests.intake.test_collect import codes, collected, problem
from tests.intake.zips import put, tree, zipped

PERSON = "Ejemplo Peña"


def people(found):
    return {own: submission.name for own, submission in found.items()}


@pytest.mark.parametrize("end", ["file", "file_"])
def test_moodle_with_one_folder_per_student(tmp_path, end):
    found = collected(
        tmp_path,
        {
            f"{PERSON}_1234_assignsubmission_{end}/solution.py": PLAYER,
            f"{PERSON}_1234_assignsubmission_onlinetext/onlinetext.html": "<p>Hola</p>",
            f"Otra {PERSON}_77_assignsubmission_{end}/hex.zip": zipped({"Otra/solution.py": PLAYER}),
        },
    )

    assert people(found) == {"1234": PERSON, "77": f"Otra {PERSON}"}
    assert list(tree(found["1234"].folder)) == ["onlinetext.html", "solution.py"]
    assert list(tree(found["77"].folder)) == ["solution.py"]
    assert {submission.platform for submission in found.values()} == {"moodle"}


def test_moodle_with_all_files_in_one_folder(tmp_path):
    found = collected(
        tmp_path,
        {
            f"{PERSON}_1234_assignsubmission_file_solution.py": PLAYER,
            f"{PERSON}_1234_assignsubmission_file_moves.py": "",
            f"{PERSON}_5_assignsubmission_file_hex.zip": zipped({"solution.py": PLAYER}),
            "assignment.yaml": "",
        },
    )

    assert people(found) == {"1234": PERSON, "5": PERSON}
    assert list(tree(found["1234"].folder)) == ["moves.py", "solution.py"]
    assert found["5"].digest != found["1234"].digest


def test_moodle_groups_and_blind_marking(tmp_path):
    found = collected(
        tmp_path,
        {
            "Group_7_assignsubmission_file_/solution.py": PLAYER,
            "Participant_8_assignsubmission_file_/solution.py": PLAYER,
            f"{PERSON}_assignsubmission_file_/solution.py": PLAYER,
        },
    )

    assert people(found) == {"7": "Group 7", "8": "Participant 8", "Ejemplo_Pena": PERSON}


def test_a_student_cannot_write_another_id_into_a_moodle_file_name(tmp_path):
    found = collected(
        tmp_path,
        {
            f"{PERSON}_1234_assignsubmission_file_Otra_99_assignsubmission_file_solution.py": "a = 1",
            "Otra_99_assignsubmission_file_solution.py": "b = 1",
        },
    )

    assert tree(found["99"].folder) == {"solution.py": b"b = 1"}
    assert list(tree(found["1234"].folder)) == ["Otra_99_assignsubmission_file_solution.py"]


def test_moodle_in_a_zip(tmp_path):
    found = collected(
        tmp_path,
        {
            "download.zip": zipped(
                {f"{PERSON}_12_assignsubmission_file_/solution.py": PLAYER, "x_3_assignsubmission_file_a.py": ""}
            )
        },
        "download.zip",
    )

    assert people(found) == {"12": PERSON, "3": "x"}


def test_canvas_with_late_submissions_several_files_and_attempts(tmp_path):
    found = collected(
        tmp_path,
        {
            "ejemplopena_4321_90001_solution.py": "a = 1",
            "ejemplopena_4321_90007_solution-1.py": "a = 2",
            "ejemplopena_4321_90009_solution-10.py": "a = 3",
            "ejemplopena_4321_90002_moves.py": "",
            "otrapena_LATE_4322_90003_hex.zip": zipped({"solution.py": PLAYER}),
            "anon_Ab12C_90004_solution-2.py": PLAYER,
        },
    )

    assert people(found) == {"4321": "ejemplopena", "4322": "otrapena", "anon_Ab12C": "anon_Ab12C"}
    assert tree(found["4321"].folder) == {"moves.py": b"", "solution.py": b"a = 3"}
    assert (codes(found["4321"]), found["4321"].attempts) == (["latest_attempt"], 3)
    assert "solution-10.py" in found["4321"].findings[0].text
    assert codes(found["4322"]) == ["late"]
    assert list(tree(found["anon_Ab12C"].folder)) == ["solution.py"]
    assert {submission.platform for submission in found.values()} == {"canvas"}


def test_a_student_cannot_write_another_id_into_a_canvas_file_name(tmp_path):
    found = collected(
        tmp_path,
        {"ejemplopena_4321_90001_otrapena_4322_90002_solution.py": "a = 1", "otrapena_4322_90003_solution.py": "b = 1"},
    )

    assert tree(found["4322"].folder) == {"solution.py": b"b = 1"}
    assert list(tree(found["4321"].folder)) == ["otrapena_4322_90002_solution.py"]


def test_files_with_short_numbers_are_not_from_canvas(tmp_path):
    found = collected(tmp_path, {"team_1_2_solution.py": "a = 1", "team_1_3_solution.py": "b = 1"})

    assert list(found) == ["team_1_2_solution", "team_1_3_solution"]


METADATA = """\
---
submission_101:
  :submitters:
  - :name: Ejemplo Peña
    :sid: 'A-1'
    :email: student_01@example.org
  :created_at: 2026-03-02 12:00:00.000000000 Z
  :score: 0.0
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    stdout_visibility: hidden
submission_102:
  :submitters:
  - :name: Otra Peña
    :sid: 'A-2'
    :email: student_02@example.org
  - :name: Ejemplo Ríos
    :sid:
    :email: student_03@example.org
  :created_at: 2026-03-02 13:00:00 Z
submission_103:
  :submitters:
  - :name: Ejemplo Peña
    :sid: 'A-1'
  :created_at: 2026-03-02 14:00:00 Z
submission_104:
  :submitters:
  - :name: Sin Número
    :email: student_04@example.org
submission_105:
  :submitters:
  - :name: Sin Archivos
    :sid: 'A-5'
"""


@pytest.mark.parametrize("prefix", ["", "assignment_99_export/"])
@pytest.mark.parametrize("packed", [False, True])
def test_gradescope_with_groups_and_attempts(tmp_path, prefix, packed):
    files = {
        f"{prefix}submission_metadata.yml": "\ufeff" + METADATA.replace("\n", "\r\n"),
        **{f"{prefix}submission_{number}/solution.py": f"a = {number}" for number in (101, 102, 103, 104, 106)},
    }
    found = collected(tmp_path, {"export.zip": zipped(files)} if packed else files, "export.zip" if packed else prefix)

    assert people(found) == {
        "A-1": PERSON,
        "A-5": "Sin Archivos",
        "student_04_example.org": "Sin Número",
        "submission_102": "Otra Peña, Ejemplo Ríos",
        "submission_106": "submission_106",
    }
    assert tree(found["A-1"].folder) == {"solution.py": b"a = 103"}
    assert (codes(found["A-1"]), found["A-1"].attempts) == (["latest_attempt"], 2)
    assert found["A-1"].submitted_at == "2026-03-02T14:00:00+00:00"
    assert found["submission_102"].members == ("A-2", "student_03@example.org")
    assert problem(found["A-5"]) == "empty_submission"


def test_unreadable_metadata_is_an_error_with_its_line(tmp_path):
    with pytest.raises(IntakeError, match=r"submission_metadata.yml:2:\d+: YAML syntax error"):
        collected(tmp_path, {"submission_metadata.yml": "a: 1\n  b: ]", "submission_1/solution.py": PLAYER})


@pytest.mark.parametrize("prefix", ["submitted/", ""])
def test_nbgrader_takes_the_latest_assignment(tmp_path, prefix):
    files = {
        "student_01/hex/solution.py": PLAYER,
        "student_01/hex/timestamp.txt": "2026-03-02 12:00:00.948203 America/Havana",
        "student_02/hex1/solution.py": "a = 1",
        "student_02/hex1/timestamp.txt": "2026-03-03 12:00:00 UTC",
        "student_02/hex2/solution.py": "a = 2",
        "student_02/hex2/timestamp.txt": "2026-03-02 12:00:00 UTC",
        "student_03/solution.py": PLAYER,
    }
    if prefix:
        found = collected(
            tmp_path,
            {f"{prefix}{name}": text for name, text in files.items()} | {"gradebook.db": b"", "source/hex/a.py": ""},
        )
    else:
        from tests.intake.collected import collect

        found = {one.id: one for one in collect(put(tmp_path / "submitted", files), tmp_path / "staging")}

    assert list(found) == ["student_01", "student_02", "student_03"]
    assert tree(found["student_02"].folder) == {"solution.py": b"a = 1"}
    assert (codes(found["student_02"]), found["student_02"].attempts) == (["latest_attempt"], 2)
    assert found["student_01"].digest == found["student_03"].digest
    assert {submission.platform for submission in found.values()} == {"nbgrader"}
