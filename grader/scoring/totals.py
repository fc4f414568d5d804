"""Compute the score of a submission from its points: scaled to the maximum, less the late penalty, then rounded."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.assignment import Assignment
from grader.assignment.opponents import total_points
from grader.scoring.points import Part, exact

DECIMALS = 4
"""The decimals that a score has unless the assignment rounds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A score, and what it was computed from."""

    score: float
    penalty: float
    unrounded: float | None
    """The score before rounding, if the assignment rounds scores."""


def total_score(assignment: Assignment, parts: Sequence[Part], late_seconds: int | None) -> Total:
    """The score for these points. It is rounded only once, after the late penalty."""
    percent = _late_percent(assignment, late_seconds)
    if assignment.maximum is None and assignment.round_to is None and assignment.pass_mark is None:
        total = sum(part.points for part in parts)
        penalty = round(total * float(percent) / 100, DECIMALS)
        return Total(score=round(total - penalty, DECIMALS), penalty=penalty, unrounded=None)
    points = sum((part.exact_points for part in parts), Fraction(0))
    if assignment.maximum is not None:
        points *= exact(assignment.maximum) / exact(total_points(assignment.opponents))
    left = points * (100 - percent) / 100
    unrounded = round(float(left), DECIMALS)
    return Total(
        score=unrounded if assignment.round_to is None else _rounded(left, assignment),
        penalty=round(float(points - left), DECIMALS),
        unrounded=None if assignment.round_to is None else unrounded,
    )


def _rounded(score: Fraction, assignment: Assignment) -> float:
    """The nearest step, half a step up. All points give the maximum, and nothing gives more, whatever the step."""
    most, step = exact(assignment.max_score), exact(assignment.round_to or 1)
    return float(most if score >= most else min(most, math.floor(score / step + Fraction(1, 2)) * step))


def _late_percent(assignment: Assignment, late_seconds: int | None) -> Fraction:
    if not late_seconds or assignment.late is None:
        return Fraction(0)
    days = -(-late_seconds // 86_400)
    return min(exact(assignment.late.at_most), exact(assignment.late.percent_per_day) * days)
