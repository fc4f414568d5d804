"""The class's table in a browser: of the examples, as an instructor opens it."""

from dataclasses import replace

import pytest

from grader.language import language
from grader.records import Finding
from tests.reports.html.pages import WON, assignment, match, report_of, student


@pytest.fixture
def report(examples):
    return examples / "report.html"


def names(page, table=0):
    """The students that can be seen in one of the tables, from the top."""
    rows = page.locator("table.class").nth(table).locator("tbody tr:visible th a")
    return rows.all_inner_texts()


def test_everybody_is_there_a_table_for_each_game_and_the_best_first(look, report):
    page = look(path=report)

    assert page.locator("h2:visible").all_inner_texts() == ["Desconecta-4 BOOM, a first look", "Hex, a first look"]
    assert names(page)[0] == "desconecta4_minimax"
    assert names(page, 1)[:2] == ["hex_shortest_path", "hex_centre"]
    assert page.locator("#count").inner_text() == "14 of 14 shown"


def test_a_click_on_a_column_sorts_by_it_and_another_turns_it_round(look, report):
    page = look(path=report)
    table = page.locator("table.class").nth(1)
    head = table.locator("th", has_text="student")
    head.get_by_role("button").click()
    rising = names(page, 1)
    head.get_by_role("button").click()

    assert rising == sorted(rising)
    assert names(page, 1) == rising[::-1]
    assert head.get_attribute("aria-sort") == "descending"
    assert table.locator("th[aria-sort]").count() == 1

    table.get_by_role("button", name="slowest move").click()
    assert names(page, 1)[0] == "hex_too_slow"
    table.get_by_role("button", name="score").click()
    assert names(page, 1)[0] == "hex_shortest_path"


def test_the_table_is_filtered_by_name_and_by_what_happened(look, report):
    page = look(path=report)
    page.get_by_label("Name or id").fill("slow")
    assert (names(page), names(page, 1)) == ([], ["hex_too_slow"])
    assert page.locator("#count").inner_text() == "1 of 14 shown"

    page.get_by_label("Name or id").fill("")
    page.get_by_label("Ending or finding").select_option(label="illegal move")
    assert (names(page), names(page, 1)) == (["desconecta4_always_boom"], ["hex_occupied_cell"])

    page.get_by_label("Ending or finding").select_option(label="syntax error")
    assert (names(page), names(page, 1)) == ([], ["hex_syntax_error"])
    assert page.locator("h2:visible").all_inner_texts() == ["Hex, a first look"], "a table without a row is in the way"
    page.get_by_label("Ending or finding").select_option(label="all")
    assert page.locator("h2:visible").count() == 2


def test_where_nobody_fits_it_is_said(look, report):
    page = look(path=report)
    assert not page.get_by_text("Nobody fits.").is_visible()

    page.get_by_label("Name or id").fill("zzz")
    assert page.get_by_text("Nobody fits.").is_visible()


def test_the_title_says_where_one_is(look, report):
    page = look(path=report)
    whole = page.title()
    for link, title in [
        ("hex_centre", f"hex_centre · {whole}"),
        ("minimax, 1", f"Game 1 against minimax · hex_centre · {whole}"),
        ("The whole class", whole),
    ]:
        page.get_by_role("link", name=link).click()
        page.wait_for_function("(title) => document.title === title", arg=title)
        assert page.title() == title


def test_late_moves_and_prints_are_in_the_table_though_they_are_no_findings_about_the_code(look):
    of = assignment(size=3)
    late = match(of, WON, printed="thinking")
    late = replace(late, turns=(replace(late.turns[0], late=True), *late.turns[1:]))
    page = look(report_of(student(of, late, id="a"), student(of, match(of, WON), id="b")))
    assert page.locator("table.class .codes").all_inner_texts() == ["2 late moves, prints", ""]

    page.get_by_label("Ending or finding").select_option(label="late moves")
    assert names(page) == ["a"]


def test_names_are_found_without_their_accents_and_by_status(look):
    of = assignment(size=3)
    page = look(
        report_of(
            student(of, id="a", name="Begoña Núñez"),
            student(of, id="b", name="Ana", score=None, status="ungraded"),
            student(of, id="c", name="", score=0.0, status="disqualified"),
        )
    )
    page.get_by_label("Name or id").fill("nunez bego")
    assert names(page) == ["Begoña Núñez"]

    page.get_by_label("Name or id").fill("")
    page.get_by_label("Status").select_option(label="disqualified")
    assert names(page) == ["c"]


