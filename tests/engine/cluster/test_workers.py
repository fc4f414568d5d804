"""Whom a run takes in, has play and sends something, and what it says when there is nobody to play."""

import time
from concurrent.futures import Future
from typing import Any

import pytest

pytest.importorskip("distributed")

from grader.engine.cluster import workers as crew
from grader.engine.cluster.engine import WINDOW
from grader.engine.cluster.packages import Parcels
from grader.engine.cluster.transport import ClusterError
from grader.engine.cluster.worker import enrol, introduce, receive, versions
from grader.engine.cluster.workers import Crew
from grader.language import Message


class Scripted:
    """A line to workers that never answer."""

    def __init__(self, *present: str) -> None:
        self._present = set(present)
        self.asked: list[tuple[str, Any]] = []

    def present(self) -> set[str]:
        return self._present

    def begin(self, address: str, what: Any, *_: Any) -> "Future[Any]":
        self.asked.append((address, what))
        return Future()

    def ask(self, what: Any, *_: Any, workers: list[str], **__: Any) -> dict[str, Any]:
        self.asked += ((address, what) for address in workers)
        return dict.fromkeys(workers)


class Fit(Scripted):
    """A line to workers that can play, and to which parcels come when the test has them come."""

    parcel: "Future[Any]"
    """The one that was sent last."""

    def begin(self, address: str, what: Any, *_: Any) -> "Future[Any]":
        question = super().begin(address, what)
        if what is introduce:
            question.set_result(self._facts(address))
        else:
            self.parcel = question
        return question

    def ask(self, what: Any, *_: Any, workers: list[str], **__: Any) -> dict[str, Any]:
        answers = super().ask(what, workers=workers)
        return {address: self._facts(address) for address in workers} if what is introduce else answers

    def answer(self, question: "Future[Any]") -> Any:
        return question.result(0)

    def _facts(self, address: str) -> dict[str, Any]:
        said = {"level": "NONE", "host": "pc", "machine": address, "cores": [0], "threads": 1, "daemon": False}
        return {**versions(), **said}


@pytest.fixture
def line():
    return Fit("tcp://pc1:1", "tcp://pc2:1")


@pytest.fixture
def told():
    """What a person has been told."""
    return []


@pytest.fixture
def workers(line, told, monkeypatch):
    monkeypatch.setattr(crew, "_MOMENT", 0.0)
    return Crew(line, "tcp://here:1", "run", told.append, patience=0.0)


@pytest.fixture
def parcels(tmp_path):
    (tmp_path / "d1gest").write_bytes(b"a zip")
    return Parcels(tmp_path)


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
        Crew(Scripted(*present), place, "run", told.append, patience=0.0)  # type: ignore[arg-type]  # a double
    assert not told


def test_when_nobody_answers_in_time_that_is_what_was_said_above(monkeypatch):
    monkeypatch.setattr(crew, "_ANSWERS", -1.0)
    told: list[Message] = []

    with pytest.raises(ClusterError, match="What is wrong with each of them is said above"):
        Crew(Scripted("tcp://pc1:1"), "tcp://here:1", "run", told.append, patience=0.0)  # type: ignore[arg-type]  # a double
    assert [str(message) for message in told] == ["worker tcp://pc1:1 does not answer. It is not used until it does."]


def test_a_worker_is_ready_again_once_what_it_is_sent_has_come(workers, line, parcels):
    workers.send("tcp://pc1:1", "d1gest", parcels, given=0.0)
    meanwhile = workers.ready
    line.parcel.set_result(None)
    workers.look_now_and_then()
    workers.send("tcp://pc1:1", "d1gest", parcels, given=0.0)

    assert meanwhile == ["tcp://pc2:1"]
    assert workers.ready == workers.addresses == ["tcp://pc1:1", "tcp://pc2:1"]
    assert line.asked.count(("tcp://pc1:1", receive)) == 1


def test_a_worker_that_loses_what_it_was_sent_is_named_and_used_no_more(workers, line, parcels, told):
    workers.send("tcp://pc1:1", "d1gest", parcels, given=0.0)
    line.parcel.set_result(None)
    workers.look_now_and_then()
    workers.send("tcp://pc1:1", "d1gest", parcels, given=time.monotonic())

    assert workers.addresses == ["tcp://pc2:1"]
    assert "worker tcp://pc1:1 on pc is not used any more: it has lost a submission that it was sent." in told[-1]


def test_what_was_lost_on_its_way_is_sent_again(workers, line, parcels):
    workers.send("tcp://pc1:1", "d1gest", parcels, given=0.0)
    line.parcel.set_result(OSError("the connection is closed"))
    workers.look_now_and_then()

    assert workers.ready == ["tcp://pc2:1"]
    assert line.asked.count(("tcp://pc1:1", receive)) == 2
    assert line.asked.count(("tcp://pc1:1", enrol)) == 1


def test_a_worker_to_which_something_does_not_come_is_named_and_used_no_more(workers, line, parcels, told, monkeypatch):
    workers.send("tcp://pc1:1", "d1gest", parcels, given=0.0)
    monkeypatch.setattr(crew, "_CARRIES", 0.0)
    workers.look_now_and_then()

    assert workers.addresses == ["tcp://pc2:1"]
    assert line.parcel.cancelled()
    assert "worker tcp://pc1:1 on pc is not used any more: a submission has not come to it within" in told[-1]


def test_a_worker_for_which_there_was_no_core_plays_when_another_is_gone(line, told, monkeypatch):
    monkeypatch.setattr(crew, "_LOOKS", 0.0)
    monkeypatch.setattr(line, "_facts", lambda address: {**Fit._facts(line, address), "machine": "pc"})
    monkeypatch.setattr(line, "silent", lambda _: set(), raising=False)
    line._present = {"tcp://pc1:1"}
    workers = Crew(line, "tcp://here:1", "run", told.append, patience=60.0)
    line._present = {"tcp://pc1:1", "tcp://pc1:2"}
    workers.look()
    assert workers.addresses == ["tcp://pc1:1"] and "as many workers already" in told[-1]

    line._present = {"tcp://pc1:2"}
    workers.look()

    assert workers.addresses == ["tcp://pc1:2"]


def test_a_worker_that_says_several_times_that_it_has_forgotten_the_run_begins_anew_once(workers, line):
    given = time.monotonic()
    for _ in range(WINDOW):
        workers.renew("tcp://pc1:1", given)

    assert line.asked.count(("tcp://pc1:1", enrol)) == 2
