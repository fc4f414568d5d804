"""A fair clock on a busy machine: a player that uses 80 or 90 % of its limit is never late, whatever else is running."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from grader.records import Ending
from grader.sandbox.limits import TimeLimits
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess
from tests.sandbox.seats import GAME, limits, seating, write_file

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems charge wall time")

BUSY = 8
LIMIT = 0.5
SINGLE = """
import time

class SmartPlayer:
    def __init__(self, player_id):
        pass

    def play(self, board):
        self.think()
        return board.get_possible_moves()[0]

    def think(self):
        end = time.thread_time() + 0.4
        while time.thread_time() < end:
            pass
"""
THREADED = SINGLE.replace("import time", "import threading\nimport time").replace(
    "self.think()\n",
    "thread = threading.Thread(target=self.think)\n        thread.start()\n        thread.join()\n",
)


@pytest.fixture
def busy_machine() -> Iterator[None]:
    # Each in its own session: otherwise the scheduler may give all of them together no more time than the player alone.
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) for _ in range(BUSY)]
    yield
    for hog in hogs:
        hog.kill()
    for hog in hogs:
        hog.wait()


@pytest.mark.usefixtures("busy_machine")
@pytest.mark.parametrize("code", [pytest.param(SINGLE, id="single"), pytest.param(THREADED, id="one thread per move")])
@pytest.mark.parametrize("moves", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_an_honest_player_is_never_late_on_a_busy_machine(tmp_path, code, moves):
    generous = limits(best_level(), TimeLimits(move=LIMIT, load=20.0))
    with PlayerProcess(seating(write_file(tmp_path, code)), GAME, generous) as seat:
        assert seat.load() is None
        replies = [seat.choose(GAME.start()) for _ in range(moves)]

    assert [reply.fault for reply in replies] == [None] * moves
    assert max(reply.charge.wall for reply in replies) > LIMIT, "the machine was not busy"
    assert max(reply.charge.charged for reply in replies) < LIMIT + 0.25


SHORT = 0.01
SLEEPS = SINGLE.replace("self.think()", "time.sleep(600)")
LEAST_IMPORTANT = 19


@pytest.fixture
def busy_core() -> Iterator[int]:
    """A core on which other processes compute."""
    core = min(os.sched_getaffinity(0))
    with ExitStack() as stack:
        for _ in range(2):
            hog = stack.enter_context(
                subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
            )
            stack.callback(hog.kill)
            os.sched_setaffinity(hog.pid, {core})
        yield core


def make_unimportant(pid: int) -> None:
    """Make a process wait for long at a time, as on a machine with many more busy processes."""
    os.setpriority(os.PRIO_PROCESS, pid, LEAST_IMPORTANT)
    group = Path(f"/proc/{pid}/autogroup")
    if group.exists():  # a session of its own: its priority is among sessions
        group.write_text(str(LEAST_IMPORTANT), encoding="ascii")


def test_a_move_of_nearly_its_limit_is_not_late_though_each_wait_is_longer_than_the_grace(tmp_path, busy_core):
    code = SINGLE.replace("0.4", str(0.9 * SHORT))
    tight = limits(best_level(), TimeLimits(move=SHORT, load=60.0), core=busy_core)
    with PlayerProcess(seating(write_file(tmp_path, code)), GAME, tight) as seat:
        assert seat.load() is None
        make_unimportant(seat.pid)
        replies = [seat.choose(GAME.start()) for _ in range(2)]

    assert [reply.fault for reply in replies] == [None] * len(replies)
    assert max(reply.charge.waited for reply in replies) > 0.25, "the core was not busy"


def test_a_player_that_sleeps_beyond_its_limit_is_late_on_a_busy_core(tmp_path, busy_core):
    tight = limits(best_level(), TimeLimits(move=SHORT, load=60.0), core=busy_core)
    with PlayerProcess(seating(write_file(tmp_path, SLEEPS)), GAME, tight) as seat:
        assert seat.load() is None
        make_unimportant(seat.pid)
        reply = seat.choose(GAME.start())

    assert reply.fault is not None and reply.fault.ending is Ending.TIMEOUT
