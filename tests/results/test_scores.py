"""A class with a maximum, rounding and a pass mark: every report and export shows the same score."""

import csv
import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.command import grader
from tests.workflow.folders import CRASHES, FIRST, folder

ASSIGNMENT = """
title: Práctica
game: hex
options: {size: 2}
seed: 1
maximum: 10
round: 0.5
pass: 5
language: es
late: {percent_per_day: 10}
opponents:
  - {player: random, points: 1, games: 2, scoring: {threshold: {wins: 1}}}
  - {player: minimax, points: 2, games: 2, scoring: {linear: {from: 0, to: 1}}}
overrides: {eva: {excused: true}}
"""
ROSTER = 'id,name\nana,"=cmd()"\neva,Eva\nzoe,"Zoe;=1+1"\n'


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("course")
    folder(at / "submissions", ana=FIRST, crasher=CRASHES, eva=FIRST)
    (at / "assignment.yaml").write_text(ASSIGNMENT, encoding="utf-8")
    (at / "class.csv").write_text(ROSTER, encoding="utf-8")
    done = grader("run", "submissions", "-c", "assignment.yaml", "--roster", "class.csv", "--lang", "en", cwd=at)
    assert done.returncode == 0, done.stderr
    (at / "shown.txt").write_text(done.stdout, encoding="utf-8")
    return at


@pytest.fixture
def results(graded, tmp_path):
    return Path(shutil.copytree(graded / "results", tmp_path / "results"))


def grades(results: Path) -> dict[str, Any]:
    content = json.loads((results / "results.json").read_text(encoding="utf-8"))
    return {grade["id"]: grade for grade in content["submissions"]}


def test_scores_are_scaled_rounded_and_compared_with_the_pass_mark(results):
    found = grades(results)
    ana = found["ana"]
    points = sum(part["points"] for part in ana["parts"])

    assert (ana["max_score"], ana["unrounded"]) == (10, round(points * 10 / 3, 4))
    assert ana["score"] == int(ana["unrounded"] * 2 + 0.5) / 2
    assert ana["passed"] is (ana["score"] >= 5)
    assert (found["crasher"]["score"], found["crasher"]["passed"]) == (0, False)
    assert (found["zoe"]["status"], found["zoe"]["passed"]) == ("missing", False)
    assert (found["eva"]["status"], found["eva"]["score"], found["eva"]["passed"]) == ("excused", None, None)


def test_the_terminal_and_the_feedback_say_who_passed(graded):
    shown = (graded / "shown.txt").read_text(encoding="utf-8")
    feedback = (graded / "results/feedback/crasher.md").read_text(encoding="utf-8")

    assert re.search(r"crasher +0 / 10 +not passed", shown) and " of 3 passed." in shown
    assert re.search(r"Eva +– +– ", shown)
    assert "Not passed (pass mark: 5)." in feedback
    assert "0 of 3 points, scaled to 10." in feedback
    assert "not passed" in (graded / "results/report.html").read_text(encoding="utf-8")


def test_the_tables_follow_the_language(results):
    assert grader("report", results, "--lang", "es").returncode == 0
    with (results / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["id"]: row for row in csv.DictReader(file, delimiter=";")}
    with zipfile.ZipFile(results / "grades.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()

    ana = grades(results)["ana"]
    assert rows["ana"]["unrounded"] == f"{ana['unrounded']:g}".replace(".", ",")
    assert (rows["ana"]["name"], rows["zoe"]["name"]) == ("'=cmd()", "Zoe;'=1+1")
    assert [rows[name]["passed"] for name in ("crasher", "eva", "zoe")] == ["no", "", "no"]
    assert "<t>=cmd()</t>" in sheet and "<f>" not in sheet
    assert "<t>no aprobado</t>" in sheet and "<t>puntuación</t>" in sheet and "<t>juego</t>" in sheet
    assert grader("verify", results).returncode == 0


def test_a_changed_workbook_is_detected_and_regenerated(results):
    file = results / "grades.xlsx"
    before = file.read_bytes()
    file.write_bytes(before.replace(b"<v>0.0</v>", b"<v>9.0</v>", 1))
    changed = grader("verify", results, "--lang", "en")
    file.unlink()
    missing = grader("verify", results, "--lang", "en")

    assert (changed.returncode, missing.returncode) == (1, 1)
    assert "grades.xlsx: does not match the games; `grader report` regenerates it" in changed.stdout
    assert "grades.xlsx: the file is missing" in missing.stdout
    assert grader("report", results, "--lang", "en").returncode == 0
    assert file.read_bytes() == before


def test_exports_use_the_rounded_score(results, tmp_path):
    score = grades(results)["ana"]["score"]
    for kind, out in (("gradescope", "gs"), ("github-classroom", "gh"), ("junit", "junit.xml")):
        done = grader("export", kind, results, "-o", tmp_path / out)
        assert done.returncode == 0, done.stderr

    gradescope, github = (
        next((tmp_path / name).glob("ana*/*.json"), tmp_path / name / "ana.json") for name in ("gs", "gh")
    )
    tests = json.loads(github.read_text(encoding="utf-8"))
    assert json.loads(gradescope.read_text(encoding="utf-8"))["score"] == score
    assert (tests["max_score"], round(sum(test["score"] for test in tests["tests"]), 4)) == (10, score)
    assert f'name="score" value="{score:g}"' in (tmp_path / "junit.xml").read_text(encoding="utf-8")


def test_a_regraded_score_is_rounded_the_same_way(graded):
    done = grader("regrade", graded / "results", "--only", "crasher", "--lang", "en", cwd=graded)

    assert done.returncode == 0, done.stderr
    assert "crasher: 0 / 10, unchanged." in done.stdout
