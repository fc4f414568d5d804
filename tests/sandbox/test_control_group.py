"""Control groups: found where the system offers them, written with the player's limits, and ended with all their processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Timer

import pytest

from grader.errors import GraderFault
from grader.records import Ending
from grader.sandbox import control_group, launch
from grader.sandbox.control_group import GroupOffer, PlayerGroup, group_offer, prepare
from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess
from tests.sandbox.seats import (
    GAME,
    HONEST,
    PLAYERS,
    against_honest,
    levels,
    limits,
    seating,
    write_file,
)
from tests.waiting import becomes_true

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="control groups require Linux")

MOUNTS = "34 24 0:30 {root} {at} rw,relatime - cgroup2 cgroup2 rw\n25 24 0:3 / /proc rw - proc proc rw\n"


@pytest.mark.parametrize(
    ("mounts", "groups", "folder"),
    [
        pytest.param(
            MOUNTS.format(root="/", at="/sys/fs/cgroup"), "0::/user.slice/a.scope\n", "user.slice/a.scope", id="scope"
        ),
        pytest.param(MOUNTS.format(root="/", at="/sys/fs/cgroup"), "1:pids:/x\n0::/\n", ".", id="container"),
        pytest.param(
            MOUNTS.format(root="/docker/1", at="/sys/fs/cgroup"), "0::/docker/1/in\n", "in", id="inner folder"
        ),
        pytest.param(MOUNTS.format(root="/docker/1", at="/sys/fs/cgroup"), "0::/elsewhere\n", None, id="not mounted"),
        pytest.param("25 24 0:3 / /proc rw - proc proc rw\n", "0::/\n", None, id="no cgroup v2"),
        pytest.param(MOUNTS.format(root="/", at="/sys/fs/cgroup"), "1:pids:/\n", None, id="only cgroup v1"),
    ],
)
def test_the_group_of_this_process_is_found(mounts, groups, folder):
    found = control_group._own_group(mounts, groups)

    assert found == (None if folder is None else Path("/sys/fs/cgroup", folder))


@pytest.fixture
def imitation(tmp_path, monkeypatch):
    """A folder with the files of a delegated group. Unlike the kernel's, its folders are removed with their files."""
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids\n", encoding="ascii")
    (tmp_path / "cgroup.procs").write_text("11\n12\n", encoding="ascii")
    monkeypatch.setattr(control_group, "_is_delegated", lambda _: True)

    def remove(group: PlayerGroup) -> bool:
        for file in group._folder.iterdir():
            file.unlink()
        group._folder.rmdir()
        return True

    monkeypatch.setattr(PlayerGroup, "_remove", remove)
    return tmp_path


def test_in_a_delegated_group_players_get_groups_next_to_the_grader(imitation):
    assert prepare(imitation) == GroupOffer(imitation)

    assert (imitation / "cgroup.subtree_control").read_text(encoding="ascii") == "+memory +pids"
    assert (imitation / "grader/cgroup.procs").read_text(encoding="ascii") == "12"
    assert not list(imitation.glob("player-*")), "the group that was tried is removed"
    (imitation / "cgroup.procs").write_text("13\n", encoding="ascii")
    assert prepare(imitation / "grader") == GroupOffer(imitation), "a worker finds the same folder"
    assert (imitation / "grader/cgroup.procs").read_text(encoding="ascii") == "12", "and moves nothing"


def test_a_group_has_the_players_limits_and_room_for_the_kernel(imitation):
    group = PlayerGroup(imitation, memory=100 << 20, tasks=7)
    group.add(4321)

    (folder,) = imitation.glob(f"player-{os.getpid()}-*")
    written = {file.name: file.read_text(encoding="ascii") for file in folder.iterdir()}
    assert written == {
        "memory.max": str(164 << 20),
        "memory.oom.group": "1",
        "memory.swap.max": "0",
        "pids.max": "7",
        "cgroup.procs": "4321",
    }
    assert not group.is_out_of_memory()
    (folder / "memory.events").write_text("low 0\nmax 9\noom 1\noom_kill 1\n", encoding="ascii")
    assert group.is_out_of_memory()
    group.close()


