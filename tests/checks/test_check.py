"""What a check says about players that each have one problem."""

import pytest

from grader.assignment import load_assignments
from grader.checks import Conclusion, Mark, check
from grader.checks.legality import legality_verdict, legality_verdicts
from grader.checks.observations import Observations
from grader.errors import OptionError
from grader.games.exam import ExamAnswer
from grader.records import Charge, Ending, Fault
from tests.checks.folders import DESCONECTA4, PLAYERS, SMALL, assignment
from tests.kit.kits import write_kit

NO_TIME = Charge(wall=0.0, cpu=0.0, waited=0.0, charged=0.0)


LATER_INSTANCE = "a later instance in the same process plays differently"
SECOND_INSTANCE = "a second instance in the same process"
"""The topic of a check, also if it went well: then only its text is printed."""


def checked(name: str, folder, text: str = SMALL, **more) -> Conclusion:
    return check(PLAYERS / f"{name}.py", assignment(folder, text), **more)


def texts(conclusion: Conclusion, mark: Mark) -> list[str]:
    return [str(verdict.text) for verdict in conclusion.verdicts if verdict.mark is mark]


def topics(conclusion: Conclusion, mark: Mark) -> list[str]:
    return [str(verdict.topic) for verdict in conclusion.verdicts if verdict.mark is mark]


def test_a_good_player_is_ready_and_every_check_was_made(tmp_path):
    conclusion = checked("good", tmp_path)

    conclusion.assert_ready()
    assert topics(conclusion, Mark.GOOD) == [
        *("player", "loading", "moves as player 1", "moves as player 2", SECOND_INSTANCE, "a board of another size"),
        *("changes to the board", "time limit", "output"),
    ]
    assert topics(conclusion, Mark.OPEN) == ["neighbours"], "it only looks one move ahead"
    assert not texts(conclusion, Mark.NOTE) and not conclusion.skipped


def test_a_player_that_is_illegal_as_player_2_is_not_ready_and_only_that_is_reported(tmp_path):
    conclusion = checked("illegal_as_player_2", tmp_path)

    (bad,) = texts(conclusion, Mark.BAD)
    assert bad.startswith("Your player fails as player 2 (2 times). The player returned (")
    assert "moves as player 1" in topics(conclusion, Mark.GOOD)
    with pytest.raises(AssertionError, match="✗ Your player fails as player 2") as raised:
        conclusion.assert_ready()
    assert "Always return one of the legal moves" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "topic", "words"),
    [
        ("changes_the_board", "modifies the board", "Your player modifies the board it is given."),
        ("prints", "prints while playing", 'Your player prints, e.g. "�[31mthinking 25'),
        (
            "only_on_5",
            "fails on a 4×4 board",
            "Your player fails on a 4×4 board. The player raised IndexError in only_on_5.py:8",
        ),
        (
            "keeps_state_in_the_class",
            "a second instance in the same process fails",
            "A second instance in the same process fails. The player raised Runtime",
        ),
        (
            "remembers_in_the_module",
            LATER_INSTANCE,
            "A later instance in the same process plays differently: in the same position, the first chose",
        ),
    ],
)
def test_what_costs_nothing_in_the_official_run_is_only_a_warning(tmp_path, name, topic, words):
    conclusion = checked(name, tmp_path)

    assert conclusion.ready
    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.topic == topic]
    assert verdict.mark is Mark.NOTE and verdict.text.startswith(words) and verdict.help


def test_a_player_that_plays_at_random_is_not_said_to_remember_anything(tmp_path):
    code = "import random\nclass SmartPlayer:\n    def play(self, board):\n        return random.choice(board.get_possible_moves())\n"
    (tmp_path / "solution.py").write_text(code, encoding="utf-8")

    assert SECOND_INSTANCE in topics(check(tmp_path / "solution.py", assignment(tmp_path)), Mark.GOOD)


