"""What README says is what there is."""

import re
from pathlib import Path

import pytest

from grader.sandbox.isolation import Level
from grader.sandbox.threats import THREATS
from tests.command import grader

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("threat", THREATS, ids=lambda threat: threat.what)
def test_the_table_of_attacks_is_the_graders_own(threat):
    marks = " | ".join("✓" if level >= threat.stopped_from else "–" for level in Level)

    assert f"| {threat.what} | {marks} |" in README


def test_the_first_two_commands_are_the_main_job_and_the_tests():
    main, tests = re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE)[:2]

    assert main.strip().endswith("grader run submissions/")
    assert tests.strip().endswith("-m pytest")


def test_every_command_that_it_names_is_one():
    known = grader("--help").stdout
    for command in set(re.findall(r"(?:^|`)grader (\w+)", README, re.MULTILINE)):
        assert re.search(rf"^  {command}\b", known, re.MULTILINE), command
