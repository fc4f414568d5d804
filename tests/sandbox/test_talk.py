"""Two players that run at the same time cannot talk to each other, in real processes."""

import threading
from pathlib import Path

import pytest

from grader.sandbox.isolation import Level
from grader.sandbox.process import PlayerProcess
from tests.sandbox.seats import GAME, levels, limits, seating, write_file

FUTEX = """
import ctypes, mmap, os, platform, time

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
CALL = 202 if platform.machine() == "x86_64" else 98
WAIT, WAKE = 0, 1

class Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]

class SmartPlayer:
    def __init__(self, player_id):
        file = os.open(os.__file__, os.O_RDONLY)
        self.at = ctypes.c_void_p(LIBC.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, file, 0))
        self.word = ctypes.c_uint32.from_address(self.at.value).value

    def play(self, board):
        end = time.monotonic() + 0.6
        while time.monotonic() < end:
            self.talk()
        return board.get_possible_moves()[0]
"""
WAITS = (
    FUTEX
    + """
    def talk(self):
        short = ctypes.byref(Time(0, 100_000_000))
        if LIBC.syscall(CALL, self.at, WAIT, self.word, short, None, 0) == 0:
            print("SUCCEEDED")
"""
)
WAKES = (
    FUTEX
    + """
    def talk(self):
        if LIBC.syscall(CALL, self.at, WAKE, 9, None, None, 0) > 0:
            print("SUCCEEDED")
        time.sleep(0.01)
"""
)
THREADS = """
import asyncio, ctypes, mmap, threading
from concurrent.futures import ThreadPoolExecutor

LIBC = ctypes.CDLL(None, use_errno=True)

class SmartPlayer:
    def __init__(self, player_id):
        pass

    def play(self, board):
        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(lambda number: number, range(100))) == 4950
        barrier = threading.Barrier(4)
        threads = [threading.Thread(target=barrier.wait) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        asyncio.run(asyncio.sleep(0))
        thread = ctypes.c_ulong()
        sleep = ctypes.cast(LIBC.usleep, ctypes.c_void_p)
        assert LIBC.pthread_create(ctypes.byref(thread), None, sleep, ctypes.c_void_p(20_000)) == 0
        assert LIBC.pthread_join(thread, None) == 0
        self.own_files()
        return board.get_possible_moves()[0]

    def own_files(self):
        stack = mmap.mmap(-1, 65536)
        top = ctypes.addressof(ctypes.c_char.from_buffer(stack)) + 65536 - 64
        if LIBC.clone(LIBC.pause, ctypes.c_void_p(top), 0x10B00, None) != -1:
            print("SUCCEEDED")
"""


def play(file: Path, level: Level, outputs: list[str]) -> None:
    with PlayerProcess(seating(file), GAME, limits(level)) as player:
        problem = player.load() or player.choose(GAME.start()).fault
        outputs.append(problem.text if problem else player.report().output)


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_players_cannot_wake_each_other_through_a_file_that_both_can_read(tmp_path, level):
    files = [write_file(tmp_path, WAITS, "waits.py"), write_file(tmp_path, WAKES, "wakes.py")]
    outputs: list[str] = []
    together = [threading.Thread(target=play, args=(file, level, outputs)) for file in files]
    for one in together:
        one.start()
    for one in together:
        one.join()

    assert outputs == ["", ""]


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_threads_can_be_joined_and_share_their_open_files(tmp_path, level):
    outputs: list[str] = []
    play(write_file(tmp_path, THREADS), level, outputs)

    assert outputs == [""]