def test_groups_of_killed_graders_are_removed(tmp_path):
    (tmp_path / f"player-{os.getpid()}-aa").mkdir()
    (tmp_path / "player-999999999-bb").mkdir()

    control_group._remove_abandoned(tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == [f"player-{os.getpid()}-aa"]


@pytest.mark.parametrize("file", ["cgroup.controllers", "cgroup.procs"])
def test_a_group_that_cannot_be_divided_is_not_used_and_the_reason_is_given(imitation, file):
    (imitation / file).unlink()

    offer = prepare(imitation)

    assert offer.folder is None
    assert file in offer.reason


def test_a_group_that_belongs_to_others_is_left_alone(imitation, monkeypatch):
    monkeypatch.setattr(control_group, "_is_delegated", lambda _: False)

    assert prepare(imitation).folder is None
    assert sorted(path.name for path in imitation.iterdir()) == ["cgroup.controllers", "cgroup.procs"]


def test_a_missing_controller_is_named(imitation):
    (imitation / "cgroup.controllers").write_text("hugetlb memory", encoding="ascii")

    assert "pids" in prepare(imitation).reason


@pytest.fixture
def real() -> Iterator[Path]:
    """A new group of the kernel, perhaps without any controller."""
    own = control_group._own_group(
        Path("/proc/self/mountinfo").read_text(encoding="ascii"), Path("/proc/self/cgroup").read_text(encoding="ascii")
    )
    if own is None:
        pytest.skip("this system has no cgroup v2")
    folder = own / f"grader-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"this user cannot create control groups: {error}")
    yield folder
    with suppress(FileNotFoundError):
        folder.rmdir()


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(60)
    os._exit(0)
os.wait()
time.sleep(60)
"""


def test_every_process_of_a_group_ends_even_a_daemon(real, monkeypatch):
    monkeypatch.setattr(control_group, "_write_limits", lambda *_: None)  # the group may have no controllers
    group = PlayerGroup(real, memory=0, tasks=0)
    process = subprocess.Popen(
        [sys.executable, "-c", f"input()\n{DAEMON}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin and process.stdout
    with process:
        group.add(process.pid)
        process.stdin.write("\n")
        process.stdin.flush()
        daemon = int(process.stdout.readline())
        group.close()

    assert becomes_true(lambda: not _is_alive(daemon))
    assert not list(real.glob("player-*"))


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_player_whose_group_cannot_be_created_is_a_grader_fault(tmp_path, monkeypatch):
    monkeypatch.setattr(launch, "group_offer", lambda: GroupOffer(tmp_path / "gone"))

    with pytest.raises(GraderFault, match="control group"):
        against_honest(HONEST, limits(Level.BASIC))


def test_a_player_killed_for_its_groups_memory_loses_and_is_not_replayed(monkeypatch):
    """Elsewhere a player that the system kills is a fault of the grader."""
    monkeypatch.setattr(launch.SandboxProcess, "is_out_of_memory", lambda _: True)
    with PlayerProcess(seating(PLAYERS / "sleeps.py"), GAME, limits(best_level())) as player:
        assert player.load() is None
        Timer(0.1, os.kill, (player.pid, signal.SIGKILL)).start()
        fault = player.choose(GAME.start()).fault

    assert fault is not None and fault.ending is Ending.MEMORY
    assert "1024 MB" in fault.text


BALLOON = """
class SmartPlayer:
    def __init__(self, player_id):
        pass
    def play(self, board):
        return bytearray(200 << 20) and board.get_possible_moves()[0]
"""


@pytest.mark.skipif(group_offer().folder is None, reason=str(group_offer().reason))
@pytest.mark.parametrize("level", levels(Level.BASIC))
def test_a_match_in_real_groups_limits_all_memory_and_leaves_no_group(tmp_path, monkeypatch, level):
    folder = group_offer().folder
    assert folder is not None
    record = against_honest(HONEST, limits(level))
    monkeypatch.setattr(control_group, "_KERNEL_MEMORY", -(924 << 20))  # 100 MB remain, and more than that is allowed
    big = against_honest(write_file(tmp_path, BALLOON), limits(level))

    assert record.ending == "connected"
    assert (big.ending, big.attempts) == (Ending.MEMORY, ())
    assert not list(folder.glob("player-*"))
