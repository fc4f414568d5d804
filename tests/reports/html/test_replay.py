"""Replays in a browser: the boards follow the rules, and every way to step through a game works."""

import random
import re

import pytest

from grader.games import make_game
from grader.games.hex.grid import hex_grid
from grader.language import language
from grader.records import Ending, Fault
from tests.games.test_desconecta4 import ORACLE_GAMES
from tests.reports.html.pages import WON, assignment, feedback_of, match, report_of, student

BOMBED = [*"1212122134B"]
"""The ninth piece is a bomb, in the bottom row, where player 1 has another: BOOM takes both."""

BY_HAND = """() => {
    window.setInterval = (step) => { window.tick = step; return 1; };
    window.clearInterval = () => { window.tick = null; };
}"""
"""Replaces the timer of the page by a function `tick()` that the test calls."""
ANIMATIONS = """() => {
    const { animate } = Element.prototype;
    window.animations = 0;
    Element.prototype.animate = function (...how) { window.animations += 1; return animate.apply(this, how); };
}"""
"""Counts animations, because one may be over before a test can observe it."""


@pytest.fixture
def won(look):
    of = assignment(size=3)
    return look(feedback_of(student(of, match(of, WON))), at="#one/1")


def stones(page):
    return page.locator(".board-svg .piece").count()


def move_text(page):
    return page.locator(".move-text").inner_text()


def close(page):
    page.get_by_role("button", name="Close the game").click()
    page.locator(".replay").wait_for(state="detached")


def test_stepping_through_an_example_game_ends_with_the_winning_chain(look, examples):
    page = look(path=examples / "report.html")
    page.get_by_role("link", name="hex_shortest_path").click()
    page.get_by_role("link", name="minimax, game 1").click()
    page.locator(".replay").wait_for()
    page.keyboard.press("Home")
    assert (stones(page), move_text(page)) == (0, "Before the first move")
    assert page.locator(".chain").count() == 0

    plies = int(page.get_by_label("Move", exact=True).get_attribute("max"))
    for _ in range(plies):
        page.get_by_role("button", name="One move forward").click()

    assert stones(page) == plies
    assert move_text(page).startswith(f"Move {plies} of {plies}: hex_shortest_path plays ")
    assert page.locator("polyline.chain").count() == 1
    assert page.locator(".chain-stone").count() >= 6
    assert page.get_by_role("button", name="One move forward").is_disabled()


def test_keys_buttons_slider_move_list_and_chart_all_show_a_move(won):
    won.keyboard.press("Home")
    won.keyboard.press("ArrowRight")
    won.keyboard.press("ArrowRight")
    assert (stones(won), move_text(won)) == (2, "Move 2 of 5: rival plays a1 (0.020 s)")
    won.keyboard.press("ArrowLeft")
    assert stones(won) == 1
    won.keyboard.press("End")
    assert stones(won) == 5
    won.get_by_role("button", name="First position").click()
    assert stones(won) == 0
    won.get_by_label("Move", exact=True).fill("3")
    assert stones(won) == 3
    won.locator(".moves button", has_text="b1").click()
    assert stones(won) == 4
    assert won.locator(".moves [aria-current=step]").inner_text() == "b1"
    won.locator(".times-svg").first.click(position={"x": 5, "y": 40})
    assert stones(won) == 1
    won.get_by_role("button", name="Last position").click()
    assert stones(won) == 5


@pytest.mark.parametrize("where", [".board-svg", ".times-svg", ".why", ".move-text"])
def test_keys_work_wherever_the_mouse_was_clicked(won, where):
    won.locator(where).first.click()
    won.keyboard.press("End")
    won.keyboard.press("ArrowLeft")

    assert stones(won) == 4


@pytest.mark.parametrize(
    ("button", "key", "then"),
    [("Last position", "ArrowLeft", 4), ("One move forward", "ArrowLeft", 4), ("First position", "ArrowRight", 1)],
)
def test_a_button_that_becomes_disabled_keeps_the_focus_and_the_keys_still_work(won, button, key, then):
    won.keyboard.press("End" if button == "First position" else "ArrowLeft")
    won.get_by_role("button", name=button).click()

    assert won.evaluate("document.activeElement.getAttribute('aria-label')") == button
    assert won.evaluate("document.activeElement.getAttribute('aria-disabled')") == "true"
    won.keyboard.press(key)
    assert stones(won) == then


def test_the_space_bar_plays_after_a_click_on_the_first_position(won):
    won.evaluate(BY_HAND)
    won.get_by_role("button", name="First position").click()
    won.keyboard.press(" ")

    assert won.get_by_role("button", name="Pause").count() == 1
    assert won.get_by_role("button", name="Play").count() == 0


def test_keys_that_other_elements_use_do_not_step(look):
    of = assignment(size=3)
    fault = Fault(ending=Ending.CRASH, text="It fell.", help="Catch it.", trace="solution.py:1")
    page = look(feedback_of(student(of, match(of, ["a1", "b2"], fault=fault))), at="#one/1")
    page.keyboard.press("Shift+ArrowLeft")
    assert stones(page) == 2
    page.locator(".replay pre").first.focus()
    page.keyboard.press("ArrowLeft")
    assert stones(page) == 2

    close(page)
    page.keyboard.press("Home")
    page.locator(".games a").first.click()
    page.locator(".replay").wait_for()
    assert stones(page) == 2


