"""The examples in `submissions/` get exactly the grades on record."""

import json
import shutil
from pathlib import Path

import pytest

from tests.command import grader

ROOT = Path(__file__).parent.parent.parent
GOLDEN = Path(__file__).with_name("examples.json")
"""The member "submissions" of the results of `grader run submissions/`. Review the difference before you renew it."""


@pytest.fixture
def content(examples):
    return json.loads((examples / "results.json").read_text(encoding="utf-8"))


def test_the_examples_get_the_grades_on_record(content):
    assert content["submissions"] == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_examples_show_every_kind_of_ending_in_both_games(content):
    endings = {ending for submission in content["submissions"] for ending in submission["endings"]}

    assert {"connected", "line", "timeout", "crash", "illegal_move", "load_error"} <= endings
    assert {submission["game"] for submission in content["submissions"]} == {"hex", "desconecta4"}
    assert len(content["submissions"]) >= 8


def test_the_pages_can_be_written_again_without_playing(examples, tmp_path):
    copy = shutil.copytree(examples, tmp_path / "copy")
    pages = ["report.html", *(f"feedback/{file.name}" for file in (examples / "feedback").glob("*.html"))]
    for name in pages:
        (copy / name).unlink()
    done = grader("report", copy, "--lang", "en", cold=True)

    assert done.returncode == 0, done.stderr
    assert len(pages) == 15
    assert all((copy / name).read_bytes() == (examples / name).read_bytes() for name in pages)
