"""What Desconecta-4 students are given: `handout/`, with two drawings for the statement."""

from pathlib import Path

from grader.games.base import Game
from grader.games.desconecta4.environment import Environment
from grader.games.handout import Handout

_UP_TO_A_BOOM = (0, 1, 1, 0, 3, 5, 3, 1, 5, 3)
"""Actions after which player 1 can set off a bomb that takes three pieces, under which others fall."""


def handout(_: Game) -> Handout:
    """The same files for any options."""
    return Handout(folder=Path(__file__).with_name("handout"), modules=("environment.py",), values=_drawings())


def _drawings() -> dict[str, str]:
    """A board with bombs, and the same after a BOOM."""
    environment = Environment()
    for action in _UP_TO_A_BOOM:
        environment.apply(action)
    before = str(environment)
    environment.apply(7)
    return {"before": before, "after": str(environment)}
