"""Who may play on a cluster, by what workers say of themselves."""

import pytest

from grader.engine.cluster.worker_checks import Worker, WorkerRegistry
from grader.sandbox.isolation import Level

VERSIONS = {"python": "3.11", "grader": "1.0", "rules": 1, "code": "c0de", "references": "ref"}
FIT = {**VERSIONS, "level": "GOOD", "host": "pc1", "machine": "one", "cores": [0, 1], "threads": 1, "daemon": False}


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        ({"python": "3.10"}, "it runs Python 3.10, and this machine Python 3.11"),
        ({"grader": "0.9"}, "it has grader 0.9, and this machine grader 1.0"),
        ({"rules": 2}, "it plays by version 2 of the rules, and this machine by 1"),
        ({"code": "beef"}, "its grader has the same version as this machine's, and other code"),
        ({"references": "other"}, "its reference players are not those of this machine"),
        ({"threads": 4}, "it has 4 threads"),
        ({"daemon": True}, "DASK_DISTRIBUTED__WORKER__DAEMON=False"),
        ({"level": "BASIC"}, "it offers the isolation level basic, and this run is played at good"),
        ({"cores": []}, "its machine has 0 cores"),
    ],
)
def test_a_worker_that_differs_is_refused_with_the_difference(difference, said):
    registry = WorkerRegistry(VERSIONS)

    assert said in str(registry.register("tcp://pc1:1", {**FIT, **difference}, Level.GOOD))
    assert registry.addresses == []


def test_all_that_is_wrong_with_a_worker_is_said_at_once():
    facts = {**FIT, "python": "3.10", "references": "other", "threads": 4, "daemon": True, "level": "BASIC"}
    said = str(WorkerRegistry(VERSIONS).register("tcp://pc1:1", facts, Level.GOOD))

    assert "Python 3.10" in said
    assert "reference players are not those" in said
    assert "--nthreads 1" in said and "DASK_DISTRIBUTED__WORKER__DAEMON=False" in said
    assert "isolation level basic" in said


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({"python": "3.11", "grader": "0.9"}, id="says less"),
        pytest.param({**FIT, "grader": "0.9", "level": "PERFECT"}, id="means something else"),
    ],
)
def test_what_another_grader_says_is_not_looked_into(facts):
    said = WorkerRegistry(VERSIONS).register("tcp://pc1:1", facts, Level.GOOD)

    assert str(said) == "it has grader 0.9, and this machine grader 1.0"


def test_workers_of_one_machine_play_on_different_cores_and_never_more_than_there_are():
    registry = WorkerRegistry(VERSIONS)
    first, second, third = (registry.register(f"tcp://pc1:{port}", FIT, Level.NONE) for port in (1, 2, 3))
    elsewhere = registry.register("tcp://pc2:1", {**FIT, "machine": "two"}, Level.NONE)

    assert isinstance(first, Worker) and isinstance(second, Worker) and isinstance(elsewhere, Worker)
    assert (first.core, second.core, elsewhere.core) == (0, 1, 0)
    assert "as many workers already" in str(third)


def test_a_worker_that_goes_leaves_its_core_to_the_next():
    registry = WorkerRegistry(VERSIONS)
    registry.register("tcp://pc1:1", FIT, Level.NONE)
    registry.register("tcp://pc1:2", FIT, Level.NONE)
    registry.remove("tcp://pc1:1")
    again = registry.register("tcp://pc1:3", FIT, Level.NONE)

    assert isinstance(again, Worker) and again.core == 0


def test_the_weakest_worker_sets_the_level():
    registry = WorkerRegistry(VERSIONS)
    registry.register("tcp://pc1:1", {**FIT, "level": "STRONG"}, Level.NONE)
    registry.register("tcp://pc2:1", {**FIT, "machine": "two", "level": "BASIC"}, Level.NONE)

    assert registry.weakest_worker().level is Level.BASIC
    assert list(registry.by_level()) == [Level.STRONG, Level.BASIC]
