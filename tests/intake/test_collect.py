"""Any folder of an instructor becomes submissions, each in its own folder."""

import os
import socket
import stat
import sys
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.intake.file_tree import FileNode, Refusal, disk_node, virtual_folder
from grader.intake.names import printable, safe_id, staged_name, unique_ids
from grader.intake.staging import MAX_FILES, stage
from grader.intake.submission import IntakeError, StagingFault, Submission
from grader.records import Finding
from tests.intake.collected import collect
from tests.intake.folders import PLAYER, player
from tests.intake.zips import put, tree, zipped


def collected(tmp_path: Path, files, inside: str = "", **options) -> dict[str, Submission]:
    """The submissions in a folder with these files, or in this file or folder in it, by id."""
    submissions = collect(put(tmp_path / "submissions", files) / inside, tmp_path / "staging", **options)
    return {submission.id: submission for submission in submissions}


def codes(submission: Submission) -> list[str]:
    return [finding.code for finding in submission.findings]


def problem(submission: Submission) -> str | None:
    return submission.problem.code if submission.problem else None


def test_folders_files_and_zips_are_each_one_submission(tmp_path):
    found = collected(
        tmp_path,
        {
            "student_01/solution.py": PLAYER,
            "student_02.py": PLAYER,
            "student_03.zip": zipped({"solution.py": PLAYER}),
            "student_04.rar": b"Rar!",
        },
    )

    assert list(found) == ["student_01", "student_02", "student_03", "student_04"]
    assert tree(found["student_01"].folder) == tree(found["student_03"].folder) == {"solution.py": PLAYER.encode()}
    assert list(tree(found["student_02"].folder)) == ["student_02.py"]
    assert problem(found["student_04"]) == "archive_format"
    assert found["student_01"].digest == found["student_03"].digest != found["student_02"].digest


def test_other_files_next_to_submissions_are_ignored(tmp_path):
    found = collected(
        tmp_path,
        {
            "student_01/solution.py": PLAYER,
            "assignment.yaml": "game: hex",
            "README.md": "# Hex",
            "roster.csv": "student_01,Ejemplo Peña",
            ".hidden/solution.py": PLAYER,
            ".DS_Store": b"\0",
            "__pycache__/x.pyc": b"",
            "__MACOSX/student_01/._solution.py": b"",
            "player.py": "class Player:\n    def play(self, board):\n        raise NotImplementedError\n",
            "board.py": "class HexBoard: ...",
        },
    )

    assert list(found) == ["student_01"]


def test_only_the_students_own_files_of_a_repository_are_copied(tmp_path):
    found = collected(
        tmp_path,
        {
            "student_01/.git/config": "",
            "student_01/venv/lib/x.py": "",
            "student_01/my_env/pyvenv.cfg": "",
            "student_01/my_env/lib/y.py": "",
            "student_01/node_modules/z.js": "",
            "student_01/Ejemplo Peña/__pycache__/solution.pyc": b"",
            "student_01/Ejemplo Peña/solution.py": PLAYER,
            "student_01/README.md": "",
        },
    )

    assert list(tree(found["student_01"].folder)) == ["Ejemplo Peña/solution.py", "README.md"]


def test_the_folders_of_a_single_repository_are_not_students(tmp_path):
    found = collected(
        tmp_path,
        {"student_01/Ejemplo Peña/ai.py": player(), "student_01/game/board.py": "", "student_01/game/rules/a.py": ""},
    )

    assert list(found) == ["student_01"]


def test_a_wrapper_folder_is_removed_and_does_not_change_the_digest(tmp_path):
    found = collected(
        tmp_path,
        {"student_01/solution.py": PLAYER, "student_02/Ejemplo_Peña/hex/solution.py": PLAYER},
    )

    assert tree(found["student_02"].folder) == {"solution.py": PLAYER.encode()}
    assert found["student_01"].digest == found["student_02"].digest


def test_a_wrapper_folder_from_which_the_code_imports_stays(tmp_path):
    found = collected(
        tmp_path,
        {
            "Ejemplo/player.py": "from Ejemplo.moves import best\n" + player(),
            "Ejemplo/moves.py": "best = 1",
            "student_02/src/player.py": player(),
        },
    )

    assert list(tree(found["Ejemplo"].folder)) == ["Ejemplo/moves.py", "Ejemplo/player.py"]
    assert list(tree(found["student_02"].folder)) == ["src/player.py"]


