"""What a player's process does on Windows, tried on this system: without signals, process descriptors, `poll` and CPU times."""

import os
import select
import sys
from typing import Any

import pytest

from grader.sandbox import clock, launch, process, worker
from grader.sandbox.isolation import Level
from grader.sandbox.launch import SandboxProcess
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.spawn import out_of_reach_of_ctrl_c
from tests.sandbox.seats import HONEST, against_honest, limits, nothing_left_behind, write_file

LENIENT = TimeLimits(move=0.3, load=5.0, grace=0.1, overrun="random-move")
SLOW_ONCE = """
class SmartPlayer:
    def __init__(self, player_id):
        self.asked = 0

    def play(self, board):
        self.asked += 1
        while self.asked == 2:
            pass
        print("asked", self.asked)
        return board.get_possible_moves()[0]
"""


class WindowsSystem:
    """`sys`, except that it says that this is Windows."""

    platform = "win32"

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)


@pytest.fixture
def as_on_windows(monkeypatch) -> None:
    monkeypatch.delattr(select, "poll")
    for module in (launch, process, clock):
        monkeypatch.setattr(module, "sys", WindowsSystem())


@pytest.mark.usefixtures("as_on_windows")
def test_a_game_is_played_to_its_end():
    with nothing_left_behind():
        record = against_honest(HONEST, limits(Level.NONE, LENIENT))

    assert (record.ending, record.fault) == ("connected", None)


@pytest.mark.usefixtures("as_on_windows")
def test_a_late_player_is_stopped_and_the_same_object_continues(tmp_path):
    with nothing_left_behind():
        record = against_honest(write_file(tmp_path, SLOW_ONCE), limits(Level.NONE, LENIENT))

    assert record.ending == "connected"
    assert [at for at, turn in enumerate(record.turns) if turn.late] == [2]
    assert "asked 2" not in record.seats[0].output
    assert "asked 3" in record.seats[0].output


def test_a_players_process_never_asks_select_about_a_pipe():
    assert "select" not in vars(worker)


def test_ctrl_c_does_not_reach_a_player():
    assert out_of_reach_of_ctrl_c("win32") == {"creationflags": 0x200}  # CREATE_NEW_PROCESS_GROUP
    player = SandboxProcess(Level.NONE, Limits(time=LENIENT), (), None)
    try:
        assert os.getsid(player.pid) != os.getsid(0)
    finally:
        player.close()
