"""Seatings and limits for the sandbox tests, and checks for processes and files that were left behind."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from grader.engine.match import run_match
from grader.games.hex import Hex
from grader.records import MatchRecord
from grader.sandbox.file_access import program
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.machine import level_offers
from grader.sandbox.process import Seating
from grader.sandbox.templates import close_idle
from tests.waiting import becomes_true

PLAYERS = Path(__file__).resolve().parent.parent / "players"
HONEST = PLAYERS / "honest.py"
GAME = Hex(4)
PATIENT = TimeLimits(move=60.0, load=60.0)
"""For players that end by themselves, however slow and busy the machine is."""
QUICK = TimeLimits(move=0.5, load=60.0)
"""For players that never answer."""
QUICK_TO_LOAD = TimeLimits(load=0.7)
"""For players that never finish loading."""


def levels(lowest: Level = Level.NONE) -> list[Any]:
    """All levels from `lowest` on; those that this machine does not offer are skipped with the reason."""
    return [
        pytest.param(
            offer.level, id=str(offer.level), marks=pytest.mark.skipif(not offer.available, reason=offer.reason)
        )
        for offer in level_offers()
        if offer.level >= lowest
    ]


def seating(
    file: Path,
    player_id: int = 1,
    *,
    readable: tuple[Path, ...] = (),
    preload: tuple[str, ...] = (),
    seed: int = 7,
    **more: Any,
) -> Seating:
    """A seating for the `SmartPlayer` in a file, which may read that file, or the paths in `readable`."""
    entry = {
        "root": str(file.parent),
        "file": str(file),
        "paths": [str(file.parent)],
        "name": "SmartPlayer",
        "kind": "class",
        "module": file.stem,
        "package": "",
        "course_modules": [],
        "stubs": [],
        "cells": [],
        "preload": list(preload),
        "readable": [str(path) for path in (readable or (file,))],
    }
    return Seating(name=file.stem, entry=entry, player_id=player_id, seed=seed, **more)


def write_file(folder: Path, code: str, name: str = "solution.py") -> Path:
    """Write a file of a submission."""
    file = folder / name
    file.write_text(code, encoding="utf-8")
    return file


def limits(level: Level, time: TimeLimits = PATIENT, **more: Any) -> Limits:
    return Limits(time=time, isolation=level, required=level, **more)


def against_honest(file: Path, how: Limits, **more: Any) -> MatchRecord:
    """Play a match in which the file's player moves first, against one that plays the first free cell."""
    return run_match(GAME, (seating(file, **more), seating(HONEST, 2)), how, seed=7)


@contextmanager
def nothing_left_behind() -> Iterator[None]:
    """Fail if a new process, an open descriptor or a file of an attack exists afterwards."""
    close_idle()  # templates are kept for the next player
    before = our_processes(), open_descriptors(), attackers_files()
    yield
    close_idle()

    def left() -> set[int]:
        return our_processes(excluding=before[0])  # the browser of other tests may start processes meanwhile

    # The first process of a namespace takes a moment to end after the one that started it.
    assert becomes_true(lambda: not left(), 5.0), f"left behind: {[command_of(pid) for pid in left()]}"
    assert open_descriptors() == before[1], "a descriptor was left open"
    assert attackers_files() <= before[2], "a file was written"


def our_processes(excluding: Collection[int] = ()) -> set[int]:
    """All living descendants of this process, excluding some and their descendants.

    Orphans are included (see conftest.py); zombies are not.
    """
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):  # it has just ended
                state, parent = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
                if state not in "ZX":
                    parents[int(folder.name)] = int(parent)
    found, new = set[int](), {os.getpid()}
    while new:
        new = {child for child, parent in parents.items() if parent in new and child not in excluding}
        found |= new
    return found


def command_of(pid: int) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def attackers_files() -> set[str]:
    folders = (Path(tempfile.gettempdir()), PLAYERS, Path.cwd())
    return {str(path) for folder in folders for path in folder.glob("grader-attack-*")}


def scratch_folders(tmp: Path) -> set[str]:
    return {path.name for path in tmp.glob("grader-scratch-*")}


@contextmanager
def left_by_bubblewrap() -> Iterator[int]:
    """A process that bubblewrap left behind, because it was killed just before it released it."""
    info_read, info_write = os.pipe()
    block_read, block_write = os.pipe()  # bubblewrap waits until it can read from it
    command = ["bwrap", "--unshare-user", "--unshare-pid", "--die-with-parent", "--info-fd", str(info_write)]
    command += [
        "--userns-block-fd",
        str(block_read),
        "--ro-bind",
        "/",
        "/",
        sys.executable,
        "-c",
        program("fork_server"),
    ]
    outer = subprocess.Popen(command, pass_fds=(info_write, block_read))
    os.close(info_write)
    with os.fdopen(info_read) as info:
        info.readline()
        first = int(info.readline().split(":")[1].rstrip(",\n"))  # "child-pid": 123,
    assert command_of(first).startswith("bwrap")
    outer.kill()
    outer.wait()
    try:
        yield first
    finally:
        os.close(block_read)
        os.close(block_write)
