"""Assignments: read a course's YAML file into a frozen `Assignment`, and write one back.

Every error in a file is found at once and says `file:line:column: field: what is wrong and what is allowed`.
"""

from grader.assignment.loading import builtin_assignment, load_assignments, read_assignments
from grader.assignment.model import (
    FORBIDDABLE,
    Assignment,
    AssignmentOrigin,
    Late,
    Linear,
    MatchTime,
    Opponent,
    OpponentLimits,
    OpponentTime,
    Override,
    Resources,
    Scoring,
    Threshold,
    is_own_player,
    player_label,
)
from grader.assignment.problems import AssignmentError, Problem
from grader.assignment.writing import render_assignment

__all__ = [
    "FORBIDDABLE",
    "Assignment",
    "AssignmentError",
    "AssignmentOrigin",
    "Late",
    "Linear",
    "MatchTime",
    "Opponent",
    "OpponentLimits",
    "OpponentTime",
    "Override",
    "Problem",
    "Resources",
    "Scoring",
    "Threshold",
    "builtin_assignment",
    "is_own_player",
    "load_assignments",
    "player_label",
    "read_assignments",
    "render_assignment",
]
