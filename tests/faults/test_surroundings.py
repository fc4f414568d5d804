"""Disks that fill or turn read-only, folders that vanish, a clock that is set back, a busy machine: each has a clear ending."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import grader
from tests.faults import disturbed
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="file systems are mounted and processes counted in /proc"
)

GRADER = f"{sys.executable} -m grader run submissions -o results --yes"


@pytest.fixture
def at(tmp_path):
    disturbed.class_in(tmp_path / "submissions")
    return tmp_path


def in_a_small_world(at: Path, script: str) -> "subprocess.CompletedProcess[str]":
    """Run a script that may mount file systems which nobody else sees."""
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
    reason="a file system of its own can be mounted only by root",
)


@may_mount
def test_a_full_disk_is_said_to_be_one_and_loses_nothing_that_was_finished(calm, at):
    ended = in_a_small_world(
        at,
        f"{GRADER}; echo status $? >&2; mount -o remount,size=20m results && {GRADER} && cp results/results.json .",
    )

    assert ended.returncode == 0, ended.stderr
    assert "status 1" in ended.stderr
    assert "full" in ended.stderr and "make room" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert (at / "results.json").read_bytes() == calm


@pytest.mark.skipif(
    shutil.which("setpriv") is None, reason="root can write anywhere, unless it gives that up by setpriv"
)
def test_a_folder_that_turns_read_only_is_said_to_be_one_and_loses_nothing_that_was_played(calm, at):
    humble = ("setpriv", "--bounding-set", "-dac_override")
    results = at / "results"
    process = disturbed.started(at / "submissions", results, tmp=at, before=humble)
    wait_until(lambda: disturbed.games_in(results) or process.poll() is not None)
    results.chmod(0o555)
    status = process.wait(timeout=200)
    results.chmod(0o755)

    said = (at / "log.txt").read_text(encoding="utf-8")
    assert status == 1
    assert f"grader report {results}" in said and "Traceback" not in said
    assert disturbed.games_in(results) == disturbed.GAMES
    assert grader("report", results).returncode == 0
    assert (results / "results.json").read_bytes() == calm


@pytest.mark.parametrize(
    "change",
    [pytest.param(shutil.rmtree, id="vanishes"), pytest.param(disturbed.spoil, id="changes", marks=pytest.mark.slow)],
)
def test_submissions_that_vanish_or_change_while_they_are_graded_are_graded_as_they_were(calm, at, change):
    process = disturbed.started(at / "submissions", at / "results", tmp=at)
    wait_until(lambda: disturbed.games_in(at / "results") or process.poll() is not None)
    change(at / "submissions")

    assert process.wait(timeout=200) == 0
    assert (at / "results" / "results.json").read_bytes() == calm


def test_a_clock_that_is_set_back_changes_nothing(calm, at):
    """By an hour, at each look, in the grader and its workers: only what says when something was can go by that clock."""
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
def test_eight_busy_processes_beside_a_run_change_no_grade(calm, at):
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
    try:
        process = disturbed.started(at / "submissions", at / "results", tmp=at)
        assert process.wait(timeout=900) == 0
    finally:
        for one in spinning:
            one.kill()
            one.wait()

    assert (at / "results" / "results.json").read_bytes() == calm
