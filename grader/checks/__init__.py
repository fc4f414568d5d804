"""Check a player before it is submitted: whether it loads, follows the rules, stays within its time, and wins.

from grader.checks import check

def test_my_player_is_ready():
    check("solution.py", budget=20).assert_ready()
"""

import math
from dataclasses import replace
from pathlib import Path

from grader.checks.budget import Budget
from grader.checks.checking import Checking
from grader.checks.conclusion import Conclusion
from grader.checks.subject import CheckRequest, find_subject
from grader.competition.records import check_number
from grader.engine.local import physical_cores
from grader.errors import OptionError
from grader.games.exam import Mark, Verdict
from grader.language import say, system_language
from grader.sandbox.isolation import Level
from grader.sandbox.scratch import Scratch, sweep

__all__ = ["DEFAULT_BUDGET", "Conclusion", "Mark", "Verdict", "check"]

DEFAULT_BUDGET = 60.0
"""How long a check may take by default, in seconds."""


def check(
    path: str | Path,
    assignment: str | Path | None = None,
    *,
    game: str | None = None,
    budget: float = DEFAULT_BUDGET,
    full: bool = False,
    jobs: int | None = None,
    seed: int | None = None,
    isolation: str | None = None,
) -> Conclusion:
    """Check the player in a file, a folder or a zip, for at most about `budget` seconds.

    `assignment` is the course's YAML file; the default is the `assignment.yaml` next to the player, else the one in the
    working folder, else the built-in one.
    `full` plays all games of the assignment, however long it takes. Messages are in the assignment's language, else in
    the system's.
    """
    check_number("seed", seed, 0, 2**32 - 1)
    check_number("jobs", jobs, 1, 10_000)
    check_number("budget", math.floor(budget), 1, 1_000_000)
    if isolation is not None and isolation.upper() not in Level.__members__:
        known = ", ".join(str(level) for level in Level)
        raise OptionError(
            say("isolation: unknown level {name}: choose from {known}", name=repr(isolation), known=known)
        )
    sweep()
    request = CheckRequest(
        path=Path(path),
        assignment_file=Path(assignment) if assignment else None,
        game=game,
        seed=seed,
        level=Level[isolation.upper()] if isolation else None,
    )
    time = Budget(None if full else budget)
    with Scratch() as scratch:
        checking = Checking(find_subject(request, Path(scratch.folder, "submission")), time)
        if checking.check_moves():
            if full:
                checking.play_everything(Path(scratch.folder, "results"), jobs or physical_cores())
            else:
                checking.play_first_games()
            checking.check_totals()
        language = checking.subject.assignment.language or system_language()
        return replace(checking.conclusion(), language=language)