def test_a_megabyte_of_blank_lines_is_read_quickly(tmp_path):
    found = collected(
        tmp_path,
        {"a/inner/solution.py": " \n" * 500_000 + PLAYER, "b/inner/x.py": "\n" * 900_000 + "\tfrom inner import y\n"},
    )

    assert list(tree(found["a"].folder)) == ["solution.py"]
    assert list(tree(found["b"].folder)) == ["inner/x.py"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"solution.py": PLAYER, "heuristics.py": ""}, id="a solution"),
        pytest.param({"player.py": player(), "extra/moves.py": ""}, id="a player that plays"),
        pytest.param({"ai.py": player(), "requirements.txt": "numpy"}, id="a file and its requirements"),
        pytest.param({"src/main.py": player(), "tests/test_main.py": ""}, id="a repository"),
    ],
)
def test_a_path_that_is_itself_one_submission_is_taken_as_one(tmp_path, files):
    (only,) = collect(put(tmp_path / "student_01", files), tmp_path / "staging")

    assert only.id == "student_01"
    assert set(tree(only.folder)) == set(files)


def test_requirements_next_to_a_class_do_not_make_it_one_submission(tmp_path):
    found = collected(
        tmp_path,
        {
            "requirements.txt": "numpy",
            "student_01/Ejemplo/ai.py": player(),
            "student_02.zip": zipped({"ai.py": player()}),
        },
    )

    assert list(found) == ["student_01", "student_02"]


def test_a_single_broken_zip_is_a_refused_submission(tmp_path):
    path = put(tmp_path / "in", {"student_01.zip": b"no zip"}) / "student_01.zip"

    (only,) = collect(path, tmp_path / "staging")

    assert (only.id, problem(only)) == ("student_01", "broken_zip")


def test_one_file_is_one_submission(tmp_path):
    path = put(tmp_path / "in", {"student_01.py": PLAYER}) / "student_01.py"

    (only,) = collect(path, tmp_path / "staging")

    assert (only.id, list(tree(only.folder))) == ("student_01", ["student_01.py"])


EVERYTHING: dict[str, str | bytes] = {
    "student_01/solution.py": PLAYER,
    "student_02/ai/player.py": player(),
    "student_03.zip": zipped({"a.py": ""}),
}


@pytest.mark.parametrize("prefix", ["", "submissions/", "download/submissions/"])
def test_a_zip_of_everything_is_opened(tmp_path, prefix):
    data = zipped({prefix + name: text for name, text in EVERYTHING.items()})

    found = collected(tmp_path, {"everything.zip": data}, "everything.zip")

    assert list(found) == ["student_01", "student_02", "student_03"]


def test_a_single_zip_of_one_student_is_that_student(tmp_path):
    found = collected(
        tmp_path, {"student_01.zip": zipped({"hex/solution.py": PLAYER, "hex/docs/notes.txt": "", "__MACOSX/x": ""})}
    )

    assert list(found) == ["student_01"]
    assert list(tree(found["student_01"].folder)) == ["docs/notes.txt", "solution.py"]


def test_zips_in_zips_are_opened_and_a_zip_next_to_its_folder_keeps_its_name(tmp_path):
    inner = zipped({"solution.py": PLAYER})
    found = collected(
        tmp_path,
        {
            "student_01.zip": zipped({"b.zip": zipped({"c.zip": inner})}),
            "student_02/work/solution.py": PLAYER,
            "student_02/work.zip": inner,
            "student_03.zip": zipped({"b.zip": zipped({"c.zip": zipped({"d.zip": inner})})}),
        },
    )

    assert list(tree(found["student_01"].folder)) == ["solution.py"]
    assert set(tree(found["student_02"].folder)) == {"work.zip/solution.py", "work/solution.py"}
    assert problem(found["student_03"]) == "nested_zips"


def test_a_broken_zip_next_to_a_player_is_reported_and_harmless(tmp_path):
    found = collected(tmp_path, {"student_01/solution.py": PLAYER, "student_01/old.zip": b"no zip"}, single=False)

    assert problem(found["student_01"]) is None
    assert codes(found["student_01"]) == ["broken_zip"]


