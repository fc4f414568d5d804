"""What a run says when there is nobody to play."""

from concurrent.futures import Future
from typing import Any

import pytest

pytest.importorskip("distributed")

from grader.engine.cluster import crew
from grader.engine.cluster.crew import Crew
from grader.engine.cluster.line import ClusterError
from grader.language import Message


class Scripted:
    """A line to workers that never answer."""

    def __init__(self, *present: str) -> None:
        self._present = set(present)

    def present(self) -> set[str]:
        return self._present

    def begin(self, *_: Any) -> "Future[Any]":
        return Future()

    def ask(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {}


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
