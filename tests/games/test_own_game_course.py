"""Every command works for a course with its own game."""

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import PROJECT, grader
from tests.reports.html.page_data import games_by_student, page_data

EXAMPLE = PROJECT / "docs" / "examples" / "connect4"
SPANISH = {"LANGUAGE": "es"}


@pytest.fixture(scope="session")
def course(made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """The example course, graded once."""

    def make(folder: Path) -> None:
        shutil.copytree(EXAMPLE, folder, dirs_exist_ok=True)
        done = grader("run", "submissions", "-c", "assignment.yaml", "-o", "results", cwd=folder)
        assert done.returncode == 0, done.stderr

    return made_once("connect4-course", make)


def clean(text: str) -> str:
    """The output of a command, which must not contain a traceback or mention another game."""
    assert "Traceback" not in text
    assert not re.search(r"\bhex\b|neighbour|connected its|bomb", text, re.IGNORECASE)
    return text


def test_a_run_grades_by_the_rules_of_the_game(course):
    results = json.loads((course / "results" / "results.json").read_text(encoding="utf-8"))

    assert results["assignments"] == [{"game": "connect4", "title": "Connect-4"}]
    assert {one["id"] for one in results["submissions"]} == {"ana", "luis"}
    assert all(set(one["endings"]) <= {"four", "full"} for one in results["submissions"])


@pytest.mark.parametrize(("language", "phrase"), [("en", "four in a row"), ("es", "cuatro en línea")])
def test_reports_describe_endings_in_both_languages(course, tmp_path, language, phrase):
    shutil.copytree(course / "results", tmp_path / "results")
    done = grader("report", tmp_path / "results", "--lang", language)

    assert done.returncode == 0 and phrase in clean(done.stdout)
    assert phrase in clean((tmp_path / "results" / "feedback" / "luis.md").read_text(encoding="utf-8"))


def test_the_html_page_draws_the_board(course):
    page = (course / "results" / "report.html").read_text(encoding="utf-8")
    data = page_data(page)

    assert data["assignments"][0]["grid"] is True
    assert data["assignments"][0]["start"].count("\n") == 5
    assert all(len(game["frames"]) == len(game["moves"].split()) for own in games_by_student(page) for game in own)


def test_verify_replays_every_move_and_names_the_game(course):
    done = grader("verify", course / "results")

    assert done.returncode == 0 and "All moves are legal and lead to these results, but in" in clean(done.stdout)
    assert "Played with connect4.py, SHA-256 " in done.stdout


def test_verify_detects_a_changed_move(course, tmp_path):
    shutil.copytree(course / "results", tmp_path / "results")
    with sqlite3.connect(tmp_path / "results" / "results.sqlite") as database:
        key, record = database.execute("SELECT key, record FROM matches LIMIT 1").fetchone()
        changed = json.loads(record)
        changed["turns"][0]["move"] = "9"
        database.execute("UPDATE matches SET record = ? WHERE key = ?", (json.dumps(changed), key))
    done = grader("verify", tmp_path / "results")

    assert done.returncode == 1 and "move 1 (9) is not legal" in clean(done.stdout)


def test_show_and_replay_work(course):
    shown = grader("show", course / "results", "ana")
    replayed = grader("replay", course / "results", "ana", "--opponent", "random", "--game", "1")

    assert shown.returncode == 0 and "SHA-256 of connect4.py" in clean(shown.stdout)
    assert replayed.returncode == 0 and "0 1 2 3 4 5 6" in clean(replayed.stdout)


def test_results_on_another_machine_need_the_assignment_once(course, tmp_path):
    elsewhere = {"LANGUAGE": "en", "XDG_DATA_HOME": str(tmp_path / "data")}
    unknown = grader("verify", course / "results", cwd=tmp_path, environment=elsewhere)
    known = grader("verify", course / "results", "-c", EXAMPLE / "assignment.yaml", cwd=tmp_path, environment=elsewhere)

    assert unknown.returncode == 2 and "with that version" in clean(unknown.stderr)
    assert known.returncode == 0, known.stderr


def test_check_works(course):
    done = grader("check", "submissions/ana/solution.py", "--budget", "8", cwd=course)

    assert done.returncode == 0, done.stdout
    assert "Assignment: assignment.yaml (“Connect-4”; columns 7, rows 6; 2 s per move)" in clean(done.stdout)
    assert "Only legal moves as player 2" in done.stdout


def test_a_match_uses_the_assignment_in_the_working_folder(course, tmp_path):
    done = grader("match", "submissions/ana", "stacker", "-q", "-o", tmp_path / "match.json", cwd=course)
    again = grader("replay", tmp_path / "match.json")

    assert done.returncode == 0 and re.search(r"wins: four in a row \(\d+ moves\)", clean(done.stdout))
    assert again.returncode == 0 and "Connect-4: ana (player 1) vs stacker (player 2)" in clean(again.stdout)


def test_a_match_can_name_the_file_and_its_options(course, tmp_path):
    arguments = ["match", "random", "mcts(nodes=50)", "--game", "./connect4.py", "--option", "columns=4", "-q"]
    done = grader(*arguments, "-o", tmp_path / "match.json", cwd=course)

    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "match.json").read_text(encoding="utf-8"))
    assert (record["game"], record["options"]["columns"], len(record["rules"])) == ("connect4", 4, 64)


