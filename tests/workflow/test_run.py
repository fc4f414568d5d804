"""`grader run` on the real command line."""

import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time

import pytest

from tests.command import grader
from tests.waiting import wait_until
from tests.workflow.folders import ASSIGNMENT, CRASHES, FIRST, LAST, folder, results


def matches(at) -> dict[str, float]:
    """The time at which each game in a store ended, by its key."""
    connection = sqlite3.connect(at / "results.sqlite")
    try:
        return dict(connection.execute("SELECT key, finished FROM matches").fetchall())
    finally:
        connection.close()


def test_a_folder_becomes_grades(tmp_path):
    done = grader("run", folder(tmp_path / "in", first=FIRST, broken=CRASHES), "-o", tmp_path / "out")
    found = results(tmp_path / "out")

    assert done.returncode == 0, done.stderr
    assert found["broken"]["endings"] == {"crash": 4}
    assert found["broken"]["score"] == 0
    assert found["first"]["status"] == "graded"
    assert found["first"]["parts"][0]["games"] == 4
    assert "ZeroDivisionError in solution.py:5" in (tmp_path / "out/feedback/broken.md").read_text(encoding="utf-8")
    assert "broken" not in (tmp_path / "out/feedback/first.md").read_text(encoding="utf-8")


def test_results_json_has_the_documented_members(tmp_path):
    grader("run", folder(tmp_path / "in", first=FIRST), "-o", tmp_path / "out")
    content = json.loads((tmp_path / "out/results.json").read_text(encoding="utf-8"))

    members = [name for name in content if name != "isolation_warning"]  # on a machine with little isolation
    assert members == ["grader", "seed", "isolation", "assignments", "submissions"]
    assert list(content["submissions"][0]) == [
        *("id", "name", "game", "score", "max_score", "penalty", "status", "parts", "endings", "findings"),
        *("entry", "candidates"),
    ]
    assert list(content["submissions"][0]["parts"][0]) == [
        *("opponent", "points", "max_points", "games", "won", "drawn", "lost", "interval", "repeats")
    ]


def test_two_runs_give_the_same_bytes_and_another_seed_other_games(tmp_path):
    source = folder(tmp_path / "in", first=FIRST, broken=CRASHES)
    for name, seed in (("one", "5"), ("two", "5"), ("three", "6")):
        grader("run", source, "-o", tmp_path / name, "--seed", seed, cold=True)  # so that sets are iterated differently

    one, two = ((tmp_path / name / "results.json").read_bytes() for name in ("one", "two"))
    assert one == two
    assert not set(matches(tmp_path / "one")) & set(matches(tmp_path / "three"))


def test_the_place_of_the_copy_of_a_submission_is_not_revealed(tmp_path):
    lost = """
import json, os, sys
print(__file__, object())
TABLES = json.load(open(os.path.join(os.path.dirname(__file__), "tables.json")))
class P:
    def play(self, board):
        return 0
"""
    strange = """
class P:
    def __init__(self, player_id):
        pass
    def play(self, board):
        print(__file__)
        return __file__, self
"""
    source = folder(tmp_path / "in", lost=lost, strange=strange)
    for name in ("one", "two"):
        grader("run", source, "-o", tmp_path / name)

    written = [(tmp_path / name / "results.json").read_text(encoding="utf-8") for name in ("one", "two")]
    feedback = "".join(
        path.read_text(encoding="utf-8") for path in (tmp_path / "one").rglob("*.*") if path.suffix in (".md", ".html")
    )
    assert written[0] == written[1]
    assert "No such file or directory: 'tables.json'" in written[0]
    assert "scratch" not in written[0] + feedback and " at 0x" not in written[0] + feedback
    assert "returned ('solution.py', &lt;solution.P object&gt;), which is not a move" in feedback


