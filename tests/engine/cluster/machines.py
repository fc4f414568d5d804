"""A scheduler and workers on this machine, started as a course would start them."""

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
from tests.waiting import becomes_true, wait_until

HERE = Path(__file__).parent

runnable = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None or sys.platform != "linux",
    reason="requires the extra [cluster] and /proc",
)


class Lab:
    """A scheduler and any number of workers, all on this machine."""

    def __init__(self, folder: Path, stack: ExitStack, **settings: str) -> None:
        """`settings` are environment variables of all processes."""
        self.folder, self._stack, self._settings = folder, stack, settings
        folder.mkdir(exist_ok=True)
        file = folder / "scheduler.json"
        protocol = "tls" if "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION" in os.environ else "tcp"
        self.scheduler = self._start(
            "scheduler", "--host", f"{protocol}://127.0.0.1", "--port", "0", "--scheduler-file", file
        )
        self.address = self.wait_for_log("scheduler", "Scheduler at:")
        self._workers = 0

    def worker(self, *options: str) -> "Worker":
        """Start a worker, and wait until the scheduler knows it."""
        self._workers += 1
        name = f"worker{self._workers}"
        options = options or ("--no-nanny", "--nthreads", "1")
        more = ("--no-dashboard", "--local-directory", self.folder, "--name", name)
        process = self._start("worker", self.address, *more, *options, log=name)
        self.wait_for_log(name, "Registered to:")
        return Worker(self, name, process)

    @contextmanager
    def guest(self, *options: str) -> Iterator["Worker"]:
        """A worker that is ended afterwards."""
        worker = self.worker(*options)
        yield worker
        _end(worker.process)

    def log(self, name: str) -> str:
        """The log of the scheduler or a worker so far."""
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def _start(self, what: str, *options: str | Path, log: str = "") -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "dask", what, *map(str, options)]
        with (self.folder / f"{log or what}.log").open("wb") as file:
            process = subprocess.Popen(
                command,
                stdout=file,
                stderr=file,
                cwd=HERE,  # so that the modules in this folder can be preloaded
                env={
                    **os.environ,
                    "TMPDIR": str(self.folder),
                    "DASK_DISTRIBUTED__WORKER__DAEMON": "False",
                    **self._settings,
                },
            )
        self._stack.callback(_end, process)
        return process

    def wait_for_log(self, name: str, words: str) -> str:
        """Wait until these words are in a log. Returns the rest of that line."""
        assert becomes_true(lambda: "\n" in self.log(name).partition(words)[2]), self.log(name)
        return self.log(name).partition(words)[2].partition("\n")[0].strip()


@dataclass(frozen=True)
class Worker:
    """A worker of a lab."""

    lab: Lab
    name: str
    process: "subprocess.Popen[bytes]"

    def freeze(self) -> None:
        """Stop its process, without closing its connections."""
        self.process.send_signal(signal.SIGSTOP)

    def is_frozen(self) -> bool:
        """Whether its process is stopped."""
        state = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        return state == "T"

    def thaw(self) -> None:
        """Resume its process."""
        self.process.send_signal(signal.SIGCONT)

    def asked(self, what: str) -> int:
        """How often this function has been called on it, according to its log."""
        return self.lab.log(self.name).count(f"Run out-of-band function '{what}'")

    def wait_until_asked(self, what: str) -> None:
        """Wait until this function is called on it once more."""
        before = self.asked(what)
        wait_until(lambda: self.asked(what) > before)


@contextmanager
def lab(folder: Path, **settings: str) -> Iterator[Lab]:
    """A scheduler without workers yet. Everything is ended afterwards."""
    with ExitStack() as stack:
        yield Lab(folder, stack, **settings)


def certificates(folder: Path) -> dict[str, str]:
    """Make certificates as docs/instructors/many-machines.md says. Returns the environment with which dask uses them."""
    folder.mkdir()
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=grader -keyout key.pem -out cert.pem"
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    files = {"CA_FILE": "cert.pem"}
    for role in ("CLIENT", "SCHEDULER", "WORKER"):
        files |= {f"{role}__CERT": "cert.pem", f"{role}__KEY": "key.pem"}
    settings = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(folder / file) for name, file in files.items()}
    return {"DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True", **settings}


def no_session_left(machines: Lab) -> None:
    """Fail if a run has left a folder or a playing process on a worker."""
    assert not scratch_folders(machines.folder)
    assert not [line for line in map(command_of, our_processes()) if "spawn_main" in line or "bwrap" in line]


def gone(before: set[int]) -> bool:
    """Wait until all processes that were not there before have ended."""
    return becomes_true(lambda: our_processes() <= before)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    process.send_signal(signal.SIGCONT)  # a stopped process would not react to SIGTERM
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
