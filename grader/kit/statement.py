"""The statement of an assignment: the rules with an example, the limits and the points, as a document for students."""

from pathlib import Path
from typing import Any

from jinja2 import Environment as Templates
from jinja2 import FileSystemLoader, StrictUndefined

from grader.assignment import Assignment
from grader.games.desconecta4.environment import Environment
from grader.games.hex.board import HexBoard
from grader.games.hex.grid import hex_grid

_WON = {1: ((2, 0), (2, 1), (1, 2), (1, 3), (1, 4)), 2: ((0, 1), (2, 2), (3, 1), (3, 3))}
"""A won game of Hex on 5×5, in either adjacency: player 1's stones and player 2's."""
_UP_TO_A_BOOM = (0, 1, 1, 0, 3, 5, 3, 1, 5, 3)
"""Actions after which player 1 can set off a bomb that takes three pieces, under which others fall."""


def statement(assignment: Assignment, folder: Path, template: str) -> str:
    """The document that a template of that folder makes of an assignment."""
    templates = Templates(  # noqa: S701  Markdown, filled by the course itself
        loader=FileSystemLoader(folder), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = templates.get_template(template).render(_values(assignment))
    lines = text.rstrip().split("\n")
    kept = [line for at, line in enumerate(lines) if line or lines[at - 1]]  # a part left out leaves no gap
    return "\n".join(kept) + "\n"


def _values(assignment: Assignment) -> dict[str, Any]:
    hidden = [opponent for opponent in assignment.opponents if opponent.hidden]
    return {
        "title": assignment.title,
        "time": assignment.time,
        "overrun": assignment.overrun,
        "memory_mb": assignment.limits.memory_mb,
        "scratch_mb": assignment.limits.scratch_mb,
        "forbidden": assignment.forbidden,
        "forbidden_imports": assignment.forbidden_imports,
        "learns": assignment.lifetime == "pairing",
        "ladder": assignment.scoring == "ladder",
        "speed_share": assignment.speed_share,
        "opponents": [opponent for opponent in assignment.opponents if not opponent.hidden],
        "thresholds": any(opponent.threshold for opponent in assignment.opponents),
        "hidden": len(hidden),
        "hidden_games": sum(opponent.games for opponent in hidden),
        "hidden_points": sum(opponent.points for opponent in hidden),
        "hidden_disqualify": any(opponent.disqualify_on_loss for opponent in hidden),
        "odd": any(opponent.games % 2 for opponent in assignment.opponents),
        "late": assignment.late,
        "seconds": lambda seconds: f"{seconds:g} s",
        **assignment.options,
        **(_hex_drawings(assignment.options["adjacency"]) if assignment.game == "hex" else _boom_drawings()),
    }


def _hex_drawings(adjacency: str) -> dict[str, str]:
    """A won game, and a cell with its neighbours."""
    won = HexBoard(5, adjacency)
    for player, cells in _WON.items():
        for row, col in cells:
            won.place_piece(row, col, player)
    assert won.check_connection(1)
    grid = hex_grid(5, adjacency)
    middle = grid.bits[2][2]
    around = HexBoard.from_stones(grid, middle, grid.spread(middle) & ~middle)
    return {"won": str(won), "neighbours": str(around)}


def _boom_drawings() -> dict[str, str]:
    """A board with bombs, and the same after a BOOM."""
    environment = Environment()
    for action in _UP_TO_A_BOOM:
        environment.apply(action)
    before = str(environment)
    environment.apply(7)
    return {"before": before, "after": str(environment)}
