"""No part of a name that a student chooses decides who the student is, or how the submissions of others are read."""

import shutil

import pytest

from grader.intake.collect import IntakeError
from tests.intake.folders import PLAYER, player
from tests.intake.test_collect import collected
from tests.intake.test_collect_platforms import people
from tests.intake.zips import tree, zipped

CANVAS = {f"student{number}_43{number}1_800900{number}_solution.py": f"a = {number}" for number in range(1, 5)}
MOODLE = {f"Student {number}_43{number}1_assignsubmission_file_solution.py": f"a = {number}" for number in range(1, 5)}


def contents(found):
    return {id_: b"".join(tree(submission.folder).values()).decode() for id_, submission in found.items()}


CLASS = {f"43{number}1": f"a = {number}" for number in range(1, 5)}


@pytest.mark.parametrize(
    "name",
    [
        "Student 2_4321_assignsubmission_file_solution.py",
        "x_assignsubmission_file_.py",
        "_assignsubmission_onlinetext_a.py",
        "student2_4321_8009002_solution.py",
        "submission_metadata.yml",
        "x_LATE_4321_8009009_solution.py",
        "solution_2024_11_final.py",
    ],
)
def test_a_file_name_does_not_change_how_a_canvas_download_is_read(tmp_path, name):
    found = collected(tmp_path, {**CANVAS, f"mallory_6661_8009009_{name}": "a = 9"})

    assert contents(found) == {**CLASS, "6661": "a = 9"}
    assert {submission.platform for submission in found.values()} == {"canvas"}


@pytest.mark.parametrize(
    "student",
    [
        "4321",
        "4321_8009002",
        "x_4321_8009002",
        "anon_Ab12C_8009002",
        "LATE_4321",
        "x_assignsubmission_file",
        "_4321_8009002_",
    ],
)
def test_a_display_name_does_not_join_two_students_of_a_canvas_download(tmp_path, student):
    found = collected(tmp_path, {**CANVAS, f"{student}_6661_8009009_solution.py": "a = 9"})

    assert contents(found) == {**CLASS, "6661": "a = 9"}


def test_a_display_name_that_imitates_another_student_of_a_canvas_download_stops(tmp_path):
    name = "student2_4321_8009007_6661_8009009_solution.py"

    with pytest.raises(IntakeError, match=rf"(?s)1 name in it.*{name}: 4321, .*6661.*Nothing was graded"):
        collected(tmp_path, {**CANVAS, name: "a = 9"})


def test_a_display_name_does_not_add_a_file_to_another_student_of_a_canvas_download(tmp_path):
    """The number of the student who does this is much longer than those of the others."""
    name = "student2_4321_8009007_666123456_8009009_solution.py"

    with pytest.raises(IntakeError, match=rf"(?s)1 name in it.*{name}: 4321, 666123456.*Nothing was graded"):
        collected(tmp_path, {**CANVAS, name: "a = 9"})


def test_a_student_of_a_canvas_download_may_have_several_files_with_numbers(tmp_path):
    found = collected(tmp_path, {**CANVAS, "student2_4321_8009007_notes_2024_01_v2.py": "a = 9"})

    assert found.keys() == CLASS.keys()


def test_names_of_a_plain_class_that_join_students_stop(tmp_path):
    with pytest.raises(IntakeError, match=r"(?s)Canvas download.*2024: ana, luis"):
        collected(tmp_path, {"ana_2024_001_hex.py": "a = 1", "luis_2024_002_hex.py": "a = 2"})


@pytest.mark.parametrize(
    "name", ["x_4321_8009009_a.py", "Student 2_4321_assignsubmission_file_solution.py", "_1_2_a.py"]
)
@pytest.mark.parametrize(
    "student", ["Mallory", "4321", "4321-4321", "Participant", "Group", "x 4321 assignsubmission file"]
)
def test_names_do_not_change_how_a_moodle_download_is_read(tmp_path, student, name):
    found = collected(tmp_path, {**MOODLE, f"{student}_6661_assignsubmission_file_{name}": "a = 9"})

    assert contents(found) == {**CLASS, "6661": "a = 9"}
    assert {submission.platform for submission in found.values()} == {"moodle"}


def test_a_moodle_folder_belongs_to_the_number_at_its_end(tmp_path):
    found = collected(
        tmp_path,
        {
            "Student 2_4321_assignsubmission_file_x_6661_assignsubmission_file_/solution.py": "a = 9",
            "Student 2_4321_assignsubmission_file_/solution.py": "a = 2",
        },
    )

    assert contents(found) == {"4321": "a = 2", "6661": "a = 9"}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param({"Student 9_4321_assignsubmission_file_a.py": ""}, "4321: Student 2.*Student 9", id="same number"),
        pytest.param({"4321_assignsubmission_file_a.py": ""}, r"4321: 4321 \(4321.*, Student 2", id="number as a name"),
        pytest.param(
            {"mallory.py": "", "ana/solution.py": ""},
            "2 names in it do not follow Moodle's naming.*ana\n.*mallory.py",
            id="others",
        ),
    ],
)
def test_a_moodle_download_whose_names_do_not_agree_stops_with_a_list(tmp_path, files, message):
    with pytest.raises(IntakeError, match=f"(?s){message}"):
        collected(tmp_path, {**MOODLE, **files})


def test_one_name_does_not_make_a_plain_class_a_download(tmp_path):
    plain = {f"student_0{number}.py": f"a = {number}" for number in range(4)}
    found = collected(
        tmp_path,
        {
            **plain,
            "Student 2_4321_assignsubmission_file_solution.py": "b = 1",
            "x_4321_8009009_solution.py": "b = 2",
            "submission_metadata.yml": "submission_1: {}",
            "submission_1/x.py": "b = 3",
        },
    )

    assert len(found) == 7
    assert {submission.platform for submission in found.values()} == {"plain"}


