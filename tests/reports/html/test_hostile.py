"""Names, output and errors of students are shown as plain text, and a student's page contains nothing confidential."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from grader.reports.html import embed_json
from grader.reports.html.replay import PRINTED, TEXTS_OF_A_STUDENT
from tests.reports.html.pages import HOSTILE, WON, assignment, feedback_of, hostile_student, match, report_of, student


def test_a_report_shows_hostile_texts_as_plain_text(look):
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


def test_the_page_of_a_student_shows_hostile_texts_as_plain_text(look):
    text = "".join(HOSTILE[:-1])
    page = look(feedback_of(hostile_student(text, 0)), at="#h0/1")

    assert page.locator("h2").text_content() == in_html(text)
    assert page.locator(".replay pre").first.text_content() == in_json(text)
    assert_untouched(page)


def in_json(text: str) -> str:
    """A text as the data of the page contains it: lone surrogates are replaced."""
    return text.replace("\ud800", "?")


def in_html(text: str) -> str:
    """A text as the page contains it: browsers drop null characters."""
    return in_json(text).replace("\0", "")


def assert_untouched(page) -> None:
    assert page.title().endswith("A test of hex")
    assert page.locator("img, iframe, object, main script, [onerror], [onload], [onmouseover]").count() == 0


def test_the_policy_blocks_a_script_that_was_injected_into_the_page(look):
    of = assignment(size=3)
    refused: list[str] = []
    text = feedback_of(student(of)).replace("</main>", "<script>document.title='taken'</script></main>")
    page = look(text, refused=refused)

    assert page.title() == "one · A test of hex"
    assert ["Content Security Policy" in message for message in refused] == [True]


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_embedded_data_can_be_read_back_unchanged(data):
    text = embed_json(data)

    assert not {*"<>&\u2028\u2029"} & {*text}
    assert json.loads(text) == data


def test_only_the_beginning_of_the_players_own_output_is_included():
    of = assignment(size=3)
    loud = [match(of, WON, printed="x" * 100_000) for _ in range(2)]
    page = feedback_of(student(of, *loud))

    assert "x" * (PRINTED - 1) + "…" in page
    assert page.count("x" * 500) == 1, "in the second game the opponent moved first and printed"


def test_no_student_can_make_the_report_too_large():
    games = 2 * TEXTS_OF_A_STUDENT // PRINTED
    of = assignment(size=3, games=games)
    loud = [match(of, WON, printed=f"{at} " + "x" * 100_000) for at in range(games)]
    page = feedback_of(student(of, *(replace(game, seats=(game.seats[0], game.seats[0])) for game in loud)))

    assert page.count("x" * 500) == TEXTS_OF_A_STUDENT // PRINTED
    assert "Omitted to keep this page small" in page
    assert "You connected your two sides first." in page


def test_the_page_of_a_student_contains_nothing_about_others():
    of = assignment(size=3)
    one, two = (student(of, match(of, WON), id=name, name=f"Name of {name}") for name in ("one", "two"))

    assert "two" in report_of(one, two)
    page = feedback_of(one)
    assert "Name of one" in page
    assert "Name of two" not in page
    assert "median" not in page


def test_hidden_opponents_and_their_games_are_not_in_the_page_of_a_student_unless_revealed():
    of = assignment(size=3, opponent="surprise", hidden=True)
    made = student(of, match(of, WON))

    page = feedback_of(made)
    assert "surprise" not in page
    assert "hidden opponent 1" in page
    assert "Games against hidden opponents count but are not shown." in page
    assert '"games":[]' in page
    assert "surprise" in feedback_of(made, reveal=True)
    assert "surprise" in report_of(made)
