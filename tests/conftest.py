"""Settings and fixtures of all tests: hypothesis without deadlines, because machines are noisy, and the graded examples."""

import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from tests.command import PROJECT, compile_all, grader

settings.register_profile("steady", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("steady")

os.environ["LANGUAGE"] = "en"  # tests compare English texts, wherever they run

# Measuring this machine takes two seconds. The tests about its speed remove this.
os.environ["GRADER_SPEED"] = "1.0"

# Tests that run in the background may inherit an ignored Ctrl-C, and all commands they start would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Keep the courses' own games that the tests play out of the user's data folder.
if "GRADER_TESTS_DATA" not in os.environ:
    os.environ["GRADER_TESTS_DATA"] = os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="grader-tests-")

SUBMISSIONS = PROJECT / "submissions"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One test process more than cores, because many tests wait for something most of the time."""
    return 1 + (os.cpu_count() or 1)


def pytest_configure(config: pytest.Config) -> None:
    """Compile the grader once, before the test processes start."""
    if not hasattr(config, "workerinput"):
        compile_all()
        if best_level() < Level.GOOD:  # the tests' players are ours
            os.environ["GRADER_ACCEPT_ISOLATION"] = "none"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the data folder once, after all test processes have ended."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["GRADER_TESTS_DATA"], ignore_errors=True)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], object]], Path]:
    """A function that creates a folder only once for all test processes, for slow preparations."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def make_once(name: str, make: Callable[[Path], object]) -> Path:
        folder, done = shared / name, shared / f"{name}.done"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                folder.mkdir(exist_ok=True)
                make(folder)
                done.touch()
        return folder

    return make_once


@pytest.fixture(scope="session")
def examples(made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """The results of `grader run submissions/`."""

    def make(folder: Path) -> None:
        for _ in range(3):  # on a busy machine, games that could not be played fairly are left to the next command
            done = grader("run", SUBMISSIONS, "-o", folder, "--lang", "en", timeout=300)
            if done.returncode == 0:
                return
        raise AssertionError(done.stderr)

    return made_once("examples", make)
