"""Ctrl-C and kill -9 of the command while one player spins and the other is frozen: nothing of them lives on."""

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
from tests.waiting import comes, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


def started(tmp_path, level: Level, terminal: int | None = None) -> tuple[subprocess.Popen[bytes], set[int]]:
    """The command in the middle of a move, and the processes below it."""
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
    wanted = 3 if level < Level.STRONG else 7  # the command and two players, or with bubblewrap's two beside each
    wait_until(lambda: len(our_processes() - before) >= wanted or process.poll() is not None)
    below = our_processes() - before
    time.sleep(0.7)  # both are loaded, one thinks, and the other is frozen
    assert process.poll() is None, process.communicate()
    return process, our_processes() - before | below


def _take_terminal() -> None:
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def gone(processes: set[int]) -> bool:
    return comes(lambda: not our_processes() & processes)


@pytest.mark.parametrize("level", levels(Level.STRONG))
def test_what_bubblewrap_leaves_when_it_is_killed_too_early_is_swept(level):  # noqa: ARG001  only where bubblewrap works
    with left_by_bubblewrap() as first:
        sweep()

        assert gone({first})


@pytest.mark.parametrize("level", levels(Level.BASIC))
def test_nothing_lives_on_when_the_grader_is_killed(tmp_path, level):
    process, below = started(tmp_path, level)

    process.kill()
    process.communicate()

    assert gone(below)


@pytest.mark.parametrize("level", levels())
def test_ctrl_c_at_the_terminal_ends_the_match_and_both_players(tmp_path, level):
    controller, terminal = pty.openpty()
    process, below = started(tmp_path, level, terminal)

    os.write(controller, b"\x03")
    _, errors = process.communicate(timeout=120)

    assert process.returncode == 130
    assert b"Interrupted" in errors
    assert gone(below)
    assert not scratch_folders(tmp_path)
    os.close(controller)
    os.close(terminal)


@pytest.mark.parametrize("level", levels())
def test_an_interrupt_in_the_middle_leaves_no_file_of_a_half_played_match(tmp_path, level):
    process, below = started(tmp_path, level)

    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)

    assert gone(below)
    assert not (tmp_path / "match.json").exists()
