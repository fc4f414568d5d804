"""What a run says when it ends because nobody can play."""

from grader.engine.cluster.worker_checks import listed
from grader.language import Message, say


def nobody_is_there(name: str) -> Message:
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


def still_nobody(name: str) -> Message:
    """The jobs that were to be started have brought no workers yet."""
    return say(
        "{cluster}: there is still no worker. `squeue --me` shows whether the jobs wait or end at once, and what they say is in the "
        "slurm-*.out of this folder. Ctrl-C ends the waiting.",
        cluster=name,
    )


def nobody_can_play(name: str) -> Message:
    """It has some, and it has been told of each why not."""
    return say(
        "{cluster}: the scheduler has workers, and none that can play. What is wrong with each of them is said above: mend it, and "
        "run the same command again.",
        cluster=name,
    )


def nobody_can_play_yet(name: str) -> Message:
    """It has some, and of one that has just come nothing can be told."""
    return say(
        "{cluster}: the scheduler has workers, and none that could play by now. Some have just come: run the same command again.",
        cluster=name,
    )


def unfit(name: str, problems: list[tuple[Message, Message]]) -> Message:
    """Some of those with which a run was to begin cannot play."""
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
        names=listed([who for who, _ in others]),
    )
