"""`grader tournament` on the real command line."""

import csv
import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import grader
from tests.waiting import wait_until
from tests.workflow.folders import CRASHES, FIRST, LAST, folder
from tests.workflow.test_run import matches

SMALL = """
title: A small tournament
game: hex
seed: 0
options: {size: 3}
time: {move: 2, load: 5}
opponents:
  - {player: random, points: 10, games: 2}
"""
RANDOM = FIRST.replace("return", "import random; return random.choice(").replace("()[0]", "())")
UNLOADABLE = "import a_module_that_nobody_has\n" + FIRST


def standings(source: Path, out: Path, *arguments: str):
    """Run the command and return the first tournament in `standings.json`."""
    done = grader("tournament", source, "-o", out, *arguments)
    assert done.returncode == 0, done.stderr
    return done, json.loads((out / "standings.json").read_text(encoding="utf-8"))["tournaments"][0]


def test_a_folder_becomes_standings(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=FIRST, berta=LAST, carl=CRASHES, dora=UNLOADABLE)
    done, found = standings(source, tmp_path / "out")
    players = {player["id"]: player for player in found["players"]}

    assert set(players) == {"ana", "berta", "carl"}
    assert players["carl"]["faults"] == players["carl"]["lost"] == 4
    assert players["carl"]["points"] == 0
    assert sum(player["points"] for player in players.values()) == 6
    assert [left["id"] for left in found["not_playing"]] == ["dora"]
    assert "a_module_that_nobody_has" in found["not_playing"][0]["reason"]
    assert "dora: " in done.stdout
    assert re.search(r"Moving first is worth -?\d+ rating points?", done.stdout)
    assert {file.name for file in (tmp_path / "out").iterdir()} >= {
        *("standings.json", "standings.csv", "crosstable.csv", "tournament.html", "results.sqlite")
    }


def test_the_progress_says_that_the_loser_failed(tmp_path):
    done, _ = standings(folder(tmp_path / "in", SMALL, ana=FIRST, carl=CRASHES), tmp_path / "out")

    assert "ana won (opponent: exception)" in done.stderr


def test_standings_json_has_the_documented_members(tmp_path):
    _, found = standings(folder(tmp_path / "in", SMALL, ana=FIRST, berta=LAST), tmp_path / "out")

    assert list(found) == [
        *("game", "title", "seed", "isolation", "games_a_pair", "rounds", "anchor", "first_move"),
        *("spared", "players", "pairs", "groups", "not_playing", "unplayed"),
    ]
    assert list(found["players"][0]) == [
        *("id", "name", "reference", "place", "ranks", "points", "rating", "games", "won", "drawn", "lost"),
        *("faults", "repeats", "byes"),
    ]
    assert found["pairs"][0]["games"] == 2
    assert 0.5 <= found["pairs"][0]["stronger"] <= 1


def test_two_runs_give_the_same_bytes_and_a_second_run_plays_nothing(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=FIRST, berta=RANDOM)
    for name in ("one", "two"):
        standings(source, tmp_path / name, "--games", "6")
    played = matches(tmp_path / "one")
    one, two = ((tmp_path / name / "standings.json").read_bytes() for name in ("one", "two"))
    standings(source, tmp_path / "one", "--games", "6")

    assert one == two == (tmp_path / "one/standings.json").read_bytes()
    assert matches(tmp_path / "one") == played


def test_a_changed_submission_replays_only_its_own_games(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=FIRST, berta=LAST, carl=CRASHES)
    standings(source, tmp_path / "out")
    before = matches(tmp_path / "out")
    folder(source, "", carl=FIRST + "# fixed\n")
    standings(source, tmp_path / "out")
    after = matches(tmp_path / "out")

    assert {key: after[key] for key in before} == before
    assert len(after) == len(before) + 4


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")
def test_a_killed_tournament_is_resumed_with_the_same_standings(tmp_path):
    source = folder(tmp_path / "in", SMALL, **{f"s{number}": RANDOM + f"# {number}\n" for number in range(3)})
    command = [sys.executable, "-m", "grader", "tournament", str(source), "-o", str(tmp_path / "killed"), "-j", "1"]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: played(tmp_path / "killed") or killed.poll() is not None)
    killed.kill()
    killed.wait()
    before = played(tmp_path / "killed")
    standings(source, tmp_path / "killed")
    standings(source, tmp_path / "whole")

    assert 0 < len(before) < 6
    assert (tmp_path / "killed/standings.json").read_bytes() == (tmp_path / "whole/standings.json").read_bytes()
    assert {key: matches(tmp_path / "killed")[key] for key in before} == before


