"""Each process of a player reads its own copy of the files, and nothing that is not the player's."""

import os
from pathlib import Path
from typing import Any

import pytest

from grader.errors import GraderFault
from grader.sandbox.private_copy import PrivateCopy


def entry(root: Path, *readable: Path) -> dict[str, Any]:
    return {
        "root": str(root),
        "file": str(root / "solution.py"),
        "paths": [str(root)],
        "stubs": [[str(root / "board.py"), "Board"]],
        "cells": [[str(root / "solution.ipynb[2]"), "code"]],
        "readable": [str(path) for path in readable or (root,)],
    }


@pytest.fixture
def folder(tmp_path):
    for name in ("mine/solution.py", "mine/deep/table.py", "mine/theirs/solution.py", "mine/notes.txt", "theirs/x.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    return tmp_path


def copied(copy: PrivateCopy) -> list[str]:
    root = Path(copy.entry["root"])
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())


def test_the_files_are_the_same_and_their_inodes_are_not(folder):
    mine = folder / "mine"
    copy = PrivateCopy(entry(mine), ())

    assert copied(copy) == ["deep/table.py", "notes.txt", "solution.py", "theirs/solution.py"]
    assert Path(copy.entry["file"]).read_bytes() == (mine / "solution.py").read_bytes()
    assert Path(copy.entry["file"]).stat().st_ino != (mine / "solution.py").stat().st_ino
    assert Path(copy.entry["root"]).name == "mine"
    assert copy.entry["cells"] == [[copy.entry["root"] + "/solution.ipynb[2]", "code"]]
    assert copy.entry["stubs"] == [[copy.entry["root"] + "/board.py", "Board"]]

    copy.close()
    assert not Path(copy.entry["root"]).exists()


def test_what_is_hidden_is_not_copied(folder):
    copy = PrivateCopy(entry(folder / "mine"), (str(folder / "mine" / "theirs"),))

    assert copied(copy) == ["deep/table.py", "notes.txt", "solution.py"]
    copy.close()


def test_only_readable_files_are_copied(folder):
    copy = PrivateCopy(entry(folder / "mine", folder / "mine" / "solution.py"), ())

    assert copied(copy) == ["solution.py"]
    copy.close()


def test_a_link_is_not_followed_and_a_pipe_is_left_out(folder):
    (folder / "mine" / "door").symlink_to(folder / "theirs")
    os.mkfifo(folder / "mine" / "pipe")
    copy = PrivateCopy(entry(folder / "mine", folder / "mine"), (str(folder / "theirs"),))

    assert "door/x.py" not in copied(copy)
    assert "pipe" not in copied(copy)
    copy.close()


def test_files_that_are_gone_are_the_graders_problem(folder):
    with pytest.raises(GraderFault, match="could not be copied"):
        PrivateCopy(entry(folder / "nothing"), ())
