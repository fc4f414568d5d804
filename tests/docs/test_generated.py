"""What is generated in the documentation is what the code says now."""

import pytest
import yaml

from grader.assignment import load_assignments
from tests.docs.assignment_examples import DEFAULTS, EXAMPLES, NOTES
from tests.docs.assignment_page import fields
from tests.docs.generate import COMMAND, PAGES, TABLES, generated
from tests.docs.markdown import DOCS

BASE = {"title": "A test", "game": "hex", "opponents": [{"player": "random", "points": 10, "games": 4}]}


@pytest.fixture(scope="module")
def made():
    return generated()


@pytest.mark.parametrize("page", [*PAGES, *TABLES])
def test_a_generated_page_is_up_to_date(page, made):
    written = (DOCS / page).read_text(encoding="utf-8")

    assert written == made[page], f"docs/{page} is out of date. Run: {COMMAND}"


@pytest.mark.parametrize("path", EXAMPLES)
def test_the_example_of_a_field_is_valid(path, tmp_path):
    file = tmp_path / "assignment.yaml"
    file.write_text(yaml.safe_dump({**BASE, **yaml.safe_load(EXAMPLES[path])}), encoding="utf-8")

    (assignment,) = load_assignments(file)

    assert assignment.title


def test_every_field_has_an_example_and_no_example_is_left_over():
    paths = [field.path for field in fields()]

    assert set(EXAMPLES) == set(paths)
    assert {*NOTES, *DEFAULTS} <= set(paths)
