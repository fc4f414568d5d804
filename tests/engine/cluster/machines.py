"""A scheduler and workers as a course would start them, on this machine."""

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.sandbox.seats import command_of, our_processes, scratch_folders
from tests.waiting import comes, wait_until

HERE = Path(__file__).parent

runnable = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None or sys.platform != "linux",
    reason="it needs the extra [cluster], and looks for processes in /proc",
)


class Lab:
    """Machines that are all this one: a scheduler, and as many workers as are switched on."""

    def __init__(self, folder: Path, stack: ExitStack, **settings: str) -> None:
        """`settings` are variables of all machines' environment."""
        self.folder, self._stack, self._settings = folder, stack, settings
        folder.mkdir(exist_ok=True)
        file = folder / "scheduler.json"
        self.scheduler = self._started("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        self.address = self.said("scheduler", "Scheduler at:")
        self._workers = 0

    def worker(self, *options: str) -> "Worker":
        """Switch a worker on, and wait until the scheduler knows it."""
        self._workers += 1
        name = f"worker{self._workers}"
        options = options or ("--no-nanny", "--nthreads", "1")
        more = ("--no-dashboard", "--local-directory", self.folder, "--name", name)
        process = self._started("worker", self.address, *more, *options, log=name)
        self.said(name, "Registered to:")
        return Worker(self, name, process)

    @contextmanager
    def guest(self, *options: str) -> Iterator["Worker"]:
        """A worker that is switched off again."""
        worker = self.worker(*options)
        yield worker
        _end(worker.process)

    def log(self, name: str) -> str:
        """What one of them has said so far."""
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def _started(self, what: str, *options: str | Path, log: str = "") -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "dask", what, *map(str, options)]
        with (self.folder / f"{log or what}.log").open("wb") as file:
            process = subprocess.Popen(
                command,
                stdout=file,
                stderr=file,
                cwd=HERE,  # so that the modules beside this one can be preloaded
                env={
                    **os.environ,
                    "TMPDIR": str(self.folder),
                    "DASK_DISTRIBUTED__WORKER__DAEMON": "False",
                    **self._settings,
                },
            )
        self._stack.callback(_end, process)
        return process

    def said(self, name: str, words: str) -> str:
        """The rest of the line in which something was said, as soon as it is."""
        assert comes(lambda: "\n" in self.log(name).partition(words)[2]), self.log(name)
        return self.log(name).partition(words)[2].partition("\n")[0].strip()


@dataclass(frozen=True)
class Worker:
    """One of a lab's."""

    lab: Lab
    name: str
    process: "subprocess.Popen[bytes]"

    def freeze(self) -> None:
        """From now on it does nothing, and hangs up on nobody."""
        self.process.send_signal(signal.SIGSTOP)

    def is_frozen(self) -> bool:
        """Whether it does nothing."""
        state = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        return state == "T"

    def thaw(self) -> None:
        """Have it go on."""
        self.process.send_signal(signal.SIGCONT)

    def asked(self, what: str) -> int:
        """How often it has been asked for something, by its own account."""
        return self.lab.log(self.name).count(f"Run out-of-band function '{what}'")

    def wait_until_asked(self, what: str) -> None:
        """Wait until it has been asked for something once more."""
        before = self.asked(what)
        wait_until(lambda: self.asked(what) > before)


@contextmanager
def lab(folder: Path, **settings: str) -> Iterator[Lab]:
    """A scheduler with no workers yet. All is switched off in the end."""
    with ExitStack() as stack:
        yield Lab(folder, stack, **settings)


def no_session_left(machines: Lab) -> None:
    """Fails if a run has left a folder on a worker, or a process that plays."""
    assert not scratch_folders(machines.folder)
    assert not [line for line in map(command_of, our_processes()) if "spawn_main" in line or "bwrap" in line]


def gone(before: set[int]) -> bool:
    """Whether all processes end that were not there before."""
    return comes(lambda: our_processes() <= before)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    process.send_signal(signal.SIGCONT)  # a frozen one would not hear of it
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