def test_a_second_run_plays_only_the_games_of_changed_submissions(tmp_path):
    source = folder(tmp_path / "in", first=FIRST, last=LAST)
    grader("run", source, "-o", tmp_path / "out")
    before = matches(tmp_path / "out")
    grader("run", source, "-o", tmp_path / "out")
    assert matches(tmp_path / "out") == before

    (source / "last/solution.py").write_text(FIRST + "\n# changed\n", encoding="utf-8")
    grader("run", source, "-o", tmp_path / "out")
    after = matches(tmp_path / "out")

    assert {key: after[key] for key in before} == before
    assert len(after) == len(before) + 4


def test_identical_submissions_share_their_games(tmp_path):
    grader("run", folder(tmp_path / "in", one=FIRST, two=FIRST), "-o", tmp_path / "out")
    found = results(tmp_path / "out")

    assert len(matches(tmp_path / "out")) == 4
    assert found["one"]["parts"] == found["two"]["parts"]


@pytest.mark.parametrize("games", [0, 3])
def test_a_killed_run_is_resumed_with_the_same_grades(tmp_path, games):
    source = folder(tmp_path / "in", **{f"s{number}": FIRST + f"# {number}\n" for number in range(3)})
    grader("run", source, "-o", tmp_path / "whole")
    command = [sys.executable, "-m", "grader", "run", str(source), "-o", str(tmp_path / "killed"), "-j", "1"]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: (tmp_path / "killed/results.sqlite").exists() and len(matches(tmp_path / "killed")) >= games)
    killed.kill()
    killed.wait()
    played = matches(tmp_path / "killed")
    again = grader("run", source, "-o", tmp_path / "killed")

    assert games <= len(played) < 12
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "killed/results.json").read_bytes() == (tmp_path / "whole/results.json").read_bytes()
    assert {key: matches(tmp_path / "killed")[key] for key in played} == played


def test_ctrl_c_stops_cleanly_and_says_how_to_resume(tmp_path):
    slow = FIRST.replace("return", "import time; time.sleep(0.5); return")
    source = folder(tmp_path / "in", slow=slow)
    command = [sys.executable, "-m", "grader", "run", str(source), "-o", str(tmp_path / "out")]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_until(lambda: (tmp_path / "out/results.sqlite").exists())
    time.sleep(0.5)  # games have started or are about to
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=120)

    assert running.returncode == 130
    assert "same command" in errors
    assert "Traceback" not in errors


