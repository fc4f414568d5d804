"""Accessibility of the pages: keyboard, screen readers, both themes, phones."""

import pytest

from grader.language import LANGUAGES, language
from grader.records import Ending, Fault
from grader.reports.html import feedback
from tests.reports.html.pages import (
    ENGLISH,
    HOSTILE,
    WON,
    assignment,
    feedback_of,
    hostile_student,
    match,
    report_of,
    student,
)

UNNAMED = """() => [...document.querySelectorAll("button, a, input, select, summary, [role=img], [tabindex='0']")]
    .filter((element) => element.checkVisibility())
    .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim()
        || (element.labels && element.labels.length && element.labels[0].textContent.trim())
        || element.getAttribute("aria-labelledby")))
    .map((element) => element.outerHTML.slice(0, 200))"""

CONTRASTS = """() => {
    const parse = (colour) => (colour.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number)
        .map((value, at) => (colour.startsWith("color(srgb") && at < 3 ? 255 * value : value)); // what color-mix gives
    const light = ([r, g, b]) => [r, g, b].map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
        .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour.length < 4 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest("script, style, noscript")) continue;
        if (element.closest("svg .piece")) continue; // numbers on stones: large, and every move is in the list as well
        const style = getComputedStyle(element);
        const colours = [parse(element.closest("svg") ? style.fill : style.color), ground(element)].map(light).sort((a, b) => b - a);
        found.push([(colours[0] + 0.05) / (colours[1] + 0.05), walker.currentNode.textContent.trim().slice(0, 40), style.color]);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def report():
    return with_everything("en")


def with_everything(name):
    """A report with every kind of content, in this language."""
    of, other = assignment(size=3), assignment("desconecta4")
    fault = Fault(ending=Ending.CRASH, text="It fell.", help="Catch it.", trace="solution.py:1")
    lost = match(of, ["a1", "b2"], fault=fault, printed="…")
    return report_of(
        student(of, lost, id="one", name="Ana"),
        student(other, match(other, [*"1212121"]), id="two"),
        student(of, id="three", score=None, status="ungraded", reason="Why not."),
        hostile_student(HOSTILE[-1], 0),
        speak=language(name),
    )


PLACES = ["", "one", "one/1", "two/1", "three", "h0/1"]


def go(page, place: str) -> None:
    """Open another part of the report."""
    page.evaluate("(place) => { location.hash = place; }", place)
    page.locator("h2:visible").first.wait_for()
    assert page.locator(".replay").count() == place.count("/")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_has_enough_contrast(look, report, theme):
    page = look(report, color_scheme=theme)
    for place in PLACES:
        go(page, place)
        contrasts = page.evaluate(CONTRASTS)
        assert len(contrasts) > 20
        assert [found for found in contrasts if found[0] < 4.5] == []


def test_every_control_has_an_accessible_name(look, report):
    page = look(report)
    for place in PLACES:
        go(page, place)
        assert page.evaluate(UNNAMED) == []


def test_a_page_has_one_main_heading_and_declares_its_language(look, report):
    page = look(report)

    assert page.locator("h1").count() == 1
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("main").count() == 1


@pytest.mark.parametrize("name", LANGUAGES)
def test_nothing_is_wider_than_a_phone(look, name):
    page = look(with_everything(name), viewport={"width": 360, "height": 740})
    assert page.locator("html").get_attribute("lang") == name
    for place in PLACES:
        go(page, place)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360, place


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_result_of_a_game_fits_on_the_smallest_phone(look, name):
    page = look(with_everything(name), at="#one", viewport={"width": 320, "height": 640})
    box = page.locator(".games .result").first.bounding_box()

    assert box["x"] + box["width"] <= 320
    assert page.locator(".scroll:has(.games)").evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0


def test_touch_targets_are_large_enough(look, report):
    page = look(report, at="#one/1", viewport={"width": 360, "height": 740}, has_touch=True)
    for button in page.locator(".steps button").all():
        box = button.bounding_box()
        assert box["height"] >= 40 and box["width"] >= 40


def test_the_tab_key_reaches_every_control_and_the_focus_is_visible(look, report):
    page = look(report, at="#one/1")
    page.evaluate("document.activeElement.blur()")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => { const on = document.activeElement; const style = getComputedStyle(on);
            return [on.getAttribute("aria-label") || on.textContent.trim().slice(0, 30), style.outlineStyle, style.outlineWidth]; }"""
        )
        if page.evaluate("document.activeElement === document.body"):
            break
        reached.add(found[0])
        assert (found[1], found[2]) == ("solid", "3px"), found

    assert {"Play", "First position", "Close the game", "a1", "Move"} <= reached


def test_the_skip_link_moves_the_focus_to_the_content(look, report):
    page = look(report)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.id") == "main"


def test_each_move_is_announced(look, report):
    page = look(report, at="#two/1")

    assert page.locator(".move-text").get_attribute("aria-live") == "polite"
    assert "Move 7 of 7" in page.locator(".board-svg").get_attribute("aria-label")


def test_the_page_of_a_student_is_accessible_too(look):
    of = assignment(size=3)
    made = feedback_of(student(of, match(of, WON), name="Ana"))
    page = look(made, at="#one/1", viewport={"width": 360, "height": 740}, color_scheme="dark")

    assert page.evaluate(UNNAMED) == []
    assert [found for found in page.evaluate(CONTRASTS) if found[0] < 4.5] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_page_of_a_student_has_the_name_in_its_title_and_the_date_and_rules_at_the_top(look):
    course = assignment(size=3)
    ana = student(course, match(course, WON), name="Ana Pérez")
    opened = look(
        feedback.render(ana, ENGLISH, isolation="good", reveal=False, finished="2026-03-04T12:06:07+00:00"),
        viewport={"width": 390, "height": 844},
    )

    assert opened.title() == "Ana Pérez · A test of hex"
    top = opened.locator(".top").inner_text()
    assert "2026-03-04" in top
    assert "2 s per move · points in proportion to the win rate" in top
    points = opened.get_by_role("region", name="Points")
    assert points.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    assert points.get_by_role("row").count() == 2
