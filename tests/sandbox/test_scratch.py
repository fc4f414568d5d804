"""Folders that a player may write into come and go with it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from grader.records import Ending
from grader.sandbox.isolation import Level
from grader.sandbox.scratch import Scratch, sweep
from tests.sandbox.seats import against_honest, levels, limits, written

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks are Unix's")

WRITER = """
import os, tempfile

class SmartPlayer:
    def __init__(self, player_id):
        self.file = os.path.join(tempfile.gettempdir(), "notes.txt")

    def play(self, board):
        with open(self.file, "a") as file:
            file.write("move\\n")
        print(open(self.file).read().count("move"))
        return board.get_possible_moves()[0]
"""


@pytest.fixture(autouse=True)
def own_tmp(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_lives_as_long_as_it_is_held(own_tmp):
    with Scratch() as scratch:
        Path(scratch.folder, "file").write_text("x", encoding="utf-8")
        assert sweep() == 0
        assert Path(scratch.folder, "file").exists()

    assert list(own_tmp.iterdir()) == []


def test_what_a_killed_grader_left_is_swept(own_tmp):
    code = f"""
import os, tempfile
tempfile.tempdir = {str(own_tmp)!r}
from grader.sandbox.scratch import Scratch
Scratch()
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", code], check=False)
    assert len(list(own_tmp.glob("grader-scratch-*"))) == 1

    assert sweep() == 1
    assert list(own_tmp.iterdir()) == []


def test_a_folder_that_is_just_being_made_is_left_alone(own_tmp):
    (own_tmp / "grader-scratch-new").mkdir()
    (own_tmp / "grader-scratch-link").symlink_to("/")
    (own_tmp / "grader-scratch-new" / "lock").symlink_to(sys.executable)  # somebody's trap

    assert sweep() == 0
    assert (own_tmp / "grader-scratch-new").exists()


def test_a_folder_whose_maker_was_killed_while_making_it_is_swept_later(own_tmp):
    (own_tmp / "grader-scratch-old").mkdir()
    (own_tmp / "grader-scratch-link").symlink_to("/")
    (own_tmp / "pymp-somebodys").mkdir()
    for name in ("grader-scratch-old", "grader-scratch-link", "pymp-somebodys"):
        os.utime(own_tmp / name, (0, 0), follow_symlinks=False)

    assert sweep() == 1
    assert sorted(path.name for path in own_tmp.iterdir()) == ["grader-scratch-link", "pymp-somebodys"]


def test_where_a_killed_grader_was_about_to_start_workers_is_swept(own_tmp):
    code = f"""
import os, tempfile
tempfile.tempdir = {str(own_tmp)!r}
import multiprocessing
from grader.engine.local import _server_folder
context = multiprocessing.get_context("forkserver")
assert _server_folder(context) == _server_folder(context)
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", code], check=False)
    assert len(list(own_tmp.glob("pymp-*"))) == 1

    assert sweep() == 1
    assert list(own_tmp.iterdir()) == []


@pytest.mark.parametrize("level", levels())
def test_a_granted_folder_can_be_written_and_is_gone_afterwards(own_tmp, level):
    mine = own_tmp / "mine"
    mine.mkdir()
    record = against_honest(written(mine, WRITER), limits(level, scratch_mb=1))

    assert record.ending == "connected", record.fault
    assert record.seats[0].output.split() == [str(count + 1) for count in range(len(record.turns) // 2)]
    assert [path.name for path in own_tmp.iterdir()] == ["mine"]


@pytest.mark.parametrize("level", levels(Level.BASIC))
def test_a_file_there_is_no_larger_than_granted(own_tmp, level):
    mine = own_tmp / "mine"
    mine.mkdir()
    big = WRITER.replace('"move\\n"', '"move" * 1_000_000')
    record = against_honest(written(mine, big), limits(level, scratch_mb=1))

    assert record.ending is Ending.CRASH
    assert record.fault is not None and "File too large" in record.fault.text
