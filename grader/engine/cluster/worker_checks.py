"""Check which workers may play, assign each of them a core, and word the messages about those that may not."""

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
                    "its machine has {cores} cores, and as many workers already: start one worker a core",
                    cores=len(facts["cores"]),
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
        """How the worker's versions differ from ours; for the grader itself, only the plainest difference."""
        here, there = ({what: str(said.get(what, "?")) for what in self._versions} for said in (self._versions, facts))
        if there["python"] != here["python"]:
            yield python_mismatch(there["python"], here["python"])
        if there["grader"] != here["grader"]:
            yield say(
                "it has grader {there}, and this machine grader {here}", there=there["grader"], here=here["grader"]
            )
        elif there["rules"] != here["rules"]:
            yield say(
                "it plays by version {there} of the rules, and this machine by {here}",
                there=there["rules"],
                here=here["rules"],
            )
        elif there["code"] != here["code"]:
            yield say("its grader has the same version as this machine's, and other code")
        elif there["references"] != here["references"]:
            yield say("its reference players are not those of this machine")


def python_mismatch(there: str, here: str) -> Message:
    """The problem of a worker that runs another Python version."""
    return say("it runs Python {there}, and this machine Python {here}", there=there, here=here)


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
            "it has {threads} threads, and would play as many games on one core: start it with --nthreads 1, and one worker a "
            "core with --nworkers and, in its environment, DASK_DISTRIBUTED__WORKER__DAEMON=False",
            threads=facts["threads"],
        )
    elif facts["daemon"]:
        yield say(
            "it was started as a daemon, which must not start processes: set DASK_DISTRIBUTED__WORKER__DAEMON=False in its "
            "environment"
        )
    if Level[facts["level"]] < least:
        yield say(
            "it offers the isolation level {level}, and this run is played at {least}",
            level=str(Level[facts["level"]]),
            least=str(least),
        )


def no_workers(name: str) -> Message:
    """The scheduler has no workers."""
    if "://" not in name:  # workers that were started for the run cannot be joined by others
        return say(
            "{cluster}: no worker has come, or none is left. What was played is kept: run the same command again.",
            cluster=name,
        )
    return say(
        "{cluster}: the scheduler has no workers. Start some with `DASK_DISTRIBUTED__WORKER__DAEMON=False dask worker {cluster} "
        "--nthreads 1 --nworkers N` on other machines, and run the same command again.",
        cluster=name,
    )


def still_no_workers(name: str) -> Message:
    """The queued jobs have started no workers yet."""
    return say(
        "{cluster}: there is still no worker. `squeue --me` shows whether the jobs wait or end at once, and what they say is in the "
        "slurm-*.out of this folder. Ctrl-C ends the waiting.",
        cluster=name,
    )


def no_fit_workers(name: str) -> Message:
    """The scheduler has workers, and the problem of each has been reported."""
    return say(
        "{cluster}: the scheduler has workers, and none that can play. What is wrong with each of them is said above: mend it, and "
        "run the same command again.",
        cluster=name,
    )


def no_fit_workers_yet(name: str) -> Message:
    """The scheduler has workers, and some that have just joined are not checked yet."""
    return say(
        "{cluster}: the scheduler has workers, and none that could play by now. Some have just come: run the same command again.",
        cluster=name,
    )


def unfit_workers(name: str, problems: list[tuple[Message, Message]]) -> Message:
    """Some of the workers that a run was to start with cannot play."""
    (worker, problem), *others = problems
    if not others:
        return say(
            "{cluster}: {worker} cannot play: {problem}. Mend or stop it, and run it again.",
            cluster=name,
            worker=worker,
            problem=problem,
        )
    if not others[1:]:
        return say(
            "{cluster}: {worker} cannot play: {problem}. Nor can {other}. Mend or stop them, and run it again.",
            cluster=name,
            worker=worker,
            problem=problem,
            other=others[0][0],
        )
    return say(
        "{cluster}: {worker} cannot play: {problem}. Nor can {count} others: {names}. Mend or stop them, and run it again.",
        cluster=name,
        worker=worker,
        problem=problem,
        count=len(others),
        names=join_messages([other for other, _ in others]),
    )