def test_playback_continues_until_it_is_paused_or_the_game_ends(won):
    won.evaluate(BY_HAND)
    won.keyboard.press("Home")
    won.locator(".replay h3").focus()
    won.keyboard.press(" ")
    won.evaluate("tick()")
    assert stones(won) == 1
    won.get_by_role("button", name="Pause").click()
    assert won.evaluate("tick") is None
    won.get_by_role("button", name="Play").click()
    for _ in range(4):
        won.evaluate("tick()")

    assert stones(won) == 5
    assert won.locator("polyline.chain").count() == 1
    assert won.get_by_role("button", name="Play").count() == 1
    assert won.evaluate("tick") is None


def test_move_numbers_can_be_shown(won):
    assert not won.locator(".stone-number").first.is_visible()
    won.get_by_label("Move numbers").check()
    assert won.locator(".stone-number:visible").all_text_contents() == ["1", "2", "3", "4", "5"]


def test_a_game_links_to_the_next_and_the_previous_one(look):
    of = assignment(size=3)
    page = look(report_of(student(of, match(of, WON), match(of, WON), id="a#b")), at="#a%23b/1")
    page.get_by_role("link", name="Next game").click()

    page.get_by_role("heading", name="Game 2 against rival").wait_for()
    assert page.get_by_role("link", name="Next game").count() == 0
    assert page.get_by_role("link", name="Previous game").get_attribute("href") == "#a%23b/1"


@pytest.mark.parametrize("page", [feedback_of, report_of])
def test_closing_a_game_returns_to_the_list(look, page):
    of = assignment(size=3)
    opened = look(page(student(of, match(of, WON))), at="#one/1")
    close(opened)

    assert opened.evaluate("document.activeElement.dataset.game") == "1"


@pytest.mark.parametrize("adjacency", ["axial", "even-r"])
def test_the_script_uses_the_neighbours_of_the_rules(look, adjacency):
    page = look(feedback_of(student(assignment(size=3))))
    for size in (1, 2, 5, 8):
        grid = hex_grid(size, adjacency)
        for row, col in grid.cells:
            near = page.evaluate(
                "([row, col, adjacency]) => hex.neighbours(row, col, adjacency)", [row, col, adjacency]
            )
            inside = {(r, c) for r, c in near if 0 <= r < size and 0 <= c < size}
            assert inside == {*grid.list_cells(grid.spread(grid.bits[row][col]) & grid.full)} - {(row, col)}


@pytest.mark.parametrize("adjacency", ["axial", "even-r"])
def test_the_winning_chain_connects_the_sides_of_the_winner(look, adjacency):
    page = look(feedback_of(student(assignment(size=3))))
    grid = hex_grid(6, adjacency)
    for seed in range(20):
        own, winner = random_game(adjacency, seed)
        chain = page.evaluate(
            "([own, player, adjacency]) => hex.chain(own, player, 6, adjacency)", [own, winner, adjacency]
        )
        assert {tuple(cell) for cell in chain} <= {*own}
        assert grid.connects(sum(grid.bits[row][col] for row, col in chain), winner + 1)


def random_game(adjacency, seed):
    """The winner of a random game on 6×6, and its stones."""
    game = make_game("hex", {"size": 6, "adjacency": adjacency})
    moves, position, generator = [], game.start(), random.Random(seed)
    while (outcome := game.outcome(position)) is None:
        moves.append(generator.choice(game.moves(position)))
        position = game.play(position, moves[-1])
    return moves[outcome.winner :: 2], outcome.winner


@pytest.mark.parametrize("adjacency", ["axial", "even-r"])
def test_the_coloured_sides_go_around_the_board_at_every_size(look, adjacency):
    page = look(feedback_of(student(assignment(size=3))))
    drawn = page.evaluate(
        """(adjacency) => Array.from({ length: 26 }, (_, at) => {
            const { svg } = hex.board({ options: { size: at + 1, adjacency }, moves: [] });
            return [...svg.querySelectorAll(".sides polyline")].map((line) => line.getAttribute("points").split(" "));
        })""",
        adjacency,
    )
    for size, lines in enumerate(drawn, 1):
        assert len(lines) == 4
        assert [line[-1] for line in lines] == [line[0] for line in [*lines[1:], lines[0]]]
        sides = sum(len(line) - 1 for line in lines)
        assert sides == 8 * size  # the outer sides of the cells, 8 × size − 2, two of which are drawn in halves


