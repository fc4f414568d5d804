"""`grader run --cluster tcp://…` with a separate scheduler and workers."""

import re
import signal
import time

import pytest

from tests.command import grader
from tests.engine.cluster.folders import SHORT, all_kinds, finished, slow_ones, started
from tests.engine.cluster.machines import Lab, certificates, lab, no_session_left, runnable
from tests.sandbox.seats import scratch_folders
from tests.waiting import wait_until
from tests.workflow.folders import FIRST, folder

pytestmark = runnable


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """A scheduler and a worker for all tests that do not kill them. A test may add one worker: every machine has two cores."""
    with lab(tmp_path_factory.mktemp("lab")) as running:
        running.worker()
        yield running


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """Submissions whose games take a while, and their results without any disturbance."""
    at = tmp_path_factory.mktemp("slow")
    source = slow_ones(at / "in")
    assert grader("run", source, "-o", at / "undisturbed").returncode == 0
    return source, (at / "undisturbed/results.json").read_bytes()


def test_a_cluster_gives_identical_results_and_is_sent_each_submission_once(tmp_path, machines: Lab):
    source = all_kinds(tmp_path / "in")
    grader("run", source, "-o", tmp_path / "here")
    with machines.guest() as second:
        there = grader("run", source, "-o", tmp_path / "there", "--cluster", machines.address)
        received = second.asked("receive_package")

    assert there.returncode == 0, there.stderr
    assert "2 workers on 1 machine, isolation level " in there.stderr
    assert f"{machines.address}: warning: connections without TLS are neither encrypted nor" in there.stderr
    assert (tmp_path / "there/results.json").read_bytes() == (tmp_path / "here/results.json").read_bytes()
    assert 1 <= received <= 4  # one of the five submissions has no player
    no_session_left(machines)


def test_ctrl_c_stops_the_games_and_leaves_the_workers_of_a_scheduler_with_tls_ready(tmp_path, monkeypatch):
    forever = FIRST.replace("return", "import time; time.sleep(1.5); return")
    source = folder(tmp_path / "in", slow=forever)
    for name, value in certificates(tmp_path / "keys").items():
        monkeypatch.setenv(name, value)
    with lab(tmp_path / "lab") as machines:
        assert machines.address.startswith("tls://")
        worker = machines.worker()
        running = started(source, tmp_path / "out", machines.address, matches=0)
        worker.wait_until_asked("receive_package")
        time.sleep(1)  # now the player is thinking or loading
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=120)

        assert running.returncode == 130, stderr
        assert "the same command" in stderr
        assert "Traceback" not in stderr and "without TLS" not in stderr
        assert worker.process.poll() is None
        no_session_left(machines)


def test_workers_that_cannot_play_are_named(tmp_path, machines: Lab):
    source = folder(tmp_path / "in", first=FIRST)
    unfit = ("--no-nanny", "--nthreads", "1", "--preload", "other_rules.py")
    with machines.guest(*unfit), machines.guest(*unfit):
        done = grader("run", source, "-o", tmp_path / "out", "--cluster", machines.address)

    named = r"worker tcp://127.0.0.1:\d+ on \S+"
    assert done.returncode == 2
    assert re.search(f"{named} cannot play: it uses version -1 of the rules", done.stderr)
    assert re.search(f"Neither can 1 other: {named}. Fix or stop them", done.stderr)
    no_session_left(machines)


@pytest.mark.parametrize(
    ("preloaded", "message"),
    [
        ("no_grader.py", r"it cannot load grader \S+ \(.*\): run `pip install '\.\[cluster\]'` there"),
        ("other_python.py", r"it runs Python 2\.7, but this machine runs 3"),
    ],
)
def test_the_reason_why_a_worker_cannot_load_the_grader_is_reported(tmp_path, machines: Lab, preloaded, message):
    source = folder(tmp_path / "in", first=FIRST)
    with machines.guest("--no-nanny", "--nthreads", "1", "--preload", preloaded):
        done = grader("run", source, "-o", tmp_path / "out", "--cluster", machines.address)

    assert done.returncode == 2
    assert re.search(message, done.stderr)
    no_session_left(machines)


def test_every_worker_must_offer_the_required_isolation_level(tmp_path, machines: Lab):
    source = folder(tmp_path / "in", SHORT + "isolation: good\n", first=FIRST)
    with machines.guest("--no-nanny", "--nthreads", "1", "--preload", "weak_isolation.py"):
        done = grader("run", source, "-o", tmp_path / "out", "--cluster", machines.address)

    assert done.returncode == 3
    assert re.search(r"level good, but worker tcp://127.0.0.1:\d+ on \S+ only has basic", done.stderr)
    no_session_left(machines)


def test_workers_may_be_killed_and_join_and_unfit_ones_are_not_used(tmp_path, slow):
    source, undisturbed = slow
    with lab(tmp_path / "lab") as machines:
        doomed = machines.worker()
        running = started(source, tmp_path / "out", machines.address, matches=1)
        doomed.process.kill()  # from now on the run waits
        unfit = machines.worker("--no-nanny", "--nthreads", "2")
        machines.worker()
        _, stderr = running.communicate(timeout=120)

        assert running.returncode == 0, stderr
        assert re.search(r"Lost worker .*; the game it was playing will be played again", stderr)
        assert re.search(r"Not using worker .*: it has 2 threads", stderr)
        assert unfit.asked("start_session") == 0
        assert (tmp_path / "out/results.json").read_bytes() == undisturbed
        assert finished(tmp_path / "out") == 8
        no_session_left(machines)


