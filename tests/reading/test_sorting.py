"""How many limited processes it takes to tell the submissions of a class apart."""

import pytest

from grader.intake.collect import submission_ids
from grader.reading.limited import answer_of, outcome
from grader.reading.limited_reader import LimitedReader
from tests.workflow.folders import FIRST


class CountedSteps:
    """Does everything in this process, and counts the pieces of work that each get a process and a time limit."""

    def __init__(self):
        self.count = 0

    def do(self, work, *folders, **named_folders):  # noqa: ARG002
        self.count += 1
        return outcome(*answer_of(work))


@pytest.mark.parametrize("sign", ["src/solution.py", "helpers.py"])
def test_each_entry_of_a_class_is_read_in_one_process_however_many_files_it_has(tmp_path, sign):
    source = tmp_path / "class"
    for name in ["ana/solution.py", *(f"eva/part{number}.py" for number in range(20)), "luis/player.py", sign]:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(FIRST if "part" not in name else "x = 1", encoding="utf-8")
    steps = CountedSteps()

    ids = submission_ids(source, tmp_path / "staging", LimitedReader(steps, source, lambda *_: b""))

    assert ids == sorted(["ana", "eva", "luis", sign.partition("/")[0].removesuffix(".py")])
    assert steps.count <= len(ids)