def test_an_illegal_move_in_a_test_position_is_a_warning_with_the_advice_first(tmp_path):
    conclusion = checked("always_column_3", tmp_path, DESCONECTA4.replace("ply_limit: 12", "ply_limit: 30"), seed=0)

    (verdict,) = [
        verdict for verdict in conclusion.verdicts if verdict.topic == "fails in a position it did not reach itself"
    ]
    assert verdict.mark is Mark.NOTE, "a game need not reach it, and a player may remember how it went"
    assert "column 3 is full" in verdict.text
    assert verdict.help.startswith("Always return one of the legal moves")


@pytest.mark.parametrize(("times", "words"), [(1, "time limit 1 time, and"), (2, "time limit 2 times, and")])
def test_late_moves_are_counted(times, words):
    charge = Charge(wall=1.0, cpu=1.0, waited=0.0, charged=1.0)
    late = ExamAnswer(player_id=1, position=None, charge=charge, late=True)

    assert words in legality_verdict(Observations(answers=[late] * times), 1).text


def test_each_kind_of_fault_is_one_problem_however_often_it_occurs():
    def failed(player_id: int, text: str, help_: str = "") -> ExamAnswer:
        fault = Fault(ending=Ending.ILLEGAL_MOVE, text=text, help=help_)
        return ExamAnswer(player_id=player_id, position=None, charge=NO_TIME, fault=fault)

    illegal = [failed(1, f"returned ({n}, {n}) = {'abc'[n]}{n + 1}", f"({n}, {n}) is taken") for n in range(3)]
    observed = Observations(answers=[*illegal, failed(1, "returned None"), failed(2, "returned None")])

    assert [verdict.text for verdict in legality_verdicts(observed)] == [
        "Your player fails as player 1 (3 times). returned (0, 0) = a1",
        "Your player fails as player 1 and as player 2. returned None",
    ]


def test_findings_with_the_same_advice_are_one_warning(tmp_path):
    conclusion = own(tmp_path, "eval('1')\n        eval('2'); exec('3')\n        return board.get_possible_moves()[0]")

    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.topic == "code"]
    assert verdict.text == "solution.py:10, solution.py:11: It loads or runs code dynamically (eval)."


def test_a_finding_that_a_fault_confirms_is_not_reported_again(tmp_path):
    conclusion = own(tmp_path, "input()")

    assert "EOFError in solution.py:10" in str(texts(conclusion, Mark.BAD))
    assert "code" not in topics(conclusion, Mark.NOTE)


def test_a_missing_path_is_named_once(tmp_path):
    with pytest.raises(OptionError) as raised:
        check(tmp_path / "nix.py")

    assert str(raised.value).count("nix.py") == 1 and "Give the file" in str(raised.value)


def test_a_belief_in_another_neighbourhood_is_reported_with_both_and_a_drawing(tmp_path):
    conclusion = checked("believes_even_r", tmp_path, SMALL.replace("size: 5", "size: 7"))

    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.topic == "neighbours seem to be wrong"]
    assert verdict.mark is Mark.NOTE
    assert "wrong neighbours: even-r instead of axial" in verdict.text
    assert "even r: (r-1,c+1)" in verdict.help and "(r-1,c+1) (r+1,c-1)." in verdict.help
    assert "  a b c d e f g" in "\n".join(verdict.detail)


def test_the_same_belief_is_right_where_the_assignment_has_it(tmp_path):
    conclusion = checked("believes_even_r", tmp_path, SMALL.replace("size: 5", "size: 5, adjacency: even-r"))

    assert "neighbours" in topics(conclusion, Mark.OPEN), "it only looks one move ahead"


def test_a_player_that_uses_most_of_its_time_is_warned(tmp_path):
    conclusion = checked("slow", tmp_path, budget=6)

    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.topic == "time limit"]
    assert verdict.mark is Mark.NOTE and "Stay below 80 %" in verdict.help
    assert conclusion.skipped, "at that pace not everything fits"