def test_a_table_names_findings_in_its_language_and_no_name_fills_it(look):
    of = assignment(size=3)
    found = Finding(code="load_error", text="", help="")
    page = look(report_of(student(of, name="n_" * 1_000, findings=(found,)), speak=language("es")))
    row = page.locator("table.class tbody tr")

    assert row.locator(".codes").inner_text() == "1 fallo al cargar"
    assert len(row.locator("th a").inner_text()) == 120
    assert row.bounding_box()["height"] < 200


def test_the_distribution_of_scores_is_also_said(look):
    of = assignment(size=3)
    page = look(report_of(*(student(of, id=f"s{score}", score=float(score)) for score in (0, 9, 9.5, 10))))

    told = page.locator(".histogram svg").get_attribute("aria-label")
    assert told == "Distribution of the scores. 0 to 1: 1. 9 to 10: 3."
    assert "median 9.25" in page.locator(".histogram").inner_text()


def test_a_student_has_a_link_and_the_way_back_leads_to_the_table(look, report):
    page = look(path=report)
    page.get_by_role("link", name="hex_centre").click()
    page.locator("#student h2").wait_for()

    assert page.url.endswith("#hex_centre")
    assert page.locator("h2:visible").all_inner_texts() == ["hex_centre"]
    assert not page.locator("table.class").first.is_visible()

    page.get_by_role("link", name="The whole class").click()
    page.locator("table.class").first.wait_for()
    assert page.evaluate("document.activeElement.textContent") == "hex_centre"


def test_a_link_to_a_student_or_a_game_can_be_sent(look, report):
    assert look(path=report, at="#hex_crashes").locator("h2:visible").all_inner_texts() == ["hex_crashes"]

    page = look(path=report, at="#hex_crashes/3")
    assert page.locator(".replay h3").inner_text() == "Game 1 against minimax"
    assert page.locator(".games a[aria-current]").get_attribute("href") == "#hex_crashes/3"


@pytest.mark.parametrize("address", ["#nobody", "#hex_crashes/999", "#%", "#/", "#__proto__", "#main"])
def test_a_link_to_nothing_does_no_harm(look, report, address):
    page = look(path=report, at=address)

    assert page.locator("h1").is_visible()
    assert page.locator(".replay").count() == 0


def test_somebody_called_like_a_part_of_the_page_or_with_odd_signs_has_a_link_all_the_same(look):
    of = assignment(size=3)
    ids = ["main", "student", "ñandú 100%", "a#b"]
    page = look(report_of(*(student(of, match(of, WON), id=one) for one in ids)))
    for one in ids:
        page.get_by_role("link", name=one, exact=True).click()
        page.locator(".games a").first.click()
        page.locator(".replay").wait_for()
        assert page.locator("h2:visible").inner_text() == one
        page.get_by_role("link", name="The whole class").click()


def test_printing_a_student_prints_nobody_else_and_no_buttons(look, report):
    page = look(path=report, at="#hex_shortest_path/1")
    page.emulate_media(media="print")

    printed = page.locator("body").inner_text()
    assert "hex_shortest_path" in printed
    assert "hex_centre" not in printed
    assert page.locator(".steps").is_visible() is False
    assert page.locator(".board-svg").is_visible()


def test_the_table_fits_on_a_printed_page(look):
    rivals = [{"player": "random", "points": 10, "games": 2, "name": f"a_rival_{at}"} for at in range(3)]
    of = assignment(size=3)
    of = type(of).model_validate({**of.model_dump(), "opponents": rivals})
    found = tuple(Finding(code=code, text="", help="") for code in ("load_error", "import_time", "forbidden_import"))
    report = report_of(
        *(student(of, match(of, WON), name=f"María de los Ángeles Núñez {at}", findings=found) for at in range(3)),
        student(of, id="d", status="disqualified", endings={"connected": 20, "illegal_move": 10, "timeout": 5}),
        speak=language("es"),
    )
    page = look(report, viewport={"width": 688, "height": 1000})  # A4 without its margins
    page.emulate_media(media="print")

    assert page.locator(".scroll").evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0


def test_without_scripts_the_table_can_be_read_and_the_page_says_what_is_missing(look, report):
    page = look(path=report, java_script_enabled=False)

    assert page.get_by_text("allow this page to run its scripts").first.is_visible()
    assert len(names(page, 1)) == 10
