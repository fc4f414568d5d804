"""kill -9 a hundred times at random moments: the effect on the grades, and what is left behind."""

import ctypes
import importlib.util
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tabulate import tabulate

from tests.faults import disturbed

KILLS = 20
"""The number of kills of each kind of process."""
PER_CLASS = 4
"""The number of kills while one class is graded."""
_PR_SET_CHILD_SUBREAPER = 36


def report() -> str:
    """A table with a line for each kind of process killed."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # so that processes that outlive a run are found
    kinds: dict[str, Callable[[Path, random.Random], disturbed.Ending]] = {
        "a player": _local(disturbed.players),
        "a template of players": _local(disturbed.templates),
        "the process that keeps a player": _local(disturbed.keepers),
        "a worker of the pool": _local(disturbed.pool_workers),
        "the grader": _local(disturbed.itself),
    }
    if importlib.util.find_spec("distributed"):
        from tests.faults.cluster import scheduler_killed, worker_killed

        kinds |= {"a Dask worker": worker_killed, "the Dask scheduler": scheduler_killed}
    else:
        print("dask is not installed, so its processes are not tested. Install the extra [cluster].", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        calm = disturbed.undisturbed(Path(folder))
        rows = [_row(name, kill, calm, Path(folder)) for name, kill in kinds.items()]
    headers = ["killed", "kills", "classes", "commands", "grades the same", "games missing or too many", "left behind"]
    return tabulate(rows, headers)


def _local(victims: disturbed.Victims) -> Callable[[Path, random.Random], disturbed.Ending]:
    return lambda at, chance: disturbed.graded_while_killing(at, victims, chance, kills=PER_CLASS)


def _row(
    name: str, kill: Callable[[Path, random.Random], disturbed.Ending], calm: bytes, folder: Path
) -> list[str | int]:
    chance = random.Random(name)
    endings: list[disturbed.Ending] = []
    while sum(ending.kills for ending in endings) < KILLS:
        at = folder / f"{name.replace(' ', '_')}{len(endings)}"
        disturbed.class_in(at / "submissions")
        endings.append(kill(at, chance))
    return [
        name,
        sum(ending.kills for ending in endings),
        len(endings),
        sum(ending.runs for ending in endings),
        f"{sum(ending.results == calm for ending in endings)} of {len(endings)}",
        sum(abs(ending.games - disturbed.GAMES) for ending in endings),
        sum(len(ending.left) + len(ending.scratch) for ending in endings),
    ]
