"""Before anything is played, a run prints the assignment in effect and what it recognised, or stops."""

import shutil
from pathlib import Path

import pytest

from grader.competition.assignments import FoundAssignment, find_assignment
from grader.errors import OptionError
from tests.command import grader
from tests.workflow.folders import ASSIGNMENT, FIRST, folder

OWN = ASSIGNMENT.replace("points: 10", "points: 1000")
"""An assignment that a student wrote."""
NAMED = ("-c", "ana/assignment.yaml")


def plan(*arguments, cwd=None):
    return grader("run", *arguments, "--dry-run", cwd=cwd)


def test_the_assignment_and_the_platform_are_printed(tmp_path):
    source = folder(tmp_path / "in", **{f"Ana_{number}_assignsubmission_file_": FIRST for number in (1, 2)})
    done = plan(source)

    assert done.returncode == 0, done.stderr
    assert (
        f"Assignment: {source}/assignment.yaml (A test)\n2 submissions in a Moodle download: Ana (1), Ana (2)\n"
        in done.stderr
    )


def test_an_assignment_that_is_part_of_a_submission_is_ignored(tmp_path):
    folder(tmp_path, ana=FIRST)
    folder(tmp_path / "ana", OWN)

    done = plan("ana", cwd=tmp_path)

    assert "Assignment: assignment.yaml (A test)\nana/assignment.yaml was ignored, because it is part" in done.stderr


@pytest.mark.parametrize(
    ("place", "path", "found"),
    [
        ("in/ana", "solution.py", FoundAssignment(None, ignored=Path("in/ana/assignment.yaml"))),
        ("in/ana", ".", FoundAssignment(None, ignored=Path("in/ana/assignment.yaml"))),
        ("in", "ana", FoundAssignment(Path("in/assignment.yaml"), ignored=Path("in/ana/assignment.yaml"))),
        (".", "in/ana/solution.py", FoundAssignment()),
        (".", "in", FoundAssignment(Path("in/assignment.yaml"))),
        ("in", ".", FoundAssignment(Path("in/assignment.yaml"))),
        ("in", "luis/solution.py", FoundAssignment(Path("in/assignment.yaml"))),
    ],
)
def test_the_assignment_is_that_of_the_class_and_never_of_a_submission(tmp_path, monkeypatch, place, path, found):
    folder(tmp_path / "in", ana=FIRST, luis=FIRST)
    folder(tmp_path / "in/ana", OWN)
    monkeypatch.chdir(tmp_path / place)

    expected = [file and tmp_path / file for file in (found.file, found.ignored)]
    actual = find_assignment(Path(path).resolve())
    assert [actual.file, actual.ignored] == expected


def test_an_assignment_of_a_student_with_several_players_competes_with_the_courses(tmp_path, monkeypatch):
    folder(tmp_path / "in", ana=FIRST)
    folder(tmp_path / "in/ana", OWN, one=FIRST, two=FIRST)
    (tmp_path / "in/ana/solution.py").unlink()
    monkeypatch.chdir(tmp_path)

    with pytest.raises(OptionError, match=r"two assignments: in/ana/assignment.yaml and in/assignment.yaml"):
        find_assignment(tmp_path / "in/ana")
    assert find_assignment(tmp_path / "in/ana", single=True).ignored == tmp_path / "in/ana/assignment.yaml"


def test_a_class_in_which_one_file_imports_another_stops_until_it_is_called_a_class(tmp_path):
    source = folder(tmp_path / "in")
    (source / "ana.py").write_text(FIRST, encoding="utf-8")
    (source / "mallory.py").write_text(f"import ana\n{FIRST}", encoding="utf-8")

    stopped = grader("run", source, "-o", tmp_path / "out")
    as_class = plan(source, "--class")
    compared = grader("similarity", source, "-o", tmp_path / "similarity")

    assert stopped.returncode == 2
    assert (
        "  - ana.py\n  - mallory.py\nNothing was graded. For one submission, add --single to grader run; for a"
        in stopped.stderr
    )
    assert not (tmp_path / "out").exists()
    assert "2 submissions: ana, mallory\n" in as_class.stderr
    assert compared.returncode == 0, compared.stderr


def test_a_check_takes_a_folder_that_can_be_one_submission_as_one(tmp_path):
    source = folder(tmp_path / "ana", "", old=FIRST)
    shutil.copy(source / "old/solution.py", source / "solution.py")

    done = grader("check", source, "--budget", "1", cwd=tmp_path)

    assert done.returncode in (0, 1) and "· ana\nAssignment: " in done.stdout, done.stderr


def test_an_assignment_that_may_be_the_only_students_is_obeyed_with_a_warning(tmp_path):
    folder(tmp_path / "ana", OWN)
    (tmp_path / "ana/my_player.py").write_text(FIRST, encoding="utf-8")
    found, single, named = (plan("ana", *options, cwd=tmp_path) for options in ((), ("--single",), NAMED))

    assert "Assignment: ana/assignment.yaml (A test)\nIt is in the same folder as the only submission." in found.stderr
    assert "Assignment: built in" in single.stderr and "ana/assignment.yaml was ignored" in single.stderr
    assert "Assignment: ana/assignment.yaml (A test)\n1 submission" in named.stderr
