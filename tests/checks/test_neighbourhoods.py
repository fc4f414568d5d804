"""What the exam says about players with a list of neighbours of their own, right and wrong, however they write it."""

import pytest

from grader.checks import Mark, check
from grader.games.hex.neighbourhoods import NAMES
from grader.inspection.entry import find_entry
from grader.inspection.played_code import read_played_code
from grader.inspection.submission_code import read_code
from tests.checks.folders import SMALL, assignment
from tests.checks.neighbourhood_players import HIDDEN, INLINE, RIGHT, SLOW, WRONG, Sample, exam_verdict, outcome


@pytest.mark.parametrize("sample", WRONG, ids=str)
def test_a_player_with_the_wrong_neighbours_is_told_which(tmp_path, sample):
    verdict = exam_verdict(sample, tmp_path)

    assert outcome(sample, verdict) == "named"
    assert verdict is not None and f"{NAMES[sample.believed]} instead of {sample.real}" in verdict.text


@pytest.mark.parametrize("sample", WRONG, ids=str)
def test_a_slow_player_with_the_wrong_neighbours_is_never_confirmed(tmp_path, sample):
    is_readable = sample.written != "unreadable" and "axial wins" not in sample.search

    assert outcome(sample, exam_verdict(sample, tmp_path, most=SLOW)) == ("named" if is_readable else "not told")


@pytest.mark.parametrize("most", [100, SLOW])
@pytest.mark.parametrize("sample", HIDDEN, ids=str)
def test_a_wrong_list_is_named_with_its_line_even_if_all_moves_are_right(tmp_path, sample, most):
    verdict = exam_verdict(sample, tmp_path, most=most)

    assert verdict is not None and verdict.mark is not Mark.GOOD
    assert "solution.py:" in f"{verdict.text} {verdict.help}"


@pytest.mark.parametrize("sample", [*RIGHT, *INLINE], ids=str)
def test_a_player_with_the_right_neighbours_is_not_accused(tmp_path, sample):
    plans = sample.search.startswith(("shortest path", "alpha-beta")) and sample.written != "unreadable"

    assert outcome(sample, exam_verdict(sample, tmp_path)) == ("confirmed" if plans else "not told")


def test_a_list_of_the_same_name_in_another_file_does_not_count_unless_that_file_uses_it(tmp_path):
    six = "[(0, -1), (0, 1), (-1, 0), (1, 0), (-1, {}), (1, {})]"
    player = "from other import extra\nSTEPS = " + six.format(1, -1)
    player += "\nclass SmartPlayer:\n  def play(self, board):\n    return extra(STEPS)\n"
    entry = {False: "return steps[0]", True: "return STEPS[0]"}
    for is_used, line in entry.items():
        (tmp_path / "solution.py").write_text(player, encoding="utf-8")
        other = f"STEPS = {six.format(-1, 1)}\ndef extra(steps):\n  {line}\n"
        (tmp_path / "other.py").write_text(other, encoding="utf-8")
        found, _ = find_entry(tmp_path)
        assert found is not None

        places = {steps.where for steps in read_played_code(read_code(tmp_path), found).steps}

        assert places == {"solution.py:2", *(["other.py:1"] if is_used else [])}


OWN_BOARD = """
STEPS = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1)]
class HexBoard:
    MORE = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1)]
    def clone(self): pass
    def place_piece(self, row, col, player_id): pass
    def check_connection(self, player_id): return STEPS or self.MORE
"""


@pytest.mark.parametrize(("used", "count"), [("", 0), ("HexBoard(7)", 2)], ids=["only in annotations", "created"])
def test_the_lists_of_a_board_that_the_player_never_creates_do_not_count(tmp_path, used, count):
    player = f"""
from board import HexBoard
class SmartPlayer:
    def play(self, board: HexBoard):
        {used}
        return board.check_connection(1) or board.get_possible_moves()[0]
"""
    (tmp_path / "solution.py").write_text(player, encoding="utf-8")
    (tmp_path / "board.py").write_text(OWN_BOARD, encoding="utf-8")
    entry, _ = find_entry(tmp_path)
    assert entry is not None

    assert len(read_played_code(read_code(tmp_path), entry).steps) == count


def test_the_whole_check_names_a_wrong_list_with_its_line_and_a_stone_that_is_never_taken_back(tmp_path):
    sample = Sample("if and else", "shortest path, asks the board for wins", "even-r", "axial")
    code = sample.code.replace("return copia\n", "board.place_piece(*move, 0)\n    return copia\n")
    code = code.replace("board.place_piece(*move, 0)", "board.place_piece(move[0], move[1], 0)")
    (tmp_path / "solution.py").write_text(code, encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path, SMALL.replace("size: 5", "size: 7")))

    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.topic == "neighbours"]
    assert verdict.mark is Mark.NOTE and "even-r instead of axial" in verdict.text
    lines = [line for line in (verdict.text, *verdict.detail) if "solution.py:7 lists the wrong neighbours" in line]
    assert len(lines) == 1
    (refused,) = [verdict for verdict in conclusion.verdicts if verdict.topic == "board"]
    assert refused.mark is Mark.NOTE and "place_piece(…, 0) changes nothing and returns False" in refused.text