def test_a_slow_player_reaches_its_exam_before_the_games(tmp_path):
    slow = SMALL.replace("size: 5", "size: 7").replace("move: 0.6", "move: 5")
    conclusion = checked("slow_search", tmp_path, slow, budget=12, seed=0)

    assert {"moves as player 1", "moves as player 2", "neighbours"} <= set(topics(conclusion, Mark.GOOD))
    assert "test positions" not in conclusion.skipped and conclusion.skipped, "at that pace not everything fits"


def test_a_player_that_tries_to_make_four_in_a_row_is_warned_that_it_loses(tmp_path):
    conclusion = checked("wants_a_line", tmp_path, DESCONECTA4)

    assert any("believe that four in a row wins" in text for text in texts(conclusion, Mark.NOTE))


def test_a_forbidden_import_is_a_problem_to_fix(tmp_path):
    source = (PLAYERS / "good.py").read_text(encoding="utf-8")
    (tmp_path / "solution.py").write_text(f"import math\n{source}", encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path, SMALL + "forbidden_imports: [math]\n"))

    (bad,) = [verdict for verdict in conclusion.verdicts if verdict.mark is Mark.BAD]
    assert "math" in bad.text and bad.help.startswith("This assignment disqualifies players for this.")


def test_files_that_a_single_file_imports_are_listed(tmp_path):
    source = (PLAYERS / "good.py").read_text(encoding="utf-8")
    (tmp_path / "ideas.py").write_text("MIDDLE = 2\n", encoding="utf-8")
    (tmp_path / "solution.py").write_text(f"import ideas\n{source}", encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path))

    assert "solution.py imports other files: ideas.py." in texts(conclusion, Mark.NOTE)
    assert conclusion.ready


def test_a_data_file_next_to_a_single_file_can_be_read_and_is_listed(tmp_path):
    source = (PLAYERS / "good.py").read_text(encoding="utf-8")
    (tmp_path / "weights.txt").write_text("2\n", encoding="utf-8")
    code = f'"notes.txt"\nCOURSE, MIDDLE = "assignment.yaml", int(open("weights.txt").read())\n{source}'
    (tmp_path / "solution.py").write_text(code, encoding="utf-8")
    for name in ("notes.txt", "assignment.yaml"):
        (tmp_path / name).write_text(SMALL, encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path))

    assert "solution.py refers to other files: weights.txt." in texts(conclusion, Mark.NOTE)
    assert conclusion.ready


@pytest.mark.parametrize("name", ["random", "queue"])
def test_a_file_named_like_a_module_of_python_is_reported(tmp_path, name):
    source = (PLAYERS / "good.py").read_text(encoding="utf-8")
    (tmp_path / f"{name}.py").write_text("MIDDLE = 2\n", encoding="utf-8")
    (tmp_path / "solution.py").write_text(f"import {name}\n{source}", encoding="utf-8")

    assert texts(check(tmp_path / "solution.py", assignment(tmp_path)), Mark.NOTE) == [
        f"solution.py imports files with the names of Python's own modules: {name}.py."
    ]


PLAYER = """
import random, time
random.seed(42)

class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        {play}
"""


def own(folder, play: str, text: str = SMALL, **more) -> Conclusion:
    """The check of a player with this body of `play`."""
    (folder / "solution.py").write_text(PLAYER.format(play=play), encoding="utf-8")
    return check(folder / "solution.py", assignment(folder, text), game="hex", **more)


def test_random_numbers_seeded_by_a_module_are_not_remembered_state(tmp_path):
    conclusion = own(tmp_path, "return random.choice(board.get_possible_moves())")

    assert SECOND_INSTANCE in topics(conclusion, Mark.GOOD)


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        pytest.param("board.place_piece(1, 1, 2); return board.foo()", [Mark.NOTE], id="modified before it raised"),
        pytest.param("return board.foo()", [], id="raised without modifying"),
        pytest.param("board.place_piece(1, 1, 2); time.sleep(9)", [], id="stopped, so unknown"),
    ],
)
def test_only_a_player_that_has_moved_is_said_not_to_modify_the_board(tmp_path, play, expected):
    conclusion = own(tmp_path, play)
    marks = [
        verdict.mark
        for verdict in conclusion.verdicts
        if verdict.topic in ("changes to the board", "modifies the board")
    ]

    assert marks == expected


