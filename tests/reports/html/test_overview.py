"""What the report of a class shows at first sight: conditions, results, and a sign for each game."""

import shutil
import sqlite3
from datetime import datetime, timezone
from typing import Any

import pytest

from grader import workflow
from grader.language import LANGUAGES, language
from grader.records import Ending, Fault, Finding
from tests.reports.html.pages import WON, assignment, match, report_of, student
from tests.reports.html.test_access import CONTRASTS
from tests.results.tampering import save_hashes_again

LOST = ("a1", "b1", "a2", "b2", "c3", "b3")
"""Player 2 connects top and bottom of a 3×3 board of Hex."""
CRASH = Fault(ending=Ending.CRASH, text="It fell.", help="Catch it.")


def three_games():
    """A student who won, lost by an exception as the first player, and lost by the rules."""
    of = assignment(size=3)
    return student(of, match(of, WON), match(of, WON), match(of, ["a1", "b2"], fault=CRASH), id="ana", name="Ana")


def class_of_zeros():
    """Students whose score is zero for different reasons, and one who has points."""
    of = assignment(size=3)
    broken = Finding(code="no_player", text="There is none.", help="")
    unloaded: dict[str, Any] = {
        "id": "none",
        "score": 0.0,
        "reason": broken.text,
        "findings": (broken,),
        "endings": {"load_error": 4},
        "endings_by_result": {},
    }
    return [
        three_games(),
        student(of, id="missing", score=0.0, status="missing"),
        student(of, **unloaded),
        student(of, match(of, ["a1", "b2"], fault=CRASH), id="crash", score=0.0),
        student(of, match(of, LOST), id="weak", score=0.0),
    ]


def test_the_top_has_the_date_the_rules_and_the_machine(look):
    made = report_of(three_games(), finished="2026-03-04T12:06:07+00:00", machine="A machine")
    facts = look(made).locator(".facts").inner_text()

    assert "2026-03-04" in facts
    assert "Hex, size 3, adjacency axial, 2 s per move · against rival (4 games, 10 points)" in facts
    assert "A machine · isolation level good · seed 0" in facts


def test_a_report_that_is_written_again_keeps_the_date_of_the_run(examples, tmp_path):
    folder = tmp_path / "results"
    shutil.copytree(examples, folder)
    noon = datetime(2001, 2, 3, 12, tzinfo=timezone.utc)
    with sqlite3.connect(folder / "results.sqlite") as database:
        database.execute("UPDATE matches SET finished = ?", (noon.timestamp(),))
    database.close()
    save_hashes_again(folder)
    workflow.report(folder)

    assert f"{noon.astimezone():%Y-%m-%d %H:%M}" in (folder / "report.html").read_text(encoding="utf-8")


def test_each_column_of_points_has_its_maximum_in_the_head(look):
    heads = look(report_of(three_games())).locator("table.class thead")

    assert heads.get_by_role("button", name="rival /10").is_visible()
    assert heads.get_by_role("button", name="score /10").is_visible()


def test_results_are_on_the_first_screen_and_filters_and_explanations_are_folded(look):
    page = look(report_of(*class_of_zeros(), finished="2026-03-04T12:06:07+00:00", machine="A machine"))
    row = page.locator("table.class tbody tr").first.bounding_box()
    meaning = page.get_by_text("The points against this opponent")

    assert row["y"] + row["height"] < page.viewport_size["height"]
    assert not page.get_by_label("Status").is_visible()
    assert not page.locator(".histogram svg").is_visible()
    assert not meaning.is_visible()
    page.get_by_text("What the table means").click()
    assert meaning.is_visible()


def test_the_filter_has_each_label_once(look):
    of = assignment(size=3)
    unloaded = Finding(code="load_error", text="Broken.", help="")
    page = look(
        report_of(
            student(of, id="a", endings={"load_error": 4}, endings_by_result={}, findings=(unloaded,)),
            student(of, match(of, WON), id="b"),
        )
    )
    page.get_by_text("More filters").click()
    options = page.locator("#kind option").all_inner_texts()
    assert options == ["all", "cannot be loaded", "connected"]

    page.get_by_label("Ending or finding").select_option(label="cannot be loaded")
    assert page.locator("table.class tbody tr:visible th a").all_inner_texts() == ["a"]


