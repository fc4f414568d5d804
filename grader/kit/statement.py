"""Render the statement of an assignment for students: the rules with an example, the limits and the points."""

from pathlib import Path
from typing import Any

import jinja2

from grader.assignment import Assignment
from grader.games.handout import Handout


def render_statement(assignment: Assignment, handout: Handout, shared: Path, template: str) -> str:
    """The document that a template of the hand-out makes of an assignment; `shared` is what all statements share."""
    templates = jinja2.Environment(  # noqa: S701  Markdown, filled by the course itself
        loader=jinja2.FileSystemLoader([handout.folder, shared]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = templates.get_template(template).render({**_template_values(assignment), **handout.values})
    lines = text.rstrip().split("\n")
    kept = [line for at, line in enumerate(lines) if line or lines[at - 1]]  # a part left out leaves no gap
    return "\n".join(kept) + "\n"


def _template_values(assignment: Assignment) -> dict[str, Any]:
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
    }
