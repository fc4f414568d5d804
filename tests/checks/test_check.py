"""What a check says about players that go wrong in one way each."""

import pytest

from grader.assignment import load_assignments
from grader.checks import Conclusion, Mark, check
from grader.checks.observations import Observations
from grader.checks.verdicts import legality_verdict
from grader.errors import OptionError
from grader.games.exam import ExamAnswer
from grader.records import Charge
from tests.checks.folders import DESCONECTA4, PLAYERS, SMALL, assignment
from tests.kit.kits import written


def checked(name: str, folder, text: str = SMALL, **more) -> Conclusion:
    return check(PLAYERS / f"{name}.py", assignment(folder, text), **more)


def told(conclusion: Conclusion, mark: Mark) -> list[str]:
    return [str(verdict.text) for verdict in conclusion.verdicts if verdict.mark is mark]


def topics(conclusion: Conclusion, mark: Mark) -> list[str]:
    return [str(verdict.topic) for verdict in conclusion.verdicts if verdict.mark is mark]


def test_a_good_player_is_ready_and_every_aspect_was_looked_at(tmp_path):
    conclusion = checked("good", tmp_path)

    conclusion.assert_ready()
    assert topics(conclusion, Mark.GOOD) == [
        *("found", "loads", "player 1", "player 2", "fresh objects", "another board", "leaves the board as it is"),
        *("neighbourhood", "time", "prints nothing"),
    ]
    assert not told(conclusion, Mark.NOTE) and not conclusion.skipped


def test_a_player_that_is_illegal_as_player_2_is_not_ready_and_only_that_is_said(tmp_path):
    conclusion = checked("illegal_as_player_2", tmp_path)

    (bad,) = told(conclusion, Mark.BAD)
    assert bad.startswith("As player 2 it fails: The player returned (")
    assert "player 1" in topics(conclusion, Mark.GOOD)
    with pytest.raises(AssertionError, match="✗ As player 2 it fails") as raised:
        conclusion.assert_ready()
    assert "Always return one of the legal moves" in str(raised.value)


@pytest.mark.parametrize(
    ("name", "topic", "words"),
    [
        ("changes_the_board", "leaves the board as it is", "It changes the board that it is handed."),
        ("prints", "prints nothing", "It prints, as in: �[31mthinking 25"),
        ("only_on_5", "another board", "On 4×4 it fails: The player raised IndexError in only_on_5.py:8"),
        (
            "keeps_state_in_the_class",
            "fresh objects",
            "A second object in the same process fails: The player raised Runtime",
        ),
        (
            "remembers_in_the_module",
            "fresh objects",
            "A later object in the same process plays otherwise: in one position the first chose",
        ),
    ],
)
def test_what_costs_nothing_in_the_official_run_is_pointed_out_and_no_more(tmp_path, name, topic, words):
    conclusion = checked(name, tmp_path)

    assert conclusion.ready
    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.topic == topic]
    assert verdict.mark is Mark.NOTE and verdict.text.startswith(words) and verdict.help


def test_a_player_that_plays_by_chance_is_not_said_to_remember_anything(tmp_path):
    code = "import random\nclass SmartPlayer:\n    def play(self, board):\n        return random.choice(board.get_possible_moves())\n"
    (tmp_path / "solution.py").write_text(code, encoding="utf-8")

    assert "fresh objects" in topics(check(tmp_path / "solution.py", assignment(tmp_path)), Mark.GOOD)


def test_an_illegal_move_in_a_prepared_position_is_worth_a_look_with_its_own_help_first(tmp_path):
    conclusion = checked("always_column_3", tmp_path, DESCONECTA4.replace("ply_limit: 12", "ply_limit: 30"))

    (seen,) = [verdict for verdict in conclusion.verdicts if verdict.text.startswith("In a position that it had not")]
    assert seen.mark is Mark.NOTE, "a game need not come there, and a player may remember how it went"
    assert seen.help.startswith("Here action 3 is not possible: column 3 is full.")


@pytest.mark.parametrize(("times", "words"), [(1, "it was too late once, and"), (2, "it was too late 2 times, and")])
def test_how_often_it_was_late_is_said_in_the_singular_and_the_plural(times, words):
    charge = Charge(wall=1.0, cpu=1.0, waited=0.0, charged=1.0)
    late = ExamAnswer(player_id=1, position=None, charge=charge, late=True)

    assert words in legality_verdict(Observations(answers=[late] * times), 1).text