def test_accents_byte_order_marks_and_line_ends_survive(tmp_path):
    text = b"\xef\xbb\xbf# \xc3\xb1\r\nx = 1\r\n"
    composed, decomposed = "Peña", "Pen\u0303a"
    found = collected(tmp_path, {f"Ejemplo {decomposed}/{decomposed}.py": text, "a/solution.py": ""})

    assert found["Ejemplo_Pena"].name == f"Ejemplo {composed}"
    assert tree(found["Ejemplo_Pena"].folder) == {f"{composed}.py": text}


def test_a_zip_next_to_its_unpacked_folder_is_ignored(tmp_path):
    found = collected(
        tmp_path,
        {
            "student_01/solution.py": PLAYER,
            "student_01.zip": zipped({"solution.py": PLAYER}),
            "student_02/solution.py": "",
        },
    )

    assert list(found) == ["student_01", "student_02"]
    assert codes(found["student_01"]) == ["copy_left_out"]
    assert sorted(path.name for path in (tmp_path / "staging").iterdir()) == ["student_01", "student_02"]


@pytest.mark.parametrize("other", ["Ana.py", "ána.py", "ana.zip", "ana /solution.py"])
def test_two_submissions_with_the_same_id_stop_with_a_list(tmp_path, other):
    content = zipped({"x.py": "b = 1"}) if other.endswith(".zip") else "b = 1"

    with pytest.raises(IntakeError, match=r"(?s)1 id belongs to several students:\n  - ana: .*Nothing was graded"):
        collected(tmp_path, {"ana/solution.py": "a = 1", "luis.py": "a = 2", other: content})


def test_files_in_a_submission_never_change_its_id(tmp_path):
    claim = ":submitters:\n- :name: Ejemplo Peña\n  :sid: student_01\n"
    found = collected(
        tmp_path,
        {
            "student_01/solution.py": "a = 1",
            "student_02/solution.py": "b = 1",
            "student_02/submission_metadata.yml": f"submission_1:\n  {claim}",
            "student_02/submission_1/student_01.py": "c = 1",
            "student_02/student_01_1_assignsubmission_file_solution.py": "d = 1",
            "student_02/student_01.zip": zipped({"student_01/solution.py": "e = 1"}),
        },
    )

    assert list(found) == ["student_01", "student_02"]
    assert tree(found["student_01"].folder) == {"solution.py": b"a = 1"}


def test_a_single_submission_keeps_its_id_too(tmp_path):
    files = {"student_02/solution.py": PLAYER, "student_02/Ejemplo_1_assignsubmission_file_/solution.py": PLAYER}
    found = collected(tmp_path, files, single=False)

    assert list(found) == ["student_02"]


def test_staged_files_are_plain_and_private(tmp_path):
    folder = put(tmp_path / "in", {"student_01/solution.py": PLAYER, "student_02/solution.py": PLAYER})
    (folder / "student_01" / "solution.py").chmod(0o4777)

    one, two = collect(folder, tmp_path / "staging")

    assert one.folder != two.folder and one.folder.parent == two.folder.parent == tmp_path / "staging"
    assert stat.S_IMODE((one.folder / "solution.py").stat().st_mode) & 0o7111 == 0
    assert not (one.folder / "solution.py").samefile(folder / "student_01" / "solution.py")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_links_pipes_and_sockets_are_refused_without_affecting_others(tmp_path):
    folder = put(
        tmp_path / "in",
        {f"student_0{number}/solution.py": PLAYER for number in range(1, 6)} | {"../secret.py": "SECRET = 1"},
    )
    (folder / "student_01" / "more.py").symlink_to(tmp_path / "secret.py")
    (folder / "student_02" / "more").symlink_to(tmp_path)
    os.mkfifo(folder / "student_03" / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(folder / "student_04" / "s.py"))
    (folder / "student_06").symlink_to(tmp_path)

    found = {one.id: one for one in collect(folder, tmp_path / "staging")}

    assert {own: problem(one) for own, one in found.items()} == {
        "student_01": "link",
        "student_02": "link",
        "student_03": "special_file",
        "student_04": "special_file",
        "student_05": None,
        "student_06": "link",
    }
    assert tree(found["student_01"].folder) == {}
    assert b"SECRET" not in b"".join(tree(tmp_path / "staging").values())


