"""The view of a game: refused moves, playback speeds, previews, closing, and what can be taken home."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.assignment import load_assignments
from grader.competition.replay import replay_record
from grader.language import say
from grader.records import Answer, Charge, Ending, Fault, read_record
from grader.referee import judge_answer
from tests.cli.test_notation import sgf_nodes
from tests.games.test_own_game import TAKEAWAY
from tests.reports.html.pages import WON, assignment, feedback_of, match, report_of, student

TIMER = """() => {
    window.setInterval = (step, delay) => { window.tick = step; window.delay = delay; return 1; };
    window.clearInterval = () => { window.tick = null; };
}"""
"""Replaces the timer of the page by a function `tick()`, and notes how long it would have waited."""
OWN_GAME = """
title: Stones
game: ./takeaway.py
options: {stones: 7}
opponents: [{player: random, points: 1, games: 4, name: rival}]
"""
NO_TIME = Charge(wall=0.0, cpu=0.0, waited=0.0, charged=0.0)


def refused(of, moves, value):
    """The record of a game that ends when a player returns this value."""
    position = of.rules.start()
    for move in moves:
        position = of.rules.play(position, of.rules.parse_move(move))
    *_, fault = judge_answer(of.rules, position, Answer(charge=NO_TIME, value=value), "0")
    assert fault is not None
    return match(of, moves, fault=fault)


def move_text(page):
    return page.locator(".move-text").inner_text()


def test_a_refused_move_is_crossed_out_on_its_cell_and_named_in_both_notations(look):
    of = assignment(size=3)
    page = look(feedback_of(student(of, refused(of, ["a1", "c2"], [1, 2]))), at="#one/1")

    assert move_text(page).startswith("✗ Move 3: one returned (1, 2) = c2, an illegal move")
    assert "an illegal move" in page.locator(".board-svg").get_attribute("aria-label")
    crossed, stone = (
        page.locator(place).bounding_box() for place in (".refused-move .cross", ".board-svg .piece.two .disc")
    )
    for corner, length in (("x", "width"), ("y", "height")):
        middles = [box[corner] + box[length] / 2 for box in (crossed, stone)]
        assert abs(middles[0] - middles[1]) < 2
    assert page.get_by_role("button", name="(1, 2) = c2, illegal move").get_attribute("aria-current") == "step"
    page.keyboard.press("ArrowLeft")
    assert page.locator(".refused-move").count() == 0
    assert move_text(page).startswith("Move 2 of 2: rival plays c2")
    page.keyboard.press("End")
    assert page.locator(".refused-move").count() == 1


@pytest.mark.parametrize(
    ("value", "label", "marks"), [(0, "0 = PUT1", ".refused-column"), (7, "7 = BOOM", ".refused-text")]
)
def test_a_full_column_and_a_boom_without_a_bomb_are_crossed_out(look, value, label, marks):
    of = assignment("desconecta4")
    page = look(feedback_of(student(of, match(of, [*"1212121"]), refused(of, [*"1111111"], value))), at="#one/2")

    assert f"one returned {label}, an illegal move" in move_text(page)
    assert page.locator(marks).count() == page.locator(".refused-move").count() == 1


@pytest.mark.parametrize(
    ("value", "text"), [([3, 0], "[3, 0], which is not a move"), (None, "None, which is not a move")]
)
def test_what_is_not_a_move_of_the_board_is_explained_in_words(look, value, text):
    of = assignment(size=3)
    page = look(feedback_of(student(of, refused(of, ["a1", "c2"], value))), at="#one/1")

    assert f"Your player returned {text}" in page.locator(".why").inner_text()
    assert page.locator(".refused-move").count() == 0
    assert page.locator(".moves button").all_inner_texts() == ["a1", "c2", "✗"]


def test_an_exception_is_a_last_step_on_which_the_board_does_not_change(look):
    of = assignment(size=3)
    crashed = match(of, ["a1", "c2"], fault=Fault(ending=Ending.CRASH, text="It raised KeyError.", help="Fix it."))
    page = look(feedback_of(student(of, crashed)), at="#one/1")

    assert move_text(page).startswith("✗ Move 3: one failed: exception")
    assert page.locator(".refused-move").count() == 0
    assert page.get_by_role("button", name="exception", exact=True).get_attribute("aria-current") == "step"
    page.keyboard.press("ArrowLeft")
    assert move_text(page).startswith("Move 2 of 2: rival plays c2")


def test_the_fault_of_an_opponent_is_reported_with_its_name():
    of = assignment(size=3)
    fault = Fault(ending=Ending.CRASH, text=say("The player raised {what}.", what="KeyError"), help="Fix it.")

    assert "rival failed. The player raised KeyError." in report_of(student(of, match(of, ["a1"], fault=fault)))


@pytest.mark.parametrize("page", [feedback_of, report_of])
def test_escape_closes_the_game_and_returns_to_its_link(look, page):
    of = assignment(size=3)
    opened = look(page(student(of, match(of, WON))), at="#one/1")
    opened.keyboard.press("Escape")
    opened.locator(".replay").wait_for(state="detached")

    assert opened.evaluate("document.activeElement.dataset.game") == "1"
    opened.keyboard.press("Escape")
    assert opened.locator("h2:visible").count() == 1, "without an open game, the key does nothing"


def test_playback_has_speeds_that_stay_for_the_next_game(look):
    of = assignment(size=3)
    page = look(feedback_of(student(of, match(of, WON), match(of, WON))), at="#one/1")
    page.evaluate(TIMER)
    speeds = page.get_by_role("group", name="Playback speed")
    assert speeds.get_by_role("button").all_inner_texts() == ["0.5×", "1×", "2×", "4×"]
    page.get_by_role("button", name="Play", exact=True).click()
    assert page.evaluate("delay") == 700
    speeds.get_by_role("button", name="4×").press("Enter")
    assert page.evaluate("delay") == 175
    assert page.evaluate("tick !== null"), "the game plays on"

    page.get_by_role("link", name="Next game").click()
    page.get_by_role("heading", name="Game 2 against rival").wait_for()
    assert page.locator(".speeds [aria-pressed=true]").inner_text() == "4×"


def test_a_move_under_the_mouse_or_with_the_focus_is_shown_for_as_long_as_it_is_there(look):
    of = assignment(size=3)
    page = look(feedback_of(student(of, match(of, WON))), at="#one/1")
    page.locator(".moves button").nth(1).hover()
    assert page.locator(".board-svg .piece").count() == 2
    assert move_text(page).startswith("Move 5 of 5"), "the game itself stays where it is"
    page.locator(".why").hover()
    assert page.locator(".board-svg .piece").count() == 5
    page.locator(".moves button").nth(2).focus()
    assert page.locator(".board-svg .piece").count() == 3
    page.locator(".replay h3").focus()
    assert page.locator(".board-svg .piece").count() == 5


def saved(page: Any, name: str, folder: Path) -> str:
    """The text of the file that a button downloads."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    text: str = file.read_text(encoding="utf-8")
    return text


