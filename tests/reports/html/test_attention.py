"""What needs attention, at the top of the report, in a browser."""

from dataclasses import replace
from typing import Any

import pytest

from grader.competition.attention import Attention, concern_about
from grader.records import RankedCandidate
from grader.reports.html import report
from grader.reports.html.student import Student
from tests.reports.html.pages import ENGLISH, HOSTILE, WON, assignment, hostile_student, match, student

OF = assignment(size=3)


def page_with_attention(*students: Student, **hints) -> str:
    """A report that begins with what needs attention in the grades of these students."""
    found = [concern_about(each.grade, each.played) for each in students]
    attention = Attention(concerns=tuple(concern for concern in found if concern is not None), **hints)
    return report.render(students, ENGLISH, isolation="good", seed=0, attention=attention)


def undecided() -> Student:
    candidates = tuple(RankedCandidate(entry=f"main.py:{name}", why="in another file") for name in "AB")
    changes: dict[str, Any] = {"score": None, "status": "ungraded", "needs_decision": True, "parts": (), "endings": {}}
    return student(OF, id="two", name="Two Classes", reason="Found several players.", candidates=candidates, **changes)


def test_the_report_begins_with_who_needs_attention_and_leads_to_the_student(look):
    disqualified = student(OF, id="eva", name="Eva", score=0.0, status="disqualified", reason="It imports os.")
    page = look(page_with_attention(undecided(), disqualified, student(OF, match(OF, WON), id="ana", name="Ana")))
    section = page.get_by_role("region", name="Needs your attention: 2 of 3 (1 with 0 points, 1 not graded)")

    assert page.locator("h2:visible").first.inner_text().startswith("Needs your attention")
    assert section.get_by_role("link").all_inner_texts() == ["Two Classes", "Eva"]
    assert section.locator("ol li").all_inner_texts() == ["main.py:A: in another file", "main.py:B: in another file"]
    assert '"two": {entry: "main.py:A"}' in section.locator("pre").inner_text()
    section.get_by_role("link", name="Eva").click()
    assert page.locator("#student h2").inner_text() == "Eva"
    assert not section.is_visible()


@pytest.mark.parametrize("width", [390, 1200])
def test_the_section_fits_the_window(look, width):
    late = student(OF, id="w" * 60, name="w" * 60, score=0.0, status="missing", reason="Nothing was submitted.")
    page = look(page_with_attention(undecided(), late), viewport={"width": width, "height": 800})

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_texts_of_hostile_students_are_only_text(look):
    students = [hostile_student(text, number) for number, text in enumerate(HOSTILE)]
    disqualified = [replace(each, grade=replace(each.grade, score=0.0, status="disqualified")) for each in students]
    page = look(page_with_attention(*disqualified, missing_modules={HOSTILE[0]: 1}))

    assert page.title() != "taken"
    assert page.locator(".attention a").count() == len(HOSTILE)
    assert page.locator(".attention :is(img, svg, script)").count() == 0


def test_a_class_without_problems_has_no_such_section():
    assert 'class="card attention"' not in page_with_attention(student(OF, match(OF, WON)))