@pytest.mark.slow
def test_a_frozen_worker_is_named_and_the_others_play(tmp_path, machines: Lab):
    source = folder(tmp_path / "in", SHORT, first=FIRST)
    with machines.guest() as second:
        second.freeze()
        done = grader("run", source, "-o", tmp_path / "out", "--cluster", machines.address)

    assert done.returncode == 0, done.stderr
    assert re.search(r"No answer from worker tcp://127.0.0.1:\d+; it will not be used until it responds", done.stderr)
    assert "1 worker on 1 machine" in done.stderr
    no_session_left(machines)


@pytest.mark.slow
def test_a_worker_that_freezes_when_it_joins_blocks_no_other_and_plays_once_resumed(tmp_path):
    source = slow_ones(tmp_path / "in", count=8)
    with lab(tmp_path / "lab") as machines:
        machines.worker()
        running = started(source, tmp_path / "out", machines.address, matches=1)
        late = machines.worker("--no-nanny", "--nthreads", "1", "--preload", "freezes.py")
        wait_until(late.is_frozen)
        before = finished(tmp_path / "out")
        assert running.stderr is not None
        next(line for line in running.stderr if "it will not be used until it responds" in line)
        assert finished(tmp_path / "out") > before  # while its answer was still pending
        late.thaw()
        wait_until(lambda: late.asked("start_session") == 1)
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=120)

        assert running.returncode == 130, stderr
        no_session_left(machines)


@pytest.mark.slow
def test_a_worker_that_freezes_while_it_receives_a_package_blocks_no_other(tmp_path):
    source = slow_ones(tmp_path / "in", count=8)
    with lab(tmp_path / "lab") as machines:
        machines.worker()
        running = started(source, tmp_path / "out", machines.address, matches=1)
        late = machines.worker("--no-nanny", "--nthreads", "1", "--preload", "freezes_unpacking.py")
        wait_until(late.is_frozen)
        before = finished(tmp_path / "out")
        wait_until(
            lambda: finished(tmp_path / "out") >= before + 2, seconds=50
        )  # less than the minute that a transfer may take
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=120)

        assert running.returncode == 130, stderr


@pytest.mark.slow
def test_a_worker_that_freezes_while_it_plays_is_treated_as_lost(tmp_path, slow):
    source, undisturbed = slow
    with lab(tmp_path / "lab", DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL="14s") as machines:
        doomed = machines.worker()
        machines.worker()
        running = started(source, tmp_path / "out", machines.address, matches=2)
        doomed.freeze()
        _, stderr = running.communicate(timeout=120)
        doomed.process.kill()

        assert running.returncode == 0, stderr
        assert re.search(
            r"No response from worker .*; its game will be played again once the scheduler drops it", stderr
        )
        assert re.search(r"Lost worker .*; the game it was playing will be played again", stderr)
        assert (tmp_path / "out/results.json").read_bytes() == undisturbed


@pytest.mark.slow
def test_ctrl_c_works_although_a_worker_is_frozen(tmp_path, slow):
    source, _ = slow
    with lab(tmp_path / "lab") as machines:
        worker = machines.worker()
        running = started(source, tmp_path / "out", machines.address, matches=1)
        worker.freeze()
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=120)

        assert running.returncode == 130, stderr
        assert "the same command" in stderr


@pytest.mark.slow
def test_a_worker_that_has_forgotten_the_run_is_registered_again_once(tmp_path):
    source = slow_ones(tmp_path / "in", count=8)
    with lab(tmp_path / "lab") as machines:
        worker = machines.worker("--no-nanny", "--nthreads", "1", "--preload", "forgetful.py")
        running = started(source, tmp_path / "out", machines.address, matches=1)
        before = worker.asked("start_session")
        running.send_signal(signal.SIGSTOP)
        wait_until(lambda: not scratch_folders(machines.folder))
        running.send_signal(signal.SIGCONT)
        wait_until(lambda: worker.asked("start_session") > before)
        played = finished(tmp_path / "out")
        wait_until(lambda: finished(tmp_path / "out") > played)
        running.send_signal(signal.SIGINT)
        _, stderr = running.communicate(timeout=120)

        assert running.returncode == 130, stderr
        assert worker.asked("start_session") == before + 1


@pytest.mark.slow
def test_a_worker_cleans_up_after_a_killed_grader(tmp_path):
    source = slow_ones(tmp_path / "in", count=8)
    with lab(tmp_path / "lab") as machines:
        machines.worker("--no-nanny", "--nthreads", "1", "--preload", "forgetful.py")
        running = started(source, tmp_path / "out", machines.address, matches=1)
        running.kill()
        running.communicate()
        wait_until(lambda: not scratch_folders(machines.folder))

        no_session_left(machines)


def test_a_killed_scheduler_ends_the_run_and_loses_nothing(tmp_path, slow):
    source, undisturbed = slow
    with lab(tmp_path / "lab") as machines:
        machines.worker()
        running = started(source, tmp_path / "out", machines.address, matches=2)
        machines.scheduler.kill()
        _, stderr = running.communicate(timeout=120)
        stored = finished(tmp_path / "out")

        assert running.returncode == 1
        assert "the scheduler has stopped responding. Finished games are saved" in stderr
        assert "Traceback" not in stderr
        assert 2 <= stored < 8
    no_session_left(machines)
    assert grader("run", source, "-o", tmp_path / "out").returncode == 0
    assert (tmp_path / "out/results.json").read_bytes() == undisturbed
