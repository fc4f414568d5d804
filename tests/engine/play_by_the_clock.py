"""Play a game of `counts_by_the_clock` on a core with a scaled limit, and print what was recorded. Arguments: the core."""

import json
import sys
from statistics import median

from grader.engine.jobs import UnitJob, UnitResult, play_unit
from grader.engine.local import Pool
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.machine import best_level
from tests.sandbox.seats import GAME, HONEST, PLAYERS, seating

LIMIT = 0.6


def main() -> None:
    limits = Limits(time=TimeLimits(move=LIMIT, reference_speed=1.0), isolation=best_level())
    seats = (seating(PLAYERS / "counts_by_the_clock.py"), seating(HONEST, 2))
    jobs = [UnitJob(keys=("key",), seeds=(1,), game=GAME, seatings=(seats,), limits=limits)]
    results: list[UnitResult] = []
    with Pool(1, [int(sys.argv[1])], "spawn") as pool:
        pool.run(play_unit, lambda: jobs.pop() if jobs else None, lambda _, result: results.append(result))  # type: ignore[arg-type]
    found: dict[str, object] = {"unfair": results[0].fault}
    for record in results[0].records:
        nodes = [int(line.split()[1]) for line in record.seats[0].output.splitlines()]
        found |= {"nodes": median(nodes), "speed": record.speed, "scale": record.time_scale, "ending": record.ending}
        found |= {"slowest": max(charge.charged for charge in record.charges_of(0))}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
