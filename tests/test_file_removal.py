"""Folders that hostile code has filled are removed, whatever is in them."""

import os
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from grader.file_removal import remove_tree
from tests.waiting import becomes_true

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs file descriptors of folders")


def nest(folder, names):
    """Folders inside each other, deeper than any path can be."""
    at = os.open(folder, os.O_RDONLY)
    for name in names:
        os.mkdir(name, dir_fd=at)
        inner = os.open(name, os.O_RDONLY, dir_fd=at)
        with suppress(OSError):
            os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=inner))
        os.close(at)
        at = inner
    os.close(at)


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["d"] * 3000, id="3000 deep"),
        pytest.param(["x" * 250] * 100, id="longer than a path"),
        pytest.param(["lifted-0", "lifted-0", "lifted-1", "lifted-0"], id="names that the removal itself uses"),
    ],
)
def test_depth_and_length_do_not_matter(tmp_path, names):
    folder = tmp_path / "filled"
    folder.mkdir()
    nest(folder, names)

    remove_tree(folder)

    assert not folder.exists()


FILL = """
import os, sys, time
end = time.monotonic() + 60
number = 0
while time.monotonic() < end:
    number += 1
    try:
        os.makedirs(f"{sys.argv[1]}/{os.getpid()}-{number}/" + "/".join("abcdefgh"))
    except OSError:
        pass  # a part of it has just been removed
"""


def test_removing_ends_even_if_a_process_fills_the_folder_all_the_time(tmp_path):
    """Below level good a player's process can outlive the grader, whose folder the next command removes."""
    folder = tmp_path / "filled"
    folder.mkdir()
    filling = [subprocess.Popen([sys.executable, "-c", FILL, str(folder)]) for _ in range(3)]
    try:
        assert becomes_true(lambda: len(list(folder.iterdir())) > 50)
        remove_tree(folder, until=time.monotonic() + 0.5)
    finally:
        for process in filling:
            process.kill()
            process.wait()
    remove_tree(folder)

    assert not folder.exists()


def test_links_are_removed_and_not_followed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x", encoding="utf-8")
    folder = tmp_path / "filled"
    (folder / "inner").mkdir(parents=True)
    (folder / "link").symlink_to(kept)
    (folder / "inner" / "link").symlink_to(kept)
    os.mkfifo(folder / "pipe")

    remove_tree(folder)

    assert not folder.exists()
    assert (kept / "file").exists()


def test_folders_without_permissions_are_removed(tmp_path):
    folder = tmp_path / "filled"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0)

    remove_tree(folder)

    assert not folder.exists()


def test_a_folder_that_is_not_there_or_is_a_file_or_a_link_is_left_alone(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path)

    for name in ("nothing", "file", "link"):
        remove_tree(tmp_path / name)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]
