"""What a run says when there is nobody to play."""

from concurrent.futures import Future
from typing import Any

import pytest

pytest.importorskip("distributed")

from grader.engine.cluster.crew import Crew
from grader.engine.cluster.line import ClusterError


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
    ("present", "said"),
    [
        pytest.param(
            [], "no workers. Start some with `DASK_DISTRIBUTED__WORKER__DAEMON=False dask worker", id="nobody"
        ),
        pytest.param(["tcp://pc1:1"], "has workers, and none that can play. What is wrong", id="nobody who answers"),
    ],
)
def test_when_it_has_been_waited_for_long_enough_the_reason_is_said(present, said):
    with pytest.raises(ClusterError, match=said):
        Crew(Scripted(*present), "tcp://here:1", "run", print, patience=0.0)  # type: ignore[arg-type]  # a double
