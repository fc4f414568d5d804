"""Check which workers may play, assign each of them a core, and create the messages about those that may not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from grader.language import Message, say
from grader.sandbox.isolation import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A worker that may play."""

    address: str
    host: str
    machine: str
    """The same for all workers that share their cores."""
    core: int
    level: Level

    @property
    def name(self) -> Message:
        """Its name in messages."""
        return worker_label(self.address, self.host)


class WorkerRegistry:
    """The workers of a run that may play."""

    def __init__(self, versions: Mapping[str, Any]) -> None:
        self._versions = versions
        self._workers: dict[str, Worker] = {}

    @property
    def addresses(self) -> list[str]:
        """The addresses of all workers, in the order in which they were registered."""
        return list(self._workers)

    @property
    def workers(self) -> list[Worker]:
        """All workers, in the same order."""
        return list(self._workers.values())

    def weakest_worker(self) -> Worker:
        """A worker with the lowest isolation level."""
        return min(self._workers.values(), key=lambda worker: worker.level)

    def by_level(self) -> dict[Level, list[Worker]]:
        """All workers by isolation level, the highest first."""
        levels = sorted({worker.level for worker in self._workers.values()}, reverse=True)
        return {level: [worker for worker in self._workers.values() if worker.level == level] for level in levels}

    def register(self, address: str, facts: Mapping[str, Any], least: Level) -> Worker | Message:
        """Register a worker by the facts it reports, or return why it cannot play. `least` is the required isolation level."""
        problems = list(self._differences(facts))
        if any(facts.get(what) != self._versions[what] for what in ("grader", "rules", "code")):
            return join_messages(problems)  # its facts may be incomplete or mean something else
        problems += _shortcomings(facts, least)
        free = self.free_cores(facts)
        if not free:
            problems.append(
                say(
                    "its machine has {n} core, which another worker already uses: start one worker per core",
                    "its machine has {n} cores, all of which other workers already use: start one worker per core",
                    n=len(facts["cores"]),
                )
            )
        if problems:
            return join_messages(problems)
        worker = Worker(
            address=address, host=facts["host"], machine=facts["machine"], core=free[0], level=Level[facts["level"]]
        )
        self._workers[address] = worker
        return worker

    def free_cores(self, facts: Mapping[str, Any]) -> list[int]:
        """The cores of a worker's machine without a worker. A worker with another grader may not report its cores."""
        taken = {worker.core for worker in self._workers.values() if worker.machine == facts.get("machine")}
        return [core for core in facts.get("cores", ()) if core not in taken]

    def remove(self, address: str) -> Worker | None:
        """Remove a worker. Returns it, if it was registered."""
        return self._workers.pop(address, None)

    def _differences(self, facts: Mapping[str, Any]) -> Iterator[Message]:
        """How the worker's versions differ from ours; for the grader itself, only the most obvious difference."""
        here, there = (
            {what: str(versions.get(what, "?")) for what in self._versions} for versions in (self._versions, facts)
        )
        if there["python"] != here["python"]:
            yield python_mismatch(there["python"], here["python"])
        if there["grader"] != here["grader"]:
            yield say("it has grader {there}, but this machine has {here}", there=there["grader"], here=here["grader"])
        elif there["rules"] != here["rules"]:
            yield say(
                "it uses version {there} of the rules, but this machine uses {here}",
                there=there["rules"],
                here=here["rules"],
            )
        elif there["code"] != here["code"]:
            yield say("its grader has the same version as this machine's, but different code")
        elif there["references"] != here["references"]:
            yield say("its reference players differ from this machine's")


def python_mismatch(there: str, here: str) -> Message:
    """The problem of a worker that runs another Python version."""
    return say("it runs Python {there}, but this machine runs {here}", there=there, here=here)


def join_messages(messages: Sequence[Message]) -> Message:
    """Join messages into one, separated by semicolons."""
    return reduce(lambda some, other: say("{some}; {other}", some=some, other=other), messages)


def worker_label(address: str, host: str | None = None) -> Message:
    """A worker's name in messages. `host` is None until the worker has reported it."""
    if host is None:
        return say("worker {address}", address=address)
    return say("worker {address} on {host}", address=address, host=host)


def _shortcomings(facts: Mapping[str, Any], least: Level) -> Iterator[Message]:
    """Why a worker with the right versions could not play fairly."""
    if facts["threads"] != 1:
        yield say(
            "it has {threads} threads and would play that many games on one core: start it with --nthreads 1, use "
            "--nworkers to get one worker per core, and set DASK_DISTRIBUTED__WORKER__DAEMON=False in its environment",
            threads=facts["threads"],
        )
    elif facts["daemon"]:
        yield say(
            "it was started as a daemon, which cannot start processes: set DASK_DISTRIBUTED__WORKER__DAEMON=False in its "
            "environment"
        )
    if Level[facts["level"]] < least:
        yield say(
            "its isolation level is {level}, but this run is played at {least}",
            level=str(Level[facts["level"]]),
            least=str(least),
        )


def no_workers(name: str) -> Message:
    """The scheduler has no workers."""
    if "://" not in name:  # workers that were started for the run cannot be joined by others
        return say(
            "{cluster}: no worker has joined, or all have left. Finished games are saved: run the same command to resume.",
            cluster=name,
        )
    return say(
        "{cluster}: the scheduler has no workers. Start some with `DASK_DISTRIBUTED__WORKER__DAEMON=False dask worker {cluster} "
        "--nthreads 1 --nworkers N` on other machines, then run the same command again.",
        cluster=name,
    )


def still_no_workers(name: str) -> Message:
    """The queued jobs have started no workers yet."""
    return say(
        "{cluster}: still no workers. `squeue --me` shows whether the jobs are waiting or end at once; their output is in the files "
        "slurm-*.out in this folder. Press Ctrl-C to stop waiting.",
        cluster=name,
    )


def no_fit_workers(name: str) -> Message:
    """The scheduler has workers, but none that can play, and their problems have been reported."""
    return say(
        "{cluster}: the scheduler has workers, but none of them can play. Fix the problems above, then run the same command again.",
        cluster=name,
    )


def no_fit_workers_yet(name: str) -> Message:
    """The scheduler has workers, but some that have just joined are not checked yet."""
    return say(
        "{cluster}: the scheduler has workers, but none is ready yet; some have just joined. Run the same command again.",
        cluster=name,
    )


def unfit_workers(name: str, problems: list[tuple[Message, Message]]) -> Message:
    """Some of the first workers of a run cannot play."""
    (worker, problem), *others = problems
    if not others:
        return say(
            "{cluster}: {worker} cannot play: {problem}. Fix or stop it, then run the same command again.",
            cluster=name,
            worker=worker,
            problem=problem,
        )
    return say(
        "{cluster}: {worker} cannot play: {problem}. Neither can {n} other: {names}. Fix or stop them, then run the same command "
        "again.",
        "{cluster}: {worker} cannot play: {problem}. Neither can {n} others: {names}. Fix or stop them, then run the same command "
        "again.",
        cluster=name,
        worker=worker,
        problem=problem,
        n=len(others),
        names=join_messages([other for other, _ in others]),
    )
