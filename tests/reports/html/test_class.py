"""The report of the example class in a browser, as an instructor opens it."""

from dataclasses import replace

import pytest

from grader.language import language
from grader.records import Ending, Fault, Finding
from tests.reports.html.pages import WON, assignment, match, report_of, student


@pytest.fixture
def report(examples):
    return examples / "report.html"


def names(page, table=0):
    """The visible students of one of the tables, from the top."""
    rows = page.locator("table.class").nth(table).locator("tbody tr:visible th a")
    return rows.all_inner_texts()


def show_filters(page):
    page.get_by_text("More filters").click()


def test_there_is_a_table_for_each_game_with_the_best_student_first(look, report):
    page = look(path=report)

    assert page.locator("h2:visible:not(#attention)").all_inner_texts() == [
        "Desconecta-4 BOOM, a first look",
        "Hex, a first look",
    ]
    assert names(page)[0] == "desconecta4_minimax"
    assert names(page, 1)[:2] == ["hex_shortest_path", "hex_centre"]
    assert page.locator("#count").inner_text() == "Showing 14 of 14 submissions"


def test_a_click_on_a_column_sorts_by_it_and_another_reverses_the_order(look, report):
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
    assert page.locator("#count").inner_text() == "Showing 1 of 14 submissions"

    page.get_by_label("Name or id").fill("")
    show_filters(page)
    page.get_by_label("Ending or finding").select_option(label="illegal move")
    assert (names(page), names(page, 1)) == (["desconecta4_always_boom"], ["hex_occupied_cell"])

    page.get_by_label("Ending or finding").select_option(label="syntax error")
    assert (names(page), names(page, 1)) == ([], ["hex_syntax_error"])
    assert page.locator("h2:visible:not(#attention)").all_inner_texts() == ["Hex, a first look"], (
        "a table without visible rows is hidden"
    )
    page.get_by_label("Ending or finding").select_option(label="all")
    assert page.locator("h2:visible:not(#attention)").count() == 2


def test_a_message_appears_if_the_filters_match_no_student(look, report):
    page = look(path=report)
    assert not page.get_by_text("No matches.").is_visible()

    page.get_by_label("Name or id").fill("zzz")
    assert page.get_by_text("No matches.").is_visible()


def test_the_title_names_the_student_and_the_game(look, report):
    page = look(path=report)
    whole = page.title()
    for link, title in [
        ("hex_centre", f"hex_centre · {whole}"),
        ("minimax, game 1", f"Game 1 against minimax · hex_centre · {whole}"),
        ("All submissions", whole),
    ]:
        page.get_by_role("link", name=link).click()
        page.wait_for_function("(title) => document.title === title", arg=title)
        assert page.title() == title


def test_late_moves_and_output_are_listed_with_the_findings(look):
    of = assignment(size=3)
    late = match(of, WON, printed="thinking")
    late = replace(late, turns=(replace(late.turns[0], late=True), *late.turns[1:]))
    page = look(report_of(student(of, late, id="a"), student(of, match(of, WON), id="b")))
    assert page.locator("table.class .codes").all_inner_texts() == ["late moves, prints", ""]

    show_filters(page)
    page.get_by_label("Ending or finding").select_option(label="late moves")
    assert names(page) == ["a"]


def test_the_search_ignores_accents_and_the_table_is_filtered_by_status(look):
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
    show_filters(page)
    page.get_by_label("Status").select_option(label="disqualified")
    assert names(page) == ["c"]


def test_findings_are_labelled_in_the_language_of_the_page_and_long_names_are_cut(look):
    of = assignment(size=3)
    found = Finding(code="load_error", text="", help="")
    page = look(report_of(student(of, name="n_" * 1_000, findings=(found,)), speak=language("es")))
    row = page.locator("table.class tbody tr")

    assert row.locator(".codes").inner_text() == "no se puede cargar"
    assert len(row.locator("th a").inner_text()) == 120
    assert row.bounding_box()["height"] < 200


def test_the_histogram_of_scores_has_a_description(look):
    of = assignment(size=3)
    page = look(report_of(*(student(of, id=f"s{score}", score=float(score)) for score in (0, 9, 9.5, 10))))

    description = page.locator(".histogram svg").get_attribute("aria-label")
    assert description == "Distribution of scores. 0 to 1: 1 submission. 9 to 10: 3 submissions."
    assert "median 9.25" in page.locator(".histogram").inner_text()


