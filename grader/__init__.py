"""An autograder for courses in which students write game-playing agents.

`run`, `tournament`, `check`, `report`, `verify` and `regrade` do what the commands with these names do. Use `Game`,
`Outcome`, `State` and `Player` to write your own game and its players. The other names are the records that are returned.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.api import regrade, report, run, tournament, verify
    from grader.assignment import Assignment
    from grader.checks import Conclusion, check
    from grader.competition.comparison import GradeChange
    from grader.competition.grades import RunResult
    from grader.competition.progress import Progress
    from grader.competition.records import Competition, Entrant
    from grader.competition.tournament import TournamentResult
    from grader.errors import GraderError
    from grader.fixtures import Fixture, Match
    from grader.games import Game, State
    from grader.games.exam import Mark, Verdict
    from grader.intake.submission import Submission
    from grader.player import Player
    from grader.records import Fault, Finding, MatchRecord, Outcome
    from grader.results.regrade import Regrading
    from grader.results.verify import Doubt, Verification
    from grader.scoring.points import Grade, Part
    from grader.scoring.ratings import Rating
    from grader.scoring.standings import Competitor, Standing, Standings

__version__ = "0.2.0"
__all__ = [
    "Assignment",
    "Competition",
    "Competitor",
    "Conclusion",
    "Doubt",
    "Entrant",
    "Fault",
    "Finding",
    "Fixture",
    "Game",
    "Grade",
    "GradeChange",
    "GraderError",
    "Mark",
    "Match",
    "MatchRecord",
    "Outcome",
    "Part",
    "Player",
    "Progress",
    "Rating",
    "Regrading",
    "RunResult",
    "Standing",
    "Standings",
    "State",
    "Submission",
    "TournamentResult",
    "Verdict",
    "Verification",
    "__version__",
    "check",
    "regrade",
    "report",
    "run",
    "tournament",
    "verify",
]

_MODULES = {
    "grader.api": ("regrade", "report", "run", "tournament", "verify"),
    "grader.assignment": ("Assignment",),
    "grader.checks": ("Conclusion", "check"),
    "grader.competition.comparison": ("GradeChange",),
    "grader.competition.grades": ("RunResult",),
    "grader.competition.progress": ("Progress",),
    "grader.competition.records": ("Competition", "Entrant"),
    "grader.competition.tournament": ("TournamentResult",),
    "grader.errors": ("GraderError",),
    "grader.fixtures": ("Fixture", "Match"),
    "grader.games": ("Game", "State"),
    "grader.games.exam": ("Mark", "Verdict"),
    "grader.intake.submission": ("Submission",),
    "grader.player": ("Player",),
    "grader.records": ("Fault", "Finding", "MatchRecord", "Outcome"),
    "grader.results.regrade": ("Regrading",),
    "grader.results.verify": ("Doubt", "Verification"),
    "grader.scoring.points": ("Grade", "Part"),
    "grader.scoring.ratings": ("Rating",),
    "grader.scoring.standings": ("Competitor", "Standing", "Standings"),
}


if not TYPE_CHECKING:  # so that type checkers report unknown names

    def __getattr__(name: str) -> Any:
        """Import a public name on first use: every player's process imports this module and needs none of them."""
        for module, names in _MODULES.items():
            if name in names:
                from importlib import import_module

                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def __dir__() -> list[str]:
    """The public names, for completion and help."""
    return __all__