def test_a_path_that_leads_nowhere_is_said_once(tmp_path):
    with pytest.raises(OptionError) as raised:
        check(tmp_path / "nix.py")

    assert str(raised.value).count("nix.py") == 1 and "Name the file" in str(raised.value)


def test_a_belief_in_another_neighbourhood_is_told_with_both_and_a_drawing(tmp_path):
    conclusion = checked("believes_even_r", tmp_path, SMALL.replace("size: 5", "size: 7"))

    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.topic == "neighbourhood"]
    assert verdict.mark is Mark.NOTE
    assert "another neighbourhood (even-r) than the assignment's (axial)" in verdict.text
    assert "even r: (r-1,c+1)" in verdict.help and "(r-1,c+1) (r+1,c-1)." in verdict.help
    assert "  a b c d e f g" in "\n".join(verdict.detail)


def test_the_same_belief_is_right_where_the_assignment_has_it(tmp_path):
    conclusion = checked("believes_even_r", tmp_path, SMALL.replace("size: 5", "size: 5, adjacency: even-r"))

    assert "neighbourhood" in topics(conclusion, Mark.GOOD)


def test_a_player_that_uses_most_of_its_time_is_warned_and_told_on_what(tmp_path):
    conclusion = checked("slow", tmp_path, budget=6)

    (verdict,) = [verdict for verdict in conclusion.verdicts if verdict.topic == "time"]
    assert verdict.mark is Mark.NOTE and "Stay below 80%" in verdict.help
    assert conclusion.skipped, "at that pace not everything fits"


def test_a_player_that_wants_four_in_line_is_told_that_they_lose(tmp_path):
    conclusion = checked("wants_a_line", tmp_path, DESCONECTA4)

    assert any("believe that four in line win" in text for text in told(conclusion, Mark.NOTE))


def test_a_forbidden_import_is_to_be_mended(tmp_path):
    source = (PLAYERS / "good.py").read_text(encoding="utf-8")
    (tmp_path / "solution.py").write_text(f"import math\n{source}", encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path, SMALL + "forbidden_imports: [math]\n"))

    (bad,) = [verdict for verdict in conclusion.verdicts if verdict.mark is Mark.BAD]
    assert "math" in bad.text and bad.help.startswith("This disqualifies in this assignment.")


def test_files_that_lie_beside_a_single_file_are_named(tmp_path):
    source = (PLAYERS / "good.py").read_text(encoding="utf-8")
    (tmp_path / "ideas.py").write_text("MIDDLE = 2\n", encoding="utf-8")
    (tmp_path / "solution.py").write_text(f"import ideas\n{source}", encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path))

    assert "solution.py needs what lies beside it: ideas.py." in told(conclusion, Mark.NOTE)
    assert conclusion.ready


def test_a_data_file_beside_a_single_file_is_there_for_it_and_named(tmp_path):
    source = (PLAYERS / "good.py").read_text(encoding="utf-8")
    (tmp_path / "weights.txt").write_text("2\n", encoding="utf-8")
    code = f'"notes.txt"\nCOURSE, MIDDLE = "assignment.yaml", int(open("weights.txt").read())\n{source}'
    (tmp_path / "solution.py").write_text(code, encoding="utf-8")
    for name in ("notes.txt", "assignment.yaml"):
        (tmp_path / name).write_text(SMALL, encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path))

    assert "solution.py names what lies beside it: weights.txt." in told(conclusion, Mark.NOTE)
    assert conclusion.ready


