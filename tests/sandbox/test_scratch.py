"""Scratch folders are removed when their owner ends, even if it is killed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from grader.records import Ending
from grader.sandbox.isolation import Level
from grader.sandbox.process import PlayerProcess
from grader.sandbox.scratch import Scratch, sweep
from grader.sandbox.templates import close_idle
from tests.command import grader
from tests.sandbox.seats import GAME, against_honest, levels, limits, seating, write_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file locks require Unix")

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

RENAMES_ITSELF = """
import ctypes
ctypes.CDLL(None).prctl(15, b"\\xff\\xfe", 0, 0, 0)

class SmartPlayer:
    def __init__(self, player_id):
        pass

    def play(self, board):
        return board.get_possible_moves()[0]
"""


@pytest.fixture(autouse=True)
def own_tmp(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_exists_as_long_as_it_is_held(own_tmp):
    with Scratch() as scratch:
        Path(scratch.folder, "file").write_text("x", encoding="utf-8")
        assert sweep() == 0
        assert Path(scratch.folder, "file").exists()

    assert list(own_tmp.iterdir()) == []


def test_folders_of_a_killed_grader_are_removed(own_tmp):
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


def test_a_folder_that_is_being_created_is_kept(own_tmp):
    (own_tmp / "grader-scratch-new").mkdir()
    (own_tmp / "grader-scratch-link").symlink_to("/")
    (own_tmp / "grader-scratch-new" / "lock").symlink_to(sys.executable)  # a trap set by another user

    assert sweep() == 0
    assert (own_tmp / "grader-scratch-new").exists()


def test_a_folder_whose_grader_was_killed_while_creating_it_is_removed_later(own_tmp):
    (own_tmp / "grader-scratch-old").mkdir()
    (own_tmp / "grader-scratch-link").symlink_to("/")
    (own_tmp / "pymp-other-program").mkdir()
    for name in ("grader-scratch-old", "grader-scratch-link", "pymp-other-program"):
        os.utime(own_tmp / name, (0, 0), follow_symlinks=False)

    assert sweep() == 1
    assert sorted(path.name for path in own_tmp.iterdir()) == ["grader-scratch-link", "pymp-other-program"]


def test_the_fork_servers_folder_of_a_killed_grader_is_removed(own_tmp):
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
def test_a_player_can_write_to_its_scratch_folder_which_is_removed_afterwards(own_tmp, level):
    mine = own_tmp / "mine"
    mine.mkdir()
    record = against_honest(write_file(mine, WRITER), limits(level, scratch_mb=1))

    assert record.ending == "connected", record.fault
    assert record.seats[0].output.split() == [str(count + 1) for count in range(len(record.turns) // 2)]
    close_idle()
    assert [path.name for path in own_tmp.iterdir()] == ["mine"]


@pytest.mark.parametrize("level", levels(Level.BASIC))
def test_a_file_in_the_scratch_folder_cannot_exceed_the_limit(own_tmp, level):
    mine = own_tmp / "mine"
    mine.mkdir()
    big = WRITER.replace('"move\\n"', '"move" * 1_000_000')
    record = against_honest(write_file(mine, big), limits(level, scratch_mb=1))

    assert record.ending is Ending.CRASH
    assert record.fault is not None and "File too large" in record.fault.text


@pytest.mark.skipif(sys.platform != "linux", reason="requires /proc")
@pytest.mark.parametrize("level", levels())
def test_a_process_name_that_is_not_text_does_not_stop_other_commands(tmp_path, level):
    with PlayerProcess(seating(write_file(tmp_path, RENAMES_ITSELF)), GAME, limits(level)) as seat:
        assert seat.load() is None
        assert Path(f"/proc/{seat.pid}/comm").read_bytes() == b"\xff\xfe\n"

        done = grader("match", "random", "random", "--game", "hex", "-o", tmp_path / "match.json")

    assert done.returncode == 0, done.stderr
