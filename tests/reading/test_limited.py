"""What a process that reads a submission can do, and what it says when it fails."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from grader.intake.submission import StagingFault
from grader.reading import limited
from grader.reading.codec import encode
from grader.reading.failures import Failure
from grader.reading.limited import Forks, ReaderFault
from grader.reading.tasks import python_folders
from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from tests.sandbox.seats import our_processes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The folder that the process may change; next to it is a file that it may not read."""
    (tmp_path / "secret.txt").write_text("seed", encoding="utf-8")
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "solution.py").write_text("x = 1\n", encoding="utf-8")
    return folder


def do(work, own: Path):
    return Forks(python_folders()).do(work, own, (own,))


def test_it_answers(own):
    assert do(lambda: b"one\ntwo", own) == b"one\ntwo"


def burn() -> bytes:
    (Path(os.environ["OWN"]) / "solution.py").read_bytes()
    while True:
        pass


def allocate() -> bytes:
    return bytes(bytearray(8 << 30))


def recurse() -> bytes:
    return recurse()


def crash() -> bytes:
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""


def mistake() -> bytes:
    raise KeyError("a\nb")


def talk() -> bytes:
    return b"x" * (limited.MAX_ANSWER + 1)


@pytest.mark.parametrize(
    ("work", "cause", "detail"),
    [
        (burn, "time", ""),
        (allocate, "memory", ""),
        (recurse, "nesting", ""),
        (crash, "crash", "SIGSEGV"),
        (mistake, "bug", "KeyError in limited.py:"),
        (talk, "memory", ""),
    ],
)
def test_whatever_it_does_is_a_failure_with_a_cause(monkeypatch, own, work, cause, detail):
    monkeypatch.setattr(limited, "SECONDS", 1)
    monkeypatch.setattr(limited, "MAX_ANSWER", 1 << 20)
    monkeypatch.setenv("OWN", str(own))
    before = our_processes()

    failure = do(work, own)

    assert isinstance(failure, Failure) and failure.cause == cause and failure.detail.startswith(detail)
    assert failure.at == ("solution.py" if work is burn else "")
    assert "\n" not in failure.finding().text
    assert our_processes() <= before


def test_a_process_that_waits_is_ended(monkeypatch, own):
    monkeypatch.setattr(limited, "WALL_SECONDS", 0.2)

    def wait() -> bytes:
        signal.pause()
        return b""

    assert do(wait, own) == Failure("time")


def test_an_error_of_the_machine_is_raised_again(own):
    def full() -> bytes:
        raise StagingFault("the disk is full")

    with pytest.raises(ReaderFault) as raised:
        do(full, own)

    assert raised.value.args == (b"StagingFault " + encode("the disk is full"),)


FORBIDDEN = {
    "write outside": lambda own: (own.parent / "new.txt").write_text("x"),
    "change outside": lambda own: (own.parent / "secret.txt").write_text("x"),
    "rename outside": lambda own: (own / "solution.py").rename(own.parent / "new.py"),
    "read outside": lambda own: (own.parent / "secret.txt").read_text(),
    "read the user's files": lambda _: list(Path.home().iterdir()),
    "use the network": lambda _: socket.socket().connect(("127.0.0.1", 9)),
    "use a local socket": lambda _: socket.socket(socket.AF_UNIX),
    "start a program": lambda _: subprocess.run([sys.executable, "-V"], check=False),
    "fork": lambda _: os.fork() or os._exit(0),
    "signal its parent": lambda _: os.kill(os.getppid(), signal.SIGTERM),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_it_can_change_its_own_folder_and_nothing_else(own, name):
    if best_level() < Level.GOOD:
        pytest.skip("needs Landlock and seccomp")

    def work() -> bytes:
        (own / "copy.py").write_text("y", encoding="utf-8")
        try:
            FORBIDDEN[name](own)
        except OSError as error:
            return type(error).__name__.encode()
        return b"done"

    assert do(work, own) == b"PermissionError"
    assert (own / "copy.py").read_text(encoding="utf-8") == "y"
    assert {path.name for path in own.parent.iterdir()} == {"own", "secret.txt"}


def test_it_does_not_have_the_descriptors_that_it_must_not_have(own):
    reading, writing = os.pipe()
    try:

        def work() -> bytes:
            os.write(writing, b"forged")
            return b""

        failure = Forks(python_folders(), close=[writing]).do(work, own)
        assert isinstance(failure, Failure) and "OSError" in failure.detail
    finally:
        os.close(reading)
        os.close(writing)
