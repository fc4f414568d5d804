"""kill -9 of a Dask worker or of the scheduler changes no grade."""

import random
import sys

import pytest

from tests.faults import disturbed

pytest.importorskip("distributed", reason="the extra [cluster] is not installed")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="requires /proc")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["worker_killed", "scheduler_killed"])
def test_killing_a_process_of_the_cluster_does_not_change_the_grades(calm, tmp_path, kind):
    from tests.faults import cluster

    disturbed.class_in(tmp_path / "submissions")

    ending = getattr(cluster, kind)(tmp_path, random.Random(3), kills=2)

    assert ending.kills == 2
    assert ending.results == calm
    assert ending.games == disturbed.GAMES
    assert not ending.left
    assert not ending.scratch
