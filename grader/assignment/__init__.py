"""Assignments: read a course's YAML file into a frozen `Assignment`, and write one back.

All errors of a file are reported together, each as `file:line:column: field: what is wrong and what is allowed`.
"""

from grader.assignment.loading import builtin_assignment, load_assignments, read_assignments
from grader.assignment.model import Assignment, AssignmentOrigin, MatchTime, Override
from grader.assignment.opponents import Opponent, OpponentLimits, OpponentTime, is_own_player, player_label
from grader.assignment.problems import AssignmentError
from grader.assignment.writing import render_assignment

__all__ = [
    "Assignment",
    "AssignmentError",
    "AssignmentOrigin",
    "MatchTime",
    "Opponent",
    "OpponentLimits",
    "OpponentTime",
    "Override",
    "builtin_assignment",
    "is_own_player",
    "load_assignments",
    "player_label",
    "read_assignments",
    "render_assignment",
]
