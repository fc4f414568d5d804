"""The data of the pages is compact, and the pages show the same as if it were not."""

import random
from dataclasses import replace

import pytest

from grader.assignment import Assignment, load_assignments
from grader.games import make_game
from grader.games.packed_numbers import pack_numbers
from grader.language import LANGUAGES, language
from grader.records import Charge, Ending, Fault, Turn
from grader.reports.html.report import render
from grader.reports.html.times import pack_times
from tests.bench.pages import GAMES, OPPONENTS, make_student, random_moves
from tests.games.test_own_game import TAKEAWAY
from tests.reports.html.page_data import games_by_student, page_data
from tests.reports.html.pages import WON, assignment, feedback_of, match, report_of, student

CRASH = Fault(ending=Ending.CRASH, text="It fell.", help="Catch it.")
MOST_BYTES_PER_GAME = 700
"""In the report of a large class with random games of 110 moves and some output. It is 670 now; with plain data it was 1210."""
SHOWN_TIMES = "(times) => times.map(timeChart.seconds)"
ROWS = "() => [...document.querySelectorAll('.games tbody tr')].map((row) => row.outerHTML.replace(/>\\s+/g, '>'))"


def large_class(students: int) -> str:
    """The report of students who play forty long games each, as `tests.bench report` measures it."""
    of = Assignment.model_validate(
        {
            "title": "Bench",
            "game": "hex",
            "opponents": [{"player": name, "points": 10, "games": GAMES} for name in OPPONENTS],
        }
    )
    generator = random.Random(0)
    records = [match(of, random_moves(generator)) for _ in range(20)]
    return report_of(*(make_student(of, number, records, generator) for number in range(students)))


def test_a_report_needs_few_bytes_per_game():
    small, large = (len(large_class(students).encode()) for students in (5, 25))

    assert (large - small) / (20 * len(OPPONENTS) * GAMES) < MOST_BYTES_PER_GAME


def test_texts_of_all_games_are_stored_once():
    of = assignment(size=3)
    games = [match(of, WON, printed="thinking…")] * 4
    texts = page_data(report_of(*(student(of, *games, id=f"s{at}") for at in range(5))))["texts"]

    assert len(texts) == len({*texts})
    assert texts.count("thinking…") == 1


def test_the_page_reads_the_packed_numbers(look):
    page = look(feedback_of(student(assignment(size=3))))
    numbers = [*range(2_000), 14_895, 14_896, 208_543, 208_544, 2**40]

    assert page.evaluate("unpackNumbers", pack_numbers(numbers)) == numbers
    assert page.evaluate("unpackNumbers", "") == []


@pytest.mark.parametrize("size", [1, 3, 9, 11, 26])
def test_every_cell_of_a_board_survives_in_any_order(look, size):
    game = make_game("hex", {"size": size})
    cells = [game.move_text(cell) for cell in game.moves(game.start())]
    random.Random(size).shuffle(cells)
    page = look(feedback_of(student(assignment(size=3))))

    assert (
        page.evaluate(
            "([text, options]) => boards.hex.decode(text, options)", [game.packed_moves(cells), {"size": size}]
        )
        == cells
    )


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_time_is_shown_as_precisely_as_before(look, name):
    page = look(render([student(assignment(size=3))], language(name), isolation="good", seed=0))
    times = [*range(12_000), 99_949, 99_950, 123_456, 3_600_000, 86_400_049]
    packed = pack_times([turn(time) for time in times[:-1]], turn(times[-1]).charge)

    assert page.evaluate("(text) => timeChart.unpack(text).map(timeChart.seconds)", packed) == page.evaluate(
        SHOWN_TIMES, times
    )


def turn(milliseconds: int) -> Turn:
    seconds = milliseconds / 1000
    return Turn(move="a1", charge=Charge(wall=seconds, cpu=seconds, waited=0.0, charged=seconds))


def test_a_game_without_any_time_is_empty_text():
    assert pack_times([], None) == ""
    assert pack_times([], turn(-3).charge) == pack_numbers([0])


def test_the_table_that_the_script_fills_in_is_that_of_the_page_of_the_student(look):
    of = assignment(size=3, opponent="a_rival@b.c-é_ñ1", games=8)
    late = match(of, WON)
    made = student(
        of,
        match(of, WON),
        match(of, WON),
        match(of, ["a1", "b2"], fault=CRASH),
        replace(late, turns=(replace(late.turns[0], late=True), *late.turns[1:])),
        match(of, [], fault=Fault(ending=Ending.LOAD_ERROR, text="No.", help="")),
        match(of, WON, printed="thinking…"),
        id="a#b ñ",
    )
    made = replace(made, played=(*made.played[:-1], replace(made.played[-1], played=False)))
    at_home, in_class = (look(page(made), at="#a%23b%20%C3%B1") for page in (feedback_of, report_of))
    rows = [page.evaluate(ROWS) for page in (at_home, in_class)]

    assert rows[0] == rows[1]
    assert len(rows[0]) == 6


def test_the_table_names_the_opponent_that_failed_and_hostile_texts_are_only_text(look):
    of = assignment(size=3)
    hostile = "<img src=x onerror=\"document.title='taken'\">{number}{link}"
    crash = replace(CRASH, text=hostile)
    page = look(report_of(student(of, match(of, ["a1"], fault=crash), id="one")), at="#one")

    assert page.locator(".games .opponent-fault").inner_text().strip() == f"rival failed. {hostile}"
    assert page.locator("img").count() == 0
    assert page.title().endswith("A test of hex")


def test_games_are_read_only_when_their_student_is_opened(look):
    of = assignment(size=3)
    page = look(report_of(*(student(of, match(of, WON), id=f"s{at}") for at in range(3))), at="#s1")

    assert page.evaluate("pageData.students.map((student) => Boolean(student.games))") == [False, True, False]


def test_a_long_game_that_ends_with_a_failed_answer_can_be_stepped_through(look):
    of = assignment(size=11)
    moves = random_moves(random.Random(0))[:-1]
    page = look(report_of(student(of, match(of, moves, fault=CRASH))), at="#one/1")

    assert page.locator(".moves button").all_inner_texts() == [*moves, "✗"]
    page.keyboard.press("ArrowLeft")
    assert page.locator(".board-svg .piece").count() == len(moves) > 75
    assert page.locator(".move-text").inner_text().startswith(f"Move {len(moves)} of {len(moves)}: ")


def test_the_games_of_a_course_include_their_boards_and_moves(look, tmp_path):
    (tmp_path / "takeaway.py").write_text(TAKEAWAY, encoding="utf-8")
    (tmp_path / "assignment.yaml").write_text(
        "title: Stones\ngame: ./takeaway.py\noptions: {stones: 7}\n"
        "opponents: [{player: random, points: 1, games: 4, name: rival}]\n",
        encoding="utf-8",
    )
    (of,) = load_assignments(tmp_path / "assignment.yaml")
    moves = ["3", "2", "1", "1"]
    made = report_of(student(of, replace(match(of, moves), rules=of.rules.digest())))
    (((game,),)) = games_by_student(made)
    page = look(made, at="#one/1")

    assert (game["moves"], len(game["frames"])) == ("3 2 1 1", 4)
    assert page.locator(".moves button").all_inner_texts() == moves
    page.keyboard.press("Home")
    start = page.locator(".board-text").inner_text()
    page.keyboard.press("End")
    assert page.locator(".board-text").inner_text() != start
