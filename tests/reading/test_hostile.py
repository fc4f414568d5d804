"""Submissions that attack what reads them in ways that no check knows: one is reported, and the others are graded as ever."""

import io
import os
import struct
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader import run
from grader.inspection.inspect_code import CodeRules
from grader.reading import process
from grader.reading.tasks import ClassReading
from tests.command import grader
from tests.workflow.folders import ASSIGNMENT, FIRST, folder, results

FORMAT_BOMB = FIRST + '\nf"' + "{x}" * 600_000 + '"\n'
"""An expression that takes Python's parser minutes, although it is short and not nested."""


def zipped(files: dict[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def lying_directory() -> bytes:
    """A zip whose table of contents says that its first file is somewhere else, and larger."""
    data = bytearray(zipped({"solution.py": FIRST, "other.py": "x = 1\n"}))
    at = data.index(b"PK\1\2")
    struct.pack_into("<II", data, at + 20, 0xFFFFFF00, 0xFFFFFFF0)
    struct.pack_into("<I", data, at + 42, 17)
    return bytes(data)


REFUSED: dict[str, tuple[dict[str, str | bytes] | bytes, str]] = {
    "format_bomb": ({"solution.py": FORMAT_BOMB}, "unreadable_submission"),
    "one_line": ({"solution.py": FIRST + "\nx = '" + "a" * 50_000_000 + "'\n"}, "zip_bomb"),
    "many_entries": ({f"{number}.txt": "" for number in range(100_000)}, "too_many_files"),
    "lying": (lying_directory(), "too_large"),
}
COOKIES = ("quoted-printable", "rot13", "idna", "unicode_escape")
GRADED: dict[str, dict[str, str | bytes]] = {
    "constants": {"table.py": "x = " + "(" * 90 + "0," * 50_000 + ")" * 90},
    "deep": {
        "chain.py": "a" + ".b" * 500_000,
        "formats.py": 'f"' + "{f'" * 2000 + "'}" * 2000 + '"',
        "subscripts.py": "x" + "[0]" * 300_000,
        "minus.py": "x = " + "-" * 900_000 + "1",
    },
    "cookies": {f"{name[:4]}.py": f"# coding: {name}\n" + "x = 1\n" * 1000 for name in COOKIES},
    "requirements": {"requirements.txt": os.urandom(5_000_000).hex()},
}
TOO_SLOW = "The submission could not be read: reading solution.py took longer than 10 s."
SMALL = ASSIGNMENT.replace("games: 4", "games: 2")


def trap(end: str) -> str:
    """Code that makes Python's parser do this with a file that contains the word trap."""
    return (
        "import os, ast; parse = ast.parse\n"
        "def parse_or_end(data, *others, **options):\n"
        f"    if b'trap' in data: {end}\n"
        "    return parse(data, *others, **options)\n"
        "ast.parse = parse_or_end\n"
    )


def processes() -> list[str]:
    """The processes that read submissions."""
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if "grader.reading.child" in line and str(Path.cwd()) in line]


def test_each_is_a_finding_of_its_own_submission_and_the_others_are_graded_as_ever(tmp_path):
    source, alone = folder(tmp_path / "in", SMALL, honest=FIRST), folder(tmp_path / "alone", SMALL, honest=FIRST)
    for name, (content, _) in REFUSED.items():
        (source / f"{name}.zip").write_bytes(content if isinstance(content, bytes) else zipped(content))
    for name, files in GRADED.items():
        (source / f"{name}.zip").write_bytes(zipped({"solution.py": FIRST, **files}))
    (tmp_path / "solution.py").write_text(FORMAT_BOMB, encoding="utf-8")

    with ThreadPoolExecutor() as pool:
        checking = pool.submit(grader, "check", tmp_path / "solution.py", cwd=tmp_path)
        run = grader("run", source, "-o", tmp_path / "out")
    compared = grader("similarity", source, "-o", tmp_path / "similarity")
    grader("run", alone, "-o", tmp_path / "alone_out")
    found, checked = results(tmp_path / "out"), checking.result()

    assert (run.returncode, compared.returncode, checked.returncode) == (0, 0, 1), run.stderr + compared.stderr
    assert "Traceback" not in run.stderr + compared.stderr + checked.stderr
    assert found.keys() == {"honest", *REFUSED, *GRADED}
    assert found["honest"] == results(tmp_path / "alone_out")["honest"]
    for name, (_, code) in REFUSED.items():
        assert (found[name]["findings"][0]["code"], found[name]["score"]) == (code, 0)
    for name in GRADED:
        assert (found[name]["status"], found[name]["parts"]) == ("graded", found["honest"]["parts"])
    assert found["format_bomb"]["findings"][0]["text"] == TOO_SLOW
    assert TOO_SLOW in " ".join(checked.stdout.split())
    assert processes() == []


def test_an_error_of_the_grader_is_shown_and_does_not_lower_the_mark(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "BOOTSTRAP", trap("raise AttributeError('a mistake of ours')") + process.BOOTSTRAP)
    source = folder(tmp_path / "in", SMALL, ana=FIRST, bad=FIRST + "# trap")

    result = run(source, results=tmp_path / "out")

    assert [(grade.id, grade.status, grade.score is None) for grade in result] == [
        ("ana", "graded", False),
        ("bad", "ungraded", True),
    ]
    (shown,) = (grade.reason for grade in result if grade.id == "bad")
    assert (
        "reading solution.py caused an error in the grader (AttributeError in " in shown
        and "a mistake of ours" in shown
    )


@pytest.mark.parametrize("end", ["exec('while True: pass')", "os._exit(9)", "os.abort()"])
def test_without_forks_the_process_is_replaced_and_the_submission_reported(tmp_path, monkeypatch, end):
    # As on Windows: one process reads all submissions, and something in one of them makes it hang or end.
    monkeypatch.setattr(process, "BOOTSTRAP", "import os; del os.fork\n" + trap(end) + process.BOOTSTRAP)
    monkeypatch.setattr(process, "_STEP_SECONDS", 1.0)
    source = folder(tmp_path / "in", "", ana=FIRST, bad=FIRST + "# trap", eva=FIRST)

    with ClassReading(source, tmp_path / "staging", [CodeRules(game="hex")]) as reading:
        found = {submission.id: (submission, inspection) for submission, inspection in reading.submissions()}

    assert [found[name][1].entry is not None for name in ("ana", "bad", "eva")] == [True, False, True]
    problem = found["bad"][0].problem
    assert problem is not None and problem.code == "unreadable_submission" and "bad/solution.py" in problem.text
    assert list(found["bad"][0].folder.iterdir()) == []
