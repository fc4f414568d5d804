"""`results.json`: the grades for programs. Two runs of deterministic players give identical files."""

import json
from collections.abc import Sequence
from typing import Any

from grader import __version__
from grader.assignment import Assignment
from grader.language import Message
from grader.records import Finding, RankedCandidate, as_json
from grader.reports.isolation import isolation_member
from grader.scoring.points import Grade, Part


def render(grades: Sequence[Grade], assignments: Sequence[Assignment], *, seed: int, isolation: str) -> str:
    """All grades, sorted by id."""
    content = {
        "grader": __version__,
        "seed": seed,
        "isolation": isolation,
        **isolation_member(isolation),
        "assignments": [_assignment(assignment) for assignment in assignments],
        "submissions": [_submission(grade) for grade in sorted(grades, key=lambda grade: grade.id)],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _assignment(assignment: Assignment) -> dict[str, Any]:
    scale = {"maximum": assignment.maximum, "round": assignment.round_to, "pass": assignment.pass_mark}
    given = {name: value for name, value in scale.items() if value is not None}
    return {"game": assignment.rules.name, "title": assignment.title, **given}


def _submission(grade: Grade) -> dict[str, Any]:
    return {
        "id": grade.id,
        "name": grade.name,
        "game": grade.game,
        "score": grade.score,
        "max_score": grade.max_score,
        "penalty": grade.penalty,
        **({} if grade.unrounded is None else {"unrounded": grade.unrounded}),
        **({} if grade.pass_mark is None else {"passed": grade.passed}),
        "status": grade.status,
        "parts": [_part(part) for part in grade.parts],
        "endings": dict(sorted(grade.endings.items())),
        "findings": [_without_templates(finding) for finding in grade.findings],
        "entry": grade.entry or None,
        "candidates": [_without_templates(candidate) for candidate in grade.candidates],
    }


def _without_templates(record: Finding | RankedCandidate) -> dict[str, Any]:
    plain = {name: value for name, value in as_json(record).items() if name != "said"}
    return {**plain, "text": str(_unscaled(record.text))} if isinstance(record, Finding) else plain


def _unscaled(text: str) -> str:
    """A text without the time limits on the machine that was used, which depend on its measured speed."""
    if not isinstance(text, Message):
        return text
    if "unscaled" in text.values:
        return _unscaled(text.values["unscaled"])
    values = {name: _unscaled(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return Message(text.template, values, text.plural)


def _part(part: Part) -> dict[str, Any]:
    return {
        "opponent": part.opponent,
        "points": part.points,
        "max_points": part.max_points,
        "games": part.games,
        "won": part.won,
        "drawn": part.drawn,
        "lost": part.lost,
        "interval": list(part.interval),
        "repeats": part.repeats,
        **({"not_played": part.unplayed} if part.unplayed else {}),
    }
