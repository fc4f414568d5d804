"""The page of a tournament."""

import itertools

import pytest

from grader.language import LANGUAGES, language
from grader.reports.html.tournament import render
from grader.scoring.standings import Bout, Entrant, Excluded, Terms, standings
from tests.browser.test_access import CONTRASTS, UNNAMED
from tests.matches import record

HOSTILE = '<img src=x onerror="document.title=1">'


def page(*names: str, lang: str = "en", byes=None) -> str:
    """Of players with these names, the first of whom beat all that come after."""
    entrants = [Entrant(id=f"s{at}", name=name, reference=at == 1) for at, name in enumerate(names)]
    bouts = [
        Bout(one.id, other.id, record(0 if one.id < other.id else 1))
        for one, other in itertools.permutations(entrants, 2)
    ]
    terms = Terms(title=f"Hex {HOSTILE}", game="hex", seed=0, isolation="strong", games_a_pair=2, rounds=3)
    left = (Excluded(id="left", name=HOSTILE, reason=HOSTILE),)
    held = standings(terms, entrants, bouts, byes=byes or {}, excluded=left, unplayed=[HOSTILE])
    return render([held], language(lang))


def test_standings_cross_table_and_chances_are_shown(look):
    opened = look(page("Ana Núñez", "mcts", "Zoë"))
    tables = opened.locator("table")

    assert tables.count() == 3
    assert tables.nth(0).locator("tbody th").all_inner_texts() == ["Ana Núñez s0", "mcts reference", "Zoë s2"]
    assert opened.locator("svg.interval circle").count() == 3
    assert tables.nth(1).locator("tbody tr").first.locator("td").all_inner_texts() == ["1", "·", "2", "2"]
    chances = tables.nth(2).locator("tbody tr").first.locator("td").all_inner_texts()[2:]
    assert all(50 < int(chance.removeprefix(">")) <= 99 for chance in chances)


def test_hostile_names_are_only_shown(look):
    opened = look(page(HOSTILE, "mcts", "</script><script>document.title=1</script>", byes={"s0": 1}))

    assert opened.locator("img").count() == 0
    assert opened.title() == f"Hex {HOSTILE}"
    assert opened.get_by_text("<img src=x").count() >= 4


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_no_wider_than_a_phone_and_every_text_has_contrast(look, theme):
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
def test_the_standings_need_no_scrolling_on_a_desk(look, name):
    opened = look(
        page("hex_shortest_path", "mcts", "hex_occupied_cell", lang=name), viewport={"width": 1280, "height": 800}
    )
    table = opened.locator(".scroll").first

    assert table.evaluate("(box) => box.scrollWidth - box.clientWidth") <= 0