def test_an_empty_folder_is_a_problem_of_that_submission(tmp_path):
    put(tmp_path / "submissions" / "student_01", {})
    found = collected(
        tmp_path, {"student_02/solution.py": PLAYER, "student_03/.hidden": "", "student_04.zip": zipped({})}
    )

    assert [problem(found[own]) for own in found] == ["empty_submission", None, "empty_submission", "empty_submission"]
    assert found["student_01"].folder.is_dir()


def test_a_thousand_files_are_accepted_and_too_many_are_not(tmp_path):
    found = collected(
        tmp_path,
        {
            **{f"student_01/{number}.py": "" for number in range(1000)},
            "student_02.zip": zipped({f"{number}.txt": "" for number in range(MAX_FILES + 1)}),
        },
    )

    assert (problem(found["student_01"]), len(tree(found["student_01"].folder))) == (None, 1000)
    assert (problem(found["student_02"]), tree(found["student_02"].folder)) == ("too_many_files", {})


def test_a_file_of_200_mb_is_refused_without_being_copied(tmp_path):
    put(tmp_path / "submissions" / "student_01", {"solution.py": PLAYER})
    with (tmp_path / "submissions" / "student_01" / "weights.bin").open("wb") as file:
        file.truncate(200_000_000)

    found = collected(tmp_path, {"student_02/solution.py": PLAYER})

    assert (problem(found["student_01"]), problem(found["student_02"])) == ("too_large", None)


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="file names are always Unicode there")
def test_names_that_are_not_utf8_become_text(tmp_path):
    folder = tmp_path / "submissions" / os.fsdecode(b"Ejemplo Pe\xf1a")
    folder.mkdir(parents=True)
    (folder / os.fsdecode(b"pe\xf1a\x1b[31m.py")).write_text(PLAYER, encoding="utf-8")

    found = collected(tmp_path, {"student_02/solution.py": PLAYER})

    assert found["Ejemplo_Pena"].name == "Ejemplo Peña"
    assert list(tree(found["Ejemplo_Pena"].folder)) == ["peña_[31m.py"]


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        pytest.param("\x1b[31mEjemplo", "[31mEjemplo", id="ANSI"),
        pytest.param("=1+1", "=1+1", id="a formula is for the CSV to escape"),
        pytest.param("<b>Peña</b>\u202e", "<b>Peña</b>", id="reversed text"),
    ],
)
def test_a_name_is_shown_as_given_without_control_characters(raw, name):
    assert printable(raw) == name
    assert safe_id(raw)[0].isalnum()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is unreadable to root")
def test_an_unreadable_folder_is_not_the_students_fault_and_ends_the_intake(tmp_path):
    closed = put(tmp_path / "submissions" / "student_01", {"solution.py": PLAYER})
    closed.chmod(0)
    try:
        with pytest.raises(StagingFault, match=r"student_01 cannot be read: Permission denied\. Fix its permissions"):
            collected(tmp_path, {"student_02/solution.py": PLAYER})
    finally:
        closed.chmod(0o755)


@pytest.mark.parametrize("name", ["solution.py", "student.zip"])
def test_a_file_that_vanishes_during_the_intake_is_not_the_students_fault(tmp_path, name):
    submissions = put(tmp_path / "submissions" / "student_01", {name: PLAYER}).parent
    content = disk_node(submissions / "student_01")
    nodes = content.children()
    (submissions / "student_01" / name).unlink()

    with pytest.raises(StagingFault, match=f"{name} cannot be read: No such file"):
        stage(virtual_folder("student_01", nodes), tmp_path / "staged", tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="a file that opens and cannot be read is one of Linux's own")
@pytest.mark.parametrize("name", ["solution.py", "student.zip"])
def test_a_file_on_a_broken_disk_is_not_the_students_fault(tmp_path, name):
    broken = replace(disk_node(Path("/proc/self/mem")), name=name)

    with pytest.raises(StagingFault, match="cannot be read: Input/output error"):
        stage(virtual_folder("student_01", [broken]), tmp_path / "staged", tmp_path)


def test_a_refused_submission_leaves_nothing_behind(tmp_path):
    finding = Finding(code="too_deep", text="It is too deep.", help="Put it higher.")

    def closed() -> list[FileNode]:
        raise Refusal(finding)

    content = virtual_folder(
        "", [FileNode("a.py", read=lambda: (tmp_path / "x").open("rb")), FileNode("b", listing=closed)]
    )
    (tmp_path / "x").write_text("", encoding="utf-8")

    staged = stage(content, tmp_path / "staged", tmp_path)

    assert staged.problem == finding
    assert tree(tmp_path / "staged") == {}


