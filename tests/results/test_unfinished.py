"""An unfinished run or tournament has interim reports that say so, and no grades; another assignment replaces nothing unasked."""

import csv
import io
import json
import shutil
import sqlite3
import zipfile
from functools import partial

import pytest

from grader.assignment import read_assignments
from grader.competition.progress import Progress
from grader.language import language
from grader.reports.interim import interim_notice, mark_interim
from grader.results import saved
from grader.results.replacement import replaced_results
from grader.results.unfinished import PlanKeeper, load_finished_or_interim
from grader.store import Store
from tests.command import grader
from tests.workflow.folders import ASSIGNMENT, FIRST, LAST, folder

FILES = {
    "run": ("report.html", "results.json", "grades.csv"),
    "tournament": ("tournament.html", "standings.json", "standings.csv"),
}


@pytest.fixture(scope="module", params=FILES)
def finished(request, tmp_path_factory):
    """A finished competition: its kind, the submissions and the results."""
    at = tmp_path_factory.mktemp(request.param)
    source = folder(at / "in", ana=FIRST, luis=LAST)
    assert grader(request.param, source, "-o", at / "out").returncode == 0
    return request.param, source, at / "out"


@pytest.fixture(scope="module")
def interrupted(finished, tmp_path_factory):
    """The same, killed before its last game, and what `grader report` printed about it."""
    kind, source, out = finished
    at = tmp_path_factory.mktemp("interrupted") / "out"
    at.mkdir()
    shutil.copy(out / "results.sqlite", at)
    with Store(at) as store:
        PlanKeeper(store, lambda _: None)(Progress(phase="Playing", outcome=lambda: saved.load(store)))
    with sqlite3.connect(at / "results.sqlite") as database:
        database.execute("DELETE FROM notes WHERE name IN ('competition', 'seal')")
        database.execute("DELETE FROM matches WHERE key = (SELECT max(key) FROM matches)")
    database.close()
    return kind, source, at, grader("report", at)


def test_an_unfinished_competition_has_interim_reports_in_every_format(interrupted):
    kind, _, out, reported = interrupted
    assert reported.returncode == 0, reported.stderr
    notice = reported.stdout.splitlines()[0]
    page, data, table = FILES[kind]

    assert notice.startswith("Interim: 7 of 8 games played" if kind == "run" else "Interim: 1 of 2 games played")
    assert "Seal" not in reported.stdout
    html = (out / page).read_text(encoding="utf-8")
    assert '<p class="notice" role="note"><strong>Interim: ' in html and "Seal" not in html
    assert json.loads((out / data).read_bytes())["interim"] == notice
    assert json.loads((out / "timings.json").read_bytes())["interim"] == notice
    rows = list(csv.DictReader(io.StringIO((out / table).read_text(encoding="utf-8-sig"))))
    assert len(rows) == 2 and {row["interim"] for row in rows} == {notice}


def test_students_are_told_that_it_is_not_their_grade_and_how_many_games_count_so_far(interrupted):
    kind, _, out, reported = interrupted
    if kind == "tournament":
        pytest.skip("a tournament has no feedback")

    for suffix in (".md", ".html"):
        text = (out / "feedback" / f"ana{suffix}").read_text(encoding="utf-8")
        assert "Interim: 7 of 8 games of the class played. This is not your grade yet." in text
    assert "not graded: 3 of 4 games so far" in reported.stdout
    with zipfile.ZipFile(out / "grades.xlsx") as book:
        assert any(b"Interim: 7 of 8 games played" in book.read(name) for name in book.namelist())


def test_exports_refuse_interim_results(interrupted):
    kind, _, out, _ = interrupted
    refused = grader("export", "junit", out, "-o", out / "x.xml")

    assert refused.returncode == 2 and f"this {kind} is unfinished" in refused.stderr
    assert not (out / "x.xml").exists()


def test_verify_does_not_take_an_interim_report_for_a_damaged_one(interrupted):
    kind, _, out, _ = interrupted
    refused = grader("verify", out)

    assert refused.returncode == 2 and f"this {kind} is unfinished" in refused.stderr


def test_the_same_command_finishes_it_and_the_mark_disappears(interrupted, tmp_path):
    kind, source, out, _ = interrupted
    shutil.copytree(out, tmp_path / "out")
    done = grader(kind, source, "-o", tmp_path / "out")

    assert done.returncode == 0 and "Interim" not in done.stdout
    assert all("nterim:" not in (tmp_path / "out" / file).read_text(encoding="utf-8") for file in FILES[kind])


