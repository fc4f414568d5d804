"""What commands are told that play with a whole class: whose players, by which assignment, where, and where results go."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.language import Language, Message, say

if TYPE_CHECKING:
    from grader.cli.progress import Watcher
    from grader.engine.base import Engine

Command = Callable[..., Any]


def class_options(folder: str) -> Callable[[Command], Command]:
    """Give a command PATH and the options of a class; it is called with a `Request` and the cluster that was named.

    `folder` is where results go if nothing is said.
    """
    options = (
        click.argument("path", type=click.Path(exists=True, path_type=Path)),
        click.option("-c", "--assignment", type=click.Path(exists=True, dir_okay=False, path_type=Path)),
        click.option(
            "-o",
            "--output",
            type=click.Path(file_okay=False, path_type=Path),
            default=Path(folder),
            show_default=True,
        ),
        click.option("-j", "--jobs", type=click.IntRange(1), help="Games at a time; the number of cores if not given."),
        click.option(
            "--cluster",
            metavar="WHERE",
            help="Play on other machines: tcp://HOST:PORT of a Dask scheduler, local:N or slurm:FILE.",
        ),
        click.option("--game", metavar="GAME", help="Treat all submissions as this game: a name, or a file."),
        click.option(
            "--only", multiple=True, metavar="ID", help="Take only this submission; can be given several times."
        ),
        click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Override the assignment's seed."),
    )

    def decorate(command: Command) -> Command:
        decorated = _with_request(command)
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def engine_at(cluster: str | None, workers: int, watch: "Watcher", speak: Language) -> "AbstractContextManager[Engine]":
    """The cluster to play on, or else this machine."""
    from grader.engine.local import LocalEngine

    if cluster is None:
        return nullcontext(LocalEngine(workers))
    from grader.engine.cluster.connect import cluster_at

    def tell(message: Message) -> None:
        watch.close()  # a bar would draw over what is said
        click.echo(speak(message), err=True)

    return cluster_at(cluster, tell)


def _with_request(command: Command) -> Command:
    @wraps(command)
    def with_request(
        *,
        path: Path,
        assignment: Path | None,
        output: Path,
        jobs: int | None,
        cluster: str | None,
        game: str | None,
        only: tuple[str, ...],
        seed: int | None,
        **others: Any,
    ) -> Any:
        from grader.workflow import make_request

        if cluster is not None and jobs is not None:
            raise click.UsageError(
                say("--jobs is for this machine alone: a cluster plays a game at a time on each worker")
            )
        request = make_request(path, output, assignment, game=game, only=only, seed=seed, jobs=jobs)
        return command(request=request, cluster=cluster, **others)

    return with_request
