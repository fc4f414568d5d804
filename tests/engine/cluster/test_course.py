"""A course's own game and opponents on the workers of a cluster."""

import json
import shutil

import pytest

from tests.command import PROJECT, grader

pytest.importorskip("distributed", reason="the extra [cluster] is not installed")

EXAMPLE = PROJECT / "docs" / "examples" / "connect4"


def test_a_cluster_plays_a_courses_own_game_against_its_own_opponents(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "course")
    here = grader("run", "submissions", "-c", "assignment.yaml", "--seed", "0", "-o", "here", cwd=tmp_path / "course")
    there = grader(
        "run",
        "submissions",
        "-c",
        "assignment.yaml",
        "--seed",
        "0",
        "-o",
        "there",
        "--cluster",
        "local:1",
        cwd=tmp_path / "course",
        timeout=300,
    )

    assert here.returncode == there.returncode == 0, there.stderr
    first, second = (
        json.loads((tmp_path / "course" / name / "results.json").read_text(encoding="utf-8"))
        for name in ("here", "there")
    )
    assert first == second