def test_finished_results_stay_what_they_are_while_a_later_run_is_unfinished(finished, tmp_path):
    _, _, out = finished
    shutil.copy(out / "results.sqlite", tmp_path)
    with Store(tmp_path) as store:
        saved.save_plan(store, saved.load(store))

        assert not load_finished_or_interim(store).interim
        assert saved.load_plan(store) is not None


def test_every_file_that_can_be_written_can_be_marked():
    notice = interim_notice(1, 2, tournament=False)

    assert mark_interim("a.csv", "id;x\nana;1\n", notice, language("es")).startswith(
        "id;x;interim\nana;1;Provisional: 1 de 2"
    )
    with pytest.raises(AssertionError, match="cannot be marked"):
        mark_interim("page.html", "<p>no header</p>", notice, language("en"))


def test_another_assignment_is_refused_with_what_it_would_replace_unless_told_to(finished, tmp_path):
    kind, source, out = finished
    if kind == "run":
        shutil.copytree(out, tmp_path / "out")
        other = tmp_path / "other.yaml"
        other.write_text(ASSIGNMENT.replace("A test", "Another"), encoding="utf-8")
        refused = grader(kind, source, "-c", other, "-o", "out", cwd=tmp_path)

        assert refused.returncode == 2
        assert "holds the results of another assignment: “A test” (2 submissions, 8 games, " in refused.stderr
        assert "Choose another folder with -o, or add --yes" in refused.stderr
        assert (tmp_path / "out" / "results.json").read_bytes() == (out / "results.json").read_bytes()
        assert grader(kind, source, "-c", other, "-o", "out", "--yes", cwd=tmp_path).returncode == 0
        assert "Another" in (tmp_path / "out" / "results.json").read_text(encoding="utf-8")


def test_an_edited_assignment_is_still_the_same(finished):
    kind, _, out = finished
    replaced = partial(replaced_results, tournament=kind == "tournament")
    edited = ASSIGNMENT.replace("points: 10", "points: 20").replace("seed: 0", "seed: 7").replace("move: 2", "move: 3")
    more = edited + "  - {player: greedy, points: 5, games: 2}\n"

    assert replaced(out, read_assignments(edited.encode(), "a")) is None
    assert replaced(out, read_assignments(more.encode(), "a")) is None
    assert replaced(out, read_assignments(edited.replace("A test", "B").encode(), "a")) is not None
    assert replaced(out / "nowhere", read_assignments(edited.encode(), "a")) is None


def test_another_assignment_with_the_same_title_is_recognised_by_its_rules_and_opponents(finished):
    kind, _, out = finished
    replaced = partial(replaced_results, tournament=kind == "tournament")
    larger = read_assignments(ASSIGNMENT.replace("size: 4", "size: 5").encode(), "a")
    other = read_assignments(ASSIGNMENT.replace("player: random", "player: greedy").encode(), "a")

    assert "the same title, but other options or opponents: “A test” (2 sub" in str(replaced(out, larger))
    assert replaced(out, larger, ["ana"], only=True) is None
    assert (replaced(out, other) is None) == (kind == "tournament")


def test_another_class_is_refused_with_what_it_would_replace(finished, tmp_path):
    kind, source, out = finished
    shutil.copytree(out, tmp_path / "out")
    others = folder(tmp_path / "others", eva=FIRST, juan=LAST)
    refused = grader(kind, others, "-c", source / "assignment.yaml", "-o", "out", cwd=tmp_path)

    assert refused.returncode == 2
    assert "out holds the results of other submissions: “A test” (2 submissions, " in refused.stderr
    assert "add --yes" in refused.stderr
    assert (tmp_path / "out" / FILES[kind][1]).read_bytes() == (out / FILES[kind][1]).read_bytes()


def test_a_class_that_grew_or_shrank_is_the_same(finished):
    kind, _, out = finished
    replaced = partial(replaced_results, tournament=kind == "tournament")
    assignment = read_assignments(ASSIGNMENT.encode(), "a")

    assert replaced(out, assignment, ["ana", "eva", "juan"]) is None
    assert replaced(out, assignment, ["LUIS"]) is None
    assert replaced(out, assignment, ["eva"]) is not None
    assert replaced(out, assignment, ["eva"], only=True) is None
