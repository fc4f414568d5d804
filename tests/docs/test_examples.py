"""Every command line and every Python example in the documentation works, or is marked as not run with the reason.

A comment directly above a block says how it is treated:

    <!-- not run: REASON -->      nothing is run; the reason is for readers of the source
    <!-- file: NAME -->           the block is saved under that name, for the blocks below it
    <!-- exit status: N -->       the block is meant to end with that status

A page is one test: its blocks are run in order, in its own copy of a small course (`scratch.py`).
"""

import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from tests.command import PROJECT
from tests.docs.markdown import DOCS, PAGES, README, SHELL, Block, blocks
from tests.docs.scratch import run_script

SHOWN = ("", "text", "toml", "yaml", "json", "python", "javascript", *SHELL)
"""The languages of blocks."""
TESTED_ELSEWHERE = {DOCS / "reference" / "library.md"}
"""Its Python examples are run by `tests/api`."""


def name(page: Path) -> str:
    return page.relative_to(PROJECT).as_posix()


DOCUMENTS = [pytest.param(page, id=name(page)) for page in (*PAGES, README)]


@pytest.mark.skipif(sys.platform == "win32", reason="the command lines are for bash")
@pytest.mark.parametrize("page", DOCUMENTS)
def test_the_examples_of_a_page_work(page, course, tmp_path):
    found = list(blocks(page))
    for block in found:
        check_form(page, block)
    if not any(is_run(page, block) for block in found):
        return
    folder = tmp_path / "course"
    shutil.copytree(course, folder)
    for block in found:
        if block.comment == "file":
            (folder / block.value).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.value).write_text(block.text, encoding="utf-8")
        elif is_run(page, block):
            run(page, block, folder)


def check_form(page: Path, block: Block) -> None:
    """Commands are in blocks that are run or marked, and YAML is YAML."""
    where = f"{name(page)}:{block.line}"
    assert block.language in SHOWN, f"{where}: unknown language {block.language!r}"
    if block.language not in SHELL:
        shown = re.findall(r"^(?:\$ )?grader [a-z].*$", block.text, re.MULTILINE)
        usage = page == DOCS / "reference" / "commands.md"
        assert usage or not shown, f"{where}: put commands into a block of sh or console: {shown[0] if shown else ''}"
    if block.language == "yaml":
        list(yaml.safe_load_all(block.text))
    if block.comment == "not run":
        assert len(block.value) > 10, f"{where}: say why it is not run"


def is_run(page: Path, block: Block) -> bool:
    if block.comment in ("not run", "file"):
        return False
    return block.language in SHELL or (block.language == "python" and page not in TESTED_ELSEWHERE)


def run(page: Path, block: Block, folder: Path) -> None:
    script = block.text
    if block.language == "console":
        script = "\n".join(line.removeprefix("$ ") for line in script.splitlines() if line.startswith("$ "))
    if block.language == "python":
        (folder / "example.py").write_text(script, encoding="utf-8")
        script = "python example.py"
    done = run_script(script, folder)

    expected = int(block.value) if block.comment == "exit status" else 0
    assert done.returncode == expected, f"{name(page)}:{block.line}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}"


def test_the_commands_of_a_page_that_are_run_are_many():
    ran = [block for page in PAGES for block in blocks(page) if block.language in SHELL and is_run(page, block)]

    assert len(ran) > 40
