"""Courses with their own opponents: found like players, isolated from students, and never a student's fault."""

import json
import re
import sqlite3
import textwrap
from pathlib import Path
from typing import Any

import pytest

from grader.assignment import AssignmentError
from grader.competition.assignments import read_assignments
from tests.command import grader

HONEST = """
class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        return board.get_possible_moves()[0]
"""


def course(folder: Path, opponents: str, **files: str) -> Path:
    """A course with one student and these opponents, on a tiny board."""
    text = f"title: T\ngame: hex\noptions: {{size: 3}}\ntime: {{move: 2, load: 10}}\nopponents:\n{textwrap.indent(opponents, '  ')}\n"
    (folder / "assignment.yaml").write_text(text, encoding="utf-8")
    for name, content in {"subs/ana/solution.py": HONEST, **files}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return folder


def run(folder: Path, *more: str):
    return grader("run", "subs", "-c", "assignment.yaml", "-o", "results", *more, cwd=folder)


def results(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "results" / "results.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("opponent", "files", "name"),
    [
        pytest.param("./staff/ninja.py", {"staff/ninja.py": HONEST}, "ninja", id="a file"),
        pytest.param("./staff/ninja", {"staff/ninja/solution.py": HONEST}, "ninja", id="a folder"),
        pytest.param(
            "./staff/two.py:Second",
            {"staff/two.py": HONEST + HONEST.replace("SmartPlayer", "Second")},
            "two.Second",
            id="a class",
        ),
        pytest.param(
            "./staff/ninja.py",
            {
                "staff/ninja.py": "from common import SmartPlayer as Base\nclass Ninja(Base):\n    def play(self, board):\n        return super().play(board)\n",
                "staff/common.py": HONEST,
            },
            "ninja",
            id="a file that imports its neighbour",
        ),
    ],
)
def test_a_plain_player_is_an_opponent(tmp_path, opponent, files, name):
    done = run(course(tmp_path, f"- {{player: '{opponent}', points: 10, games: 2}}", **files))

    assert done.returncode == 0, done.stderr
    (ana,) = results(tmp_path)["submissions"]
    assert [part["opponent"] for part in ana["parts"]] == [name]


def test_seed_opening_and_options_reach_an_opponent_that_takes_them(tmp_path):
    ninja = """
class Ninja:
    def __init__(self, player_id, *, seed, opening, depth=1):
        assert isinstance(seed, int) and opening in (0, 1) and depth == 3, (seed, opening, depth)

    def play(self, board):
        return board.get_possible_moves()[-1]
"""
    done = run(
        course(tmp_path, "- {player: ./ninja.py, options: {depth: 3}, points: 10, games: 4}", **{"ninja.py": ninja})
    )

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("opponent", "files", "problem"),
    [
        pytest.param("{player: ./ninja.py, points: 1}", {}, "ninja.py: no such file or folder", id="missing"),
        pytest.param("{player: ./n.py, points: 1}", {"n.py": "x = 1\n"}, "n.py: ", id="no player in it"),
        pytest.param(
            "{player: ./n.py, options: {dept: 1}, points: 1}",
            {
                "n.py": "class N:\n    def __init__(self, player_id, depth=1): ...\n    def play(self, board): return (0, 0)\n"
            },
            "Did you mean 'depth'?",
            id="an option that it does not take",
        ),
        pytest.param(
            "{player: ./n.py, points: 1}",
            {
                "n.py": "class N:\n    def __init__(self, player_id): ...\n    def play(self, board):\n        return 1 / 0\n"
            },
            "the opponent n cannot play Hex. The player raised ZeroDivisionError in n.py:4",
            id="one that fails",
        ),
        pytest.param("{player: alphabeta, points: 1}", {}, "alphabeta does not play Hex", id="of another game"),
        pytest.param("{player: rando, points: 1}", {}, "unknown reference player 'rando'", id="an unknown name"),
    ],
)
def test_an_opponent_that_cannot_play_is_reported_before_anything_is_played(tmp_path, opponent, files, problem):
    done = run(course(tmp_path, f"- {opponent}", **files))

    assert done.returncode == 2 and problem in done.stderr and "Traceback" not in done.stderr