def test_a_tournament_has_standings_and_can_be_verified(course, tmp_path):
    done = grader("tournament", "submissions", "-o", tmp_path / "t", "--anchor", "random", "--anchor",
                  "./opponents/stacker.py", cwd=course)  # fmt: skip
    verified = grader("verify", tmp_path / "t")

    assert done.returncode == 0 and "stacker (reference)" in clean(done.stdout)
    assert verified.returncode == 0, verified.stdout


def test_grades_are_exported(course, tmp_path):
    done = grader("export", "junit", course / "results", "-o", tmp_path / "junit.xml")

    assert done.returncode == 0
    assert 'classname="connect4.ana"' in clean((tmp_path / "junit.xml").read_text(encoding="utf-8"))


def test_the_code_of_players_is_compared(course, tmp_path):
    done = grader("similarity", "submissions", "-o", tmp_path / "similarity", cwd=course)

    assert done.returncode == 0, clean(done.stderr)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_student_needs_only_the_kit(course, tmp_path, language):
    made = grader("init", tmp_path / "kit", "--game", course / "connect4.py", "--lang", language)
    handout = tmp_path / "kit" / "handout"
    checked = grader(
        "check",
        "solution.py",
        "-c",
        "assignment.yaml",
        "--budget",
        "6",
        cwd=handout,
        environment={"LANGUAGE": language},
    )
    graded = grader("run", handout, "--single", "--dry-run", "-c", tmp_path / "kit" / "assignment.yaml")

    assert made.returncode == 0, made.stderr
    assert {file.name for file in handout.iterdir()} >= {"solution.py", "player.py", "connect4.py", "assignment.yaml"}
    assert checked.returncode == 0, clean(checked.stdout)
    assert graded.returncode == 0, clean(graded.stderr)


def test_the_list_shows_the_game_and_its_players(course):
    done = grader("list", "--game", "connect4.py", cwd=course)

    assert "columns=7, rows=6" in clean(done.stdout)
    assert re.findall(r"^(\w+) \(your own games\)", done.stdout, re.MULTILINE) == ["alphabeta", "mcts", "random"]


@pytest.mark.parametrize("command", ["run", "check", "tournament", "list", "init", "game", "match"])
def test_every_command_reports_a_broken_game_in_one_sentence(tmp_path, command):
    (tmp_path / "broken.py").write_text("from grader import Game\n\nclass X(Game:\n", encoding="utf-8")
    (tmp_path / "subs").mkdir()
    (tmp_path / "subs" / "ana.py").write_text("class P:\n    def play(self, state): return 0\n", encoding="utf-8")
    arguments = {
        "run": ["subs", "--game", "broken.py"],
        "check": ["subs/ana.py", "--game", "broken.py"],
        "tournament": ["subs", "--game", "broken.py"],
        "list": ["--game", "broken.py"],
        "init": ["kit", "--game", "broken.py"],
        "game": ["broken.py"],
        "match": ["random", "random", "--game", "broken.py"],
    }[command]
    done = grader(command, *arguments, cwd=tmp_path)

    assert done.returncode == 2
    assert re.search(r"broken\.py:3: syntax error: ", clean(done.stderr))


