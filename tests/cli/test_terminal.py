"""`grader replay` and `grader match --watch` at a real terminal."""

import re
import sys

import pytest

from tests.cli.games import desconecta4_match, hex_match, saved

if sys.platform == "win32":
    pytest.skip("there are no such terminals there", allow_module_level=True)

from tests.cli.terminal import Terminal

RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"


def test_keys_step_through_a_match_and_the_terminal_is_given_back(tmp_path):
    record = hex_match()
    last = len(record.turns)
    with Terminal("replay", saved(record, tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        for key, shown in [
            (RIGHT, f"Move 1 of {last}: 1 plays {record.turns[0].move}"),
            ("n", f"Move 2 of {last}: 2 plays {record.turns[1].move}"),
            (" ", f"Move 3 of {last}"),
            (LEFT, f"Move 2 of {last}"),
            ("p", f"Move 1 of {last}"),
            (END, "wins after"),
            (HOME, f"The match has {last} moves."),
            ("\x1bOC", f"Move 1 of {last}"),
            ("\x1b[4~", f"Move {last} of {last}"),
            (f"{last - 1}\r", f"Move {last - 1} of {last}"),
            ("99999999999\r", f"Move {last} of {last}"),
            ("0\r", "The start."),
            ("nnn", f"Move 3 of {last}"),
            ("?", "to move 12"),
        ]:
            terminal.press(key)
            terminal.until(shown)
        terminal.press("x\x00é\x1b[Zq")

        assert terminal.status() == 0
        assert terminal.is_as_it_was()


def test_a_terminal_that_gets_another_size_is_drawn_again_without_a_key(tmp_path):
    with Terminal("replay", saved(hex_match(), tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press(RIGHT)
        terminal.until("q quit")
        terminal.resize(60, 20)
        assert "Move 1 of" in terminal.until("q quit")
        terminal.press(RIGHT)
        terminal.until("Move 2 of")
        terminal.press("q")

        assert terminal.status() == 0
        assert terminal.is_as_it_was()


def test_before_the_start_and_after_the_end_there_is_nothing(tmp_path):
    with Terminal("replay", saved(desconecta4_match(), tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press(LEFT)
        terminal.until("The start.")
        terminal.press(END + RIGHT)
        terminal.until("made four in a row")
        terminal.press("\x04")  # Ctrl-D

        assert terminal.status() == 0


def test_ctrl_c_gives_the_terminal_back(tmp_path):
    with Terminal("replay", saved(hex_match(), tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press("\x03")

        assert terminal.status() == 130
        assert terminal.is_as_it_was()


def test_a_small_terminal_cuts_the_board_and_keeps_the_keys_in_sight(tmp_path):
    file = saved(hex_match(26), tmp_path / "match.json")
    with Terminal("replay", file, cwd=tmp_path, columns=40, lines=15) as terminal:
        page = terminal.until("q quit")
        terminal.press("q")

        assert terminal.status() == 0
    lines = page.split("\n")
    assert max(map(len, lines)) <= 40
    assert len(lines) <= 15
    assert "…" in page


def test_no_color_is_respected(tmp_path):
    file = saved(hex_match(), tmp_path / "match.json")
    with Terminal("replay", file, cwd=tmp_path, NO_COLOR="1") as terminal:
        terminal.until("q quit")
        terminal.press("n")
        terminal.until("Move 1")
        page = terminal.until("q quit")

        assert "[1]" in page, "the last move is marked by brackets instead"
        assert not re.search(r"\x1b\[[0-9;]*m", terminal.raw)


def test_colour_is_used_where_the_terminal_can(tmp_path):
    with Terminal("replay", saved(hex_match(), tmp_path / "match.json"), cwd=tmp_path) as terminal:
        terminal.until("q quit")
        terminal.press("n")
        terminal.until("Move 1")
        page = terminal.until("q quit")

        assert "[1]" not in page
        assert re.search(r"\x1b\[[0-9;]*91m1\x1b\[0m", terminal.raw), "the stone of player 1 is red"


def test_a_match_is_watched_in_place_and_its_last_board_stays(tmp_path):
    arguments = ("match", "random", "random", "--option", "size=3", "--watch", "--delay", "0.01")
    with Terminal(*arguments, cwd=tmp_path) as terminal:
        terminal.until("Saved as match.json.")

        assert terminal.status() == 0
        assert terminal.is_as_it_was()
    drawn, _, left = terminal.raw.partition("\x1b[?1049l")
    assert "1 random thinks" in drawn
    assert left.count("a b c") == 1
    assert "wins after" in left


def test_ctrl_c_while_watching_gives_the_terminal_back(tmp_path):
    with Terminal("match", "random", "random", "--watch", "--delay", "60", cwd=tmp_path) as terminal:
        terminal.until("2 random is next.")
        terminal.press("\x03")
        terminal.until("Interrupted.")

        assert terminal.status() == 130
        assert terminal.is_as_it_was()
    assert not (tmp_path / "match.json").exists()
