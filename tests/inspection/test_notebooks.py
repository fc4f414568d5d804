"""A submission without a player in a .py file is graded by the code cells of its notebook."""

from grader.inspection.inspect_code import CodeRules, Inspection, inspect_code
from tests.intake.folders import PLAYER, make, player
from tests.intake.notebooks import notebook

RUNS = "board = HexBoard(11)\nfor number in range(100):\n    print(SmartPlayer(1).play(board))\n"
HEX = {"hex.ipynb": notebook("%matplotlib inline\n" + PLAYER, RUNS)}


def found(inspection: Inspection) -> str:
    assert inspection.entry is not None, inspection.findings
    return f"{inspection.entry.file}:{inspection.entry.name}"


def codes(inspection: Inspection) -> list[str]:
    return [finding.code for finding in inspection.findings]


def test_the_player_is_found_and_a_finding_says_what_was_left_out(tmp_path):
    inspection = inspect_code(make(tmp_path, HEX))

    assert found(inspection) == "hex.ipynb:SmartPlayer"
    assert codes(inspection) == ["notebook"]
    assert inspection.findings[0].text == (
        "Graded the code cells of the notebook hex.ipynb, without magics and top-level runs; hex.ipynb[3]:5 means cell 3, "
        "line 5. Left out: cell 2, line 1 (%matplotlib inline); cell 3, lines 1–3 (board = HexBoard(11) …)."
    )
    assert inspection.entry is not None
    assert [number for number, _ in inspection.entry.cells] == [2, 3]
    assert "HexBoard" not in str(inspection.entry.cells)


def test_a_single_notebook_can_be_given_by_its_path(tmp_path):
    assert found(inspect_code(make(tmp_path, HEX) / "hex.ipynb")) == "hex.ipynb:SmartPlayer"


def test_a_player_in_a_python_file_comes_before_notebooks(tmp_path):
    inspection = inspect_code(make(tmp_path, {**HEX, "mine.py": player("Mine")}))

    assert found(inspection) == "mine.py:Mine" and codes(inspection) == []


def test_a_random_player_next_to_the_notebook_does_not_play_instead(tmp_path):
    inspection = inspect_code(make(tmp_path, {**HEX, "random_player.py": player("RandomPlayer")}))

    assert found(inspection) == "hex.ipynb:SmartPlayer"


def test_a_python_file_with_a_syntax_error_is_not_replaced_by_a_notebook(tmp_path):
    inspection = inspect_code(make(tmp_path, {**HEX, "solution.py": "class SmartPlayer(:\n"}))

    assert inspection.entry is None and inspection.findings[0].file == "solution.py"


def test_the_notebook_uses_the_other_files_and_is_not_a_module_itself(tmp_path):
    files = {
        "board.ipynb": notebook(
            "from board import HexBoard\nimport moves\n" + player(body="return moves.first(HexBoard)")
        )
    }
    inspection = inspect_code(make(tmp_path, {**files, "moves.py": "def first(board):\n    return 1 / 0\n"}))

    assert found(inspection) == "board.ipynb:SmartPlayer"
    assert inspection.entry is not None and inspection.entry.course_modules == ("board",)
    assert "missing_import" not in codes(inspection)


def test_an_override_can_name_the_class_in_a_notebook(tmp_path):
    files = {"a.ipynb": notebook(player("Mine"), player("Other")), "solution.py": PLAYER}
    rules = CodeRules(game="hex", entries={"ana": "a.ipynb:Other"})

    assert found(inspect_code(make(tmp_path, files), [rules], "ana")) == "a.ipynb:Other"


def test_two_notebooks_with_a_player_need_a_decision(tmp_path):
    inspection = inspect_code(
        make(tmp_path, {"a.ipynb": notebook(player("Mine")), "b.ipynb": notebook(player("Other"))})
    )

    assert codes(inspection) == ["several_players"]
    assert [candidate.entry for candidate in inspection.candidates] == ["a.ipynb:Mine", "b.ipynb:Other"]


def test_findings_name_the_cell_and_its_line(tmp_path):
    cells = ["# nothing", "import os\n" + player(body="return os.system('ls')"), "(", "def show(:\n    pass"]
    inspection = inspect_code(make(tmp_path, {"hex.ipynb": notebook(*cells)}))

    places = {(finding.code, finding.file, finding.line) for finding in inspection.findings}
    assert ("processes", "hex.ipynb[3]", 4) in places
    assert {("syntax_error", "hex.ipynb[4]", 1), ("syntax_error", "hex.ipynb[5]", 1)} < places


def test_a_notebook_without_a_player_is_explained(tmp_path):
    no_class = inspect_code(make(tmp_path, {"hex.ipynb": notebook("x = 1", "print(x)")}, "no class"))
    no_play = inspect_code(make(tmp_path, {"hex.ipynb": notebook("", "class SmartPlayer:\n    size = 3\n")}, "no play"))
    broken = inspect_code(make(tmp_path, {"hex.ipynb": "{}"}, "broken"))

    assert no_class.findings[0].text == (
        "No player found: the code cells of hex.ipynb have no class with a method play(self, board)."
    )
    assert (no_play.findings[0].file, no_play.findings[0].line) == ("hex.ipynb[3]", 1)
    assert broken.findings[0].text == "hex.ipynb cannot be read: it is not a valid notebook."
    assert broken.findings[0].help == "Open it in Jupyter, save it again, and submit it."


def test_names_in_a_notebook_cannot_control_the_terminal(tmp_path):
    cell = "%magic \x1b[31m\u202e red\n" + PLAYER
    finding = inspect_code(make(tmp_path, {"hex.ipynb": notebook(cell)})).findings[0]

    assert finding.text.isprintable()
