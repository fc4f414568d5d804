"""What the pages say about the code holds."""

import json
import re
from pathlib import Path

import click
import pytest

from grader.cli import main
from grader.games import installed_games
from grader.reports.labels import FINDINGS
from tests.bench.sections import SECTIONS
from tests.command import PROJECT
from tests.docs.assignment_page import fields
from tests.docs.endings_page import NATURAL
from tests.docs.markdown import DOCS, PAGES, README, SHELL, blocks


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def name(page: Path) -> str:
    return page.relative_to(PROJECT).as_posix()


def test_every_field_of_an_assignment_is_explained_in_the_guide():
    guide = text("instructors/assignment.md")

    def is_explained(path: str) -> bool:
        last = path.rpartition(".")[2].removesuffix("[]")
        return re.search(rf"\b{last}\b", guide) is not None

    assert [field.path for field in fields() if not is_explained(field.path)] == []


def test_every_member_of_results_json_is_described(course):
    results = json.loads((course / "results" / "results.json").read_text(encoding="utf-8"))
    submission = results["submissions"][0]
    described = text("reference/results.md")

    for member in (*results, *submission, *submission["parts"][0]):
        assert re.search(rf"\b{member}(`|\[\])", described), member


def test_every_file_of_a_results_folder_is_described(course):
    described = text("reference/results.md")
    files = [path.name for path in (course / "results").iterdir() if not path.name.startswith(".")]

    assert [file for file in files if file not in described] == []


def test_every_command_that_a_page_names_is_one():
    context = click.Context(main, info_name="grader")
    known = set(main.list_commands(context))
    for page in (*PAGES, README):
        named = set(re.findall(r"`grader ([a-z][\w-]*)", page.read_text(encoding="utf-8")))
        assert named <= known, name(page)


def test_every_option_that_a_command_line_uses_is_one_of_its_command():
    context = click.Context(main, info_name="grader")
    for page in PAGES:
        for block in (block for block in blocks(page) if block.language in SHELL):
            for line in re.findall(r"^(?:\$ )?grader .*$", block.text, re.MULTILINE):
                words = line.partition("#")[0].removeprefix("$ ").split()[1:]
                command: click.Command = main
                while isinstance(command, click.Group) and words and not words[0].startswith("-"):
                    found = command.get_command(context, words.pop(0))
                    assert found is not None, f"{name(page)}: {line}"
                    command = found
                known = {opt for param in command.params for opt in (*param.opts, *param.secondary_opts)}
                known |= {"--help", "-h"}
                used = {word for word in words if re.fullmatch(r"--?[a-z][\w-]*", word)}
                assert used <= known, f"{name(page)}: {line}"


def test_the_installed_games_and_their_endings_are_described():
    assert set(NATURAL) == set(installed_games())
    for game in installed_games():
        assert f"`game: {game}`" in text("reference/games.md")


def test_every_finding_is_in_a_group():
    groups = text("reference/findings.md").partition("## All codes")[0]

    assert [code for code in FINDINGS if f"`{code}`" not in groups] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_names_only_sections_of_the_bench_that_there_are(page):
    assert set(re.findall(r"-m tests\.bench (\w+)", page.read_text(encoding="utf-8"))) <= set(SECTIONS)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_of_the_bench_is_described(section):
    assert f"`{section}`" in text("benchmarks.md")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_begins_with_its_only_title(page):
    content = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)

    assert content.startswith("# ")
    assert len(re.findall(r"^# ", content, re.MULTILINE)) == 1