def test_pieces_fall_and_explode_as_in_the_recorded_games(look):
    page = look(feedback_of(student(assignment("desconecta4"))))
    games = [
        "".join("B" if action == "7" else str(int(action) + 1) for action in game["actions"]) for game in ORACLE_GAMES
    ]
    states = page.evaluate(
        """(games) => games.map((moves) => desconecta4.states([...moves]).map(({ pieces }) => {
            const cells = Array(49).fill("0");
            for (const piece of pieces) cells[7 * piece.row + piece.col] = String(piece.owner + 1 + (piece.bomb ? 3 : 0));
            return cells.join("");
        }))""",
        games,
    )

    assert states == [[state[0] for state in game["s"]] for game in ORACLE_GAMES]


def test_the_losing_line_is_marked_in_every_recorded_game_that_has_one(look):
    page = look(feedback_of(student(assignment("desconecta4"))))
    lost = [(game, 3 - game["s"][-1][6]) for game in ORACLE_GAMES if game["s"][-1][6]]
    counts = page.evaluate(
        """(games) => games.map(([moves, loser]) => {
            const states = desconecta4.states([...moves].map((action) => (action === "7" ? "B" : String(Number(action) + 1))));
            return desconecta4.lines(states.at(-1).pieces, loser - 1).length;
        })""",
        [[game["actions"], loser] for game, loser in lost],
    )

    assert len(lost) > 50
    assert all(counts)


def test_bombs_are_drawn_and_announced_and_an_explosion_marks_the_removed_pieces(look):
    of = assignment("desconecta4")
    crash = Fault(ending=Ending.CRASH, text="It fell.", help="Catch it.")
    page = look(feedback_of(student(of, match(of, BOMBED, fault=crash))), at="#one/1")
    page.keyboard.press("ArrowLeft")  # it opens at the failed answer
    assert move_text(page).startswith("Move 11 of 11: one sets off its bomb. BOOM!")
    assert page.locator(".burst").count() == 2
    assert page.locator(".bomb").count() == 1

    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert move_text(page).startswith("Move 9 of 11: one drops a bomb into column 3")
    assert page.locator(".bomb").count() == 1
    assert page.locator(".burst").count() == 0


def test_pieces_fall_visibly_unless_reduced_motion_is_requested(look):
    of = assignment("desconecta4")
    made = feedback_of(student(of, match(of, BOMBED, fault=Fault(ending=Ending.CRASH, text="", help=""))))
    for motion, moving in (("no-preference", True), ("reduce", False)):
        page = look(made, at="#one/1", reduced_motion=motion)
        page.evaluate(ANIMATIONS)
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert bool(page.evaluate("animations")) is moving


def test_a_fault_is_shown_with_its_help_its_traceback_and_the_output(look):
    of = assignment(size=3)
    fault = Fault(ending=Ending.CRASH, text="It divided by zero.", help="Do not.", trace="solution.py:7 in play: 1 / 0")
    page = look(feedback_of(student(of, match(of, ["a1", "b2"], fault=fault, printed="thinking…"))), at="#one/1")
    replay = page.locator(".replay").inner_text()

    assert "Lost. It divided by zero." in replay
    assert "Do not." in replay
    assert "solution.py:7 in play: 1 / 0" in replay
    page.get_by_text("Output of the player").click()
    assert page.get_by_text("thinking…").is_visible()
    assert "slowest 2.50 s" in replay, "the answer that was a fault is included"


def test_the_time_limit_is_a_line_in_the_students_lane_and_a_bank_decreases(look):
    of = assignment(size=3)
    bank = of.model_copy(update={"time": of.time.model_copy(update={"move": None, "bank": 60.0})})
    heights = []
    for one in (of, bank):
        page = look(feedback_of(student(one, match(one, WON))), at="#one/1")
        assert page.locator(".times-svg").first.locator(".limit").count() == 1
        assert page.locator(".times-svg").nth(1).locator(".limit").count() == 0
        points = page.locator(".limit").first.get_attribute("points")
        heights.append([float(height) for height in re.findall(r",([\d.]+)", points)])
    per_move, left = heights

    assert len({*per_move}) == 1
    assert left == sorted(left)  # further down
    assert left[0] <= left[-1]


def test_a_game_without_any_move_can_be_opened(look):
    of = assignment(size=3)
    none = match(of, [], fault=Fault(ending=Ending.LOAD_ERROR, text="It could not be loaded.", help="Fix it."))
    page = look(report_of(student(of, none)), at="#one/1")

    assert move_text(page).startswith("No moves were played.")
    assert page.locator(".cells polygon").count() == 9
    for name in ("First position", "One move back", "Play", "One move forward", "Last position"):
        assert page.get_by_role("button", name=name, exact=True).get_attribute("aria-disabled") == "true", name


def test_numbers_in_the_scripts_are_written_in_the_language_of_the_page(look):
    of = assignment(size=3)
    of = of.model_copy(update={"time": of.time.model_copy(update={"move": 2.5})})
    page = look(report_of(student(of, match(of, WON)), speak=language("es")), at="#one/1")

    assert "(0,050 s)" in move_text(page)
    times = page.locator(".times").inner_text()
    assert "0,050 s" in times and "límite 2,5 s" in times and "0,01 s" in times
    assert not re.search(r"\d\.\d", page.locator(".replay").inner_text())
