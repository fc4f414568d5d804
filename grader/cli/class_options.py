"""PATH and the options of the commands that play a whole class: `run` and `tournament`."""

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from grader.cli.completion import completer, first_argument
from grader.cli.help import argument, option
from grader.cli.options import (
    EXISTING,
    FILE,
    FOLDER,
    OUTPUT,
    WHAT_TO_PLAY,
    WHERE_TO_RUN,
    Callback,
    accept_isolation_option,
    apply_options,
    game_name_option,
    jobs_option,
    seed_option,
)
from grader.reading.tasks import read_ids
from grader.workflow import make_request


def class_options(
    path: str, folder: str, who: str, kind: Callable[[str], Callable[[Callback], Callback]]
) -> Callable[[Callback], Callback]:
    """Give a command PATH and the options for a class's submissions; it is called with a `Request` and the cluster.

    `path` describes PATH, and `folder` is the default results folder. `who` is the title of the group of options that choose submissions.
    `kind` is the option for what PATH is, `single_option` or `class_option`.
    """
    options = (
        argument("path", path, type=EXISTING),
        option(
            "--only",
            group=who,
            multiple=True,
            metavar="ID",
            shell_complete=completer(_submission_ids),
            help="Use only this submission (can be repeated).",
        ),
        kind(who),
        game_name_option("Treat all submissions as players of this game (a name or a file).", group=who),
        option(
            "-c",
            "--assignment",
            group=WHAT_TO_PLAY,
            type=FILE,
            help="The assignment (default: assignment.yaml in PATH or the working folder, else the built-in ones).",
        ),
        seed_option,
        jobs_option,
        option(
            "--cluster",
            group=WHERE_TO_RUN,
            metavar="WHERE",
            help="Play on a cluster: tls://HOST:PORT (a running Dask scheduler), slurm:FILE, or local:N (N workers on this "
            "machine).",
        ),
        accept_isolation_option,
        option(
            "-o",
            "--output",
            group=OUTPUT,
            type=FOLDER,
            default=Path(folder),
            show_default=True,
            help="The results folder. Run the same command again to resume.",
        ),
    )
    return lambda command: apply_options(options, _with_request(command))


def _with_request(command: Callback) -> Callback:
    @wraps(command)
    def with_request(
        *, path: Path, output: Path, assignment: Path | None, jobs: int | None, cluster: str | None, **others: Any
    ) -> Any:
        choices = {name: others.pop(name) for name in ("game", "only", "seed", "single", "accept_isolation")}
        request = make_request(path, output, assignment, jobs=jobs, cluster=cluster, **choices)
        return command(request=request, cluster=cluster, **others)

    return with_request


def _submission_ids(context: click.Context) -> Iterable[str]:
    """The ids of the submissions in PATH."""
    with TemporaryDirectory() as staging:
        return read_ids(first_argument(context, "path"), Path(staging))
