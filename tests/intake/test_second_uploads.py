"""Of `solution.py` and `solution (1).py` of one student the newer one is graded, and never decides whose it is."""

import io
import os
import zipfile

import pytest

from grader.intake.file_tree import FileNode
from grader.intake.second_uploads import newest_uploads, original_name
from grader.intake.submission import UnclearFolderError
from tests.intake.folders import PLAYER
from tests.intake.notebooks import notebook
from tests.intake.test_collect import codes, collected
from tests.intake.zips import put, tree, zipped

MOODLE = "Ejemplo Peña_1234_assignsubmission_file_"
OLD, NEW = PLAYER + "# old\n", PLAYER + "# new\n"
MORNING, EVENING = (2026, 3, 2, 9, 0, 0), (2026, 3, 2, 21, 0, 0)


def dated_zip(files) -> bytes:
    """A zip of these files, each a date and a content."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, (date, text) in files.items():
            archive.writestr(zipfile.ZipInfo(name, date), text)
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("solution (1).py", ("solution.py", 1)),
        ("solution(2).py", ("solution.py", 2)),
        ("HW (10).ZIP", ("HW.ZIP", 10)),
        ("hex (1).ipynb", ("hex.ipynb", 1)),
        ("solution.py", ("solution.py", 0)),
        ("solution - copia.py", ("solution - copia.py", 0)),
        ("solution-1.py", ("solution-1.py", 0)),
        ("weights (1).npz", ("weights (1).npz", 0)),
        ("(1).py", ("(1).py", 0)),
        ("solution (2026).py", ("solution (2026).py", 0)),
    ],
)
def test_only_a_number_in_brackets_means_a_second_upload_of_code(name, original):
    assert original_name(name) == original


@pytest.mark.parametrize("layout", [MOODLE + "/", MOODLE], ids=["folders", "flat"])
def test_the_date_in_the_platforms_zip_decides(tmp_path, layout):
    files = {f"{layout}solution.py": (MORNING, OLD), f"{layout}solution (1).py": (EVENING, NEW)}
    found = collected(tmp_path, {"download.zip": dated_zip(files)}, "download.zip")["1234"]

    assert tree(found.folder) == {"solution.py": NEW.encode()}
    assert codes(found) == ["latest_attempt"]
    assert found.findings[0].text == "Graded the latest of 2 attempts, solution (1).py; ignored: solution.py."


def test_a_date_that_contradicts_the_names_decides_and_is_flagged(tmp_path):
    files = {f"{MOODLE}/solution.py": (EVENING, NEW), f"{MOODLE}/solution (1).py": (MORNING, OLD)}
    found = collected(tmp_path, {"download.zip": dated_zip(files)}, "download.zip")["1234"]

    assert tree(found.folder) == {"solution.py": NEW.encode()}
    assert codes(found) == ["unclear_upload"]
    assert found.findings[0].text == (
        "Graded solution.py instead of solution (1).py: it has the later date, although the names suggest the opposite."
    )


def test_without_dates_the_highest_number_is_graded_and_flagged(tmp_path):
    files = {f"{MOODLE}/solution.py": OLD, f"{MOODLE}/solution (1).py": OLD + "#", f"{MOODLE}/solution (2).py": NEW}
    found = collected(tmp_path, {"download.zip": zipped(files)}, "download.zip")["1234"]

    assert tree(found.folder) == {"solution.py": NEW.encode()}
    assert codes(found) == ["unclear_upload"]
    assert found.findings[0].text == (
        "Graded solution (2).py instead of solution (1).py, solution.py: it is probably the newer upload, judging by its name."
    )


def test_the_dates_of_unpacked_files_decide_if_they_are_not_all_the_same(tmp_path):
    folder = put(tmp_path / "submissions", {f"{MOODLE}/solution.py": OLD, f"{MOODLE}/solution (1).py": NEW})
    for name, seconds in (("solution.py", 1_000_000), ("solution (1).py", 1_000_001)):
        os.utime(folder / MOODLE / name, (seconds, seconds))
    together = collected(tmp_path, {})["1234"]
    os.utime(folder / MOODLE / "solution.py", (2_000_000, 2_000_000))
    (tmp_path / "staging").rename(tmp_path / "earlier")
    apart = collected(tmp_path, {})["1234"]

    assert together.findings[0].text.startswith("Graded solution (1).py instead of solution.py: it is probably")
    assert apart.findings[0].text.startswith("Graded solution.py instead of solution (1).py: it has the later date")


def test_canvas_tells_by_the_numbers_of_the_attachments(tmp_path):
    files = {"ana_77001_900001_solution (1).py": OLD, "ana_77001_900002_solution.py": NEW}
    found = collected(tmp_path, {**files, "eva_77002_900003_solution.py": OLD})

    assert tree(found["77001"].folder) == {"solution.py": NEW.encode()}
    assert codes(found["77001"]) == ["latest_attempt"] and codes(found["77002"]) == []


def test_several_zips_of_one_student_are_handled_in_the_same_way(tmp_path):
    files = {
        f"{MOODLE}/hw.zip": (MORNING, zipped({"hw/solution.py": OLD, "hw/old.py": ""})),
        f"{MOODLE}/hw (1).zip": (EVENING, zipped({"hw/solution.py": NEW})),
    }
    found = collected(tmp_path, {"download.zip": dated_zip(files)}, "download.zip")["1234"]

    assert tree(found.folder) == {"solution.py": NEW.encode()}
    assert codes(found) == ["latest_attempt"]


def test_the_same_file_uploaded_twice_needs_no_decision(tmp_path):
    found = collected(tmp_path, {"ana/solution.py": PLAYER, "ana/solution (1).py": PLAYER, "eva/solution.py": OLD})

    assert list(tree(found["ana"].folder)) == ["solution.py"]
    assert codes(found["ana"]) == ["copy_left_out"]


@pytest.mark.parametrize("suffix", ["py", "ipynb", "zip"])
def test_a_single_second_upload_gets_its_usual_name(tmp_path, suffix):
    content = {"py": PLAYER, "ipynb": notebook(PLAYER), "zip": zipped({"solution.py": PLAYER})}[suffix]
    found = collected(tmp_path, {f"ana/solution (1).{suffix}": content, "eva/solution.py": OLD})["ana"]

    assert list(tree(found.folder)) == ["solution.py" if suffix == "zip" else f"solution.{suffix}"]
    assert codes(found) == []


def test_other_files_that_import_it_find_the_newer_one(tmp_path):
    files = {"ana/solution.py": OLD, "ana/solution (1).py": NEW, "ana/main.py": "import solution\n"}

    assert sorted(tree(collected(tmp_path, {**files, "eva/a.py": OLD})["ana"].folder)) == ["main.py", "solution.py"]


def test_two_files_of_a_class_are_never_taken_for_two_uploads_of_one_student(tmp_path):
    files = {"ana.py": OLD, "ana (1).py": NEW, "eva.zip": zipped({"a.py": OLD}), "eva (1).zip": zipped({"a.py": NEW})}

    assert list(collected(tmp_path, files)) == ["ana", "ana_1", "eva", "eva_1"]


def test_files_called_solution_without_owners_are_not_graded_before_the_instructor_decides(tmp_path):
    with pytest.raises(UnclearFolderError, match="could be one submission"):
        collected(tmp_path, {"solution.py": OLD, "solution (1).py": NEW})


def test_a_folder_with_the_same_name_is_left_alone():
    file = FileNode("a (1).py", read=lambda: io.BytesIO(b"x"))
    nodes, findings = newest_uploads([file, FileNode("a.py", listing=list)])

    assert [node.name for node in nodes] == ["a (1).py", "a.py"] and findings == []
