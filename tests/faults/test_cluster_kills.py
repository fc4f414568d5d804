"""kill -9 of a Dask worker and of the scheduler changes no grade either."""

import random
import sys

import pytest

from tests.faults import disturbed

pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["worker_killed", "scheduler_killed"])
def test_whatever_of_a_cluster_is_killed_the_grades_are_the_same(calm, tmp_path, kind):
    from tests.faults import cluster

    disturbed.class_in(tmp_path / "submissions")

    ending = getattr(cluster, kind)(tmp_path, random.Random(3), kills=2)

    assert ending.kills == 2
    assert ending.results == calm
    assert ending.games == disturbed.GAMES
    assert not ending.left
    assert not ending.scratch