def test_a_game_that_fails_during_a_run_is_reported_with_its_line(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "course")
    file = tmp_path / "course" / "connect4.py"
    text = file.read_text(encoding="utf-8").replace(
        "    def outcome(self, position):\n",
        "    def outcome(self, position):\n        if sum(map(len, position)) == 3:\n            position.count()\n",
    )
    file.write_text(text, encoding="utf-8")
    done = grader("run", "submissions", "-c", "assignment.yaml", "-o", "results", cwd=tmp_path / "course")

    assert done.returncode == 2
    assert re.search(r"connect4\.py:\d+: TypeError: ", clean(done.stderr)), done.stderr


def test_a_problem_with_the_game_is_reported_at_its_place_in_the_assignment(tmp_path):
    (tmp_path / "assignment.yaml").write_text("title: T\ngame: ./nothing.py\n", encoding="utf-8")
    done = grader("run", ".", cwd=tmp_path)

    assert done.returncode == 2
    assert "assignment.yaml:2:" in done.stderr and "nothing.py: file not found" in clean(done.stderr)


def test_runs_and_tournaments_replay_everything_after_a_change_of_the_game(tmp_path):
    folder = tmp_path / "course"
    shutil.copytree(EXAMPLE, folder)
    named = ["submissions", "-c", "assignment.yaml", "-o"]
    commands = (["run", *named, "results"], ["tournament", *named, "standings"])
    for command in commands:
        assert grader(*command, cwd=folder).returncode == 0
    file = folder / "connect4.py"
    file.write_text(file.read_text(encoding="utf-8").replace("reversed(range", "reversed( range"), encoding="utf-8")
    run, tournament = (grader(*command, cwd=folder) for command in commands)

    assert "12 games to play" in run.stderr
    assert "games to play" in tournament.stderr


def test_a_file_next_to_the_assignment_is_suggested_for_an_unknown_opponent(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "course")
    shutil.copy(EXAMPLE / "opponents" / "stacker.py", tmp_path / "course" / "stacker.py")
    (tmp_path / "course" / "assignment.yaml").write_text(
        "title: T\ngame: ./connect4.py\nopponents:\n  - {player: stacker, points: 1, games: 2}\n", encoding="utf-8"
    )
    done = grader("run", "submissions", "-c", "assignment.yaml", cwd=tmp_path / "course")

    assert done.returncode == 2 and "To use the file in your folder, write ./stacker.py." in done.stderr


TROJAN = """
from pathlib import Path

Path("pwned.txt").write_text("the grader ran this")
"""


IGNORED, REFUSED = "was ignored, because it is part of the submission", "would run outside the sandbox"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "subs/ana", "--single", "--dry-run"], IGNORED),
        (["run", "subs/ana", "--dry-run"], IGNORED),
        (["tournament", "subs/ana"], IGNORED),
        (["check", "subs/ana"], REFUSED),
        (["check", "subs/ana/solution.py"], REFUSED),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_assignment_in_a_students_folder_runs_no_code(tmp_path, arguments, message):
    ana = tmp_path / "subs" / "ana"
    ana.mkdir(parents=True)
    (ana / "solution.py").write_text("class P:\n    def play(self, board): return 0\n", encoding="utf-8")
    (ana / "assignment.yaml").write_text("game: ./helper.py\n", encoding="utf-8")
    (ana / "helper.py").write_text(TROJAN, encoding="utf-8")
    done = grader(*arguments, cwd=tmp_path)

    assert message in done.stderr
    assert not list(tmp_path.rglob("pwned.txt"))


@pytest.mark.parametrize("command", [["match", "random", "random", "-q"], ["verify", "."], ["list"]], ids=" ".join)
def test_an_assignment_in_the_working_folder_runs_no_unknown_code(tmp_path, command):
    (tmp_path / "assignment.yaml").write_text("game: ./helper.py\n", encoding="utf-8")
    (tmp_path / "helper.py").write_text(TROJAN, encoding="utf-8")
    grader(*command, cwd=tmp_path)

    assert not (tmp_path / "pwned.txt").exists()