def test_the_same_fault_as_both_players_is_one_problem(tmp_path):
    conclusion = own(tmp_path, "return (0, 0, self.player_id)")

    (bad,) = [verdict for verdict in conclusion.verdicts if verdict.mark is Mark.BAD]
    assert bad.text.startswith("Your player fails as player 1 and as player 2. The player returned (0, 0, 1)")
    assert bad.help == "A move is (row, column), without a third number."


def test_a_check_without_a_single_move_says_so(tmp_path):
    slow = SMALL.replace("move: 0.6", "move: 40")
    conclusion = own(tmp_path, "time.sleep(30)", slow, budget=3)

    assert any(text.startswith("Time ran out before the first move") for text in texts(conclusion, Mark.OPEN))


def test_a_tiny_board_has_no_test_positions_and_nothing_counts_as_skipped(tmp_path):
    conclusion = own(tmp_path, "return board.get_possible_moves()[0]", SMALL.replace("size: 5", "size: 2"))

    assert not conclusion.skipped


def test_assert_ready_speaks_the_language_of_the_assignment(tmp_path):
    with pytest.raises(AssertionError, match="Una jugada es"):
        own(tmp_path, "return (0, 0, 1)", SMALL + "language: es\n").assert_ready()


def test_a_player_with_an_empty_play_is_reported(tmp_path):
    (tmp_path / "solution.py").write_text("class Player:\n    def play(self, board):\n        pass\n", encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path))

    assert texts(conclusion, Mark.BAD) == ["solution.py:2: The play() method of Player is not implemented."]


def test_the_files_of_the_course_need_not_be_submitted_unless_they_were_changed(tmp_path):
    handout = write_kit(tmp_path, load_assignments(assignment(tmp_path))[0], "es")
    warning = "solution.py imports other files: board.py."

    assert warning not in texts(check(handout / "solution.py"), Mark.NOTE)
    with (handout / "board.py").open("a", encoding="utf-8") as board:
        board.write("\nMORE = 1\n")

    assert warning in texts(check(handout / "solution.py"), Mark.NOTE)


def test_losing_to_an_opponent_that_disqualifies_is_a_problem_to_fix(tmp_path):
    strict = SMALL.replace("games: 2", "games: 2, disqualify_on_loss: true").replace(
        "player: random", "player: minimax"
    )
    conclusion = checked("prints", tmp_path, strict)

    (bad,) = [verdict for verdict in conclusion.verdicts if verdict.mark is Mark.BAD]
    assert bad.text == "Your player lost 2 of 2 games against minimax." and "disqualifies" in bad.help


def test_a_check_that_ends_before_the_player_is_loaded_says_so(tmp_path):
    (tmp_path / "solution.py").write_text(
        "while True:\n    pass\nclass SmartPlayer:\n    def play(self, board):\n        return board[0]\n",
        encoding="utf-8",
    )

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path), game="hex", budget=1)

    assert "Your player did not finish loading within the time limit of this check." in texts(conclusion, Mark.BAD)


def test_a_player_that_finishes_wins_but_heads_for_the_other_players_sides_is_told_so(tmp_path):
    file = assignment(tmp_path, SMALL.replace("size: 5", "size: 9").replace("move: 0.6", "move: 5"))
    conclusion = check(PLAYERS / "heads_for_the_wrong_sides.py", file)

    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.mark is Mark.BAD]
    assert "head for the other player's sides: in 2 of 2 games, its first 9 stones" in verdict.text
    assert "✗ It seems to head for the other player's sides" in str(conclusion)
    assert len(conclusion.games) == 2
