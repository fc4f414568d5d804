"""The page of a tournament."""

import itertools

import pytest

from grader.fixtures import Fixture, Match
from grader.language import LANGUAGES, language
from grader.reports.html.tournament import render
from grader.scoring.standings import Competitor, Exclusion, Terms, standings
from tests.reports.html.pages import WON, assignment, match
from tests.reports.html.test_access import CONTRASTS, UNNAMED

MIDDLES = """(table) => [...table.tHead.rows[0].cells].slice(1).map((_, at) => [...table.rows].map((row) => {
  const text = document.createRange();
  text.selectNodeContents(row.cells[at + 1]);
  const box = text.getBoundingClientRect();
  return (box.left + box.right) / 2;
}))"""
"""The middle of each text, column by column, without the ranks."""

HOSTILE = '<img src=x onerror="document.title=1">'


def page(*names: str, lang: str = "en", byes=None, title: str = f"Hex {HOSTILE}") -> str:
    """The page of a tournament in which each player beats those that come after it."""
    course = assignment(size=3)
    players = [Competitor(id=f"s{at}", name=name, reference=at == 1) for at, name in enumerate(names)]
    won = match(course, WON)
    lost = match(course, ["a1", "b1", "a2", "b2", "c3", "b3"])
    matches = [
        Match.of(fixture, won if one.id < other.id else lost, course.rules, seat=0)
        for one, other in itertools.permutations(players, 2)
        for fixture in [
            Fixture(game="hex", players=(one.id, other.id), number=0, seed=0, seeds=(0, 0), key=one.id + other.id)
        ]
    ]
    terms = Terms(title=title, game="hex", seed=0, isolation="strong", games_per_pair=2, rounds=3)
    left = (Exclusion(id="left", name=HOSTILE, reason=HOSTILE),)
    held = standings(terms, players, matches, byes=byes or {}, excluded=left, unplayed=[HOSTILE])
    return render([held], matches, [course], language(lang), finished="2026-03-04T05:06:07+00:00", machine="A machine")


def test_standings_cross_table_and_probabilities_are_shown(look):
    opened = look(page("Ana Núñez", "mcts", "Zoë"))
    tables = opened.locator("table")

    assert tables.count() == 3
    assert tables.nth(0).locator("tbody th").all_inner_texts() == ["Ana Núñez s0", "mcts reference", "Zoë s2"]
    assert opened.locator("svg.interval circle").count() == 3
    assert tables.nth(1).locator("tbody tr").first.locator("td").all_inner_texts() == ["1", "·", "2", "2"]
    opened.get_by_text("Who is stronger").click()
    chances = tables.nth(2).locator("tbody tr").first.locator("td").all_inner_texts()[2:]
    assert all(50 < int(chance.removeprefix(">")) <= 99 for chance in chances)


def test_hostile_names_are_shown_as_plain_text(look):
    opened = look(page(HOSTILE, "mcts", "</script><script>document.title=1</script>", byes={"s0": 1}))

    assert opened.locator("img").count() == 0
    assert opened.title() == f"Tournament: Hex {HOSTILE}"
    assert opened.get_by_text("<img src=x").count() >= 4


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_fits_on_a_phone_and_every_text_has_enough_contrast(look, theme):
    opened = look(
        page(*(f"A player with a name of some length {at}" for at in range(20))),
        viewport={"width": 360, "height": 700},
        color_scheme=theme,
    )

    assert opened.evaluate("document.documentElement.scrollWidth") <= 360
    found = opened.evaluate(CONTRASTS)
    assert len(found) > 100
    assert [text for text in found if text[0] < 4.5] == []
    assert opened.evaluate(UNNAMED) == []


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_standings_fit_on_a_desktop_screen(look, name):
    opened = look(
        page("hex_shortest_path", "mcts", "hex_occupied_cell", lang=name), viewport={"width": 1280, "height": 800}
    )
    table = opened.locator(".scroll").first

    assert table.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0


@pytest.mark.parametrize(("lang", "title"), [("en", "Hex tournament"), ("es", "Torneo de Hex")])
def test_the_title_says_that_it_is_a_tournament(look, lang, title):
    opened = look(page("Ana", "mcts", title="Hex", lang=lang))

    assert opened.title() == opened.locator("h1").inner_text() == title


def test_the_top_of_the_page_has_the_date_the_rules_and_the_machine(look):
    facts = look(page("Ana", "mcts")).locator(".facts").inner_text()

    assert "2026-03-04" in facts
    assert "2 players, 2 games" in facts
    assert "Hex, size 3, adjacency axial, 2 s per move · Swiss system, 3 rounds, 2 games per pair, seed 0" in facts
    assert "A machine · isolation level strong" in facts


