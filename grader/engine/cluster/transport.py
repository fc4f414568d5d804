"""The line to a scheduler and its workers: each is asked by itself and has its time, so that a frozen one stops nobody else."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import CancelledError, Future, wait
from typing import Any

from distributed import Client
from distributed import TimeoutError as DaskTimeoutError

from grader.errors import GraderError
from grader.language import say

_KNOWS = 30.0
"""Seconds within which the scheduler has to say whom it knows. It may be busy."""

GONE = (OSError, DaskTimeoutError, RuntimeError, AttributeError)
"""What dask's client raises when the scheduler is gone: at first that, then that it is closed, then that it has none."""

Question = Future[Any]
"""What somebody was asked, and the answer as soon as there is one."""


class ClusterError(GraderError):
    """The cluster cannot be reached, or has gone."""


class NoAnswer(Exception):
    """A worker has not answered in time: it is frozen, or very slow."""


class Line:
    """Asks questions through dask's client. Raises `ClusterError` when the scheduler is gone."""

    def __init__(self, client: Client, name: str) -> None:
        self._client, self._name = client, name
        self._heard: dict[str, tuple[float, float]] = {}
        """When the scheduler has heard of each worker last, by its clock, and when that was noticed here, by ours."""

    def present(self) -> set[str]:
        """The addresses of all workers that the scheduler knows."""
        question = self._begin(lambda: self._client.scheduler.identity())
        wait([question], _KNOWS)
        answer = self.answer(question)
        if isinstance(answer, NoAnswer):
            raise self._gone()
        before, now = self._heard, time.monotonic()
        heard = {address: worker["last_seen"] for address, worker in answer["workers"].items()}
        self._heard = {
            address: before[address] if address in before and before[address][0] == at else (at, now)
            for address, at in heard.items()
        }
        return set(heard)

    def silent(self, seconds: float) -> set[str]:
        """Those of them of which the scheduler has not heard for so long."""
        now = time.monotonic()
        return {address for address, (_, noticed) in self._heard.items() if now - noticed > seconds}

    def ask(
        self, what: Callable[..., Any], *arguments: Any, workers: Collection[str], seconds: float
    ) -> dict[str, Any]:
        """Call a function on workers. Returns what each said, or the exception that kept it from it."""
        questions = {address: self.begin(address, what, *arguments) for address in sorted(workers)}
        wait(questions.values(), seconds)
        return {address: self.answer(question) for address, question in questions.items()}

    def begin(self, address: str, what: Callable[..., Any], *arguments: Any) -> Question:
        """Ask one worker, without waiting for what it says."""

        async def asked() -> Any:
            return (await self._client.run(what, *arguments, workers=[address], on_error="return"))[address]

        return self._begin(asked)

    def answer(self, question: Question) -> Any:
        """What came of it, or `NoAnswer` if nothing has: then it is not waited for any more."""
        if question.cancel():
            return NoAnswer()
        try:
            return question.result()
        except (*GONE, CancelledError) as error:
            raise self._gone() from error

    def _begin(self, call: Callable[[], Awaitable[Any]]) -> Question:
        async def called() -> Any:
            return await call()  # here: what dask's client is asked for in its own loop, it does not wait for

        return asyncio.run_coroutine_threadsafe(called(), self._client.loop.asyncio_loop)

    def _gone(self) -> ClusterError:
        return ClusterError(
            say(
                "{cluster}: the scheduler does not answer any more. What was played is kept: start it and the workers again, and "
                "the same command goes on from here.",
                cluster=self._name,
            )
        )


def lost(answer: Exception) -> bool:
    """Whether it says that a worker is gone or frozen, and not what went wrong there: that has a number, or is something else."""
    return isinstance(answer, NoAnswer) or (isinstance(answer, OSError) and answer.errno is None)
