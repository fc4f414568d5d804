"""Call functions on workers through dask: each worker is asked separately, so that a frozen one does not block the others."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import CancelledError, Future, wait
from typing import Any

from distributed import Client
from distributed import TimeoutError as DaskTimeoutError

from grader.engine.base import ClusterError
from grader.language import say

_SCHEDULER_TIMEOUT = 30.0
"""Seconds within which the scheduler has to list its workers. It may be busy."""

GONE = (OSError, DaskTimeoutError, RuntimeError, AttributeError)
"""What dask's client raises when the scheduler is lost: first about the connection, then that it is closed or has none."""

PendingAnswer = Future[Any]
"""The answer of a worker or the scheduler, once there is one."""


class NoAnswer(Exception):
    """A worker has not answered in time: it is frozen or very slow."""


class Transport:
    """Calls functions on workers through dask's client. Raises `ClusterError` when the scheduler is lost."""

    def __init__(self, client: Client, name: str) -> None:
        self._client, self._name = client, name
        self._last_seen: dict[str, tuple[float, float]] = {}
        """When the scheduler last heard from each worker, by its clock, and when this was noticed here, by ours."""

    def known_workers(self) -> set[str]:
        """The addresses of all workers of the scheduler."""
        pending = self._run_in_loop(lambda: self._client.scheduler.identity())
        wait([pending], _SCHEDULER_TIMEOUT)
        answer = self.answer(pending)
        if isinstance(answer, NoAnswer):
            raise self._scheduler_lost_error()
        before, now = self._last_seen, time.monotonic()
        heard = {address: worker["last_seen"] for address, worker in answer["workers"].items()}
        self._last_seen = {
            address: before[address] if address in before and before[address][0] == at else (at, now)
            for address, at in heard.items()
        }
        return set(heard)

    def silent_workers(self, seconds: float) -> set[str]:
        """The known workers from which the scheduler has not heard for this many seconds."""
        now = time.monotonic()
        return {address for address, (_, noticed) in self._last_seen.items() if now - noticed > seconds}

    def ask(
        self, what: Callable[..., Any], *arguments: Any, workers: Collection[str], seconds: float
    ) -> dict[str, Any]:
        """Call a function on workers and wait. Returns each worker's answer, or the exception it raised."""
        all_pending = {address: self.start(address, what, *arguments) for address in sorted(workers)}
        wait(all_pending.values(), seconds)
        return {address: self.answer(pending) for address, pending in all_pending.items()}

    def start(self, address: str, what: Callable[..., Any], *arguments: Any) -> PendingAnswer:
        """Call a function on one worker without waiting for the answer."""

        async def run() -> Any:
            return (await self._client.run(what, *arguments, workers=[address], on_error="return"))[address]

        return self._run_in_loop(run)

    def answer(self, pending: PendingAnswer) -> Any:
        """The answer if there is one; else cancel the call and return `NoAnswer`."""
        if pending.cancel():
            return NoAnswer()
        try:
            return pending.result()
        except (*GONE, CancelledError) as error:
            raise self._scheduler_lost_error() from error

    def _run_in_loop(self, call: Callable[[], Awaitable[Any]]) -> PendingAnswer:
        async def await_call() -> Any:
            return await call()  # awaited here: called in its own loop, dask's client does not wait itself

        return asyncio.run_coroutine_threadsafe(await_call(), self._client.loop.asyncio_loop)

    def _scheduler_lost_error(self) -> ClusterError:
        return ClusterError(
            say(
                "{cluster}: the scheduler has stopped responding. Finished games are saved: start it and the workers again, then "
                "run the same command to resume.",
                cluster=self._name,
            )
        )


def is_lost(answer: Exception) -> bool:
    """Whether an exception means that the worker is gone or frozen, rather than that something failed there.

    A lost connection is an `OSError` without a number; an `OSError` raised on the worker has one.
    """
    return isinstance(answer, NoAnswer) or (isinstance(answer, OSError) and answer.errno is None)
