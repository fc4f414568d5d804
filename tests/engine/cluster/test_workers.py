"""Which workers a run uses, what it sends them, and what it reports when there are none."""

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
    """A transport to workers that can play. A test decides when a package arrives."""

    package: "Future[Any]"
    """The last one that was sent."""

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
        facts = {"level": "NONE", "host": "pc", "machine": address, "cores": [0], "threads": 1, "daemon": False}
        return {**versions(), **facts}


@pytest.fixture
def transport():
    return Fit("tcp://pc1:1", "tcp://pc2:1")


@pytest.fixture
def messages():
    """The messages that have been shown."""
    return []


@pytest.fixture
def workers(transport, messages, monkeypatch):
    monkeypatch.setattr(cluster_workers, "_TRANSFER_WAIT", 0.0)
    return ClusterWorkers(transport, "tcp://here:1", "run", messages.append, patience=0.0)


@pytest.fixture
def packages(tmp_path):
    (tmp_path / "d1gest").write_bytes(b"a zip")
    return Packages(tmp_path)


@pytest.mark.parametrize(
    ("place", "present", "reason"),
    [
        pytest.param(
            "tcp://here:1",
            [],
            "no workers. Start some with `DASK_DISTRIBUTED__WORKER__DAEMON=False dask w",
            id="no workers",
        ),
        pytest.param("local:2", [], "local:2: no worker has joined, or all have left", id="no local workers"),
        pytest.param("tcp://here:1", ["tcp://pc1:1"], "none is ready yet; some have just joined", id="just joined"),
    ],
)
def test_the_reason_for_having_no_workers_is_reported_when_patience_runs_out(place, present, reason):
    messages: list[Message] = []

    with pytest.raises(ClusterError, match=reason):
        ClusterWorkers(Scripted(*present), place, "run", messages.append, patience=0.0)  # type: ignore[arg-type]  # a double
    assert not messages


def test_workers_that_do_not_answer_in_time_are_reported_first(monkeypatch):
    monkeypatch.setattr(cluster_workers, "_ANSWER_TIMEOUT", -1.0)
    messages: list[Message] = []

    with pytest.raises(ClusterError, match="Fix the problems above"):
        ClusterWorkers(Scripted("tcp://pc1:1"), "tcp://here:1", "run", messages.append, patience=0.0)  # type: ignore[arg-type]  # a double
    assert [str(message) for message in messages] == [
        "No answer from worker tcp://pc1:1; it will not be used until it responds."
    ]


def test_a_worker_is_ready_again_once_its_package_has_arrived(workers, transport, packages):
    workers.send_package("tcp://pc1:1", "d1gest", packages, submitted_at=0.0)
    meanwhile = workers.ready
    transport.package.set_result(None)
    workers.poll()
    workers.send_package("tcp://pc1:1", "d1gest", packages, submitted_at=0.0)

    assert meanwhile == ["tcp://pc2:1"]
    assert workers.ready == workers.addresses == ["tcp://pc1:1", "tcp://pc2:1"]
    assert transport.asked.count(("tcp://pc1:1", receive_package)) == 1


def test_a_worker_that_loses_a_package_is_named_and_no_longer_used(workers, transport, packages, messages):
    workers.send_package("tcp://pc1:1", "d1gest", packages, submitted_at=0.0)
    transport.package.set_result(None)
    workers.poll()
    workers.send_package("tcp://pc1:1", "d1gest", packages, submitted_at=time.monotonic())

    assert workers.addresses == ["tcp://pc2:1"]
    assert "No longer using worker tcp://pc1:1 on pc: it has lost a submission that it was sent." in messages[-1]


def test_a_package_that_is_lost_on_the_way_is_sent_again(workers, transport, packages):
    workers.send_package("tcp://pc1:1", "d1gest", packages, submitted_at=0.0)
    transport.package.set_result(OSError("the connection is closed"))
    workers.poll()

    assert workers.ready == ["tcp://pc2:1"]
    assert transport.asked.count(("tcp://pc1:1", receive_package)) == 2
    assert transport.asked.count(("tcp://pc1:1", start_session)) == 1


def test_a_worker_to_which_a_package_takes_too_long_is_named_and_no_longer_used(
    workers, transport, packages, messages, monkeypatch
):
    workers.send_package("tcp://pc1:1", "d1gest", packages, submitted_at=0.0)
    monkeypatch.setattr(cluster_workers, "_TRANSFER_TIMEOUT", 0.0)
    workers.poll()

    assert workers.addresses == ["tcp://pc2:1"]
    assert transport.package.cancelled()
    assert "No longer using worker tcp://pc1:1 on pc: sending it a submission took longer than" in messages[-1]


def test_a_worker_without_a_free_core_plays_when_another_leaves(transport, messages, monkeypatch):
    monkeypatch.setattr(cluster_workers, "_POLL_INTERVAL", 0.0)
    monkeypatch.setattr(transport, "_facts", lambda address: {**Fit._facts(transport, address), "machine": "pc"})
    monkeypatch.setattr(transport, "silent_workers", lambda _: set(), raising=False)
    transport._present = {"tcp://pc1:1"}
    workers = ClusterWorkers(transport, "tcp://here:1", "run", messages.append, patience=60.0)
    transport._present = {"tcp://pc1:1", "tcp://pc1:2"}
    workers.update()
    assert workers.addresses == ["tcp://pc1:1"] and "which another worker already uses" in messages[-1]

    transport._present = {"tcp://pc1:2"}
    workers.update()

    assert workers.addresses == ["tcp://pc1:2"]


def test_a_worker_that_reports_an_unknown_run_several_times_is_registered_again_once(workers, transport):
    submitted_at = time.monotonic()
    for _ in range(WINDOW):
        workers.rejoin("tcp://pc1:1", submitted_at)

    assert transport.asked.count(("tcp://pc1:1", start_session)) == 2