def test_a_second_grader_on_the_same_results_stops(tmp_path):
    slow = FIRST.replace("return", "import time; time.sleep(20); return")  # it is interrupted long before
    source = folder(tmp_path / "in", ASSIGNMENT.replace("move: 2", "move: 30"), slow=slow)
    first = subprocess.Popen(
        [sys.executable, "-m", "grader", "run", str(source), "-o", str(tmp_path / "out")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while first.poll() is None and not (tmp_path / "out/results.sqlite").exists():
        time.sleep(0.05)
    second = grader("run", source, "-o", tmp_path / "out")
    first.send_signal(signal.SIGINT)
    first.wait()

    assert second.returncode == 1
    assert "another grader process is using these results" in second.stderr


def test_a_single_submission_can_be_graded(tmp_path):
    source = folder(tmp_path / "in", first=FIRST, last=LAST)
    done = grader("run", source, "-o", tmp_path / "out", "--only", "last")
    wrong = grader("run", source, "-o", tmp_path / "out", "--only", "lost")

    assert done.returncode == 0
    assert list(results(tmp_path / "out")) == ["last"]
    grader("run", source, "-o", tmp_path / "out")
    grader("run", source, "-o", tmp_path / "out", "--only", "last")
    assert list(results(tmp_path / "out")) == ["first", "last"]
    assert wrong.returncode == 2
    assert "--only lost: no such submission. Choose from first, last." in wrong.stderr


def test_students_on_the_roster_without_a_submission_are_missing(tmp_path):
    source = folder(tmp_path / "in", first=FIRST)
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name\nfirst,Uno\nsecond,Ejemplo Peña\n", encoding="utf-8")
    grader("run", source, "-o", tmp_path / "out", "--roster", roster)
    found = results(tmp_path / "out")

    assert (found["second"]["status"], found["second"]["score"], found["second"]["name"]) == (
        "missing",
        0,
        "Ejemplo Peña",
    )
    assert found["first"]["status"] == "graded"


def test_reports_can_be_written_again_without_playing(tmp_path):
    source = folder(tmp_path / "in", first=FIRST, broken=CRASHES)
    grader("run", source, "-o", tmp_path / "out")
    before = (tmp_path / "out/results.json").read_bytes()
    shutil.rmtree(source)
    shutil.rmtree(tmp_path / "out/feedback")
    (tmp_path / "out/results.json").unlink()
    again = grader("report", tmp_path / "out")

    assert again.returncode == 0, again.stderr
    assert (tmp_path / "out/results.json").read_bytes() == before
    assert (tmp_path / "out/feedback/broken.md").exists()


def test_a_budget_gives_all_submissions_the_same_number_of_games(tmp_path):
    source = folder(tmp_path / "in", ASSIGNMENT.replace("games: 4", "games: 30"), first=FIRST, last=LAST)
    done = grader("run", source, "-o", tmp_path / "out", "--budget", "4s", "--yes", "-j", "1")
    declined = grader("run", source, "-o", tmp_path / "declined", "--budget", "4s", "-j", "1", typed="n\n")
    refused = [
        grader("run", source, "-o", tmp_path / "not begun", "--budget", *more)
        for more in (["soon"], ["4s", "--dry-run"])
    ]

    assert done.returncode == 0, done.stderr
    found = results(tmp_path / "out")
    (games,) = {entry["parts"][0]["games"] for entry in found.values()}
    assert games in range(2, 30, 2)
    assert all("fewer_games" in [finding["code"] for finding in entry["findings"]] for entry in found.values())
    assert declined.returncode == 130
    assert declined.stderr.endswith("Cancelled; nothing was played.\n")
    assert [one.returncode for one in refused] == [2, 2]
    assert "write a number and a unit" in refused[0].stderr
    assert "use only one of them" in refused[1].stderr
    assert not (tmp_path / "not begun").exists()


def test_a_printed_assignment_can_be_used_again(tmp_path):
    source = folder(tmp_path / "in", first=FIRST)
    shown = grader("run", source, "--show-assignment")
    (tmp_path / "shown.yaml").write_text(shown.stdout, encoding="utf-8")
    again = grader("run", source, "--show-assignment", "-c", tmp_path / "shown.yaml")

    assert shown.returncode == 0
    assert again.stdout == shown.stdout


def test_without_an_assignment_the_built_in_ones_apply(tmp_path):
    shown = grader("run", folder(tmp_path / "in", assignment="", first=FIRST), "--show-assignment")

    assert "game: hex" in shown.stdout
    assert "game: desconecta4" in shown.stdout
    assert "ultrapro" in shown.stdout


def test_an_error_in_the_assignment_is_reported_with_its_place(tmp_path):
    wrong = grader("run", folder(tmp_path / "in", assignment=ASSIGNMENT.replace("points", "poinst"), first=FIRST))

    assert wrong.returncode == 2
    assert "assignment.yaml:8:" in wrong.stderr
    assert "points" in wrong.stderr


def test_an_unavailable_isolation_level_exits_with_3(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("GRADER_ACCEPT_ISOLATION", raising=False)
    wrong = grader("run", folder(tmp_path / "in", assignment=ASSIGNMENT + "isolation: strong\n", first=FIRST))

    assert wrong.returncode == 3
    assert "grader doctor" in wrong.stderr


def test_an_unknown_reference_player_is_reported_before_anything_is_played(tmp_path):
    wrong = grader("run", folder(tmp_path / "in", assignment=ASSIGNMENT.replace("random", "randon"), first=FIRST))

    assert wrong.returncode == 2
    assert "Did you mean 'random'?" in wrong.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_results_folder_that_is_not_writable_is_reported(tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(stat.S_IRUSR | stat.S_IXUSR)
    wrong = grader("run", folder(tmp_path / "in", first=FIRST), "-o", locked / "out")

    assert wrong.returncode == 1
    assert "Choose another folder with -o" in wrong.stderr


def test_an_empty_folder_is_reported(tmp_path):
    (tmp_path / "in").mkdir()
    wrong = grader("run", tmp_path / "in", "-o", tmp_path / "out")

    assert wrong.returncode == 2
    assert "no submissions found" in wrong.stderr


def test_forbidden_code_disqualifies_if_the_assignment_says_so(tmp_path):
    source = folder(tmp_path / "in", assignment=ASSIGNMENT + "forbidden: [network]\n", talks="import socket\n" + FIRST)
    grader("run", source, "-o", tmp_path / "out")
    found = results(tmp_path / "out")["talks"]

    assert (found["status"], found["score"]) == ("disqualified", 0)
    assert matches(tmp_path / "out") == {}


def test_running_out_of_time_disqualifies_if_the_assignment_says_so(tmp_path):
    text = ASSIGNMENT.replace("move: 2", "move: 0.2") + "overrun: disqualify\n"
    slow = FIRST.replace("return", "import time; time.sleep(5); return")
    grader("run", folder(tmp_path / "in", assignment=text, slow=slow), "-o", tmp_path / "out")
    found = results(tmp_path / "out")["slow"]

    assert (found["status"], found["score"]) == ("disqualified", 0)
    assert found["endings"] == {"timeout": 1}


def test_hidden_opponents_are_named_to_students_only_with_reveal(tmp_path):
    text = ASSIGNMENT.replace("games: 4", "games: 2, name: surprise, hidden: true")
    source = folder(tmp_path / "in", assignment=text, first=FIRST)
    grader("run", source, "-o", tmp_path / "out")
    feedback = (tmp_path / "out/feedback/first.md").read_text(encoding="utf-8")
    grader("report", tmp_path / "out", "--reveal")

    assert "surprise" not in feedback
    assert "hidden opponent 1" in feedback
    assert "surprise" in (tmp_path / "out/feedback/first.md").read_text(encoding="utf-8")
    assert results(tmp_path / "out")["first"]["parts"][0]["opponent"] == "surprise"


LEARNS = """
class SmartPlayer:
    def __init__(self, player_id):
        self.games = 0
    def play(self, board):
        print("game", self.games)
        return board.get_possible_moves()[0]
    def learn_from_game(self, result):
        self.games += 1
"""


@pytest.mark.parametrize(("lifetime", "seen"), [("game", {"game 0"}), ("pairing", {"game 0", "game 1"})])
def test_a_player_can_learn_only_if_the_assignment_keeps_its_process(tmp_path, lifetime, seen):
    source = folder(tmp_path / "in", assignment=ASSIGNMENT + f"lifetime: {lifetime}\n", learns=LEARNS)
    done = grader("run", source, "-o", tmp_path / "out")
    records = sqlite3.connect(tmp_path / "out/results.sqlite").execute("SELECT record FROM matches").fetchall()
    printed = {
        line for (text,) in records for seat in json.loads(text)["seats"] for line in seat["output"].splitlines()
    }

    assert done.returncode == 0, done.stderr
    assert len(records) == 4
    assert printed == seen


def test_a_bank_is_for_all_moves_of_a_game(tmp_path):
    text = ASSIGNMENT.replace("time: {move: 2, load: 5}", "time: {bank: 2, load: 5, grace: 0}").replace(
        "games: 4", "games: 2"
    )
    slow = FIRST.replace("return", "import time; time.sleep(0.8); return")
    done = grader("run", folder(tmp_path / "in", assignment=text, slow=slow, first=FIRST), "-o", tmp_path / "out")
    found = results(tmp_path / "out")
    feedback = (tmp_path / "out/feedback/slow.md").read_text(encoding="utf-8")

    assert done.returncode == 0, done.stderr
    assert found["slow"]["endings"] == {"timeout": 2}
    assert "used up its 2 s for the game" in feedback
    assert "timeout" not in found["first"]["endings"]


def test_grades_do_not_depend_on_the_number_of_parallel_games(tmp_path):
    text = ASSIGNMENT.replace("games: 4", "games: 8, scoring: {threshold: {wins: 1}}")
    centre = FIRST.replace("[0]", "[len(board.get_possible_moves()) // 2]")
    source = folder(tmp_path / "in", assignment=text, one=FIRST, two=LAST, three=centre)
    for jobs in ("1", "4"):
        grader("run", source, "-o", tmp_path / jobs, "-j", jobs)

    assert (tmp_path / "1/results.json").read_bytes() == (tmp_path / "4/results.json").read_bytes()


def test_fewer_games_than_a_threshold_needs_are_refused(tmp_path):
    text = ASSIGNMENT.replace("games: 4", "games: 40, scoring: {threshold: {wins: 30}}")
    wrong = grader(
        "run", folder(tmp_path / "in", assignment=text, one=FIRST), "-o", tmp_path / "out", "--budget", "1s", "--yes"
    )

    assert wrong.returncode == 2
    assert "fewer games would change the grades" in wrong.stderr


@pytest.mark.parametrize("place", [".", "results"])
def test_a_results_folder_inside_the_submissions_is_refused_and_changes_nothing(tmp_path, place):
    source = folder(tmp_path / "in", staged=FIRST)
    wrong = grader("run", source, "-o", source / place)

    assert wrong.returncode == 2
    assert "would be inside the submissions" in wrong.stderr
    assert (source / "staged/solution.py").exists()


def test_the_roster_ignores_case_and_gives_the_names(tmp_path):
    source = folder(tmp_path / "in", Ok=FIRST)
    roster = tmp_path / "roster.csv"
    roster.write_text("ok;Ejemplo Núñez\n", encoding="utf-8")
    grader("run", source, "-o", tmp_path / "out", "--roster", roster)
    found = results(tmp_path / "out")

    assert list(found) == ["Ok"]
    assert found["Ok"]["name"] == "Ejemplo Núñez"


def test_a_disqualification_does_not_reveal_a_hidden_opponent(tmp_path):
    text = ASSIGNMENT.replace("games: 4", "games: 2, name: surprise, hidden: true, disqualify_on_loss: true")
    grader("run", folder(tmp_path / "in", assignment=text, broken=CRASHES), "-o", tmp_path / "out")
    feedback = (tmp_path / "out/feedback/broken.md").read_text(encoding="utf-8")

    assert results(tmp_path / "out")["broken"]["status"] == "disqualified"
    assert "surprise" not in feedback


def test_a_reference_player_with_wrong_options_is_reported_before_anything_is_played(tmp_path):
    text = ASSIGNMENT.replace("player: random", "player: minimax, options: {depth: 0}")
    wrong = grader("run", folder(tmp_path / "in", assignment=text, one=FIRST), "-o", tmp_path / "out")

    assert wrong.returncode == 2
    assert "the opponent minimax(depth=0) cannot play Hex" in wrong.stderr


def test_the_feedback_of_removed_submissions_is_removed(tmp_path):
    source = folder(tmp_path / "in", one=FIRST, two=LAST)
    grader("run", source, "-o", tmp_path / "out")
    shutil.rmtree(source / "two")
    grader("run", source, "-o", tmp_path / "out")

    assert {file.name for file in (tmp_path / "out/feedback").iterdir()} == {"one.md", "one.html"}


def test_a_folder_without_results_is_reported(tmp_path):
    wrong = grader("report", tmp_path)

    assert wrong.returncode == 2
    assert "contains no results" in wrong.stderr
    assert list(tmp_path.iterdir()) == []
