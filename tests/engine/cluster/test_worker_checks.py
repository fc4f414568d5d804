"""Which workers of a cluster may play, according to the facts they report."""

import pytest

from grader.engine.cluster.worker_checks import Worker, WorkerRegistry
from grader.sandbox.isolation import Level

VERSIONS = {"python": "3.11", "grader": "1.0", "rules": 1, "code": "c0de", "references": "ref"}
FIT = {**VERSIONS, "level": "GOOD", "host": "pc1", "machine": "one", "cores": [0, 1], "threads": 1, "daemon": False}


@pytest.mark.parametrize(
    ("difference", "problem"),
    [
        ({"python": "3.10"}, "it runs Python 3.10, but this machine runs 3.11"),
        ({"grader": "0.9"}, "it has grader 0.9, but this machine has 1.0"),
        ({"rules": 2}, "it uses version 2 of the rules, but this machine uses 1"),
        ({"code": "beef"}, "its grader has the same version as this machine's, but different code"),
        ({"references": "other"}, "its reference players differ from this machine's"),
        ({"threads": 4}, "it has 4 threads"),
        ({"daemon": True}, "DASK_DISTRIBUTED__WORKER__DAEMON=False"),
        ({"level": "BASIC"}, "its isolation level is basic, but this run is played at good"),
        ({"cores": []}, "its machine has 0 cores"),
    ],
)
def test_a_worker_that_differs_is_refused_with_the_difference(difference, problem):
    registry = WorkerRegistry(VERSIONS)

    assert problem in str(registry.register("tcp://pc1:1", {**FIT, **difference}, Level.GOOD))
    assert registry.addresses == []


def test_all_problems_of_a_worker_are_reported_at_once():
    facts = {**FIT, "python": "3.10", "references": "other", "threads": 4, "daemon": True, "level": "BASIC"}
    problems = str(WorkerRegistry(VERSIONS).register("tcp://pc1:1", facts, Level.GOOD))

    assert "Python 3.10" in problems
    assert "reference players differ" in problems
    assert "--nthreads 1" in problems and "DASK_DISTRIBUTED__WORKER__DAEMON=False" in problems
    assert "isolation level is basic" in problems


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param({"python": "3.11", "grader": "0.9"}, id="fewer facts"),
        pytest.param({**FIT, "grader": "0.9", "level": "PERFECT"}, id="facts with another meaning"),
    ],
)
def test_other_facts_of_another_version_are_ignored(facts):
    problem = WorkerRegistry(VERSIONS).register("tcp://pc1:1", facts, Level.GOOD)

    assert str(problem) == "it has grader 0.9, but this machine has 1.0"


def test_workers_of_a_machine_have_different_cores_and_there_are_no_more_workers_than_cores():
    registry = WorkerRegistry(VERSIONS)
    first, second, third = (registry.register(f"tcp://pc1:{port}", FIT, Level.NONE) for port in (1, 2, 3))
    elsewhere = registry.register("tcp://pc2:1", {**FIT, "machine": "two"}, Level.NONE)

    assert isinstance(first, Worker) and isinstance(second, Worker) and isinstance(elsewhere, Worker)
    assert (first.core, second.core, elsewhere.core) == (0, 1, 0)
    assert "other workers already use" in str(third)


def test_the_core_of_a_worker_that_leaves_is_assigned_again():
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