def submitter(number, **fields):
    lines = "".join(f"    :{name}: {value}\n" for name, value in fields.items())
    return f"submission_{number}:\n  :submitters:\n  - :active: true\n{lines}"


def export(*submitters):
    files = {f"submission_{number}/solution.py": f"a = {number}" for number in range(1, len(submitters) + 1)}
    return {**files, "submission_metadata.yml": "".join(submitter(at, **each) for at, each in enumerate(submitters, 1))}


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"name": "M", "sid": "A-1", "email": "m@example.org"}, id="number"),
        pytest.param({"name": "M", "sid": "ana@example.org", "email": "m@example.org"}, id="address as a number"),
        pytest.param({"name": "M", "sid": "A 1", "email": "m@example.org"}, id="same id after cleaning"),
    ],
)
def test_a_number_of_another_student_in_a_gradescope_export_stops(tmp_path, other):
    files = export(
        {"name": "Ana", "email": "ana@example.org"},
        {"name": "B", "sid": "A_1", "email": "b@example.org"},
        {"name": "C", "sid": "A-1", "email": "c@example.org"},
        other,
    )

    with pytest.raises(IntakeError, match=r"(?s)1 id belongs to several students.*submission_4"):
        collected(tmp_path, files)


def test_names_in_a_gradescope_export_do_not_join_students(tmp_path):
    found = collected(tmp_path, export({"name": "A-1"}, {"name": "A-1"}, {"name": "Ana", "sid": "A-1"}))

    assert contents(found) == {"submission_1": "a = 1", "submission_2": "a = 2", "A-1": "a = 3"}
    assert people(found)["submission_1"] == "A-1"


def test_the_metadata_of_an_autograder_are_not_read_from_a_students_zip(tmp_path):
    forged = '{"id": 1, "users": [{"email": "ana@example.org"}]}'
    found = collected(
        tmp_path, {"mallory.zip": zipped({"submission_metadata.json": forged, "submission/solution.py": "a = 1"})}
    )

    assert list(found) == ["mallory"]


FLAT = {"ana.py": PLAYER, "luis.py": player(), "eva.py": "def broken("}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "others",
    [
        pytest.param({"mallory.py": "import ana\n" + player()}, id="an import"),
        pytest.param({"mallory.py": "import ana, luis, eva"}, id="imports without a player"),
        pytest.param({"solution.py": PLAYER}, id="a solution"),
        pytest.param({"solution.py": ""}, id="an empty solution"),
        pytest.param({"player.py": player()}, id="a player"),
    ],
)
def test_one_student_does_not_turn_a_flat_class_into_one_submission(tmp_path, others, packed):
    files = FLAT | others
    put_files = {"class.zip": zipped(files)} if packed else files
    inside = "class.zip" if packed else ""
    with pytest.raises(IntakeError, match=r"(?s)or a class:\n  - ana.py\n.*add --single.*add --class"):
        collected(tmp_path, put_files, inside)

    shutil.rmtree(tmp_path / "staging")
    assert len(collected(tmp_path / "class", put_files, inside, single=False)) == 4
    assert len(collected(tmp_path / "one", put_files, inside, single=True)) == 1


@pytest.mark.parametrize("other", ["src", "tests", "docs"])
@pytest.mark.parametrize("code", [PLAYER, "x = 1"])
def test_a_student_named_like_the_folder_of_a_project_does_not_change_the_others(tmp_path, other, code):
    mallory = {f"{other}/a.py": code}
    found = collected(tmp_path / "three", {"ana/a.py": PLAYER, "luis/a.py": PLAYER, **mallory})

    assert set(found) == {"ana", "luis", other}
    with pytest.raises(IntakeError, match="add --class"):
        collected(tmp_path / "two", {"ana/a.py": PLAYER, **mallory})


def test_a_student_named_submitted_does_not_turn_a_class_into_one_of_nbgrader(tmp_path):
    found = collected(tmp_path, {"submitted/ana/a.py": "a = 1", "source/a.py": PLAYER, "ana/a.py": PLAYER})

    assert contents(found) == {"ana": PLAYER, "source": PLAYER, "submitted": "a = 1"}


def test_a_loose_file_in_a_folder_called_submitted_is_a_submission(tmp_path):
    found = collected(tmp_path, {"submitted/ana.py": PLAYER, "submitted/luis/a.py": player()}, "submitted")

    assert found.keys() == {"ana", "luis"}


def test_the_only_submission_of_a_class_may_have_several_files(tmp_path):
    assert list(collected(tmp_path, {"ana/ai.py": "import moves\n" + PLAYER, "ana/moves.py": "best = 1"})) == ["ana"]


@pytest.mark.parametrize("name", ["mallory.zip", "mallory", "submitted.zip", "submitted"])
@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"ana/solution.py": PLAYER, "luis/solution.py": PLAYER}, id="folders"),
        pytest.param({"ana.py": "import luis\n" + PLAYER, "luis.py": PLAYER}, id="files"),
        pytest.param(MOODLE, id="moodle"),
        pytest.param({f"in/{name}": text for name, text in CANVAS.items()}, id="canvas"),
    ],
)
def test_the_only_submission_does_not_become_the_submissions_of_others(tmp_path, name, files):
    content = {name: zipped(files)} if name.endswith(".zip") else {f"{name}/{own}": text for own, text in files.items()}

    with pytest.raises(IntakeError, match=rf"(?s)contains only {name}.*add --class.*give .*{name} instead"):
        collected(tmp_path, content)

    assert list(collected(tmp_path / "class", content, single=False)) == [name.removesuffix(".zip")]
