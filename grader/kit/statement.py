"""Render the statement of an assignment, which tells students the rules, the limits and the points."""

from pathlib import Path
from typing import Any

import jinja2

from grader import __version__
from grader.assignment import Assignment
from grader.games.handout import Handout
from grader.language import Language


def render_statement(assignment: Assignment, handout: Handout, shared: Path, speak: Language) -> str:
    """The statement of an assignment, from the handout's template; `shared` is the folder of the common template."""
    templates = jinja2.Environment(  # noqa: S701  Markdown, filled by the course itself
        loader=jinja2.FileSystemLoader([handout.folder, shared]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = templates.get_template(f"{speak.name}.md.j2")
    text = template.render({**_template_values(assignment, speak), **handout.values})
    lines = text.rstrip().split("\n")
    lines = [line for at, line in enumerate(lines) if line or lines[at - 1]]  # omitted sections leave empty lines
    return "\n".join(lines) + "\n"


def _template_values(assignment: Assignment, speak: Language) -> dict[str, Any]:
    hidden = [opponent for opponent in assignment.opponents if opponent.hidden]
    return {
        "title": assignment.title,
        "version": __version__,
        "wheel": f"grader-{__version__}-py3-none-any.whl",
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
        "maximum": assignment.maximum,
        "round_to": assignment.round_to,
        "pass_mark": assignment.pass_mark,
        "number": speak.number,
        "percent": lambda share: f"{speak.number(100 * share)} %",
        "seconds": lambda seconds: f"{speak.number(seconds)} s",
        **assignment.options,
    }