@pytest.mark.parametrize("show", [feedback_of, report_of])
@pytest.mark.parametrize("value", [None, [1, 2]])
def test_the_downloaded_json_can_be_replayed_and_does_not_contain_the_seed(look, tmp_path, show, value):
    of = assignment(size=3)
    record = match(of, WON) if value is None else refused(of, ["a1", "c2"], value)
    page = look(show(student(of, replace(record, seed=1234567))), at="#one/1", accept_downloads=True)

    text = saved(page, "Download as JSON", tmp_path)

    assert "1234567" not in text
    again = replay_record(read_record(json.loads(text)))
    assert again.problem is None
    assert again.moves == tuple(turn.move for turn in record.turns)
    assert (again.record.winner, again.record.ending, again.record.at_fault) == (
        record.winner,
        record.ending,
        record.at_fault,
    )
    assert again.refused == (None if value is None else (1, 2))
    assert list(tmp_path.glob("hex-rival-1.json"))


def test_a_student_takes_home_sgf_a_hexworld_link_and_the_lost_position_in_python(look, tmp_path):
    of = assignment(size=3)
    lost = refused(of, ["a1", "c2"], [1, 2])
    page = look(
        feedback_of(student(of, lost, entry="agents/bot.py:Bot")),
        at="#one/1",
        accept_downloads=True,
        permissions=["clipboard-read", "clipboard-write"],
    )

    root, *moves = sgf_nodes(saved(page, "Download as SGF", tmp_path))
    assert (root["SZ"], len(moves)) == ("3", 2)
    link = page.get_by_role("link", name="Open in HexWorld")
    assert link.get_attribute("href") == "https://hexworld.org/board/#3c1,a1b3"
    assert link.get_attribute("rel") == "noopener noreferrer"
    page.get_by_text("The position in Python").click()
    code = page.locator(".python pre").inner_text()
    assert "moves = [(0, 0), (1, 2)]" in code and "from bot import Bot" in code and "player = Bot(1)" in code
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_text("✓ Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == code


def test_a_page_that_may_not_use_the_clipboard_copies_nevertheless(look):
    of = assignment("desconecta4")
    page = look(feedback_of(student(of, match(of, [*"1212121"]))), at="#one/1")
    page.evaluate(
        """() => {
            navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
            document.execCommand = () => { window.copied = getSelection().toString() || document.activeElement.value; };
        }"""
    )
    page.get_by_role("button", name="Copy as string of columns").click()
    page.get_by_text("✓ Copied").wait_for()

    assert page.evaluate("copied") == "1212121"


def test_only_the_page_of_a_student_has_exports_that_would_make_a_report_too_large():
    of = assignment(size=3)
    made = student(of, match(of, WON))

    assert "hexworld.org" in feedback_of(made)
    assert "hexworld.org" not in report_of(made)


def test_a_notation_that_does_not_support_the_board_is_not_offered(look):
    of = assignment(size=3, adjacency="even-r")
    page = look(
        feedback_of(student(of, match(of, ["a1", "c2"], fault=Fault(ending=Ending.CRASH, text="", help="")))),
        at="#one/1",
    )

    assert page.locator(".take-home button").all_inner_texts()[:1] == ["Download as JSON"]
    assert page.get_by_role("link", name="HexWorld").count() == 0


def exception(text: str, line: int = 12) -> Fault:
    """The fault of a player that raised an exception."""
    where = f"solution.py:{line}"
    what = say("{kind} in {where}", kind="KeyError", where=where)
    return Fault(
        ending=Ending.CRASH,
        text=say("The player raised {what}: {text}", what=what, text=text),
        help=say("Fix this line."),
        where=where,
        trace=f"solution.py:30 in play: return self.best(board)\n{where} in best: return self.table[row, col]",
    )


def test_feedback_begins_with_the_fault_that_lost_most_games_and_its_line_of_code(look):
    of = assignment(size=3)
    lost = [match(of, ["a1", "b2"], fault=exception("(0, 1)")), match(of, ["a1"], fault=exception("(2, 2)"))]
    page = look(feedback_of(student(of, match(of, ["a1", "b1"], fault=exception("1", 7)), lost[1], lost[0])))

    first = page.locator(".first-step")
    assert first.get_by_role("heading").inner_text() == "Fix this first"
    assert (
        "2 of 3 games were lost by the same error. Your player raised KeyError in solution.py:12: (2, 2)"
        in first.inner_text()
    )
    assert "Fix this line." in first.inner_text()
    assert first.locator("pre").inner_text().endswith("solution.py:12 in best: return self.table[row, col]")
    assert first.get_by_role("link").all_inner_texts() == ["rival\xa02", "rival\xa03"]
    other = page.locator(".findings li")
    assert other.inner_text().startswith("1 game: KeyError in solution.py:7.")
    assert "return self.table" in other.locator("pre").inner_text()
    assert page.locator("main h3").first.inner_text() == "Fix this first"


def test_a_player_without_faults_is_told_where_it_loses_or_that_it_won_everything(look):
    of = assignment(size=3)
    weak = student(of, match(of, WON), match(of, WON))
    part = replace(weak.grade.parts[0], won=2, lost=0)
    strong = replace(weak, grade=replace(weak.grade, parts=(part,)))

    text = look(feedback_of(weak)).locator(".first-step").inner_text()
    assert text.startswith("Improve this first\n\nMost points were lost against rival: 1 of 2 games won.")
    assert "Step through a lost game from its end" in text and text.endswith("rival\xa02")
    text = look(feedback_of(strong)).locator(".first-step").inner_text()
    assert text.split("\n\n") == ["Nothing to fix", "Your player won all its games."]


def test_slow_moves_are_listed_only_above_half_of_the_limit():
    of = assignment(size=3)
    quick, slow = match(of, WON), match(of, ["a1", "b2"], fault=exception("1"))

    assert "Slowest moves" not in feedback_of(student(of, quick))
    assert "2.50 s for move 3 of game 1" in feedback_of(student(of, slow))


def test_a_refused_move_of_a_course_s_own_game_is_a_step_in_words_and_has_python_code(look, tmp_path):
    (tmp_path / "takeaway.py").write_text(TAKEAWAY, encoding="utf-8")
    (tmp_path / "assignment.yaml").write_text(OWN_GAME, encoding="utf-8")
    (of,) = load_assignments(tmp_path / "assignment.yaml")
    lost = replace(refused(of, ["3", "3"], 2), game=of.rules.name, rules=of.rules.digest(), options=of.rules.options())
    page = look(feedback_of(student(of, lost)), at="#one/1")

    assert move_text(page).startswith("✗ Move 3: one returned 2, an illegal move")
    assert page.locator(".moves button").all_inner_texts() == ["3", "3", "✗ 2"]
    assert "state = TakeAway(stones=7).state()" in page.locator(".python pre").text_content()