def test_unknown_players_wrong_points_and_odd_games_are_reported_all_at_once(tmp_path):
    file = tmp_path / "assignment.yaml"
    file.write_text(
        "game: hex\nopponents:\n- {player: rando, points: ten, games: 3}\n- {player: alphabeta, points: 1}\n",
        encoding="utf-8",
    )

    with pytest.raises(AssignmentError) as refused:
        read_assignments(file)

    places = [line.removeprefix(f"{file}:").split(" ")[:2] for line in str(refused.value).splitlines()]
    assert places == [
        ["3:12:", "opponents[0].player:"],
        ["3:27:", "opponents[0].points:"],
        ["3:39:", "opponents[0].games:"],
        ["4:12:", "opponents[1].player:"],
    ]
    assert "alphabeta does not play Hex; choose one of coolcow, mcts, minimax, random, ultrapro" in str(refused.value)


def test_an_opponent_that_fails_in_a_game_costs_the_student_nothing(tmp_path):
    ninja = HONEST.replace(
        "        return board",
        "        if len(board.get_possible_moves()) < 8:\n            raise KeyError('tables')\n        return board",
    )
    done = run(course(tmp_path, "- {player: ./ninja.py, points: 10, games: 2}", **{"ninja.py": ninja}))

    assert done.returncode == 1
    assert "The course's opponent ninja failed. The player raised KeyError in ninja.py:8" in done.stderr
    (ana,) = results(tmp_path)["submissions"]
    assert (ana["status"], ana["score"]) == ("ungraded", None)


def test_an_opponent_can_have_higher_limits_than_students(tmp_path):
    slow = "import time\n" + HONEST.replace("        return board", "        time.sleep(0.8)\n        return board")
    files = {"slow.py": slow}
    small = course(tmp_path, "- {player: ./slow.py, points: 1, games: 2}", **files)
    text = (small / "assignment.yaml").read_text(encoding="utf-8").replace("move: 2", "move: 0.3")
    (small / "assignment.yaml").write_text(text, encoding="utf-8")
    refused = run(small)
    widened = text.replace("games: 2}", "games: 2, time: {move: 5}, limits: {memory_mb: 2000}}")
    (small / "assignment.yaml").write_text(widened, encoding="utf-8")
    allowed = run(small)

    assert refused.returncode == 2 and "Your opponent" not in refused.stdout
    assert allowed.returncode == 0, allowed.stderr


def test_a_changed_opponent_replays_its_own_games_only(tmp_path):
    folder = course(
        tmp_path,
        "- {player: ./one.py, points: 10, games: 2}\n- {player: ./two.py, points: 10, games: 2}",
        **{"one.py": HONEST, "two.py": HONEST},
    )
    assert run(folder).returncode == 0
    (folder / "two.py").write_text(HONEST.replace("[0]", "[-1]"), encoding="utf-8")
    done = run(folder)

    assert done.returncode == 0 and "2 games to play" in done.stderr
    with sqlite3.connect(folder / "results" / "results.sqlite") as database:
        assert database.execute("SELECT count(*) FROM matches").fetchone() == (6,)


def test_show_and_verify_give_its_hash_and_regrade_reports_that_it_changed(tmp_path):
    folder = course(tmp_path, "- {player: ./one.py, points: 10, games: 2}", **{"one.py": HONEST})
    assert run(folder).returncode == 0
    shown, verified = grader("show", "results", "ana", cwd=folder), grader("verify", "results", cwd=folder)
    digest = re.search(r"SHA-256 of one\s+(\w{64})", shown.stdout)
    (folder / "one.py").write_text(HONEST.replace("[0]", "[-1]"), encoding="utf-8")
    again = grader("regrade", "results", cwd=folder)

    assert digest is not None and f"Played with one, SHA-256 {digest[1]}." in verified.stdout
    assert again.returncode in (0, 1), again.stderr
    assert "! one has changed." in again.stdout


SPY = """
import os, sys

SECRET = {secret!r}


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        found = []
        for path in (SECRET, os.path.dirname(SECRET)):
            for look in (lambda: open(path).read(), lambda: os.listdir(path), lambda: os.stat(path)):
                try:
                    look()
                    found.append(path)
                except OSError:
                    pass
        for folder, _, files in os.walk("/"):
            if "hidden_ninja.py" in files:
                found.append(folder)
            if folder.count("/") > 4:
                break
        found += [name for name in sys.modules if "ninja" in name]
        print("FOUND", found)
        return board.get_possible_moves()[0]
"""


