"""`grader replay --python`: the printed program runs in a student's folder and shows what the player does in the position."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from grader.assignment import load_assignments
from grader.games import Game, make_game
from grader.games.game_files import load_game_file
from grader.language import language
from grader.records import Charge, MatchRecord, SeatReport, Turn
from grader.reports.position_python import key_ply, render
from tests.cli.games import hex_match
from tests.games.test_own_game import CONNECT4
from tests.kit.kits import changed, write_kit

ENGLISH = language("en")

SPY = """
from player import Player


class SmartPlayer(Player):
    def play(self, board):
        return "asked as", self.player_id, str(board)
"""
"""A player that returns what it was asked."""


def run(program: str, folder: Path, *options: str) -> str:
    (folder / "position.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, *options, "position.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def random_moves(game: Game, count: int) -> tuple[list[str], object]:
    """The first moves of a random game, and the position after them."""
    rng = random.Random(3)
    position, moves = game.start(), []
    for _ in range(count):
        quiet = [move for move in game.moves(position) if game.outcome(game.play(position, move)) is None]
        move = rng.choice(quiet)
        moves.append(game.move_text(move))
        position = game.play(position, move)
    return moves, position


@pytest.mark.parametrize(
    ("name", "options", "count"),
    [
        ("hex", {"size": 11}, 31),
        ("hex", {"size": 5, "adjacency": "even-r"}, 8),
        ("desconecta4", {}, 19),
    ],
)
def test_the_program_rebuilds_the_position_with_the_files_of_the_kit_and_asks_the_player(
    tmp_path, name, options, count
):
    assignment = changed(name, options=options)
    folder = write_kit(tmp_path, assignment)
    (folder / "solution.py").write_text(SPY, encoding="utf-8")
    moves, position = random_moves(assignment.rules, count)
    program = render(assignment.rules, moves, count % 2, ENGLISH)

    output = run(program, folder, "-W", "error")

    board = assignment.rules.draw(position)
    assert output == f"{board}\n{('asked as', count % 2 + 1, board)!r}\n"
    assert max(map(len, program.splitlines())) <= 88


def test_a_course_s_own_game_is_rebuilt_as_its_state(tmp_path):
    assignment = next(iter(load_assignments(CONNECT4.with_name("assignment.yaml"))))
    folder = write_kit(tmp_path, assignment)
    (folder / "solution.py").write_text(SPY, encoding="utf-8")
    moves, position = random_moves(assignment.rules, 6)

    output = run(render(assignment.rules, moves, 0, ENGLISH), folder)

    board = assignment.rules.draw(position)
    assert output == f"{board}\n{('asked as', 1, board)!r}\n"


def test_moves_that_are_objects_of_the_game_are_written_as_text(tmp_path):
    (tmp_path / "drops.py").write_text(
        '''
from dataclasses import dataclass
from grader import Game, Outcome

@dataclass(frozen=True)
class Take:
    stones: int

@dataclass(frozen=True)
class Drops(Game):
    """Take stones."""
    name, title = "drops", "Drops"

    def start(self): return (9, 0)
    def turn(self, position): return position[1]
    def moves(self, position): return [Take(n) for n in (1, 2) if n <= position[0]]
    def play(self, position, move): return (position[0] - move.stones, 1 - position[1])
    def outcome(self, position): return Outcome("last", winner=1 - position[1]) if position[0] == 0 else None
    def draw(self, position): return "o" * position[0]
''',
        encoding="utf-8",
    )
    (tmp_path / "solution.py").write_text(SPY.replace("from player", "from grader"), encoding="utf-8")
    game = make_game(load_game_file(tmp_path / "drops.py"))

    output = run(render(game, ["Take(2)", "Take(1)"], 0, ENGLISH), tmp_path)

    assert output.splitlines()[0] == "oooooo"


@pytest.mark.parametrize(
    "entry", ["bots/solution.py:SmartPlayer", "bots/my player.py:Bot", "class.py:Bot", "bots\\bot.py:Bot"]
)
def test_the_player_is_imported_from_the_file_that_was_submitted(tmp_path, entry):
    place, _, name = entry.partition(":")
    folder = write_kit(tmp_path, changed("hex", options={"size": 3}))
    file = folder / place.replace("\\", "/")
    file.parent.mkdir(exist_ok=True)
    (folder / "solution.py").unlink()
    file.write_text(SPY.replace("SmartPlayer", name), encoding="utf-8")

    output = run(render(make_game("hex", {"size": 3}), ["a1"], 1, ENGLISH, entry=entry), folder)

    assert "('asked as', 2, " in output


@pytest.mark.parametrize(
    "entry", ["", "solution.py", "solution.py:", ":", "x.py:a b", "x.py:class", "x.py:__import__('os').system('id')#"]
)
def test_an_entry_that_is_not_a_file_and_a_class_is_replaced_by_that_of_the_handout(entry):
    program = render(make_game("hex"), [], 0, ENGLISH, entry=entry)

    assert "from solution import SmartPlayer\n" in program
    assert "system" not in program


def test_a_player_that_is_a_function_is_left_to_the_student_to_call():
    program = render(make_game("hex"), [], 0, ENGLISH, entry="solution.py:play")

    assert program.endswith("print(board)\n# Call your function here with this position.\n")


def test_a_title_stays_in_its_comment():
    program = render(make_game("hex"), [], 0, ENGLISH, title="x\nimport os\r# y")

    assert program.startswith("# x import os # y\n# Before move 1: player 1 is to move.\nfrom board")


def test_the_position_is_the_one_before_the_fault_or_before_the_last_own_move():
    record = hex_match()
    plies, loser = len(record.turns), 1 - (record.winner or 0)

    assert key_ply(record, loser) == plies - 2
    assert key_ply(record, 1 - loser) == plies - 1
    assert key_ply(failed(["a1", "b2"], 0), 0) == 2
    assert key_ply(failed([], 1), 1) == 0


def failed(moves: list[str], seat: int) -> MatchRecord:
    charge = Charge(wall=0.0, cpu=0.0, waited=0.0, charged=0.0)
    seats = (SeatReport(name="ana", isolation="good"), SeatReport(name="luis", isolation="good"))
    turns = tuple(Turn(move=move, charge=charge) for move in moves)
    return MatchRecord(
        game="hex", options={}, seed=0, seats=seats, turns=turns, ending="crash", winner=1 - seat, at_fault=seat
    )
