"""Notebooks are graded by all commands, and what goes wrong in one is shown with its cell and line."""

from tests.command import grader
from tests.intake.notebooks import notebook
from tests.intake.zips import put
from tests.workflow.folders import ASSIGNMENT, CRASHES, FIRST, LAST, folder, results

MAGICS = "%matplotlib inline\n!pip install nothing\nimport matplotlib_is_not_installed as plt\n"
ENDLESS = "while True:\n    SmartPlayer(1)\n"


def test_a_class_of_notebooks_is_graded_shown_verified_and_graded_again(tmp_path):
    source = folder(tmp_path / "in", ASSIGNMENT.replace("games: 4", "games: 2"), py=FIRST)
    put(source, {"same/hex.ipynb": notebook(MAGICS, FIRST, ENDLESS), "fails/Mi hex.ipynb": notebook(MAGICS, CRASHES)})
    out = tmp_path / "out"

    done = grader("run", source, "-o", out)
    shown = grader("show", out, "fails")
    verified = grader("verify", out)
    again = grader("run", source, "-o", out)

    assert done.returncode == 0, done.stderr
    found = results(out)
    assert found["same"]["score"] == found["py"]["score"]
    assert [finding["code"] for finding in found["same"]["findings"]] == ["notebook"]
    assert "Mi hex.ipynb[3]:5 in play: return None or 1 / 0" in (out / "feedback/fails.md").read_text(encoding="utf-8")
    assert "Mi hex.ipynb" in shown.stdout
    assert verified.returncode == 0, verified.stdout
    assert "Playing" not in again.stderr


def test_notebooks_and_second_uploads_can_be_checked_and_matched_where_they_are(tmp_path):
    files = {"hex.ipynb": notebook(MAGICS, CRASHES, ENDLESS), "solution (1).py": LAST, "assignment.yaml": ASSIGNMENT}
    mine = put(tmp_path / "mine", files)

    checked = grader("check", mine / "hex.ipynb", cwd=tmp_path)
    played = grader("match", mine / "hex.ipynb", mine / "solution (1).py", "-o", tmp_path / "match.json")

    assert checked.returncode == 1
    assert "ZeroDivisionError in hex.ipynb[3]:5: division by zero" in checked.stdout
    assert "Left out: cell 2, lines 1–2 (%matplotlib inline …); cell 4, lines 1–2 (while True: …)." in checked.stdout
    assert played.returncode == 0, played.stderr
    assert "hex.ipynb[3]:5" in played.stdout
