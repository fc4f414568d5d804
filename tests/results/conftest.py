"""Finished runs for the tests."""

import shutil
from pathlib import Path

import pytest

from tests.command import grader
from tests.workflow.folders import CRASHES, FIRST, LAST, folder


@pytest.fixture(scope="package")
def run_once(tmp_path_factory):
    at = tmp_path_factory.mktemp("run")
    folder(at / "submissions", ana=FIRST, crasher=CRASHES)
    done = grader("run", "submissions", cwd=at)
    assert done.returncode == 0, done.stderr
    return at


@pytest.fixture
def results(run_once, tmp_path):
    """A copy of a finished run to tamper with, next to its submissions."""
    shutil.copytree(run_once / "results", tmp_path / "results")
    shutil.copytree(run_once / "submissions", tmp_path / "submissions")
    return tmp_path / "results"


@pytest.fixture(scope="package")
def tournament_once(tmp_path_factory):
    at = tmp_path_factory.mktemp("tournament")
    folder(at / "submissions", ana=FIRST, luis=LAST)
    done = grader("tournament", "submissions", "--anchor", "random", cwd=at)
    assert done.returncode == 0, done.stderr
    return at / "tournament"


@pytest.fixture
def tournament(tournament_once, tmp_path):
    return Path(shutil.copytree(tournament_once, tmp_path / "tournament"))
