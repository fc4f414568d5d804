"""What all tests share: hypothesis without a clock, because these machines are noisy, and the examples, graded once."""

import fcntl
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests.command import grader

settings.register_profile("steady", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("steady")

os.environ["LANGUAGE"] = "en"  # what is compared is English, wherever the tests run

# Whoever starts the tests in the background may have Ctrl-C ignored, and all commands that they start would ignore it, too.
signal.signal(signal.SIGINT, signal.default_int_handler)

SUBMISSIONS = Path(__file__).parent.parent / "submissions"


@pytest.fixture(scope="session")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of `grader run submissions/`, which takes its time: run once, however many processes test."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / "examples.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "examples.done").exists():
            done = grader("run", SUBMISSIONS, "-o", shared / "examples", "--lang", "en", timeout=300)
            assert done.returncode == 0, done.stderr
            (shared / "examples.done").touch()
    return shared / "examples"
