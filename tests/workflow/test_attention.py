"""A run in which submissions get 0 for various reasons, and two are identical: what every command and report says."""

import csv
import json
import re
import sqlite3
import zipfile
from pathlib import Path

import pytest

from grader.language import say, to_json
from tests.command import grader
from tests.reports.html.page_data import games_by_student, page_data
from tests.results.tampering import save_hashes_again
from tests.workflow.folders import folder, results

ASSIGNMENT = """
title: A test
game: hex
options: {size: 3}
time: {move: 2, load: 5}
seed: 0
opponents:
  - {player: random, points: 10, games: 2}
"""
FAILS = """
from player import Player
print("loaded", __file__)
class SmartPlayer(Player):
    def play(self, board):
        if len(board.get_possible_moves()) < 7:
            raise ValueError(__file__)
        return board.get_possible_moves()[0]
"""
SYNTAX_ERROR = "class SmartPlayer:\n    def play(self, board)\n"
FIRST, SECOND = "zoe_alba", "kim_blum"
"""The ids of the identical submissions."""
ROSTER = f"id,name\n{FIRST},Zoë Alba\n{SECOND},Kim Blum\nabsent,Ada Nill\n"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder of a run, in whose games an earlier attempt did not count because of a busy machine."""
    at = tmp_path_factory.mktemp("attention")
    folder(at / "class", ASSIGNMENT, broken=SYNTAX_ERROR, **{FIRST: FAILS, SECOND: FAILS})
    (at / "class" / "empty").mkdir()
    (at / "roster.csv").write_text(ROSTER, encoding="utf-8")
    run = grader("run", "class", "-o", "results", "--roster", "roster.csv", cwd=at)
    assert run.returncode == 0, run.stderr
    (at / "run.txt").write_text(run.stdout, encoding="utf-8")
    _add_attempts(at / "results" / "results.sqlite")
    save_hashes_again(at / "results")
    assert grader("report", "results", cwd=at).returncode == 0
    return at


def _add_attempts(database: Path) -> None:
    """Note in every game that an earlier attempt did not count because its player had to wait, by name."""
    with sqlite3.connect(database) as opened:
        rows = opened.execute("SELECT key, record FROM matches").fetchall()
        assert len(rows) == 2, "the identical submissions share their games"
        for key, text in rows:
            record = json.loads(text)
            name = next(seat["name"] for seat in record["seats"] if seat["name"] != "random")
            record["attempts"] = [to_json(say("The process of {player} was stopped.", player=name))]
            opened.execute("UPDATE matches SET record = ? WHERE key = ?", (json.dumps(record), key))
    opened.close()


def test_a_run_first_says_who_got_0_why_and_what_to_do(graded):
    shown = (graded / "run.txt").read_text(encoding="utf-8")
    attention, table = shown.split("how games ended")

    assert attention.startswith("Needs your attention: 5 of 5 (5 with 0 points, 0 not graded)\n")
    for section in (
        r"Empty submission:\n  empty: The submission contains no files\.\n→ Check the upload",
        r"Cannot be loaded:\n  broken: Syntax error in solution\.py:2: expected ':'\.\n→ The feedback",
        r"Fails in every game:\n  Kim Blum \(kim_blum\), Zoë Alba \(zoe_alba\): The player raised ValueError in solution\.py:7: .*\n→ ",
        r"Nothing submitted:\n  Ada Nill \(absent\)\n→ If one of them did submit",
    ):
        assert re.search(f"^{section}", attention, re.MULTILINE), (section, attention)
    assert re.search(r"^broken +0 / 10 +0 +not played: cannot be loaded$", table, re.MULTILINE)
    assert re.search(r"^empty +0 / 10 +0 +not played: empty submission$", table, re.MULTILINE)


def test_the_report_begins_with_the_same_and_links_to_the_students(graded):
    page = (graded / "results" / "report.html").read_text(encoding="utf-8")
    section = page[page.index('<section class="card attention"') : page.index('id="search"')]

    assert "Needs your attention: 5 of 5" in section
    assert '<a href="#broken"><bdi>broken</bdi></a>: Syntax error in solution.py:2' in section
    assert (
        '<a href="#kim_blum"><bdi>Kim Blum</bdi></a>, <a href="#zoe_alba"><bdi>Zoë Alba</bdi></a>: The player'
        in section
    )
    assert section.count("not played") == 0 and page.count('<td role="cell" class="endings"') == 5
    assert "not played: cannot be loaded" in page


@pytest.mark.parametrize("id_", ["broken", "empty"])
def test_a_submission_that_was_never_played_has_lost_no_game_anywhere(graded, id_):
    why = {"broken": "cannot be loaded", "empty": "empty submission"}[id_]
    (part,) = results(graded / "results")[id_]["parts"]
    feedback = (graded / "results" / "feedback" / f"{id_}.md").read_text(encoding="utf-8")
    page = (graded / "results" / "feedback" / f"{id_}.html").read_text(encoding="utf-8")
    shown = grader("show", "results", id_, cwd=graded).stdout

    assert {name: part[name] for name in ("games", "won", "lost", "not_played")} == {
        **dict.fromkeys(("games", "won", "lost"), 0),
        "not_played": 2,
    }
    assert f"2 not played: {why}" in feedback and f"2 not played: {why}" in page
    assert f"Not played: {why}." in shown and re.search(rf"^attention +{why}$", shown, re.MULTILINE)
    assert not any("66 %" in text for text in (feedback, page, shown))


def test_show_says_why_every_game_was_lost(graded):
    shown = grader("show", "results", FIRST, cwd=graded).stdout

    assert re.search(
        r"^attention +fails in every game: The player raised ValueError in solution\.py:7", shown, re.MULTILINE
    )


def test_an_export_lists_the_zeros_before_it_writes_them(graded):
    done = grader("export", "gradescope", "results", "-o", "gradescope", cwd=graded)

    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("5 grades are 0:\n")
    assert "    broken: Syntax error in solution.py:2" in done.stderr
    output = json.loads((graded / "gradescope/broken/results.json").read_text("utf-8"))["tests"][0]["output"]
    assert "Game 1: not played, because your player cannot be loaded." in output


def test_the_spreadsheets_say_why_the_score_is_0(graded):
    with (graded / "results" / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        reasons = {row["id"]: row["reason"] for row in csv.DictReader(file)}
    with zipfile.ZipFile(graded / "results" / "grades.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode("utf-8")

    assert reasons[FIRST].startswith("The player raised ValueError in solution.py:7: ")
    assert reasons["broken"].startswith("Syntax error in solution.py:2") and reasons["empty"] and reasons["absent"]
    assert sheet.count("The player raised ValueError in solution.py:7: ") == 2
    assert "grades." not in grader("verify", "results", cwd=graded).stdout


@pytest.mark.parametrize(("own", "other"), [(FIRST, SECOND), (SECOND, FIRST)])
def test_identical_submissions_are_shown_under_their_own_names(graded, own, other):
    texts = _everything_about(own, graded)
    names = {FIRST: ("zoe", "Zoë", "Alba"), SECOND: ("kim", "Kim", "Blum")}[other]

    for artefact in ("show", "replay", "feedback.html"):
        assert f"The process of {own} was stopped." in texts[artefact], artefact
    assert [(what, name) for what, text in texts.items() for name in names if name in text] == []


def _everything_about(id_: str, at: Path) -> dict[str, str]:
    """Every text that is about one submission alone, by artefact."""
    found = {
        "show": grader("show", "results", id_, "--moves", cwd=at).stdout,
        "replay": grader("replay", "results", id_, "--game", "1", "--moves", cwd=at).stdout,
        "list of games": grader("replay", "results", id_, cwd=at).stdout,
        "sgf": grader("replay", "results", id_, "--game", "1", "--sgf", "-", cwd=at).stdout,
        "results.json": json.dumps(results(at / "results")[id_], ensure_ascii=False),
        "timings.json": json.dumps(json.loads((at / "results/timings.json").read_text("utf-8"))["submissions"][id_]),
    }
    for file in (at / "results" / "feedback").glob(f"{id_}.*"):
        found[f"feedback{file.suffix}"] = file.read_text(encoding="utf-8")
    page = (at / "results" / "report.html").read_text(encoding="utf-8")
    data = page_data(page)
    place, student = next((at, each) for at, each in enumerate(data["students"]) if each["id"] == id_)
    games = games_by_student(page)[place]
    used = {
        number
        for game in games
        for number in [game["why"], *game["row"][:3], *game.get("findings", ()), game["printed"]]
    }
    found["record in report.html"] = json.dumps(
        [student, [data["texts"][number] for number in used]], ensure_ascii=False
    )
    templates = page.split("<template data-student=")[1:]
    found["section of report.html"] = templates[place].partition("</template>")[0]
    return found | _exports_about(id_, at)


def _exports_about(id_: str, at: Path) -> dict[str, str]:
    found = {}
    for kind, file in (("gradescope", f"{id_}/results.json"), ("github-classroom", f"{id_}.json"), ("junit", "")):
        if not (at / kind).exists():
            assert grader("export", kind, "results", "-o", kind, cwd=at).returncode == 0
        found[kind] = (at / kind / file).read_text(encoding="utf-8")
    suites = found["junit"].split("<testsuite ")[1:]
    found["junit"] = next(suite for suite in suites if f'name="{id_}"' in suite)
    return found