def played(at: Path) -> dict[str, float]:
    return matches(at) if (at / "results.sqlite").exists() else {}


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C reaches processes otherwise there")
def test_ctrl_c_stops_cleanly_and_says_how_to_resume(tmp_path):
    slow = FIRST.replace("return", "import time; time.sleep(1); return")
    source = folder(tmp_path / "in", SMALL, slow=slow, slower=slow + "# much\n")
    command = [sys.executable, "-m", "grader", "tournament", str(source), "-o", str(tmp_path / "out")]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert running.stderr is not None
    while "to play" not in (line := running.stderr.readline()) and line:
        pass
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=120)

    assert running.returncode == 130
    assert "Traceback" not in errors


def test_a_swiss_tournament_with_an_odd_number_of_players_has_byes(tmp_path):
    sources = {f"s{number}": f"{FIRST}# {number}\n" for number in range(5)}
    done, found = standings(folder(tmp_path / "in", SMALL, **sources), tmp_path / "out", "--swiss", "3")

    assert found["rounds"] == 3
    assert sum(player["byes"] for player in found["players"]) == 3
    assert max(player["byes"] for player in found["players"]) == 1
    assert all(player["games"] + 2 * player["byes"] == 6 for player in found["players"])
    assert "byes" in done.stdout
    assert len(found["pairs"]) == 10 or len(found["groups"]) > 1


def test_repeated_games_are_reported(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=FIRST, berta=LAST)
    done, found = standings(source, tmp_path / "out", "--games", "8")

    assert len(matches(tmp_path / "out")) == 2
    assert [player["games"] for player in found["players"]] == [8, 8]
    assert found["pairs"][0]["repeats"] == found["spared"] == 6
    assert "6 games repeat others, move for move." in done.stdout
    assert "6 of the repeated games were not actually played" in done.stdout


def test_identical_submissions_share_a_game_and_that_is_reported(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=FIRST, berta=FIRST, carl=FIRST)
    done, found = standings(source, tmp_path / "out")

    assert len(matches(tmp_path / "out")) == 1
    assert found["spared"] == 5
    assert {player["repeats"] for player in found["players"]} == {3}
    assert {tuple(player["ranks"]) for player in found["players"]} == {(1, 3)}
    assert "1 game to play" in done.stderr
    assert "5 games repeat others, move for move." in done.stdout
    assert "5 of the repeated games were not actually played" in done.stdout


def test_unpredictable_code_has_to_repeat_a_game_before_repeats_are_skipped(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=f"import sys\n{FIRST}", berta=LAST)
    done, found = standings(source, tmp_path / "out", "--games", "8")

    assert len(matches(tmp_path / "out")) == 4
    assert found["pairs"][0]["repeats"] == 6
    assert "6 games repeat others, move for move." in done.stdout
    assert "4 of the repeated games were not actually played" in done.stdout


def test_reference_players_take_part_as_anchors_and_vary(tmp_path):
    source = folder(tmp_path / "in", SMALL, random=FIRST)
    done, found = standings(
        source, tmp_path / "out", "--anchor", "random", "--anchor", "mcts(simulations=20)", "--games", "4"
    )
    players = {player["id"]: player for player in found["players"]}

    assert set(players) == {"random", "reference/random", "reference/mcts(simulations=20)"}
    assert players["reference/random"]["rating"]["value"] == 1500
    assert players["reference/random"]["ranks"] is None
    assert players["random"]["ranks"] == [1, 1]
    assert found["anchor"] == "random"
    assert "random (reference)" in done.stdout


