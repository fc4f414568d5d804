"""`grader replay` of lost games: refused moves, the reason at the end, and positions to try at home."""

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from grader.competition.replay import replay_record
from grader.language import language
from grader.records import Charge, Ending, Fault, MatchRecord, Turn
from grader.reports.replay import frame, last_step, listing
from tests.cli.games import desconecta4_match, hex_match, save_record
from tests.command import grader

ENGLISH = language("en")

REFUSED = Fault(ending=Ending.ILLEGAL_MOVE, text="It returned (1, 1) = b2.", help="Do not.", move="b2")


def refused_match(moves: tuple[str, ...] = ("a1", "b2"), fault: Fault = REFUSED) -> MatchRecord:
    """A game that player 1 loses by a fault after these moves."""
    record = hex_match()
    turns = tuple(Turn(move=move, charge=record.turns[0].charge) for move in moves)
    charge = record.turns[0].charge
    return replace(record, turns=turns, ending=fault.ending, winner=1, at_fault=0, fault=fault, last_charge=charge)


def test_a_refused_move_is_crossed_out_and_the_reason_is_at_the_end(tmp_path):
    shown = grader("replay", save_record(refused_match(), tmp_path / "match.json")).stdout

    assert "✗ Move 3: player 1 returned (1, 1) = b2, an illegal move" in shown
    assert " 2 .[✗]. .\n" in shown
    assert shown.index("[✗]") < shown.index("It returned (1, 1) = b2.") < shown.index("Do not.")


def test_a_refused_move_is_a_step_of_its_own_whose_cross_is_coloured():
    replay = replay_record(refused_match())
    assert last_step(replay) == 3
    coloured = frame(replay, 3, ENGLISH, colour=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)

    assert "\x1b[91m\x1b[1m\x1b[7m✗" in coloured
    assert "✗" not in frame(replay, 2, ENGLISH, colour=True)
    *_, result, text, help_, hint = plain.splitlines()
    assert (result, text, help_) == (
        "luis wins because ana failed: illegal move.",
        "  It returned (1, 1) = b2.",
        "  Do not.",
    )
    assert hint == "To try this position with your player, add --python."


def test_the_answer_that_ran_out_of_time_counts_as_the_slowest_move():
    record = refused_match(fault=Fault(ending=Ending.TIMEOUT, text="It was too slow.", help="Be quick."))
    slow = replace(record, last_charge=Charge(wall=1.5, cpu=1.25, waited=0.25, charged=1.25))

    assert "Player 1, ana: 1 move, slowest move 1.25 s." in listing(replay_record(slow), ENGLISH, every=False)
    at_once = listing(replay_record(replace(slow, turns=())), ENGLISH, every=False)
    assert "Player 1, ana: 0 moves, slowest move 1.25 s." in at_once


def test_an_exception_is_a_step_of_its_own_on_which_the_board_does_not_change():
    replay = replay_record(refused_match(fault=Fault(ending=Ending.CRASH, text="It raised KeyError.", help="Fix it.")))
    assert last_step(replay) == 3
    before, after = (frame(replay, ply, ENGLISH, colour=False) for ply in (2, 3))

    assert "✗ Move 3: player 1 failed: exception (" in after
    assert "It raised KeyError." in after and "It raised KeyError." not in before
    assert "✗" not in before and "[✗]" not in after


@pytest.mark.parametrize("move", ["z9", "b2 ", "\x1b[2J", "", "e9"])
def test_a_refused_move_that_is_not_one_of_the_board_is_only_explained(move):
    replay = replay_record(refused_match(fault=replace(REFUSED, move=move)))

    assert (replay.refused is None) == (move != "b2 ")
    assert "It returned (1, 1) = b2." in listing(replay, ENGLISH, every=False)


def test_a_column_that_is_full_is_crossed_out_below_the_board():
    record = desconecta4_match()
    turns = tuple(Turn(move="1", charge=record.turns[0].charge) for _ in range(7))
    full = replace(
        record, turns=turns, ending=Ending.ILLEGAL_MOVE, winner=0, at_fault=1, fault=replace(REFUSED, move="1")
    )

    assert "\n[✗]2 3 4 5 6 7\n" in listing(replay_record(full), ENGLISH, every=False)
    boom = replace(full, fault=replace(REFUSED, move="B"))
    assert "✗ Move 8: player 2 returned 7 = BOOM" in listing(replay_record(boom), ENGLISH, every=False)


@pytest.mark.parametrize(
    ("options", "moves", "player"),
    [((), "[(0, 0), (1, 1)]", 1), (("--move", "2"), "[(0, 0)]", 2), (("--move", "1"), "[]", 1)],
)
def test_python_rebuilds_the_position_before_the_failed_move_or_before_another(tmp_path, options, moves, player):
    shown = grader("replay", save_record(refused_match(), tmp_path / "match.json"), "--python", *options)

    assert shown.returncode == 0
    assert f"moves = {moves}\nboard = HexBoard(4)\n" in shown.stdout
    assert shown.stdout.endswith(f"player = SmartPlayer({player})\nprint(player.play(board))\n")


def test_the_board_after_a_move_is_printed_instead_of_the_last(tmp_path):
    shown = grader("replay", save_record(refused_match(), tmp_path / "match.json"), "--move", "1").stdout

    assert "Move 1 of 2: player 1 plays a1" in shown
    assert "✗" not in shown


def test_a_move_after_the_end_is_refused_with_exit_2(tmp_path):
    refused = grader("replay", save_record(refused_match(), tmp_path / "match.json"), "--python", "--move", "4")

    assert refused.returncode == 2
    assert "--move 4: the last move is 3." in refused.stderr


CRASHES = """
from player import Player


class SmartPlayer(Player):
    def play(self, board):
        taken = sum(cell != 0 for row in board.board for cell in row)
        return [(0, 0), (0, 1), (2, 2), (2, 1)][taken]
"""


def test_a_lost_position_fails_in_the_same_way_in_the_folder_of_the_student(tmp_path):
    assert grader("init", tmp_path / "kit", "--game", "hex", "--option", "size=5").returncode == 0
    handout = tmp_path / "kit" / "handout"
    (handout / "solution.py").write_text(CRASHES, encoding="utf-8")
    record = tmp_path / "match.json"
    played = grader("match", handout / "solution.py", handout / "solution.py", "--option", "size=5", "-o", record)
    assert record.exists(), played.stderr

    (handout / "position.py").write_text(grader("replay", record, "--python").stdout, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "position.py"], cwd=handout, capture_output=True, text=True, check=False, encoding="utf-8"
    )

    assert "solution.py" in done.stderr and "IndexError: list index out of range" in done.stderr
    assert done.stdout.startswith("  a b c d e\n1 1 2 . . .\n")