@pytest.mark.parametrize("name", ["random", "queue"])
def test_of_a_file_that_is_called_like_a_module_of_python_it_is_said_that_it_is(tmp_path, name):
    source = (PLAYERS / "good.py").read_text(encoding="utf-8")
    (tmp_path / f"{name}.py").write_text("MIDDLE = 2\n", encoding="utf-8")
    (tmp_path / "solution.py").write_text(f"import {name}\n{source}", encoding="utf-8")

    assert told(check(tmp_path / "solution.py", assignment(tmp_path)), Mark.NOTE) == [
        f"solution.py imports what lies beside it and is called like a module of Python: {name}.py."
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
    """The check of a player that plays so."""
    (folder / "solution.py").write_text(PLAYER.format(play=play), encoding="utf-8")
    return check(folder / "solution.py", assignment(folder, text), game="hex", **more)


def test_random_numbers_that_a_module_seeds_are_nothing_that_it_remembers(tmp_path):
    conclusion = own(tmp_path, "return random.choice(board.get_possible_moves())")

    assert "fresh objects" in topics(conclusion, Mark.GOOD)


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        pytest.param("board.place_piece(1, 1, 2); return board.foo()", [Mark.NOTE], id="before it raised"),
        pytest.param("return board.foo()", [], id="it raised, and did not"),
        pytest.param("board.place_piece(1, 1, 2); time.sleep(9)", [], id="before it was stopped, and nobody knows"),
    ],
)
def test_only_of_who_has_answered_it_is_said_that_it_leaves_the_board_as_it_is(tmp_path, play, expected):
    conclusion = own(tmp_path, play)
    marks = [verdict.mark for verdict in conclusion.verdicts if verdict.topic == "leaves the board as it is"]

    assert marks == expected


def test_a_third_number_in_a_move_is_one_thing_to_mend(tmp_path):
    conclusion = own(tmp_path, "return (0, 0, self.player_id)")

    (bad,) = [verdict for verdict in conclusion.verdicts if verdict.mark is Mark.BAD]
    assert bad.text.startswith("As either player it fails: The player returned (0, 0, 1)")
    assert bad.help == "A move is (row, column), without a third number."


def test_that_not_even_one_move_was_seen_is_said(tmp_path):
    slow = SMALL.replace("move: 0.6", "move: 40")
    conclusion = own(tmp_path, "time.sleep(30)", slow, budget=3)

    assert any(text.startswith("There was no time for a single move") for text in told(conclusion, Mark.OPEN))


def test_on_a_tiny_board_nothing_is_asked_and_no_time_was_missing(tmp_path):
    conclusion = own(tmp_path, "return board.get_possible_moves()[0]", SMALL.replace("size: 5", "size: 2"))

    assert not conclusion.skipped


def test_a_test_is_told_in_the_language_of_the_assignment(tmp_path):
    with pytest.raises(AssertionError, match="Una jugada es"):
        own(tmp_path, "return (0, 0, 1)", SMALL + "language: es\n").assert_ready()


def test_a_player_of_ones_own_that_was_left_without_play_is_said_to_be(tmp_path):
    (tmp_path / "solution.py").write_text("class Player:\n    def play(self, board):\n        pass\n", encoding="utf-8")

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path))

    assert told(conclusion, Mark.BAD) == ["The play of solution.py:Player was left unimplemented. (solution.py:2)"]


def test_the_courses_own_files_need_not_be_handed_in_unless_they_were_changed(tmp_path):
    handout = written(tmp_path, load_assignments(assignment(tmp_path))[0], "es")
    beside = "solution.py needs what lies beside it: board.py."

    assert beside not in told(check(handout / "solution.py"), Mark.NOTE)
    with (handout / "board.py").open("a", encoding="utf-8") as board:
        board.write("\nMORE = 1\n")

    assert beside in told(check(handout / "solution.py"), Mark.NOTE)


def test_losing_to_an_opponent_that_disqualifies_is_to_be_mended(tmp_path):
    strict = SMALL.replace("games: 2", "games: 2, disqualify_on_loss: true").replace(
        "player: random", "player: minimax"
    )
    conclusion = checked("prints", tmp_path, strict)

    (bad,) = [verdict for verdict in conclusion.verdicts if verdict.mark is Mark.BAD]
    assert bad.text == "It lost 2 of 2 games against minimax." and "disqualified" in bad.help


def test_a_check_that_is_over_before_the_player_is_loaded_says_so(tmp_path):
    (tmp_path / "solution.py").write_text(
        "while True:\n    pass\nclass SmartPlayer:\n    def play(self, board):\n        return board[0]\n",
        encoding="utf-8",
    )

    conclusion = check(tmp_path / "solution.py", assignment(tmp_path), game="hex", budget=1)

    assert "It was not loaded when the time of this check was over." in told(conclusion, Mark.BAD)
