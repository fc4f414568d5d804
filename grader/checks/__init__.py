"""What a student asks before handing in: whether the player loads, plays by the rules, keeps to its time, and wins.

from grader.checks import check

def test_my_player_is_ready():
    check("solution.py", budget=20).assert_ready()
"""

from dataclasses import replace
from pathlib import Path

from grader.checks.budget import Budget
from grader.checks.checking import Checking
from grader.checks.conclusion import Conclusion
from grader.checks.subject import CheckRequest, find_subject
from grader.games.exam import Mark, Verdict
from grader.language import system_language
from grader.sandbox.scratch import Scratch

__all__ = ["DEFAULT_BUDGET", "Conclusion", "Mark", "Verdict", "check"]

DEFAULT_BUDGET = 60.0
"""How many seconds a check may take by default."""


def check(
    path: str | Path, assignment: str | Path | None = None, *, game: str | None = None, budget: float = DEFAULT_BUDGET
) -> Conclusion:
    """Check the player in a file, a folder or a zip, for at most about `budget` seconds.

    `assignment` is the course's YAML file; left out, it is an `assignment.yaml` beside the player, else the built-in one.
    What is to be mended is said in its language, else in that of the locale.
    """
    request = CheckRequest(path=Path(path), assignment_file=Path(assignment) if assignment else None, game=game)
    time = Budget(budget)
    with Scratch() as scratch:
        checking = Checking(find_subject(request, Path(scratch.folder, "submission")), time)
        if checking.look_and_ask():
            checking.play_first_games()
        spoken = checking.subject.assignment.language or system_language()
        return replace(checking.conclusion(), language=spoken)
