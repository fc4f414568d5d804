"""Ctrl-C and kill -9 of the command while one player thinks and the other is frozen: no process is left behind."""

import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from grader.sandbox.isolation import Level
from grader.sandbox.scratch import sweep
from tests.sandbox.seats import HONEST, PLAYERS, left_by_bubblewrap, levels, our_processes, scratch_folders
from tests.waiting import becomes_true, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="requires /proc")


def start_match(tmp_path, level: Level, terminal: int | None = None) -> tuple[subprocess.Popen[bytes], set[int]]:
    """Start the command, and return it in the middle of a move with all its descendants."""
    before = our_processes()
    command = [sys.executable, "-m", "grader", "match", str(PLAYERS / "spins.py"), str(HONEST), "--game", "hex"]
    command += ["--isolation", str(level), "--time", "50", "-o", str(tmp_path / "match.json")]
    process = subprocess.Popen(
        command,
        stdin=terminal,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=terminal is None,
        preexec_fn=None if terminal is None else _take_terminal,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    wanted = (
        3 if level < Level.STRONG else 7
    )  # the command and two players, at level strong with two processes of bubblewrap each
    wait_until(lambda: len(our_processes() - before) >= wanted or process.poll() is not None)
    below = our_processes() - before
    time.sleep(0.7)  # until both are loaded, one thinks, and the other is frozen
    assert process.poll() is None, process.communicate()
    return process, our_processes() - before | below


def _take_terminal() -> None:
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def have_ended(processes: set[int]) -> bool:
    return becomes_true(lambda: not our_processes() & processes)


@pytest.mark.parametrize("level", levels(Level.STRONG))
def test_a_process_that_a_killed_bubblewrap_leaves_behind_is_ended_by_sweep(level):  # noqa: ARG001  only where bubblewrap works
    with left_by_bubblewrap() as first:
        sweep()

        assert have_ended({first})


@pytest.mark.parametrize("level", levels(Level.BASIC))
def test_no_process_survives_when_the_grader_is_killed(tmp_path, level):
    process, below = start_match(tmp_path, level)

    process.kill()
    process.communicate()

    assert have_ended(below)


@pytest.mark.parametrize("level", levels())
def test_ctrl_c_at_the_terminal_ends_the_match_and_both_players(tmp_path, level):
    controller, terminal = pty.openpty()
    process, below = start_match(tmp_path, level, terminal)

    os.write(controller, b"\x03")
    _, errors = process.communicate(timeout=120)

    assert process.returncode == 130
    assert b"Interrupted" in errors
    assert have_ended(below)
    assert not scratch_folders(tmp_path)
    os.close(controller)
    os.close(terminal)


@pytest.mark.parametrize("level", levels())
def test_an_interrupted_match_leaves_no_file(tmp_path, level):
    process, below = start_match(tmp_path, level)

    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)

    assert have_ended(below)
    assert not (tmp_path / "match.json").exists()
