"""README.md agrees with the program."""

import re
from pathlib import Path

from tests.command import grader

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_first_two_commands_grade_submissions_and_run_the_tests():
    main, tests = re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE)[:2]

    assert main.strip().endswith("grader run submissions/")
    assert tests.strip().endswith("-m pytest")


def test_it_is_short():
    assert len(README.splitlines()) <= 150


def test_every_command_it_mentions_exists():
    known = grader("--help").stdout
    for command in set(re.findall(r"(?:^|`)grader (\w+)", README, re.MULTILINE)):
        assert re.search(rf"^  {command}\b", known, re.MULTILINE), command
