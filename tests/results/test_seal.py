"""The seal of results is printed and in every report, and `verify` accepts it."""

from tests.command import grader
from tests.workflow.folders import FIRST, LAST, folder


def seal_in(text: str) -> str:
    """The seal that a command printed."""
    return text.partition("Seal: ")[2].partition(".")[0]


def test_run_prints_the_seal_and_all_reports_have_it(tmp_path):
    source = folder(tmp_path / "in", ana=FIRST, luis=LAST)
    seal = seal_in(grader("run", source, "-o", tmp_path / "out").stdout)
    pages = [tmp_path / "out/report.html", *sorted((tmp_path / "out/feedback").iterdir())]
    verified = grader("verify", tmp_path / "out", "--seal", seal)
    cut_off = grader("verify", tmp_path / "out", "--seal", seal[:-1])
    resumed = grader("run", source, "-o", tmp_path / "out")
    regraded = grader("regrade", tmp_path / "out", "--only", "ana")

    assert len(seal) == 64
    assert "The seal matches" in verified.stdout
    assert (cut_off.returncode, "64 hexadecimal digits" in cut_off.stderr) == (2, True)
    assert len(pages) == 5
    assert all(seal in page.read_text(encoding="utf-8") for page in pages)
    assert verified.returncode == 0, verified.stdout
    assert seal_in(resumed.stdout) == seal, "nothing was played, so nothing has changed"
    assert len(seal_in(regraded.stdout)) == 64
    assert grader("report", tmp_path / "out").returncode == 0
    assert seal in (tmp_path / "out/feedback/ana.md").read_text(encoding="utf-8")


def test_tournament_prints_the_seal_and_its_page_has_it(tmp_path):
    source = folder(tmp_path / "in", ana=FIRST, luis=LAST)
    seal = seal_in(grader("tournament", source, "-o", tmp_path / "out").stdout)

    assert grader("verify", tmp_path / "out", "--seal", seal).returncode == 0
    assert seal in (tmp_path / "out/tournament.html").read_text(encoding="utf-8")