def test_ranks_are_plain_numbers_followed_by_those_that_are_possible(look):
    opened = look(page("Ana", "mcts", "Zoë", "Begoña"))
    ranks = opened.locator("td.rank")

    assert ranks.all_inner_texts() == ["1 (1–2)", "–", "2 (1–3)", "3 (2–3)"]
    assert ranks.first.locator("[title]").get_attribute("title") == "statistical tie: ranks 1 to 2 are possible"
    opened.get_by_text("What the table means").click()
    assert opened.get_by_text("any from 1 to 5 is possible").is_visible()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cross_tables_have_the_ranks_and_names_of_the_standings_and_their_columns_line_up(look, width, theme):
    opened = look(page("Ana", "mcts", "Zoë", "Begoña"), viewport={"width": width, "height": 800}, color_scheme=theme)
    opened.get_by_text("Who is stronger").click()
    for table in opened.locator("table.matrix").all():
        assert table.locator("tbody td:first-child").all_inner_texts() == ["1", "–", "2", "3"]
        assert table.locator("thead th").all_text_contents()[2:] == ["Ana", "mcts", "Zoë", "Begoña"]
        middles = table.evaluate(MIDDLES)
        assert len(middles) == 5
        assert all(max(column) - min(column) <= 1.5 for column in middles[1:]), middles


def test_names_in_the_cross_table_open_the_part_of_the_player(look):
    opened = look(page("Ana", "mcts", "Zoë"))
    opened.locator("table.matrix").first.get_by_role("link", name="Zoë s2").click()

    assert opened.locator("h2:visible").inner_text() == "Zoë s2"
    facts = opened.locator("#student .facts").inner_text().split()
    assert facts[:6] == ["Rank", "2", "(1–2)", "Points", "0", "Rating"]


def test_a_result_in_the_cross_table_opens_its_games(look):
    opened = look(page("Ana", "mcts", "Zoë"))
    cell = opened.get_by_role("link", name="Zoë against Ana: 0 of 2 games")
    box = cell.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    cell.focus()
    opened.keyboard.press("Enter")
    opened.locator(".replay").wait_for()

    assert opened.locator("h2:visible").inner_text() == "Zoë s2"
    assert opened.locator(".replay h3").inner_text() == "Game 1: Zoë against Ana"
    opened.get_by_role("link", name="Next game").click()
    opened.wait_for_function("document.querySelector('.games a[aria-current]').dataset.game === '2'")
    assert "Zoë against Ana" in opened.locator(".replay h3").inner_text()
    opened.get_by_role("link", name="The standings").click()
    opened.locator(".matrix").first.wait_for()


def test_closing_a_game_leads_back_to_the_result_that_opened_it(look):
    opened = look(page("Ana", "mcts", "Zoë"))
    opened.get_by_role("link", name="Zoë against Ana: 0 of 2 games").press("Enter")
    opened.locator(".replay").wait_for()
    opened.get_by_role("link", name="Next game").click()
    opened.wait_for_function("document.querySelector('.games a[aria-current]').dataset.game === '2'")
    opened.keyboard.press("Escape")
    opened.locator(".matrix").first.wait_for()

    assert opened.evaluate("document.activeElement.ariaLabel") == "Zoë against Ana: 0 of 2 games"


def test_closing_a_game_that_a_player_s_part_opened_leads_back_to_that_part(look):
    opened = look(page("Ana", "mcts", "Zoë"))
    opened.locator("table.standings").get_by_role("link", name="Zoë s2").click()
    opened.locator(".games a").first.press("Enter")
    opened.locator(".replay").wait_for()
    opened.keyboard.press("Escape")
    opened.locator(".replay").wait_for(state="detached")

    assert opened.evaluate("document.activeElement.dataset.game") == "1"
    opened.get_by_role("link", name="The standings").click()
    opened.wait_for_function("document.activeElement.closest('table.standings')")


def test_explanations_are_folded_away(look):
    opened = look(page("Ana", "mcts", "Zoë"))
    explanation = opened.get_by_text("400 points mean 10:1 odds")
    assert not explanation.is_visible()

    opened.get_by_text("What the table means").click()
    assert explanation.is_visible()


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_standings_need_no_sideways_scrolling_on_a_phone_or_on_paper(look, name):
    opened = look(
        page("hex_shortest_path", "mcts", "A player with a name of some length", lang=name, byes={"s0": 1}),
        viewport={"width": 390, "height": 844},
    )
    table = opened.locator(".scroll").first
    assert table.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
    assert table.get_by_role("row").count() == 4

    opened.set_viewport_size({"width": 688, "height": 1000})  # A4 without its margins
    opened.emulate_media(media="print")
    assert table.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