def test_games_are_counted_by_result_in_the_row_and_in_the_section_of_the_student(look):
    page = look(report_of(three_games()))
    assert page.locator("table.class .endings").inner_text() == "1 won: connected\n2 lost: 1 connected, 1 exception"

    page.get_by_role("link", name="Ana").first.click()
    assert page.get_by_text("Games: 1 won: connected; 2 lost: 1 connected, 1 exception.").is_visible()


def test_a_sign_for_each_game_opens_it(look):
    page = look(report_of(three_games()))
    signs = page.locator("table.class .signs a")
    assert signs.all_inner_texts() == ["●", "○", "○"]
    assert signs.nth(2).get_attribute("aria-label") == "Game 3 against rival: lost, exception"
    assert signs.nth(2).get_attribute("title") == "Game 3 against rival: lost, exception"

    signs.nth(2).click()
    page.locator(".replay").wait_for()
    assert page.locator(".replay h3").inner_text() == "Game 3 against rival"
    assert page.url.endswith("#ana/3")

    page.keyboard.press("Escape")
    signs.first.wait_for()
    assert page.evaluate("document.activeElement.ariaLabel") == "Game 3 against rival: lost, exception"


def test_the_signs_of_a_cell_are_one_stop_for_the_tab_key_and_the_arrows_move_between_them(look):
    page = look(report_of(three_games()))
    signs = page.locator("table.class .signs a")
    assert [sign.get_attribute("tabindex") for sign in signs.all()] == ["0", "-1", "-1"]

    signs.first.focus()
    for key in ("ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Game 2 against rival: lost, connected"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Game 2 against rival").wait_for()


def test_only_the_first_of_very_many_games_have_a_sign(look):
    of = assignment(size=3, games=40)
    page = look(report_of(student(of, *[match(of, WON)] * 40)))

    signs = page.locator("table.class .signs a")
    assert signs.count() == 25
    assert (signs.last.inner_text(), signs.last.get_attribute("aria-label")) == ("+16", "16 more games")


def test_a_zero_says_why_in_a_word_and_a_colour(look):
    page = look(report_of(*class_of_zeros()))
    badges = page.locator(".score-cell .badge")

    assert badges.all_inner_texts() == [
        "fails in every game",
        "nothing submitted",
        "no player found",
        "lost every game",
    ]
    colours = badges.evaluate_all("(all) => all.map((badge) => getComputedStyle(badge).color)")
    assert colours[0] == colours[2]
    assert len({*colours}) == 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_signs_and_words_have_enough_contrast(look, theme):
    page = look(report_of(*class_of_zeros()), color_scheme=theme)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")

    assert [found for found in page.evaluate(CONTRASTS) if found[0] < 4.5] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_on_a_phone_each_student_is_a_card_without_sideways_scrolling(look, lang):
    page = look(report_of(*class_of_zeros(), speak=language(lang)), viewport={"width": 390, "height": 844})
    scroll = page.locator(".scroll").first

    assert scroll.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    for sign in page.locator(".signs a").all():
        box = sign.bounding_box()
        assert min(box["width"], box["height"]) >= 24
        assert box["x"] + box["width"] <= 390
    page.locator("table.class thead button").first.click()
    assert page.locator("th[aria-sort]").count() == 1
    assert page.get_by_role("columnheader").count() == 6
    assert page.get_by_role("row").count() == 6


def test_a_printed_report_has_the_signs_and_the_seal_but_no_filters(look):
    page = look(report_of(*class_of_zeros(), seal="0123abcd"))
    page.emulate_media(media="print")

    assert page.locator(".signs a").first.is_visible()
    assert page.get_by_text("0123abcd").is_visible()
    assert not page.get_by_label("Name or id").is_visible()
    assert not page.get_by_text("What the table means").is_visible()


def test_an_open_explanation_is_printed_and_no_heading_is_left_alone_at_the_foot_of_a_page(look):
    page = look(report_of(three_games()))
    page.get_by_text("What the table means").click()
    page.emulate_media(media="print")

    assert page.get_by_text("The points against all opponents.").is_visible()
    headings = page.locator("h2, h3, summary:visible, figcaption")
    assert set(headings.evaluate_all("(all) => all.map((each) => getComputedStyle(each).breakAfter)")) == {"avoid"}
