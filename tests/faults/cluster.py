"""Grade a class on a cluster while its workers or its scheduler are killed."""

import random
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from tests.engine.cluster.machines import Lab
from tests.faults import disturbed
from tests.sandbox.seats import our_processes, scratch_folders

KILLS = 4
WORKERS = 2


def worker_killed(at: Path, chance: random.Random, kills: int = KILLS) -> disturbed.Ending:
    """Grade while workers are killed and replaced by others."""
    before = our_processes()
    with ExitStack() as stack:
        lab = Lab(at / "lab", stack)
        workers = [lab.worker() for _ in range(WORKERS)]

        def victims(_: int) -> list[int]:
            living = [worker.process.pid for worker in workers if worker.process.poll() is None]
            if len(living) < WORKERS:
                workers.append(lab.worker())
            return living

        ending = disturbed.graded_while_killing(
            at, victims, chance, kills=kills, options=lambda: ("--cluster", lab.address), alone=False
        )
    return _with_labs_left(ending, at, before)


def scheduler_killed(at: Path, chance: random.Random, kills: int = KILLS) -> disturbed.Ending:
    """Grade while the scheduler is killed, which ends the command; the next command resumes with another scheduler."""
    before = our_processes()
    with ExitStack() as stack:
        labs: list[Lab] = []

        def options() -> tuple[str, str]:
            if not labs or labs[-1].scheduler.poll() is not None:
                labs.append(Lab(at / f"lab{len(labs)}", stack))
                for _ in range(WORKERS):
                    labs[-1].worker()
            return "--cluster", labs[-1].address

        def victims(_: int) -> list[int]:
            return [labs[-1].scheduler.pid] if labs[-1].scheduler.poll() is None else []

        ending = disturbed.graded_while_killing(at, victims, chance, kills=kills, options=options, alone=False)
    return _with_labs_left(ending, at, before)


def _with_labs_left(ending: disturbed.Ending, at: Path, before: set[int]) -> disturbed.Ending:
    """The ending, with the processes and the workers' folders that are left after everything was ended."""
    left = frozenset(disturbed.outliving(before))
    folders = frozenset(folder for lab in at.glob("lab*") for folder in scratch_folders(lab))
    return replace(ending, left=left, scratch=ending.scratch | folders)
