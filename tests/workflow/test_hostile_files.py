"""Attacks on reports, results, other submissions and the intake, with the real command."""

import io
import os
import re
import stat
import zipfile
from pathlib import Path

import pytest

from grader.sandbox.isolation import Level
from grader.sandbox.machine import best_level
from tests.command import grader
from tests.workflow.folders import FIRST, folder, results

walls = pytest.mark.skipif(best_level() < Level.GOOD, reason="this machine cannot keep a player from other files")


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The results of an honest player alone."""
    at = tmp_path_factory.mktemp("alone")
    grader("run", folder(at / "in", honest=FIRST), "-o", at / "out")
    return results(at / "out")["honest"]


def graded_with(alone, tmp_path, **hostile: str):
    """Grade hostile submissions with an honest one, whose results must be the same as alone."""
    done = grader("run", folder(tmp_path / "in", honest=FIRST, **hostile), "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert results(tmp_path / "out")["honest"] == alone
    return results(tmp_path / "out")


def test_markup_in_output_and_exceptions_stays_text(alone, tmp_path):
    shouts = FIRST.replace(
        "return", "print('\\x1b[31m<script>'); raise ValueError('<b>*x*</b> | `y` \\x1b[2J'); return"
    )
    graded_with(alone, tmp_path, shouts=shouts)
    feedback = (tmp_path / "out/feedback/shouts.md").read_text(encoding="utf-8")
    outside_code = re.sub("`[^`\n]*`", "", feedback)

    assert "\x1b" not in feedback
    assert "<" not in outside_code
    assert "&lt;b&gt;\\*x\\*" in outside_code


def test_names_that_are_formulas_or_markup_do_nothing(tmp_path):
    source = folder(tmp_path / "in")
    for name in ("=1+1", "@SUM(A1)", "-2+3", "+4", "<img src=x onerror=alert(1)>", "[a](javascript:x)"):
        (source / name).mkdir()
        (source / name / "solution.py").write_text(FIRST, encoding="utf-8")
    done = grader("run", source, "-o", tmp_path / "out")
    cells = [
        cell
        for line in (tmp_path / "out/grades.csv").read_text(encoding="utf-8").splitlines()
        for cell in line.split(",")
    ]

    assert done.returncode == 0, done.stderr
    assert not [cell for cell in cells if cell.strip('"')[:1] in tuple("=+-@")]
    assert all("<img" not in file.read_text(encoding="utf-8") for file in (tmp_path / "out/feedback").iterdir())
    assert all(file.parent == tmp_path / "out/feedback" for file in (tmp_path / "out/feedback").iterdir())


def test_a_file_name_that_is_markup_stays_text(tmp_path):
    source = folder(tmp_path / "in", honest=FIRST)
    (source / "odd").mkdir()
    (source / "odd/x`<img src=x>`.py").write_text("def (", encoding="utf-8")
    grader("run", source, "-o", tmp_path / "out")

    assert "<img" not in (tmp_path / "out/feedback/odd.md").read_text(encoding="utf-8")


@walls
def test_a_player_cannot_write_results_or_another_submission_or_keep_state(alone, tmp_path):
    vandal = FIRST.replace(
        "return",
        f"""
        import glob, os
        for place in ({str(tmp_path)!r} + "/out", {str(tmp_path)!r} + "/in", "/tmp", os.getcwd(), "/dev/shm"):
            for path in [place + "/vandal"] + glob.glob(place + "/**/*.py", recursive=True) + glob.glob(place + "/*.json"):
                try:
                    open(path, "a").write("# was here\\n")
                except OSError:
                    pass
        return""",
    )
    graded_with(alone, tmp_path, vandal=vandal)
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix in (".py", ".json")]

    assert not [
        path for path in written if "# was here" in path.read_text(encoding="utf-8") and "vandal" not in str(path)
    ]
    assert not list(tmp_path.rglob("vandal/vandal"))
    assert not Path("/tmp/vandal").exists()


@walls
def test_a_player_cannot_read_another_submission_or_the_reference_players(alone, tmp_path):
    spy = FIRST.replace(
        "return",
        f"""
        import os
        for place in ({str(tmp_path)!r} + "/in/honest/solution.py", os.path.join(os.getcwd(), "../honest/solution.py")):
            try:
                print("READ", open(place).read())
            except OSError:
                pass
        try:
            from reference_players import ultrapro
            print("READ", ultrapro)
        except (ImportError, OSError):
            pass
        return""",
    )
    graded_with(alone, tmp_path, spy=spy)

    assert b"READ" not in (tmp_path / "out/results.sqlite").read_bytes().replace(b'print(\\"READ', b"")


@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_results_are_not_written_through_planted_links(tmp_path, what):
    out, precious = tmp_path / "out", tmp_path / "precious"
    out.mkdir()
    precious.write_text("precious", encoding="utf-8")
    for name in (".lock", "results.json", "grades.csv", "feedback"):
        if what == "link":
            (out / name).symlink_to(precious)
        elif what == "pipe":
            os.mkfifo(out / name)
        elif name != ".lock":
            (out / name).mkdir()
    done = grader("run", folder(tmp_path / "in", honest=FIRST), "-o", out)

    assert done.returncode == 0, done.stderr
    assert precious.read_text(encoding="utf-8") == "precious"
    assert results(out)["honest"]["status"] == "graded"
    assert (out / "feedback/honest.md").is_file()


def zipped(files: dict[str, str | bytes], link: str | None = None) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        if link is not None:
            entry = zipfile.ZipInfo("solution.py")
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, link)
    return data.getvalue()


HOSTILE_ZIPS = {
    "slips_into_another": (zipped({"../honest/solution.py": "x", "solution.py": FIRST}), "zip_slip"),
    "slips_beside": (zipped({"../slips_beside2/solution.py": "x"}), "zip_slip"),
    "absolute_path": (zipped({"/etc/grader-test": "x"}), "zip_slip"),
    "bomb": (zipped({"solution.py": FIRST, "big": bytes(300_000_000)}), "zip_bomb"),
    "link": (zipped({}, link="/etc/passwd"), "link"),
    "broken_zip": (b"PK not a zip at all", "broken_zip"),
    "no_player": (zipped({"notes.txt": "nothing"}), "no_player"),
    "bytes_that_are_no_text": (zipped({"solution.py": b"\xff\xfe\x00broken"}), "syntax_error"),
    "nul_byte": (zipped({"solution.py": "x = 1\0"}), "syntax_error"),
}


def test_hostile_zips_are_refused_and_write_nothing_outside(tmp_path):
    source = folder(tmp_path / "in", honest=FIRST)
    for name, (data, _) in HOSTILE_ZIPS.items():
        (source / f"{name}.zip").write_bytes(data)
    handed_in = sorted(source.rglob("*"))
    done = grader("run", source, "-o", tmp_path / "out")
    found = results(tmp_path / "out")

    assert done.returncode == 0, done.stderr
    assert found.keys() == {"honest", *HOSTILE_ZIPS}
    assert found["honest"]["status"] == "graded"
    for name, (_, code) in HOSTILE_ZIPS.items():
        codes = [finding["code"] for finding in found[name]["findings"]]
        assert code in codes and "load_error" not in codes, f"{name}: the zip itself is the reason"
        assert found[name]["score"] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]
    assert sorted(source.rglob("*")) == handed_in
    assert not Path("/etc/grader-test").exists()


def test_a_submission_cannot_claim_another_students_id(tmp_path):
    source = folder(tmp_path / "in", honest=FIRST)
    (source / "other").mkdir()
    (source / "other/solution.py").write_text(FIRST, encoding="utf-8")
    (source / "other/submission_metadata.json").write_text('{"users": [{"id": "honest"}]}', encoding="utf-8")
    (source / "honest.py").write_text("syntax error (", encoding="utf-8")
    stopped = grader("run", source, "-o", tmp_path / "out")
    (source / "honest.py").unlink()
    grader("run", source, "-o", tmp_path / "out")
    found = results(tmp_path / "out")

    assert stopped.returncode == 2
    assert "  - honest: honest (honest), honest (honest.py)\nNothing was graded." in stopped.stderr
    assert found["honest"]["status"] == "graded"
    assert found["honest"]["parts"][0]["games"] == 4
    assert len(found) == 2


def test_empty_and_absurd_submissions_are_reported_and_the_others_graded(tmp_path):
    source = folder(tmp_path / "in", honest=FIRST)
    (source / "empty").mkdir()
    (source / "many").mkdir()
    for number in range(6000):
        (source / "many" / f"f{number}.txt").write_text("", encoding="utf-8")
    with (folder(source, assignment="", huge=FIRST) / "huge/data.bin").open("wb") as file:
        file.truncate(300_000_000)
    done = grader("run", source, "-o", tmp_path / "out")
    found = results(tmp_path / "out")

    assert done.returncode == 0, done.stderr
    assert found["honest"]["status"] == "graded"
    assert {name: found[name]["findings"][0]["code"] for name in ("empty", "many", "huge")} == {
        "empty": "empty_submission",
        "many": "too_many_files",
        "huge": "too_large",
    }
