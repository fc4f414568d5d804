"""`grader replay` and `grader match --watch` at a real terminal."""

import re
import sys

import pytest

from tests.cli.games import desconecta4_match, hex_match, save_record
from tests.cli.test_replay_lost_games import refused_match

if sys.platform == "win32":
    pytest.skip("Windows has no such terminals", allow_module_level=True)

from tests.cli.terminal import Terminal

RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


def test_keys_step_through_a_game_and_the_terminal_is_restored(tmp_path):
    record = hex_match()
    last = len(record.turns)
    with Terminal("replay", save_record(record, tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        for key, shown in [
            (RIGHT, f"Move 1 of {last}: player 1 plays {record.turns[0].move}"),
            ("n", f"Move 2 of {last}: player 2 plays {record.turns[1].move}"),
            (" ", f"Move 3 of {last}"),
            (LEFT, f"Move 2 of {last}"),
            ("p", f"Move 1 of {last}"),
            (END, "wins: "),
            (HOME, f"The game has {last} moves."),
            ("\x1bOC", f"Move 1 of {last}"),
            ("\x1b[4~", f"Move {last} of {last}"),
            (f"{last - 1}\r", f"Move {last - 1} of {last}"),
            ("99999999999\r", f"Move {last} of {last}"),
            ("0\r", "Starting position."),
            ("nnn", f"Move 3 of {last}"),
            ("?", "to move 12"),
        ]:
            terminal.press(key)
            terminal.until(shown)
        terminal.press("x\x00é\x1b[Zq")

        assert terminal.status() == 0
        assert terminal.is_restored()


def test_a_lost_game_opens_at_its_end_with_the_reason_and_a_chosen_move_opens_there(tmp_path):
    file = save_record(refused_match(), tmp_path / "match.json")
    with Terminal("replay", file, cwd=tmp_path) as terminal:
        terminal.until("✗ Move 3: player 1 returned (1, 1) = b2")
        terminal.until("It returned (1, 1) = b2.")
        terminal.press(LEFT)
        terminal.until("Move 2 of 2: player 2 plays b2")
        terminal.press("q")
        assert terminal.status() == 0
    with Terminal("replay", file, "--move", "1", cwd=tmp_path) as terminal:
        terminal.until("Move 1 of 2: player 1 plays a1")
        terminal.press("q")
        assert terminal.status() == 0


def test_the_page_is_redrawn_when_the_terminal_is_resized(tmp_path):
    with Terminal("replay", save_record(hex_match(), tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press(RIGHT)
        terminal.until("q quit")
        terminal.resize(60, 20)
        assert "Move 1 of" in terminal.until("q quit")
        terminal.press(RIGHT)
        terminal.until("Move 2 of")
        terminal.press("q")

        assert terminal.status() == 0
        assert terminal.is_restored()


def test_keys_do_not_go_before_the_start_or_after_the_end(tmp_path):
    with Terminal("replay", save_record(desconecta4_match(), tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press(LEFT)
        terminal.until("Starting position.")
        terminal.press(END + RIGHT)
        terminal.until("has four in a row")
        terminal.press("\x04")  # Ctrl-D

        assert terminal.status() == 0


def test_ctrl_c_restores_the_terminal(tmp_path):
    with Terminal("replay", save_record(hex_match(), tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press("\x03")

        assert terminal.status() == 130
        assert terminal.is_restored()


def test_a_small_terminal_cuts_the_board_and_still_shows_the_keys(tmp_path):
    file = save_record(hex_match(26), tmp_path / "match.json")
    with Terminal("replay", file, cwd=tmp_path, columns=40, lines=15) as terminal:
        page = terminal.until("q quit")
        terminal.press("q")

        assert terminal.status() == 0
    lines = page.split("\n")
    assert max(map(len, lines)) <= 40
    assert len(lines) <= 15
    assert "…" in page


def test_no_color_is_respected(tmp_path):
    file = save_record(hex_match(), tmp_path / "match.json")
    with Terminal("replay", file, cwd=tmp_path, NO_COLOR="1") as terminal:
        terminal.until("q quit")
        terminal.press("n")
        terminal.until("Move 1")
        page = terminal.until("q quit")

        assert "[1]" in page, "without colour, brackets mark the last move"
        assert not re.search(r"\x1b\[[0-9;]*m", terminal.raw)


def test_colour_is_used_if_the_terminal_supports_it(tmp_path):
    with Terminal("replay", save_record(hex_match(), tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press("n")
        terminal.until("Move 1")
        page = terminal.until("q quit")

        assert "[1]" not in page
        assert re.search(r"\x1b\[[0-9;]*91m1\x1b\[0m", terminal.raw), "the stone of player 1 is red"


def test_watch_draws_the_board_in_place_and_leaves_the_last_one(tmp_path):
    arguments = ("match", "random", "random", "--option", "size=3", "--watch", "--delay", "0.01")
    with Terminal(*arguments, cwd=tmp_path) as terminal:
        terminal.until("Saved as match.json.")

        assert terminal.status() == 0
        assert terminal.is_restored()
    drawn, _, left = terminal.raw.partition("\x1b[?1049l")
    assert "random (player 1) is thinking" in drawn
    assert left.count("a b c") == 1
    assert "wins: " in left


def test_ctrl_c_while_watching_restores_the_terminal(tmp_path):
    with Terminal("match", "random", "random", "--watch", "--delay", "60", cwd=tmp_path) as terminal:
        terminal.until("random (player 2) moves next.")
        terminal.press("\x03")
        terminal.until("Interrupted.")

        assert terminal.status() == 130
        assert terminal.is_restored()
    assert not (tmp_path / "match.json").exists()


def test_tables_fit_the_terminal_and_have_colours_unless_no_color_is_set(tmp_path):
    shown = []
    for variables in ({"LANGUAGE": "en"}, {"LANGUAGE": "en", "NO_COLOR": "1"}):
        with Terminal("list", cwd=tmp_path, columns=60, lines=24, **variables) as terminal:
            assert terminal.status() == 0
            shown.append(terminal.raw)

    coloured, plain = shown
    assert "\x1b[1mname\x1b[0m" in coloured and "\x1b" not in plain
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    assert max(map(len, plain.splitlines())) <= 60
