"""`grader similarity` as a person types it, and what it writes."""

import csv
import json
import zipfile
from pathlib import Path

import pytest

from tests.command import grader
from tests.similarity.classes import MINIMAX, ROOT, SHORTEST_PATH, folder
from tests.similarity.disguises import renamed

COOLCOW = (ROOT / "reference_players/coolcow.py").read_text(encoding="utf-8")
EVIL = '<script>alert("x")</script> & {{ 7 * 7 }}'


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with a pair, a reference player, and a file that is no Python but HTML."""
    at = tmp_path_factory.mktemp("similarity")
    evil = SHORTEST_PATH.replace("STEPS = ", f"# {EVIL}\nSTEPS = ")
    folder(at / "class", {"Ana Pérez": SHORTEST_PATH, "=Íñigo": evil, "Eva": renamed(COOLCOW), "Zoé": MINIMAX})
    done = grader("similarity", "class", "-o", "out", "--lang", "en", cwd=at)
    assert done.returncode == 0, done.stderr
    (at / "out" / "stdout").write_text(done.stdout, encoding="utf-8")
    return at / "out"


def test_the_terminal_shows_who_shares_what_and_where_and_gives_no_verdict(reports):
    shown = (reports / "stdout").read_text(encoding="utf-8")

    assert "Ana Pérez" in shown and "=Íñigo" in shown and "100%" in shown
    assert "solution.py:8–44 = solution.py:" in shown
    assert "coolcow" in shown and "reference player" in shown
    assert "never a verdict" in shown
    assert not {"plagiar", "cheat", "copied", "guilty"} & set(shown.lower().split())


def test_the_json_says_the_same(reports):
    content = json.loads((reports / "similarity.json").read_text(encoding="utf-8"))

    (pair,) = content["pairs"]
    assert {pair["first"]["name"], pair["second"]["name"]} == {"Ana Pérez", "=Íñigo"}
    assert pair["first"]["share"] == pair["second"]["share"] == 1
    assert pair["passages"][0]["first"].keys() == {"file", "first", "last"}
    assert [match["second"]["id"] for match in content["references"]] == ["coolcow"]


def test_nothing_in_the_csv_is_a_formula(reports):
    with (reports / "similarity.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert [row["kind"] for row in rows] == ["submissions", "reference"]
    assert "'=Íñigo" in (rows[0]["first_name"], rows[0]["second_name"])


def test_the_page_escapes_what_students_wrote_and_loads_nothing(reports):
    page = (reports / "similarity.html").read_text(encoding="utf-8")

    assert EVIL not in page
    assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt; &amp; {{ 7 * 7 }}" in page
    assert "<script" not in page and "http://" not in page and "https://" not in page
    assert "default-src &#39;none&#39;" in page


def test_the_page_marks_each_passage_on_both_sides_and_leads_from_one_to_the_other(reports):
    page = (reports / "similarity.html").read_text(encoding="utf-8")

    for side, other in (("a", "b"), ("b", "a")):
        assert f'id="m1-1{side}"' in page
        assert f'href="#m1-1{other}"' in page
    assert page.count('<mark class="row') > 60


def test_two_runs_write_the_same_bytes(reports, tmp_path):
    grader("similarity", reports.parent / "class", "-o", tmp_path / "again", "--lang", "en")

    for file in ("similarity.html", "similarity.json", "similarity.csv"):
        assert (tmp_path / "again" / file).read_bytes() == (reports / file).read_bytes()


def test_zips_are_looked_into_and_a_handout_of_the_course_is_discounted(tmp_path):
    for name, source in (("ana", SHORTEST_PATH), ("berta", renamed(SHORTEST_PATH))):
        (tmp_path / "class").mkdir(exist_ok=True)
        with zipfile.ZipFile(tmp_path / "class" / f"{name}.zip", "w") as archive:
            archive.writestr("solution.py", source)
    (tmp_path / "given.py").write_text(SHORTEST_PATH, encoding="utf-8")

    plain = grader("similarity", "class", "--lang", "en", cwd=tmp_path)
    discounted = grader("similarity", "class", "--handout", "given.py", "--lang", "en", cwd=tmp_path)

    assert "ana" in plain.stdout and "100%" in plain.stdout
    assert "No two of 2 submissions share 30% or more of their code." in discounted.stdout


def test_one_submission_is_compared_with_the_reference_players(tmp_path):
    folder(tmp_path / "class", {"ana": renamed(COOLCOW)})

    done = grader("similarity", "class/ana", "--lang", "en", cwd=tmp_path)

    assert "There is only one submission" in done.stdout and "coolcow" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        pytest.param(["missing"], 2, "missing", id="no such folder"),
        pytest.param(["empty"], 2, "found none", id="an empty folder"),
        pytest.param(["class", "--at-least", "0"], 2, "--at-least", id="a share of nothing"),
        pytest.param(["class", "--handout", "missing"], 2, "missing", id="no such hand-out"),
        pytest.param(["class", "--handout", "given.zip"], 2, "Unpack it first", id="a hand-out that is packed"),
        pytest.param(["class", "-o", "file/out"], 1, "name another folder with -o", id="no place for the reports"),
    ],
)
def test_what_cannot_be_is_told(tmp_path, arguments, status, said):
    (tmp_path / "empty").mkdir()
    for name in ("file", "given.zip"):
        (tmp_path / name).write_text("", encoding="utf-8")
    folder(tmp_path / "class", {"ana": MINIMAX, "berta": SHORTEST_PATH})

    done = grader("similarity", *arguments, "--lang", "en", cwd=tmp_path)

    assert (done.returncode, "Traceback" in done.stderr) == (status, False)
    assert said in done.stderr


def notebook(*cells: object) -> str:
    """A notebook with this code."""
    return json.dumps({"cells": [{"cell_type": "code", "source": source} for source in cells]})


def test_the_code_in_a_notebook_is_compared_and_a_broken_one_stops_nothing(tmp_path):
    folder(tmp_path / "class", {"Ana": SHORTEST_PATH, "Bea": "", "Cid": "", "Dan": "", "Eva": ""})
    (tmp_path / "class/Bea/work.ipynb").write_text(notebook(renamed(SHORTEST_PATH).splitlines(keepends=True)))
    (tmp_path / "class/Cid/work.ipynb").write_text("[" * 100_000)
    (tmp_path / "class/Dan/work.ipynb").write_text(notebook([1], None))
    (tmp_path / "class/Eva/work.ipynb").write_text(notebook(SHORTEST_PATH, "'\ud800'"))

    done = grader("similarity", "class", "-o", "out", "--lang", "en", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    pairs = json.loads((tmp_path / "out/similarity.json").read_text(encoding="utf-8"))["pairs"]
    assert [(pair["first"]["id"], pair["second"]["id"]) for pair in pairs] == [
        ("Ana", "Bea"),
        ("Ana", "Eva"),
        ("Bea", "Eva"),
    ]
    assert "Too little code of their own to be compared: Cid, Dan." in done.stdout


def test_a_copy_cannot_hide_behind_blank_lines(tmp_path):
    folder(tmp_path / "class", {"Ana": SHORTEST_PATH, "Bea": " \n" * 150_000 + SHORTEST_PATH})

    done = grader("similarity", "class", "-o", "out", "--lang", "en", cwd=tmp_path)

    assert "100%" in done.stdout and "solution.py:8–44 = solution.py:150008–150044" in done.stdout


def test_what_is_too_large_or_holds_no_python_is_not_called_little_as_well(tmp_path):
    folder(tmp_path / "class", {"Ana": SHORTEST_PATH, "huge": "1,\n" * 100_000 + SHORTEST_PATH})
    (tmp_path / "class/text").mkdir()
    (tmp_path / "class/text/README.md").write_text("nothing yet", encoding="utf-8")

    done = grader("similarity", "class", "-o", "out", "--lang", "en", cwd=tmp_path)

    assert "huge: It is too large" in done.stdout and "text: There is no Python in it." in done.stdout
    assert "Too little" not in done.stdout
