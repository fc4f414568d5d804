"""`--earlier`, `--known` and the index of their code, as people run them."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.command import ENGLISH, grader
from tests.similarity.classes import MINIMAX, SHORTEST_PATH, TREE, folder
from tests.similarity.disguises import renamed

SOURCES = ("--earlier", "2024", "--earlier", "2025", "--known", "public")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A class with a copy from a former year, one from public code, and two former classes that copied from each other."""
    folder(tmp_path / "class", {"ana": renamed(SHORTEST_PATH), "bea": renamed(MINIMAX), "cid": renamed(MINIMAX)})
    folder(tmp_path / "2024", {"ana": SHORTEST_PATH, "old": TREE})
    folder(tmp_path / "2025", {"eva": SHORTEST_PATH, "new": TREE})
    folder(tmp_path / "public", {"on-the-web": MINIMAX})
    return tmp_path


def compare(course: Path, *options: str | Path, status: int = 0) -> tuple[str, dict[str, Any]]:
    environment = {**ENGLISH, "XDG_CACHE_HOME": str(course / "cache"), "HOME": str(course)}
    done = grader("similarity", "class", *options, "-o", "out", cwd=course, environment=environment)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    if status:
        return done.stderr, {}
    return done.stdout, json.loads((course / "out/similarity.json").read_text(encoding="utf-8"))


def matches(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(pair["first"]["id"], pair["second"]["id"]) for pair in found]


def test_former_years_and_public_code_are_compared_only_with_the_class(course):
    output, content = compare(course, *SOURCES)

    assert matches(content["earlier"]) == [("ana", "2024/ana")]
    assert content["earlier"][0]["others"] == ["2025/eva"]
    assert content["earlier"][0]["remarks"] == ["the same name or id: perhaps the same student"]
    assert matches(content["known"]) == [("bea", "public/on-the-web"), ("cid", "public/on-the-web")]
    assert "known public code" in output and "earlier submission" in output
    assert "2024/old" not in output and "2025/new" not in output


def test_two_students_who_took_the_same_public_code_have_not_copied_from_each_other(course):
    _, without = compare(course)
    folder(course / "class", {"dan": renamed(MINIMAX) + "\nx = 1\n"})
    _, content = compare(course, *SOURCES)

    assert [len(group["members"]) for group in without["groups"]] == [2]
    assert all({each["id"] for each in group["members"]} == {"bea", "cid"} for group in content["groups"])


def test_the_second_run_takes_the_code_from_the_index_and_finds_the_same(course):
    first, content = compare(course, *SOURCES)
    second, again = compare(course, *SOURCES)

    assert f"Index: {course}/cache/grader/similarity (0 of 3 folders were already there)." in first
    assert "(3 of 3 folders were already there)." in second
    assert again == content


def test_the_index_notices_a_changed_file_even_if_its_time_and_size_are_the_same(course):
    file = course / "2024/ana/solution.py"
    compare(course, *SOURCES)
    before = file.stat()
    file.write_text("#" * before.st_size, encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    output, content = compare(course, *SOURCES)

    assert "(2 of 3 folders were already there)." in output
    assert matches(content["earlier"]) == [("ana", "2025/eva")]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: content[: len(content) // 2], id="cut off"),
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda content: content[:-5] + bytes(5), id="changed"),
    ],
)
def test_a_damaged_index_is_replaced(course, damage):
    _, content = compare(course, "--earlier", "2024", "--index", "here")
    (entry,) = (course / "here").iterdir()
    entry.write_bytes(damage(entry.read_bytes()))

    damaged, again = compare(course, "--earlier", "2024", "--index", "here")
    repaired, _ = compare(course, "--earlier", "2024", "--index", "here")

    assert "A damaged entry of the index in here was replaced." in damaged
    assert again == content
    assert "(1 of 1 folder was already there)" in repaired


def test_an_index_that_cannot_be_written_does_not_stop_the_comparison(course):
    (course / "file").write_text("", encoding="utf-8")

    output, content = compare(course, "--earlier", "2024", "--index", "file/index")

    assert matches(content["earlier"]) == [("ana", "2024/ana")]
    assert "The index in file/index cannot be used: Not a directory." in output and "--no-index" in output


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_cache_does_not_stop_the_comparison(course):
    (course / "cache").mkdir(mode=0o500)

    output, content = compare(course, "--earlier", "2024")

    assert matches(content["earlier"]) == [("ana", "2024/ana")] and "Permission denied" in output


def test_no_index_is_written_if_there_is_nothing_to_index_or_it_is_turned_off(course):
    compare(course)
    output, _ = compare(course, *SOURCES, "--no-index")

    assert "Index" not in output and not (course / "cache").exists()


def test_only_the_user_may_read_the_index_and_old_entries_are_removed(course):
    folder_of_index = course / "here"
    folder_of_index.mkdir()
    old, foreign = folder_of_index / ("0" * 64 + ".index"), folder_of_index / "notes.txt"
    for file in (old, foreign):
        file.write_text("", encoding="utf-8")
        os.utime(file, (time.time() - 500 * 86_400,) * 2)

    compare(course, "--earlier", "2024", "--index", "here")

    assert not old.exists() and foreign.exists()
    (entry,) = folder_of_index.glob("*.index")
    assert entry.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("option", ["--earlier", "--known"])
@pytest.mark.parametrize(("path", "message"), [("missing", "missing"), ("empty", "no submissions found")])
def test_a_missing_or_empty_folder_is_reported(course, option, path, message):
    (course / "empty").mkdir()

    errors, _ = compare(course, option, path, status=2)

    assert message in errors and path in errors


def test_a_folder_of_loose_files_that_import_each_other_is_read_as_several_solutions(course):
    (course / "loose").mkdir()
    (course / "loose/search.py").write_text(SHORTEST_PATH, encoding="utf-8")
    (course / "loose/play.py").write_text("import search\n" + TREE, encoding="utf-8")

    _, content = compare(course, "--known", "loose")

    assert matches(content["known"]) == [("ana", "loose/search")]


def test_two_folders_of_the_same_name_are_told_apart(course):
    folder(course / "archive/2024", {"mia": MINIMAX})

    _, content = compare(course, "--earlier", "2024", "--earlier", "archive/2024")

    assert {second for _, second in matches(content["earlier"])} == {"archive/2024/mia", "2024/ana"}
