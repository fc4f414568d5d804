"""The page of a tournament."""

import itertools

import pytest

from grader.fixtures import Fixture, Match
from grader.language import LANGUAGES, language
from grader.reports.html.tournament import render
from grader.scoring.standings import Competitor, Exclusion, Terms, standings
from tests.reports.html.pages import WON, assignment, match
from tests.reports.html.test_access import CONTRASTS, UNNAMED

HOSTILE = '<img src=x onerror="document.title=1">'


def page(*names: str, lang: str = "en", byes=None) -> str:
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
    terms = Terms(title=f"Hex {HOSTILE}", game="hex", seed=0, isolation="strong", games_per_pair=2, rounds=3)
    left = (Exclusion(id="left", name=HOSTILE, reason=HOSTILE),)
    held = standings(terms, players, matches, byes=byes or {}, excluded=left, unplayed=[HOSTILE])
    return render([held], matches, [course], language(lang))


def test_standings_cross_table_and_probabilities_are_shown(look):
    opened = look(page("Ana Núñez", "mcts", "Zoë"))
    tables = opened.locator("table")

    assert tables.count() == 3
    assert tables.nth(0).locator("tbody th").all_inner_texts() == ["Ana Núñez s0", "mcts reference", "Zoë s2"]
    assert opened.locator("svg.interval circle").count() == 3
    assert tables.nth(1).locator("tbody tr").first.locator("td").all_inner_texts() == ["1", "·", "2", "2"]
    chances = tables.nth(2).locator("tbody tr").first.locator("td").all_inner_texts()[2:]
    assert all(50 < int(chance.removeprefix(">")) <= 99 for chance in chances)


def test_hostile_names_are_shown_as_plain_text(look):
    opened = look(page(HOSTILE, "mcts", "</script><script>document.title=1</script>", byes={"s0": 1}))

    assert opened.locator("img").count() == 0
    assert opened.title() == f"Hex {HOSTILE}"
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
