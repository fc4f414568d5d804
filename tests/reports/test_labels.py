"""The words that all reports share."""

import ast
from pathlib import Path

import pytest

import grader
from grader.reports.labels import FINDINGS, finding_label, format_seconds


def test_every_finding_has_a_name():
    used = set(codes())

    assert len(used) > 30, "they are found where they are made"
    assert used - set(FINDINGS) == set()


def test_a_finding_of_an_older_grader_is_called_by_its_code():
    assert finding_label("forgotten") == "forgotten"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "< 0.001"), (0.0004, "< 0.001"), (0.0049, "0.005"), (0.0996, "0.10"), (1.258, "1.26"), (12.0, "12.00")],
)
def test_a_quick_move_is_not_said_to_take_no_time(seconds, text):
    assert format_seconds(seconds) == text


def codes():
    """The code of every `Finding(…)` and `Kind(…)` that the program writes out."""
    for file in Path(grader.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"Finding", "Kind"}:
                written = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
                for constant in (part for value in written for part in ast.walk(value)):
                    if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                        yield constant.value
