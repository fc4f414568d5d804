"""The size of the report of a large class, and how fast a browser shows it."""

import random
import tempfile
import time
from dataclasses import replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from tabulate import tabulate

from grader.assignment import Assignment
from grader.games.hex import Hex
from grader.records import Charge, MatchRecord, Turn
from grader.reports.html.student import Student
from tests.bench.figures import Effort, Report
from tests.reports.html.conftest import QUIET, browser_program
from tests.reports.html.pages import match, report_of, student

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = {Effort.FULL: (20, 200), Effort.QUICK: (9,)}
OPPONENTS = ("random", "minimax", "coolcow", "mcts")
GAMES = 10
"""The number of games against each opponent."""
DIFFERENT = 150
"""The number of different games; students share the moves, but have their own times and output."""
ROUNDS = 3


def report(effort: Effort) -> Report:
    """Classes of several sizes; every student has forty random games of Hex 11×11 with output."""
    rows = [measure(size) for size in SIZES[effort]]
    headers = ["students", "games", "moves per game", "render s", "MB", "open s", "sort s", "filter s", "open a game s"]
    where = (
        f"in chromium, the best of {ROUNDS}"
        if has_browser()
        else "(no browser found: install chromium and the extra [browser])"
    )
    return Report(f"report.html {where}\n\n{tabulate(rows, headers, tablefmt='pipe', floatfmt='.2f')}")


def has_browser() -> bool:
    return find_spec("playwright") is not None and browser_program() is not None


def measure(size: int) -> list[float | str]:
    """A row of the table."""
    generator = random.Random(size)
    assignment = Assignment.model_validate(
        {
            "title": "Bench",
            "game": "hex",
            "opponents": [{"player": name, "points": 10, "games": GAMES} for name in OPPONENTS],
        }
    )
    records = [match(assignment, random_moves(generator)) for _ in range(DIFFERENT)]
    students = [make_student(assignment, number, records, generator) for number in range(size)]
    plies = [len(game.record.turns) for student_ in students for game in student_.played]
    began = time.perf_counter()
    text = report_of(*students)
    rendered = time.perf_counter() - began
    seconds = in_browser(text) if has_browser() else ["–"] * 4
    return [size, len(plies), sum(plies) / len(plies), rendered, len(text.encode()) / 1e6, *seconds]


def random_moves(generator: random.Random) -> list[str]:
    """The moves of a random game on 11×11."""
    game = Hex()
    cells = [*game.grid.cells]
    generator.shuffle(cells)
    low, high = 1, len(cells)
    while low < high:  # bisect for the last move: a connection, once made, stays
        middle = (low + high) // 2
        stones = [sum(game.grid.bits[row][col] for row, col in cells[side:middle:2]) for side in (0, 1)]
        over = any(game.grid.connects(own, side + 1) for side, own in enumerate(stones))
        low, high = (low, middle) if over else (middle + 1, high)
    return [game.move_text(cell) for cell in cells[:low]]


def make_student(assignment: Assignment, number: int, records: list[MatchRecord], generator: random.Random) -> Student:
    games = [
        with_times(generator.choice(records), f"student {number}, game {at}: thinking…\n" * 3, generator)
        for at in range(len(OPPONENTS) * GAMES)
    ]
    result = student(assignment, *games, id=f"s{number:03}", name=f"Nombre Apellido {number}")
    return replace(result, grade=replace(result.grade, score=float(generator.randint(0, 10))))


def with_times(record: MatchRecord, printed: str, generator: random.Random) -> MatchRecord:
    """The same game with random times, from a millisecond to several seconds."""
    turns = tuple(Turn(move=turn.move, charge=_charge(10 ** generator.uniform(-3, 0.9))) for turn in record.turns)
    seats = (replace(record.seats[0], output=printed), replace(record.seats[1], output=printed))
    return replace(record, turns=turns, seats=seats)


def in_browser(text: str) -> list[float | str]:
    """Seconds to open the page, to sort it, to filter it, and to open a game."""
    from playwright.sync_api import sync_playwright  # imported here, because the other figures do not need a browser

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "report.html")
        file.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=browser_program(), args=QUIET)
        rounds = [_measure_page(browser.new_page(), file) for _ in range(ROUNDS)]
        browser.close()
    return [min(times) for times in zip(*rounds, strict=True)]


def _measure_page(page: "Page", file: Path) -> list[float]:
    marks = [time.perf_counter()]
    page.goto(file.as_uri())
    _wait_for_paint(page)
    marks.append(time.perf_counter())
    for action in (
        "document.querySelector('table.class th button').click()",
        "const box = document.getElementById('search'); box.value = '7'; box.dispatchEvent(new Event('input'))",
        "location.hash = 's007/17'",
    ):
        page.evaluate(f"() => {{ {action}; }}")
        _wait_for_paint(page)
        marks.append(time.perf_counter())
    assert page.locator(".replay").count() == 1
    page.close()
    return [after - before for before, after in pairwise(marks)]


def _wait_for_paint(page: "Page") -> None:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def _charge(seconds: float) -> Charge:
    return Charge(wall=seconds, cpu=seconds, waited=0.0, charged=seconds)
