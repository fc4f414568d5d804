"""With a reference speed, a player that watches the clock does the same amount of work on a slow core as on a fast one."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.command import PROJECT
from tests.engine.play_by_the_clock import LIMIT
from tests.engine.throttled import run_alone, run_half_of_the_time, run_with_quota

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="needs control groups"),
    pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs writable control groups: be root"
    ),
]
ATTEMPTS = 4
"""A neighbour on the same host may slow down one of the two games by more than is tested."""
TOLERANCE = 0.15


def play(run: Callable[..., Any], cache: Any) -> dict[str, Any]:
    core = max(os.sched_getaffinity(0))
    variables = {name: value for name, value in os.environ.items() if name != "GRADER_SPEED"}
    command = [sys.executable, "-m", "tests.engine.play_by_the_clock", str(core)]
    done = run(command, cwd=PROJECT, env={**variables, "XDG_CACHE_HOME": str(cache)})
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "throttled",
    [pytest.param(run_with_quota, id="a CPU quota"), pytest.param(run_half_of_the_time, id="halted half of the time")],
)
def test_a_player_that_watches_the_clock_does_as_much_on_half_a_core(tmp_path, throttled):
    unfair = ""
    differences = []
    for attempt in range(ATTEMPTS):
        free = play(run_alone, tmp_path / f"free-{attempt}")
        half = play(throttled, tmp_path / f"half-{attempt}")
        if unfair := free["unfair"] or half["unfair"]:
            continue
        assert free["ending"] == half["ending"] == "connected"
        assert half["scale"] == pytest.approx(1 / half["speed"], rel=0.01)
        assert half["speed"] == pytest.approx(free["speed"] / 2, rel=0.25)
        assert half["slowest"] > 1.3 * LIMIT, "it had more time"
        differences.append(abs(half["nodes"] / free["nodes"] - 1))
        if differences[-1] < TOLERANCE:
            return
    if not differences:
        pytest.skip(f"other programs use the core while the quota holds the player back: {unfair}")
    raise AssertionError(f"the work differs by {differences}")
