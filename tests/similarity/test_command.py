"""`grader similarity` as people run it, and the files it writes."""

import csv
import json
import zipfile
from pathlib import Path

import pytest

from tests.command import grader
from tests.intake.notebooks import notebook
from tests.similarity.classes import MINIMAX, ROOT, SHORTEST_PATH, folder
from tests.similarity.disguises import renamed

COOLCOW = (ROOT / "reference_players/coolcow.py").read_text(encoding="utf-8")
EVIL = '<script>alert("x")</script> & {{ 7 * 7 }}'


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with a similar pair, a copy of a reference player, and code that contains HTML."""
    at = tmp_path_factory.mktemp("similarity")
    evil = SHORTEST_PATH.replace("STEPS = ", f"# {EVIL}\nSTEPS = ")
    folder(at / "class", {"Ana Pérez": SHORTEST_PATH, "=Íñigo": evil, "Eva": renamed(COOLCOW), "Zoé": MINIMAX})
    done = grader("similarity", "class", "-o", "out", "--lang", "en", cwd=at)
    assert done.returncode == 0, done.stderr
    (at / "out" / "stdout").write_text(done.stdout, encoding="utf-8")
    return at / "out"


def test_the_terminal_shows_who_shares_what_and_where_without_a_verdict(reports):
    output = (reports / "stdout").read_text(encoding="utf-8")

    assert "Ana Pérez" in output and "=Íñigo" in output and "100 %" in output
    assert "solution.py:8–44 = solution.py:" in output
    assert "coolcow" in output and "reference player" in output
    assert "it proves nothing" in output
    assert not {"plagiar", "cheat", "copied", "guilty"} & set(output.lower().split())


def test_the_json_file_has_the_same_pairs(reports):
    content = json.loads((reports / "similarity.json").read_text(encoding="utf-8"))

    (pair,) = content["pairs"]
    assert {pair["first"]["name"], pair["second"]["name"]} == {"Ana Pérez", "=Íñigo"}
    assert pair["first"]["share"] == pair["second"]["share"] == 1
    assert pair["passages"][0]["first"].keys() == {"file", "first", "last"}
    assert [match["second"]["id"] for match in content["references"]] == ["coolcow"]


def test_the_csv_file_contains_no_formulas(reports):
    with (reports / "similarity.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert [row["kind"] for row in rows] == ["submissions", "reference"]
    assert "'=Íñigo" in (rows[0]["first_name"], rows[0]["second_name"])


def test_the_page_escapes_what_students_wrote_and_loads_nothing(reports):
    page = (reports / "similarity.html").read_text(encoding="utf-8")

    assert EVIL not in page
    assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt; &amp; {{ 7 * 7 }}" in page
    assert "<script>alert" not in page and "http://" not in page and "https://" not in page
    assert "default-src &#39;none&#39;" in page


def test_the_page_marks_each_passage_on_both_sides_and_links_them(reports):
    page = (reports / "similarity.html").read_text(encoding="utf-8")

    for side, other in (("a", "b"), ("b", "a")):
        assert f'id="m1-1{side}"' in page
        assert f'href="#m1-1{other}"' in page
    assert page.count('<mark class="row') > 60


def test_two_runs_write_the_same_bytes(reports, tmp_path):
    grader("similarity", reports.parent / "class", "-o", tmp_path / "again", "--lang", "en", cold=True)

    for file in ("similarity.html", "similarity.json", "similarity.csv"):
        assert (tmp_path / "again" / file).read_bytes() == (reports / file).read_bytes()


def test_zips_are_unpacked_and_the_courses_handout_is_ignored(tmp_path):
    for name, source in (("ana", SHORTEST_PATH), ("berta", renamed(SHORTEST_PATH))):
        (tmp_path / "class").mkdir(exist_ok=True)
        with zipfile.ZipFile(tmp_path / "class" / f"{name}.zip", "w") as archive:
            archive.writestr("solution.py", source)
    (tmp_path / "given.py").write_text(SHORTEST_PATH, encoding="utf-8")

    plain = grader("similarity", "class", "--lang", "en", cwd=tmp_path)
    discounted = grader("similarity", "class", "--handout", "given.py", "--lang", "en", cwd=tmp_path)

    assert "ana" in plain.stdout and "100 %" in plain.stdout
    assert "No two submissions could be compared." in discounted.stdout
    assert "2 of 2 submissions could not be compared." in discounted.stdout


def test_what_could_not_be_compared_is_not_said_to_be_different(tmp_path):
    folder(tmp_path / "class", {"ana": SHORTEST_PATH, "berta": MINIMAX, "short": "x = 1\n"})
    (tmp_path / "class/broken.zip").write_text("not a zip", encoding="utf-8")

    done = grader("similarity", "class", "--lang", "en", cwd=tmp_path)

    assert "No two of the 2 submissions that could be compared share 30 % or more of their code." in done.stdout
    assert "2 of 4 submissions could not be compared." in done.stdout
    assert "Too little original code to compare: short." in done.stdout
    assert "broken: broken.zip cannot be opened" in done.stdout


def test_a_class_is_compared_even_if_its_files_seem_to_belong_together(tmp_path):
    (tmp_path / "class").mkdir()
    (tmp_path / "class/ana.py").write_text(SHORTEST_PATH, encoding="utf-8")
    (tmp_path / "class/mallory.py").write_text("import ana\n" + SHORTEST_PATH, encoding="utf-8")

    done = grader("similarity", "class", "-o", "out", cwd=tmp_path)
    as_class = grader("similarity", "class", "--class", "-o", "again", cwd=tmp_path)

    assert done.returncode == as_class.returncode == 0, done.stderr
    files = [(tmp_path / folder / "similarity.json").read_text(encoding="utf-8") for folder in ("out", "again")]
    assert files[0] == files[1] and len(json.loads(files[0])["pairs"]) == 1


def test_commands_for_a_class_do_not_offer_single():
    for command in ("similarity", "tournament"):
        shown = grader(command, "--help").stdout
        assert "--class" in shown and "--single" not in shown


def test_one_submission_is_compared_with_the_reference_players(tmp_path):
    folder(tmp_path / "class", {"ana": renamed(COOLCOW)})

    done = grader("similarity", "class/ana", "--lang", "en", cwd=tmp_path)

    assert "There is only one submission" in done.stdout and "coolcow" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        pytest.param(["missing"], 2, "missing", id="no such folder"),
        pytest.param(["empty"], 2, "no submissions found", id="an empty folder"),
        pytest.param(["class", "--at-least", "0"], 2, "--at-least", id="a threshold of zero"),
        pytest.param(["class", "--handout", "missing"], 2, "missing", id="no such handout"),
        pytest.param(["class", "--handout", "given.zip"], 2, "Unpack archives first", id="a zipped handout"),
        pytest.param(
            ["class", "-o", "file/out"], 1, "choose another folder with -o", id="an invalid folder for the reports"
        ),
    ],
)
def test_invalid_arguments_are_reported(tmp_path, arguments, status, message):
    (tmp_path / "empty").mkdir()
    for name in ("file", "given.zip"):
        (tmp_path / name).write_text("", encoding="utf-8")
    folder(tmp_path / "class", {"ana": MINIMAX, "berta": SHORTEST_PATH})

    done = grader("similarity", *arguments, "--lang", "en", cwd=tmp_path)

    assert (done.returncode, "Traceback" in done.stderr) == (status, False)
    assert message in done.stderr


def test_code_in_notebooks_is_compared_and_broken_notebooks_are_ignored(tmp_path):
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
    assert "Too little original code to compare: Cid, Dan." in done.stdout


def test_a_copy_cannot_hide_behind_blank_lines(tmp_path):
    folder(tmp_path / "class", {"Ana": SHORTEST_PATH, "Bea": " \n" * 150_000 + SHORTEST_PATH})

    done = grader("similarity", "class", "-o", "out", "--lang", "en", cwd=tmp_path)

    assert "100 %" in done.stdout and "solution.py:8–44 = solution.py:150008–150044" in done.stdout


def test_a_submission_with_a_remark_is_not_also_listed_as_too_short(tmp_path):
    folder(tmp_path / "class", {"Ana": SHORTEST_PATH, "huge": "1,\n" * 100_000 + SHORTEST_PATH})
    (tmp_path / "class/text").mkdir()
    (tmp_path / "class/text/README.md").write_text("nothing yet", encoding="utf-8")

    done = grader("similarity", "class", "-o", "out", "--lang", "en", cwd=tmp_path)

    assert "huge: solution.py is too large" in done.stdout and "text: It contains no Python code." in done.stdout
    assert "Too little" not in done.stdout
