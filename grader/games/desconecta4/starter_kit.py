"""The handout for Desconecta-4 students: the files in `handout/`, and two drawings for the statement."""

from pathlib import Path

from grader.games.base import Game
from grader.games.desconecta4.environment import Environment
from grader.games.handout import Handout

_UP_TO_A_BOOM = (0, 1, 1, 0, 3, 5, 3, 1, 5, 3)
"""Actions after which player 1 can set off a bomb that removes three pieces and makes others fall."""


def handout(_: Game) -> Handout:
    """The handout, which is the same for all options."""
    return Handout(folder=Path(__file__).with_name("handout"), modules=("environment.py",), values=_drawings())


def _drawings() -> dict[str, str]:
    """Drawings of a board with bombs, before and after a BOOM."""
    environment = Environment()
    for action in _UP_TO_A_BOOM:
        environment.apply(action)
    before = str(environment)
    environment.apply(7)
    return {"before": before, "after": str(environment)}
