"""Whatever a student is called, prints or raises stays text; and what students must not know is not in their page."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from grader.reports.html import embed_json
from grader.reports.html.replay import PRINTED, TEXTS_OF_A_STUDENT
from tests.reports.html.pages import HOSTILE, WON, assignment, feedback_of, hostile_student, match, report_of, student


def test_a_report_full_of_hostile_texts_does_nothing_but_show_them(look):
    page = look(report_of(*(hostile_student(text, number) for number, text in enumerate(HOSTILE))))
    assert page.locator("table.class tbody tr").count() == len(HOSTILE)
    for number, text in enumerate(HOSTILE):
        page.evaluate("(hash) => { location.hash = hash; }", f"h{number}/1")
        page.locator(f'.games a[href="#h{number}/1"][aria-current]').wait_for()
        page.keyboard.press("Home")
        page.mouse.move(300, 300)
        assert page.locator("h2:visible").text_content() == in_html(text)
        assert page.locator(".replay pre").first.text_content() in (in_json(text), text[:1_999] + "…")

    assert_untouched(page)


def test_a_students_page_full_of_hostile_texts_does_nothing_but_show_them(look):
    text = "".join(HOSTILE[:-1])
    page = look(feedback_of(hostile_student(text, 0)), at="#h0/1")

    assert page.locator("h2").text_content() == in_html(text)
    assert page.locator(".replay pre").first.text_content() == in_json(text)
    assert_untouched(page)


def in_json(text: str) -> str:
    """What becomes of a text in the data: half a sign cannot be written."""
    return text.replace("\ud800", "?")


def in_html(text: str) -> str:
    """What becomes of a text in the page itself, where a browser leaves out what is no sign at all."""
    return in_json(text).replace("\0", "")


def assert_untouched(page) -> None:
    assert page.title().endswith("A test of hex")
    assert page.locator("img, iframe, object, main script, [onerror], [onload], [onmouseover]").count() == 0


def test_a_script_that_got_into_the_page_would_not_run(look):
    of = assignment(size=3)
    refused: list[str] = []
    made = feedback_of(student(of)).replace("</main>", "<script>document.title='taken'</script></main>")
    page = look(made, refused=refused)

    assert page.title() == "A test of hex"
    assert ["Content Security Policy" in told for told in refused] == [True]


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_data_come_out_of_the_page_as_they_went_in(data):
    written = embed_json(data)

    assert not {*"<>&\u2028\u2029"} & {*written}
    assert json.loads(written) == data


def test_of_what_a_player_printed_only_the_beginning_is_kept_and_only_its_own():
    of = assignment(size=3)
    loud = [match(of, WON, printed="x" * 100_000) for _ in range(2)]
    told = feedback_of(student(of, *loud))

    assert "x" * (PRINTED - 1) + "…" in told
    assert told.count("x" * 500) == 1, "in the second game it was the other who moved first and printed"


def test_nobody_can_blow_up_the_report_of_the_class():
    games = 2 * TEXTS_OF_A_STUDENT // PRINTED
    of = assignment(size=3, games=games)
    loud = [match(of, WON, printed=f"{at} " + "x" * 100_000) for at in range(games)]
    told = feedback_of(student(of, *(replace(game, seats=(game.seats[0], game.seats[0])) for game in loud)))

    assert told.count("x" * 500) == TEXTS_OF_A_STUDENT // PRINTED
    assert "This is left out" in told
    assert "You connected your two sides first." in told


def test_a_students_page_tells_nothing_about_others():
    of = assignment(size=3)
    one, two = (student(of, match(of, WON), id=name, name=f"Name of {name}") for name in ("one", "two"))

    assert "two" in report_of(one, two)
    told = feedback_of(one)
    assert "Name of one" in told
    assert "Name of two" not in told
    assert "median" not in told


def test_a_hidden_opponent_and_its_games_are_not_in_a_students_page_unless_revealed():
    of = assignment(size=3, opponent="surprise", hidden=True)
    made = student(of, match(of, WON))

    told = feedback_of(made)
    assert "surprise" not in told
    assert "hidden opponent 1" in told
    assert "Games against hidden opponents count, and are not shown." in told
    assert '"games":[]' in told
    assert "surprise" in feedback_of(made, reveal=True)
    assert "surprise" in report_of(made)
