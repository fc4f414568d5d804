"""A full or read-only disk, vanishing folders, a clock that is set back, a busy machine: each ends well or is reported clearly."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import grader
from tests.faults import disturbed
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="requires mounting file systems, and /proc")

GRADER = f"{sys.executable} -m grader run submissions -o results --yes"


@pytest.fixture
def at(tmp_path):
    disturbed.class_in(tmp_path / "submissions")
    return tmp_path


def run_with_small_disk(at: Path, script: str) -> "subprocess.CompletedProcess[str]":
    """Run a script whose results folder is a small file system that only it can see."""
    mount = f"mkdir results && mount -t tmpfs -o size=64k none results && {script}"
    return subprocess.run(
        ["unshare", "--mount", "bash", "-c", mount],
        cwd=at,
        env={**os.environ, "TMPDIR": str(at), "LANGUAGE": "en"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


may_mount = pytest.mark.skipif(
    sys.platform != "linux"
    or shutil.which("unshare") is None
    or subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode
    != 0,
    reason="only root can mount a file system",
)


@may_mount
def test_a_full_disk_is_reported_and_no_finished_game_is_lost(calm, at):
    ended = run_with_small_disk(
        at,
        f"{GRADER}; echo status $? >&2; mount -o remount,size=20m results && {GRADER} && cp results/results.json .",
    )

    assert ended.returncode == 0, ended.stderr
    assert "status 1" in ended.stderr
    assert "full" in ended.stderr and "free some space" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert (at / "results.json").read_bytes() == calm


@pytest.mark.skipif(
    shutil.which("setpriv") is None, reason="root can write anywhere, unless setpriv removes that right"
)
def test_a_folder_that_becomes_read_only_is_reported_and_no_played_game_is_lost(calm, at):
    unprivileged = ("setpriv", "--bounding-set", "-dac_override")
    results = at / "results"
    process = disturbed.started(at / "submissions", results, tmp=at, before=unprivileged)
    wait_until(lambda: disturbed.games_in(results) or process.poll() is not None)
    results.chmod(0o555)
    status = process.wait(timeout=200)
    results.chmod(0o755)

    log = (at / "log.txt").read_text(encoding="utf-8")
    assert status == 1
    assert f"grader report {results}" in log and "Traceback" not in log
    assert disturbed.games_in(results) == disturbed.GAMES
    assert grader("report", results).returncode == 0
    assert (results / "results.json").read_bytes() == calm


@pytest.mark.parametrize(
    "change",
    [pytest.param(shutil.rmtree, id="vanishes"), pytest.param(disturbed.spoil, id="changes", marks=pytest.mark.slow)],
)
def test_submissions_that_vanish_or_change_during_a_run_are_graded_as_they_were_at_its_start(calm, at, change):
    process = disturbed.started(at / "submissions", at / "results", tmp=at)
    wait_until(lambda: disturbed.games_in(at / "results") or process.poll() is not None)
    change(at / "submissions")

    assert process.wait(timeout=200) == 0
    assert (at / "results" / "results.json").read_bytes() == calm


def test_a_clock_that_is_set_back_changes_nothing(calm, at):
    """It is set back by an hour each time it is read: only timestamps may depend on it."""
    code = "import time, itertools; later = itertools.count(); now = time.time(); time.time = lambda: now - 3600 * next(later)"
    (at / "clock").mkdir()
    (at / "clock" / "sitecustomize.py").write_text(f"{code}\n", encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "grader", "run", "submissions", "--yes"],
        cwd=at,
        env={**os.environ, "PYTHONPATH": str(at / "clock")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert (at / "results" / "results.json").read_bytes() == calm


@pytest.mark.slow
def test_eight_other_busy_processes_change_no_grade(calm, at):
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
    try:
        process = disturbed.started(at / "submissions", at / "results", tmp=at)
        assert process.wait(timeout=900) == 0
    finally:
        for process in spinning:
            process.kill()
            process.wait()

    assert (at / "results" / "results.json").read_bytes() == calm