def test_a_hidden_opponent_reaches_nothing_that_a_student_or_its_process_can_read(tmp_path):
    secret = tmp_path / "staff" / "hidden_ninja.py"
    folder = course(
        tmp_path,
        "- {player: random, points: 10, games: 2}\n"
        "- {player: ./staff/hidden_ninja.py, points: 10, games: 2, hidden: true}",
        **{
            "staff/hidden_ninja.py": f"# the secret recipe\n{HONEST}",
            "subs/ana/solution.py": SPY.format(secret=str(secret)),
        },
    )
    done = run(folder)
    made = grader("init", "kit", "-c", "assignment.yaml", cwd=folder)

    assert done.returncode == 0, done.stderr
    printed = {seat["output"] for seat in _seats(folder) if seat["name"] == "ana"}
    assert printed and all(set(re.findall(r"FOUND (.*)", output)) == {"[]"} for output in printed)
    assert made.returncode == 0, made.stderr
    for text in (path.read_text(encoding="utf-8") for path in _files_for_students(folder)):
        assert "hidden_ninja" not in text and "secret recipe" not in text


def _seats(folder: Path):
    with sqlite3.connect(folder / "results" / "results.sqlite") as database:
        for (record,) in database.execute("SELECT record FROM matches"):
            yield from json.loads(record)["seats"]


def _files_for_students(folder: Path) -> list[Path]:
    return [*(folder / "results" / "feedback").iterdir(), *(folder / "kit" / "handout").iterdir()]


def test_a_courses_own_hidden_opponents_are_not_put_into_a_repository(tmp_path):
    folder = course(tmp_path, "- {player: ./ninja.py, points: 1, games: 2, hidden: true}", **{"ninja.py": HONEST})
    done = grader("export", "github-workflow", "-c", "assignment.yaml", "-o", "repository", cwd=folder)

    assert done.returncode == 2 and "students could read its code" in done.stderr
    assert not (folder / "repository").exists()


def test_an_exported_course_folder_is_complete(tmp_path):
    from grader.assignment import load_assignments
    from grader.exports.course_folder import course_folder

    folder = course(
        tmp_path,
        "- {player: ./staff/ninja.py, points: 1, games: 2}\n- {player: './staff/pair/two.py:SmartPlayer', name: pair, points: 1, games: 2}",
        **{"staff/ninja.py": f"import common\n{HONEST}", "staff/common.py": "", "staff/pair/two.py": HONEST},
    )
    files = course_folder(load_assignments(folder / "assignment.yaml"))
    packed = tmp_path / "packed"
    for name, content in files.items():
        (packed / name).parent.mkdir(parents=True, exist_ok=True)
        (packed / name).write_bytes(content)
    done = grader("run", folder / "subs", "-c", packed / "assignment.yaml", "-o", tmp_path / "elsewhere", cwd=tmp_path)

    assert sorted(Path(name).name for name in files) == ["assignment.yaml", "common.py", "ninja.py", "two.py"]
    assert done.returncode == 0, done.stderr


def test_the_ladder_test_shows_whether_each_opponent_is_a_step_above_the_last(tmp_path):
    folder = course(
        tmp_path,
        "- {player: random, points: 1, games: 2}\n- {player: coolcow(depth=1), name: coolcow, points: 1, games: 2}\n- {player: ./first.py, points: 1, games: 2}".replace(
            "coolcow(depth=1)", "coolcow"
        ),
        **{"first.py": HONEST},
    )
    done = grader("ladder-test", "assignment.yaml", "--games", "8", cwd=folder)

    assert done.returncode == 0, done.stderr
    assert re.search(r"✓ coolcow is clearly stronger than random: it won \d+ % of 8 games\.", done.stdout)
    assert "first is not stronger than coolcow: it won 0 % of 8 games" in done.stdout
    assert re.search(r"coolcow +\d+ % \(\d+–\d+ %\) +· ", done.stdout)


def test_the_ladder_test_needs_two_opponents(tmp_path):
    folder = course(tmp_path, "- {player: random, points: 1, games: 2}")
    done = grader("ladder-test", "assignment.yaml", cwd=folder)

    assert done.returncode == 2 and "has only one opponent" in done.stderr
