"""`grader play`: a person against a player, through pipes and at a terminal."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli.human_match import parse_typed_move
from grader.games import make_game
from grader.records import read_record
from tests.command import grader

FIRST_CELL = """
class P:
    def __init__(self, player_id):
        self.asked = 0
    def play(self, board):
        self.asked += 1
        print(f"question {self.asked}, {len(board.get_possible_moves())} free")
        return board.get_possible_moves()[0]
"""
"""Takes the first free cell, and prints how often it was asked."""


@pytest.fixture
def first_cell(tmp_path):
    file = tmp_path / "first.py"
    file.write_text(FIRST_CELL)
    return file


def play(*arguments: str | Path, typed: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", "play", *map(str, arguments)]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, cwd=cwd, timeout=120)


def test_a_person_wins_and_the_record_can_be_replayed(first_cell, tmp_path):
    typed = "a3\n(2, 1)\n2 2\n"
    played = play(first_cell, "--option", "size=3", "--save", "match.json", typed=typed, cwd=tmp_path)

    assert played.returncode == 0, played.stderr
    assert "You win. You connected your two sides first." in played.stdout
    assert "It printed:\n    question 1, 8 free\n" in played.stdout
    record = read_record(json.loads((tmp_path / "match.json").read_text()))
    assert [turn.move for turn in record.turns] == ["a3", "a1", "b3", "b1", "c3"]
    assert [turn.charge.charged for turn in record.turns[::2]] == [0, 0, 0], "a person is not timed"
    assert "person (player 1) vs first (player 2)" in grader("replay", tmp_path / "match.json").stdout


def test_undo_takes_back_a_move_and_its_reply_and_restarts_the_player(first_cell, tmp_path):
    typed = "c3\nundo\na1\nundo\nundo\nundo\na3\nb3\nundo\nb3\nc3\n"
    played = play(first_cell, "--option", "size=3", "--save", "match.json", typed=typed, cwd=tmp_path)

    assert played.stdout.count("Move undone. first continues in a new process") == 3
    assert played.stdout.count("You have no move to take back.") == 2
    record = read_record(json.loads((tmp_path / "match.json").read_text()))
    assert [turn.move for turn in record.turns] == ["a3", "a1", "b3", "b1", "c3"]
    assert record.seats[1].output == "question 1, 6 free\n", "it was restarted, and asked only for new moves"


def test_the_second_player_can_undo_too(first_cell, tmp_path):
    typed = "undo\nc3\nundo\nb2\nquit\n"
    played = play(first_cell, "--option", "size=3", "--as", "2", typed=typed, cwd=tmp_path)

    assert "You have no move to take back." in played.stdout
    assert played.stdout.count("first plays a1") == 1, "moves that were shown are not shown again"
    assert played.stdout.count("first plays b1") == 2
    assert played.returncode == 0


@pytest.mark.parametrize(
    ("side", "typed", "moves"),
    [
        ("1", "a3 b3 c3 undo b2 c2 q", "a3 a1 b3 b1 b2 c1 c2"),
        ("2", "a3 b3 what undo c1 c2 b3", "a1 a3 b1 c1 a2 c2 b2 b3"),
    ],
    ids=["won", "lost"],
)
def test_the_last_move_of_the_game_can_be_taken_back(first_cell, tmp_path, side, typed, moves):
    lines = "\n".join(typed.split()) + "\n"
    played = play(first_cell, "--option", "size=3", "--as", side, "--save", "match.json", typed=lines, cwd=tmp_path)

    assert played.returncode == 0, played.stderr
    assert played.stdout.count("Move undone.") == 1
    record = read_record(json.loads((tmp_path / "match.json").read_text()))
    assert " ".join(turn.move for turn in record.turns) == moves


def test_a_file_without_a_player_is_refused(tmp_path):
    (tmp_path / "notes.py").write_text("x = 1\n")
    played = play("notes.py", typed="a1\n", cwd=tmp_path)

    assert played.returncode == 2 and played.stdout == ""
    assert "notes.py: No player found" in played.stderr


def test_the_help_shows_moves_of_this_board(first_cell, tmp_path):
    played = play(first_cell, "--option", "size=3", typed="help\nq\n", cwd=tmp_path)

    assert "e.g. b2, or the value that play() would return: 1 1 or (1, 1)." in played.stdout


def test_desconecta4_is_played_by_columns_and_illegal_moves_are_explained(tmp_path):
    typed = "boom\n8\n1\nmoves\nhelp\nquit\n"
    played = play("random", "--game", "desconecta4", "--seed", "3", typed=typed, cwd=tmp_path)

    assert "You have no bomb on the board." in played.stdout
    assert "'8' is not a move; write a column (1 to 7), or B for BOOM, or type help." in played.stdout
    assert "Four in a row loses." in played.stdout
    assert "Type a column from 1 to 7" in played.stdout
    assert "You left the game." in played.stdout


def test_a_reference_player_with_one_game_needs_no_game_option(tmp_path):
    assert (
        "Desconecta-4 BOOM: you (player 1) vs alphabeta(depth=2) (player 2)"
        in play("alphabeta(depth=2)", typed="", cwd=tmp_path).stdout
    )
    refused = play("alphabeta", "--game", "hex", typed="", cwd=tmp_path)
    assert refused.returncode == 2
    assert "alphabeta does not play Hex" in refused.stderr


def test_after_a_wrong_cell_the_person_is_asked_again(first_cell, tmp_path):
    played = play(first_cell, "--option", "size=3", typed="z9\n7 7\nb2\nb2\n\nmoves\n", cwd=tmp_path)

    assert "'z9' is not a cell" in played.stdout
    assert "'7 7' is not a cell" in played.stdout
    assert "b2 is already taken." in played.stdout
    assert "b1 c1 a2 c2 a3 b3 c3" in played.stdout


def test_in_spanish_both_spanish_and_english_commands_are_understood(first_cell, tmp_path):
    typed = "ayuda\njugadas\nb2\ndeshacer\nb2\nundo\nsalir\n"
    played = play(first_cell, "--option", "size=3", "--lang", "es", typed=typed, cwd=tmp_path)

    assert "Escribe una jugada, o ayuda para ver los comandos." in played.stdout
    helped = [line.split()[0] for line in played.stdout.splitlines() if re.match(r"[a-z]+ {2,}\w", line)]
    assert helped == ["jugadas", "tablero", "pista", "deshacer", "salir"], "every command that help lists is understood"
    assert "a1 b1 c1 a2 b2 c2 a3 b3 c3" in played.stdout
    assert played.stdout.count("Jugada deshecha.") == 2
    assert "Dejaste la partida." in played.stdout


def test_bytes_that_are_not_text_are_an_invalid_move(first_cell, tmp_path):
    command = [sys.executable, "-m", "grader", "play", str(first_cell), "--option", "size=3"]
    played = subprocess.run(command, input=b"\xff\xfe\x1b[2J\nquit\n", capture_output=True, check=False, cwd=tmp_path)

    assert played.returncode == 0
    assert b"is not a cell" in played.stdout


def test_the_end_of_the_input_ends_the_game_and_saves_nothing(first_cell, tmp_path):
    played = play(first_cell, "--save", "match.json", typed="f6\n", cwd=tmp_path)

    assert played.returncode == 0
    assert "You left the game. The game was not saved." in played.stdout
    assert played.stderr == ""
    assert not (tmp_path / "match.json").exists()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (FIRST_CELL.replace("return", "return 1 / 0 #"), "ZeroDivisionError"),
        (FIRST_CELL.replace("return", "return None #"), "The player returned None"),
        ("raise ImportError('numpy is missing')\n" + FIRST_CELL, "numpy is missing"),
    ],
)
def test_a_player_that_fails_loses_and_the_reason_is_printed(source, message, tmp_path):
    (tmp_path / "mine.py").write_text(source)
    played = play("mine.py", "--option", "size=3", typed="a1\n", cwd=tmp_path)

    assert played.returncode == 0
    assert "You win. Your opponent could not continue." in played.stdout
    assert message in played.stdout


def test_a_hint_is_a_reference_players_move_for_the_persons_side(first_cell, tmp_path):
    typed = "a3\nb3\nhint\nquit\n"
    shown = play(first_cell, "--option", "size=3", typed=typed, cwd=tmp_path).stdout

    assert re.search(r"mcts would play (c2|c3)\.", shown), "both of which win at once"


@pytest.mark.parametrize("text", ["f6", "F6", " f6 ", "5 5", "5,5", "(5,5)", "(5, 5)"])
def test_a_cell_can_be_written_in_many_ways(text):
    assert parse_typed_move(make_game("hex"), text.strip()) == (5, 5)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_at_a_terminal_ctrl_c_ends_the_game(first_cell, tmp_path):
    from tests.cli.terminal import Terminal

    with Terminal("play", first_cell, "--option", "size=3", cwd=tmp_path) as terminal:
        terminal.until("Your move (player 1): ")
        terminal.press("b2\n")
        terminal.until("first plays a1")
        terminal.until("Your move (player 1): ")
        terminal.interrupt("Interrupted.")

        assert terminal.status() == 130
        assert terminal.is_restored()