def test_games_that_the_grader_cannot_play_are_reported_with_an_exit_status(tmp_path):
    hurried = SMALL.replace("size: 3", "size: 5").replace("{move: 2, load: 5}", "{move: 0.05, load: 5, grace: 0}")
    source = folder(tmp_path / "in", hurried, ana=FIRST)
    done = grader("tournament", source, "-o", tmp_path / "out", "--anchor", "mcts(simulations=50000)")
    found = json.loads((tmp_path / "out/standings.json").read_text(encoding="utf-8"))["tournaments"][0]

    assert done.returncode == 1
    assert "Not played: " in done.stderr
    assert "The reference player mcts(simulations=50000) failed" in done.stderr
    assert len(found["unplayed"]) == 2
    assert [player["points"] for player in found["players"]] == [0, 0]
    assert all(player["rating"] is None for player in found["players"])


def test_names_that_are_markup_or_formulas_do_nothing(tmp_path):
    source = folder(tmp_path / "in", SMALL, honest=FIRST)
    for name in ("=1+1", "<img src=x onerror=alert(1)> Ñandú"):
        (source / name).mkdir()
        (source / name / "solution.py").write_text(LAST + f"# {name}", encoding="utf-8")
    standings(source, tmp_path / "out")
    page = (tmp_path / "out/tournament.html").read_text(encoding="utf-8")
    cells = [
        cell
        for name in ("standings.csv", "crosstable.csv")
        for line in csv.reader((tmp_path / "out" / name).read_text(encoding="utf-8-sig").splitlines())
        for cell in line
    ]

    assert "<img" not in page
    assert "Ñandú" in page
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@")]


def test_the_cross_table_adds_up(tmp_path):
    standings(folder(tmp_path / "in", SMALL, ana=FIRST, berta=LAST, carl=RANDOM), tmp_path / "out")
    text = (tmp_path / "out/crosstable.csv").read_text(encoding="utf-8-sig")
    head, *rows = csv.reader(text.splitlines())

    assert head[1:-1] == [row[0] for row in rows]
    for at, row in enumerate(rows, 1):
        assert row[at] == ""
        assert sum(float(cell) for cell in row[1:-1] if cell) == float(row[-1])


@pytest.mark.parametrize(
    ("submissions", "arguments", "problem"),
    [
        pytest.param({}, (), "no submissions found", id="empty folder"),
        pytest.param({"ana": FIRST}, (), "able to play: ana", id="one alone"),
        pytest.param({"ana": FIRST, "dora": UNLOADABLE}, (), "dora cannot play:", id="one can be loaded"),
        pytest.param({"ana": FIRST}, ("--games", "3"), "--games: 3 is odd", id="an odd number of games"),
        pytest.param({"ana": FIRST}, ("--anchor", "alphabeta"), "does not play Hex", id="an anchor of another game"),
        pytest.param({"ana": FIRST}, ("--anchor", "mtcs"), "Did you mean 'mcts'?", id="an unknown anchor"),
        pytest.param({"ana": FIRST}, ("--only", "bea"), "no such submission", id="an unknown submission"),
    ],
)
def test_an_impossible_tournament_is_refused_with_a_message(tmp_path, submissions, arguments, problem):
    done = grader("tournament", folder(tmp_path / "in", SMALL, **submissions), "-o", tmp_path / "out", *arguments)

    assert done.returncode == 2
    assert problem in done.stderr
    assert "Traceback" not in done.stderr


def test_a_results_folder_inside_the_submissions_is_refused_and_not_created(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=FIRST, berta=LAST)
    done = grader("tournament", source, "-o", source / "out")

    assert done.returncode == 2
    assert "would be inside the submissions" in done.stderr
    assert not (source / "out").exists()


def test_a_run_and_a_tournament_need_different_folders(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=FIRST, berta=LAST)
    assert grader("run", source, "-o", tmp_path / "run").returncode == 0
    standings(source, tmp_path / "tournament")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.json")}

    tournament = grader("tournament", source, "-o", tmp_path / "run")
    run = grader("run", source, "-o", tmp_path / "tournament")

    assert (tournament.returncode, run.returncode) == (2, 2)
    assert "this folder holds the results of a run: choose another one for the tournament with -o" in tournament.stderr
    assert "this folder holds the results of a tournament: choose another one for the run with -o" in run.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.json")} == before
    standings(source, tmp_path / "tournament")


def test_the_reports_can_be_in_spanish(tmp_path):
    source = folder(tmp_path / "in", SMALL, ana=FIRST, berta=LAST)
    standings(source, tmp_path / "out", "--lang", "es")

    assert '<html lang="es">' in (tmp_path / "out/tournament.html").read_text(encoding="utf-8")
