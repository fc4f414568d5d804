"""The labels that all reports share."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import grader
from grader.language import language
from grader.records import Finding
from grader.reports.labels import FINDINGS, finding_label, finding_place, format_seconds, percent_range, split_reason
from tests.exports.samples import exported_grade


def test_every_finding_has_a_label():
    used = set(codes())

    assert len(used) > 30, "most findings are created with a literal code"
    assert used - set(FINDINGS) == set()


def test_a_finding_of_another_version_is_labelled_with_its_code():
    assert finding_label("forgotten") == "forgotten"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "< 0.001"), (0.0004, "< 0.001"), (0.0049, "0.005"), (0.0996, "0.10"), (1.258, "1.26"), (12.0, "12.00")],
)
def test_seconds_are_formatted_with_a_useful_number_of_digits(seconds, text):
    assert format_seconds(seconds, language("en")) == text


def test_numbers_are_written_as_the_language_writes_them():
    spanish = language("es")

    assert format_seconds(0.0049, spanish) == "0,005"
    assert percent_range((0.0, 0.6576), spanish) == "0–66 %"


def test_the_place_of_a_finding_is_not_repeated_if_its_text_names_it():
    finding = Finding(code="load_error", text="Error in solution.py:12.", help="", file="solution.py", line=12)

    assert finding_place(finding) == ""
    assert finding_place(replace(finding, line=1)) == "solution.py:1"
    assert finding_place(replace(finding, text="Error.")) == "solution.py:12"


def test_a_finding_that_is_the_reason_is_separated_from_the_others_and_each_is_listed_once():
    reason, other = (Finding(code="prints", text=text, help="") for text in ("It fails.", "It prints."))
    grade = replace(exported_grade().grade, reason="It fails.", findings=(reason, other, other, reason))

    assert split_reason(grade) == (reason, [other])
    assert split_reason(replace(grade, reason="")) == (None, [reason, other])


def test_a_finding_about_the_same_line_as_the_reason_is_left_out():
    import_error = Finding(code="load_error", text="No module.", help="", file="solution.py", line=3)
    same, other = (replace(import_error, code="missing_import", text="It imports it.", line=line) for line in (3, 4))
    grade = replace(exported_grade().grade, reason="No module.", findings=(same, other, import_error))

    assert split_reason(grade) == (import_error, [other])


def codes():
    """The codes of all `Finding(…)` and `Kind(…)` calls in the program."""
    for file in Path(grader.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"Finding", "Kind"}:
                written = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
                for constant in (part for value in written for part in ast.walk(value)):
                    if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                        yield constant.value
