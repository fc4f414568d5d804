"""The page of shared code, as a browser shows it."""

import json

import pytest

from grader.language import language
from grader.reports.html.similarity import render
from grader.similarity import SourceFolder, compare
from tests.reports.html.test_access import CONTRASTS, UNNAMED
from tests.similarity.classes import MINIMAX, SHORTEST_PATH, TREE, documents
from tests.similarity.disguises import all_at_once, padded, renamed, reordered

LONG = "Maria_del_Carmen_Fernandez_de_la_Vega_20101234"
PHONE = {"width": 390, "height": 844}
TARGETS = """() => [...document.querySelectorAll("main a, main summary")].filter((each) => each.checkVisibility())
    .map((each) => [each.textContent, each.getBoundingClientRect()])
    .filter(([, box]) => box.height < 24 || box.width < 24).map(([text]) => text)"""

SHOWN = """(sides) => {
    const panes = [...sides.querySelectorAll(".pane")];
    const part = panes[0].scrollTop / (panes[0].scrollHeight - panes[0].clientHeight);
    return panes.map((pane) => [...pane.querySelectorAll(".jump")]
        .filter((link) => link.offsetTop <= pane.scrollTop + part * pane.clientHeight + 5).length);
}"""
"""How many passages start above the line that both sides have in common."""


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> dict[str, str]:
    """Four copies, three disguised copies, and a copy from a former year, in both languages."""
    at = tmp_path_factory.mktemp("page")
    copies = dict.fromkeys(("ana", "bea", "cid", LONG), TREE)
    disguised = {"eva": MINIMAX, "fran": padded(renamed(MINIMAX)), "gil": all_at_once(MINIMAX)}
    own = documents(at / "now", {**copies, **disguised, "leo": reordered(SHORTEST_PATH), "none": "x = 1\n"})
    old = documents(at / "then", {"old": SHORTEST_PATH})
    found = compare(own, earlier=[SourceFolder("2024", tuple(old))])
    return {name: render(found, language(name)) for name in ("en", "es")}


def test_four_copies_are_one_group_and_come_first(look, page):
    groups = look(page["en"]).locator("article.group")

    assert groups.count() == 3
    assert groups.nth(0).locator(".members li").count() == 4
    assert "identical files" in groups.nth(0).inner_text()
    assert groups.nth(1).locator(".matrix tbody tr").count() == 3


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything_without_scrolling_sideways(look, page, lang, scheme):
    opened = look(page[lang], viewport=PHONE, color_scheme=scheme)

    assert opened.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert opened.evaluate(TARGETS) == []
    narrow = (
        "() => Math.min(...[...document.querySelectorAll('.matrix th[scope=row]')].map((each) => each.offsetWidth))"
    )
    assert opened.evaluate(narrow) >= 120
    assert opened.evaluate(UNNAMED) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_enough_contrast(look, page, scheme):
    opened = look(page["en"], color_scheme=scheme)
    opened.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    contrasts = opened.evaluate(CONTRASTS)
    assert len(contrasts) > 200
    assert [found for found in contrasts if found[0] < 4.5] == []


def test_each_name_opens_the_code_side_by_side(look, page):
    opened = look(page["en"])
    for name in ("leo", "old"):
        opened.evaluate(
            "() => { location.hash = ''; document.querySelectorAll('details').forEach((each) => { each.open = false; }); }"
        )
        opened.locator("p.names a", has_text=name).first.click()
        opened.wait_for_function("() => location.hash && document.querySelector(location.hash).closest('details').open")
        assert opened.locator("details[open] .pane").first.is_visible()


def test_both_sides_scroll_together_passage_by_passage(look, page):
    opened = look(page["en"])
    opened.locator(".matrix a").first.click()
    sides = opened.locator("details[open] .sides").last
    sides.evaluate("(sides) => { const pane = sides.querySelector('.pane'); pane.scrollTop = pane.scrollHeight / 3; }")
    opened.wait_for_timeout(300)

    shown = sides.evaluate(SHOWN)

    assert shown[0] == shown[1] > 1


def test_print_shows_whole_passages(look, page):
    opened = look(page["en"])
    opened.emulate_media(media="print")

    assert opened.locator(".pane").first.evaluate("(pane) => getComputedStyle(pane).maxHeight") == "none"


def test_the_page_says_how_many_submissions_could_not_be_compared(look, page):
    text = look(page["en"]).locator("main").inner_text()

    assert "1 of 9 submissions could not be compared." in text
    assert json.dumps(text).count("No two of") == 0
