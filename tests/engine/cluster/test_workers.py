"""Whom a run takes in, has play and sends something, and what it says when there is nobody to play."""

import time
from concurrent.futures import Future
from typing import Any

import pytest

pytest.importorskip("distributed")

from grader.engine.base import ClusterError
from grader.engine.cluster import workers as cluster_workers
from grader.engine.cluster.engine import WINDOW
from grader.engine.cluster.packages import Packages
from grader.engine.cluster.worker import introduce, receive_package, start_session, versions
from grader.engine.cluster.workers import ClusterWorkers
from grader.language import Message


class Scripted:
    """A transport to workers that never answer."""

    def __init__(self, *present: str) -> None:
        self._present = set(present)
        self.asked: list[tuple[str, Any]] = []

    def known_workers(self) -> set[str]:
        return self._present

    def start(self, address: str, what: Any, *_: Any) -> "Future[Any]":
        self.asked.append((address, what))
        return Future()

    def ask(self, what: Any, *_: Any, workers: list[str], **__: Any) -> dict[str, Any]:
        self.asked += ((address, what) for address in workers)
        return dict.fromkeys(workers)


class Fit(Scripted):
    """A transport to workers that can play, and to which packages come when the test has them come."""

    package: "Future[Any]"
    """The one that was sent last."""

    def start(self, address: str, what: Any, *_: Any) -> "Future[Any]":
        pending = super().start(address, what)
        if what is introduce:
            pending.set_result(self._facts(address))
        else:
            self.package = pending
        return pending

    def ask(self, what: Any, *_: Any, workers: list[str], **__: Any) -> dict[str, Any]:
        answers = super().ask(what, workers=workers)
        return {address: self._facts(address) for address in workers} if what is introduce else answers

    def answer(self, pending: "Future[Any]") -> Any:
        return pending.result(0)

    def _facts(self, address: str) -> dict[str, Any]:
        said = {"level": "NONE", "host": "pc", "machine": address, "cores": [0], "threads": 1, "daemon": False}
        return {**versions(), **said}


@pytest.fixture
def transport():
    return Fit("tcp://pc1:1", "tcp://pc2:1")


@pytest.fixture
def told():
    """What a person has been told."""
    return []


@pytest.fixture
def workers(transport, told, monkeypatch):
    monkeypatch.setattr(cluster_workers, "_TRANSFER_WAIT", 0.0)
    return ClusterWorkers(transport, "tcp://here:1", "run", told.append, patience=0.0)


@pytest.fixture
def packages(tmp_path):
    (tmp_path / "d1gest").write_bytes(b"a zip")
    return Packages(tmp_path)


@pytest.mark.parametrize(
    ("place", "present", "said"),
    [
        pytest.param(
            "tcp://here:1",
            [],
            "no workers. Start some with `DASK_DISTRIBUTED__WORKER__DAEMON=False dask w",
            id="nobody",
        ),
        pytest.param("local:2", [], "local:2: no worker has come, or none is left", id="nobody of our own"),
        pytest.param(
            "tcp://here:1", ["tcp://pc1:1"], "none that could play by now. Some have just come", id="just come"
        ),
    ],
)
def test_when_it_has_been_waited_for_long_enough_the_reason_is_said(place, present, said):
    told: list[Message] = []

    with pytest.raises(ClusterError, match=said):
        ClusterWorkers(Scripted(*present), place, "run", told.append, patience=0.0)  # type: ignore[arg-type]  # a double
    assert not told


def test_when_nobody_answers_in_time_that_is_what_was_said_above(monkeypatch):
    monkeypatch.setattr(cluster_workers, "_ANSWER_TIMEOUT", -1.0)
    told: list[Message] = []

    with pytest.raises(ClusterError, match="What is wrong with each of them is said above"):
        ClusterWorkers(Scripted("tcp://pc1:1"), "tcp://here:1", "run", told.append, patience=0.0)  # type: ignore[arg-type]  # a double
    assert [str(message) for message in told] == ["worker tcp://pc1:1 does not answer. It is not used until it does."]


def test_a_worker_is_ready_again_once_what_it_is_sent_has_come(workers, transport, packages):
    workers.send_package("tcp://pc1:1", "d1gest", packages, given=0.0)
    meanwhile = workers.ready
    transport.package.set_result(None)
    workers.poll()
    workers.send_package("tcp://pc1:1", "d1gest", packages, given=0.0)

    assert meanwhile == ["tcp://pc2:1"]
    assert workers.ready == workers.addresses == ["tcp://pc1:1", "tcp://pc2:1"]
    assert transport.asked.count(("tcp://pc1:1", receive_package)) == 1


def test_a_worker_that_loses_what_it_was_sent_is_named_and_used_no_more(workers, transport, packages, told):
    workers.send_package("tcp://pc1:1", "d1gest", packages, given=0.0)
    transport.package.set_result(None)
    workers.poll()
    workers.send_package("tcp://pc1:1", "d1gest", packages, given=time.monotonic())

    assert workers.addresses == ["tcp://pc2:1"]
    assert "worker tcp://pc1:1 on pc is not used any more: it has lost a submission that it was sent." in told[-1]


def test_what_was_lost_on_its_way_is_sent_again(workers, transport, packages):
    workers.send_package("tcp://pc1:1", "d1gest", packages, given=0.0)
    transport.package.set_result(OSError("the connection is closed"))
    workers.poll()

    assert workers.ready == ["tcp://pc2:1"]
    assert transport.asked.count(("tcp://pc1:1", receive_package)) == 2
    assert transport.asked.count(("tcp://pc1:1", start_session)) == 1


def test_a_worker_to_which_something_does_not_come_is_named_and_used_no_more(
    workers, transport, packages, told, monkeypatch
):
    workers.send_package("tcp://pc1:1", "d1gest", packages, given=0.0)
    monkeypatch.setattr(cluster_workers, "_TRANSFER_TIMEOUT", 0.0)
    workers.poll()

    assert workers.addresses == ["tcp://pc2:1"]
    assert transport.package.cancelled()
    assert "worker tcp://pc1:1 on pc is not used any more: a submission has not come to it within" in told[-1]


def test_a_worker_for_which_there_was_no_core_plays_when_another_is_gone(transport, told, monkeypatch):
    monkeypatch.setattr(cluster_workers, "_POLL_INTERVAL", 0.0)
    monkeypatch.setattr(transport, "_facts", lambda address: {**Fit._facts(transport, address), "machine": "pc"})
    monkeypatch.setattr(transport, "silent_workers", lambda _: set(), raising=False)
    transport._present = {"tcp://pc1:1"}
    workers = ClusterWorkers(transport, "tcp://here:1", "run", told.append, patience=60.0)
    transport._present = {"tcp://pc1:1", "tcp://pc1:2"}
    workers.update()
    assert workers.addresses == ["tcp://pc1:1"] and "as many workers already" in told[-1]

    transport._present = {"tcp://pc1:2"}
    workers.update()

    assert workers.addresses == ["tcp://pc1:2"]


def test_a_worker_that_says_several_times_that_it_has_forgotten_the_run_begins_anew_once(workers, transport):
    given = time.monotonic()
    for _ in range(WINDOW):
        workers.rejoin("tcp://pc1:1", given)

    assert transport.asked.count(("tcp://pc1:1", start_session)) == 2