def test_each_student_has_a_link_and_the_link_back_returns_to_the_table(look, report):
    page = look(path=report)
    page.get_by_role("link", name="hex_centre").click()
    page.locator("#student h2").wait_for()

    assert page.url.endswith("#hex_centre")
    assert page.locator("h2:visible:not(#attention)").all_inner_texts() == ["hex_centre"]
    assert not page.locator("table.class").first.is_visible()

    page.get_by_role("link", name="All submissions").click()
    page.locator("table.class").first.wait_for()
    assert page.evaluate("document.activeElement.textContent") == "hex_centre"


def test_the_address_of_a_student_or_a_game_can_be_shared(look, report):
    assert look(path=report, at="#hex_crashes").locator("h2:visible").all_inner_texts() == ["hex_crashes"]

    page = look(path=report, at="#hex_crashes/3")
    assert page.locator(".replay h3").inner_text() == "Game 1 against minimax"
    assert page.locator(".games a[aria-current]").get_attribute("href") == "#hex_crashes/3"


@pytest.mark.parametrize("address", ["#nobody", "#hex_crashes/999", "#%", "#/", "#__proto__", "#main"])
def test_an_unknown_address_is_harmless(look, report, address):
    page = look(path=report, at=address)

    assert page.locator("h1").is_visible()
    assert page.locator(".replay").count() == 0


def test_links_work_for_ids_that_equal_an_element_or_contain_special_characters(look):
    of = assignment(size=3)
    ids = ["main", "student", "ñandú 100%", "a#b"]
    page = look(report_of(*(student(of, match(of, WON), id=id_) for id_ in ids)))
    for id_ in ids:
        page.get_by_role("link", name=id_, exact=True).click()
        page.locator(".games a").first.click()
        page.locator(".replay").wait_for()
        assert page.locator("h2:visible").inner_text() == id_
        page.get_by_role("link", name="All submissions").click()


def test_printing_a_student_omits_the_others_and_the_buttons(look, report):
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
    of = type(of).model_validate({**of.model_dump(by_alias=True), "opponents": rivals})
    found = tuple(Finding(code=code, text="", help="") for code in ("load_error", "import_time", "forbidden_import"))
    endings = {"won": {"connected": 20}, "lost": {"illegal_move": 10, "timeout": 5}}
    report = report_of(
        *(student(of, match(of, WON), name=f"María de los Ángeles Núñez {at}", findings=found) for at in range(3)),
        student(of, id="d", status="disqualified", endings_by_result=endings),
        speak=language("es"),
    )
    page = look(report, viewport={"width": 688, "height": 1000})  # A4 without its margins
    page.emulate_media(media="print")

    assert page.locator(".scroll").evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0


def test_without_scripts_the_table_is_readable_and_a_notice_explains_what_is_missing(look, report):
    page = look(path=report, java_script_enabled=False)

    assert page.get_by_text("enable JavaScript").first.is_visible()
    assert len(names(page, 1)) == 10


def test_equal_faults_and_findings_of_a_student_are_listed_once_with_links_to_the_games(look):
    of = assignment(size=3)
    fault = Fault(ending=Ending.CRASH, text="It divided by zero.", help="Do not.")
    finding = Finding(code="prints", text="It prints.", help="Remove it.")
    lost = match(of, ["a1", "b2"], fault=fault)
    lost = replace(lost, seats=(replace(lost.seats[0], findings=(finding,)), lost.seats[1]))
    failing = student(of, lost, match(of, ["a1"], fault=fault), findings=(finding, finding))
    page = look(report_of(failing), at="#one")

    shown = page.locator("#student")
    assert shown.get_by_text("It prints.").count() == 1
    assert shown.get_by_text("It divided by zero.").count() == 1
    entry = shown.locator(".first-step")
    assert "2 of 2 games were lost by the same error. It divided by zero. Do not." in entry.inner_text()
    entry.get_by_role("link", name="rival 2").click()
    page.get_by_role("heading", name="Game 2 against rival").wait_for()
    page.get_by_role("link", name="Previous game").click()
    page.get_by_role("heading", name="Game 1 against rival").wait_for()
    assert shown.get_by_text("It prints.").count() == 1, "the replay does not repeat it"


def test_a_game_that_the_opponent_lost_by_a_fault_is_explained_in_its_row(look):
    of = assignment(size=3)
    fault = Fault(ending=Ending.CRASH, text="It divided by zero.", help="Do not.")
    page = look(report_of(student(of, match(of, ["a1"], fault=fault))), at="#one")

    assert "exception (opponent)\nrival failed. It divided by zero." in page.locator(".games tbody").inner_text()
    assert page.get_by_role("heading", name="Games lost because of errors").count() == 0