def test_very_deep_folders_are_refused(tmp_path):
    found = collected(tmp_path, {"student_01/" + "a/" * 60 + "solution.py": PLAYER, "student_02/solution.py": PLAYER})

    assert (problem(found["student_01"]), problem(found["student_02"])) == ("too_deep", None)


def test_a_name_that_is_too_long_to_copy_is_refused(tmp_path):
    found = collected(tmp_path, {"student_01/" + "a" * 240 + ".py": PLAYER, "student_02/solution.py": PLAYER})

    assert (problem(found["student_01"]), problem(found["student_02"])) == ("long_name", None)


def test_the_same_folder_gives_the_same_submissions(tmp_path):
    folder = put(tmp_path / "in", {**EVERYTHING, "student_04.py": "a = 1"})

    one, two = collect(folder, tmp_path / "one"), collect(folder, tmp_path / "two")

    assert [(each.id, each.digest, each.findings) for each in one] == [
        (each.id, each.digest, each.findings) for each in two
    ]


@pytest.mark.parametrize(
    ("files", "path", "message"),
    [
        pytest.param({}, "nowhere", "no such file or folder", id="nothing there"),
        pytest.param({"a.txt": ""}, "a.txt", "not a folder", id="another kind of file"),
        pytest.param({"README.md": ""}, "", "no submissions found", id="no submissions"),
    ],
)
def test_a_path_without_submissions_is_an_error(tmp_path, files, path, message):
    folder = put(tmp_path / "in", files)

    with pytest.raises(IntakeError, match=message):
        collect(folder / path, tmp_path / "staging")


def test_submissions_are_never_copied_over_existing_files(tmp_path):
    folder = put(tmp_path / "in", {"student_01/solution.py": PLAYER})

    with pytest.raises(IntakeError, match="must be empty"):
        collect(folder, folder)

    assert tree(folder) == {"student_01/solution.py": PLAYER.encode()}


def test_a_staging_folder_among_the_submissions_is_not_one_of_them(tmp_path):
    folder = put(tmp_path / "in", {"student_01/solution.py": PLAYER, "student_02.py": PLAYER})
    (folder / "results").mkdir()

    found = collect(folder, folder / "results" / "staging")

    assert [one.id for one in found] == ["student_01", "student_02"]


@given(st.text(max_size=200))
def test_an_id_is_safe_as_a_file_name_and_always_the_same(raw):
    own = safe_id(raw)

    assert own == safe_id(raw) == safe_id(own)
    assert own.isascii() and 0 < len(own) <= 64 + 3
    assert set(own) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    assert own[0].isalnum() and own[-1].isalnum()


@given(st.lists(st.tuples(st.sampled_from(["a", "A", "á", "a ", "con", "李", "b"]), st.sampled_from(["x", "y"]))))
def test_ids_are_unique_and_exact_ids_are_kept(wanted):
    ids = unique_ids(wanted)

    assert len({own.casefold() for own in ids}) == len(wanted)
    if "A" not in {raw for raw, _ in wanted}:
        for exact in {raw for raw, _ in wanted} & {"a", "b"}:
            assert wanted[ids.index(exact)][0] == exact


@given(st.text(st.characters(exclude_categories=()), max_size=50))
def test_a_staged_name_is_a_single_valid_name(raw):
    name = staged_name(raw)

    assert name.encode("utf-8").decode("utf-8") == name
    assert not set(name) & set("/\\\0\n\x1b\u202e")


def test_lateness_is_known_if_the_platform_gives_the_time(tmp_path):
    found = collected(
        tmp_path,
        {
            "submitted/student_01/hex/solution.py": PLAYER,
            "submitted/student_01/hex/timestamp.txt": "2026-03-02 12:00:30.5 UTC",
            "submitted/student_02/hex/solution.py": PLAYER,
        },
        "submitted",
        due=datetime(2026, 3, 2, 12, 0, tzinfo=timezone.utc),
    )

    assert (found["student_01"].late_seconds, found["student_02"].late_seconds) == (30, None)
