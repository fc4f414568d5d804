"""Messages of a run that ends because no worker can play."""

from grader.engine.cluster.worker_checks import join_messages
from grader.language import Message, say


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