@pytest.mark.parametrize("name", ["random.py", "socket.py", "selectors.py", "pickle.py"])
def test_a_file_in_the_working_folder_does_not_shadow_a_python_module(tmp_path, name):
    (tmp_path / name).write_text(TROJAN, encoding="utf-8")
    (tmp_path / "solution.py").write_text(
        "class P:\n    def __init__(self, i): ...\n    def play(self, b): return b.get_possible_moves()[0]\n",
        encoding="utf-8",
    )
    (tmp_path / "a.yaml").write_text(
        "game: hex\noptions: {size: 3}\nopponents: [{player: random, points: 1, games: 2}]\n", encoding="utf-8"
    )
    done = grader("run", ".", "--single", "-c", "a.yaml", "-o", tmp_path.parent / f"{tmp_path.name}-out", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "pwned.txt").exists()


def test_forged_results_run_no_code(course, tmp_path):
    shutil.copytree(course / "results", tmp_path / "results")
    (tmp_path / "results" / "connect4.py").write_text(TROJAN, encoding="utf-8")
    with sqlite3.connect(tmp_path / "results" / "results.sqlite") as database:
        (text,) = database.execute("SELECT value FROM notes WHERE name = 'competition'").fetchone()
        note = {**json.loads(text), "rules": [["", ""]], "folder": str(tmp_path / "results")}
        database.execute("UPDATE notes SET value = ? WHERE name = 'competition'", (json.dumps(note),))
    for command in (["verify"], ["show"], ["report"], ["replay"]):
        more = ["ana"] if command[0] in ("show", "replay") else []
        done = grader(*command, tmp_path / "results", *more, cwd=tmp_path)
        assert done.returncode != 0 and "Traceback" not in done.stderr

    assert not list(tmp_path.rglob("pwned.txt"))


@pytest.mark.parametrize(
    "answer", ["'\\ud800'", "'\\x1b[31mEVIL\\x07'", "[[[[[[0]]]]]]", "{'class': 'Connect4', 'values': [9, 9]}"]
)
def test_odd_return_values_are_reported_and_do_not_stop_the_run(tmp_path, answer):
    shutil.copytree(EXAMPLE, tmp_path / "course")
    player = f"class P:\n    def __init__(self, i): ...\n    def play(self, state):\n        return {answer}\n"
    (tmp_path / "course" / "submissions" / "ana" / "solution.py").write_text(player, encoding="utf-8")
    done = grader(
        "run", "submissions", "-c", "assignment.yaml", "--only", "ana", "-o", "results", cwd=tmp_path / "course"
    )

    assert done.returncode == 0, done.stderr
    assert "6 lost: illegal move" in done.stdout
    assert "\x1b" not in (tmp_path / "course" / "results" / "feedback" / "ana.md").read_text(encoding="utf-8")


def test_regrading_compares_the_game_file_without_running_it(course, tmp_path):
    shutil.copytree(course / "results", tmp_path / "results")
    shutil.copytree(course / "submissions", tmp_path / "submissions")
    shutil.copytree(course / "opponents", tmp_path / "opponents")
    (tmp_path / "connect4.py").write_text(TROJAN, encoding="utf-8")
    with sqlite3.connect(tmp_path / "results" / "results.sqlite") as database:
        (text,) = database.execute("SELECT value FROM notes WHERE name = 'competition'").fetchone()
        note = {**json.loads(text), "folder": str(tmp_path)}
        database.execute("UPDATE notes SET value = ? WHERE name = 'competition'", (json.dumps(note),))
    done = grader("regrade", "results", "--only", "ana", "--from", "submissions", cwd=tmp_path)

    assert "connect4.py has changed" in done.stdout, done.stderr
    assert not list(tmp_path.rglob("pwned.txt"))


def test_an_unknown_game_in_a_course_folder_is_reported(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "course")
    environment = {"LANGUAGE": "en", "XDG_DATA_HOME": str(tmp_path / "data")}
    done = grader("match", "submissions/ana", "random", "-q", cwd=tmp_path / "course", environment=environment)

    assert done.returncode == 2 and "name it once with -c" in done.stderr
