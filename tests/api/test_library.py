"""The library `import grader`: the documented examples run, and clients see its types."""

import ast
import re
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import grader
from grader.errors import OptionError
from grader.seeds import LARGEST_SEED
from tests.command import PROJECT
from tests.command import grader as command
from tests.workflow.folders import FIRST, LAST, folder

EXAMPLES = re.findall(
    r"^```python\n(.*?)^```",
    (PROJECT / "docs" / "reference" / "library.md").read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)

CLIENT = """
import grader

result: grader.RunResult = grader.run("submissions/", results="results", jobs=1, only=["ana"])
scores: dict[str, float | None] = {grade.id: grade.score for grade in result}
first: grader.Grade = result[0]
parts: tuple[grader.Part, ...] = first.parts
table: grader.TournamentResult = grader.tournament("submissions/", swiss=3, anchors=("random",))
rows: tuple[grader.Standing, ...] = table[0].rows
ready: bool = grader.check("solution.py", budget=5.0).ready
doubts: int = len(grader.verify("results").doubts)


class Nim(grader.Game):
    name, title = "nim", "Nim"


class Mine(grader.Player):
    def play(self, board: object) -> int:
        return 1
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A Python environment with the grader installed as a package, not as a working copy."""
    at = tmp_path_factory.mktemp("client")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", at / "env"], check=True)
    (packages,) = (at / "env").glob("lib/*/site-packages")
    (packages / "grader").symlink_to(PROJECT / "grader")
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return at / "env" / "bin" / "python"


def type_check(environment: Path, folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Run `mypy --strict` on a client's code."""
    pytest.importorskip("mypy", reason="requires mypy, from the dependency group dev")
    (folder / "client.py").write_text(source, encoding="utf-8")
    (folder / "mypy.ini").write_text("[mypy]\n", encoding="utf-8")
    options = ["--strict", "--no-error-summary", f"--python-executable={environment}"]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *options, "client.py"], cwd=folder, capture_output=True, text=True, check=False
    )


def test_the_examples_in_the_docs_run_in_order(tmp_path):
    folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    script = tmp_path / "example.py"
    script.write_text("\n".join(EXAMPLES), encoding="utf-8")

    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    for part in ("ana 10.0 of 10", "Playing: 8 of 8", "ana against random connected", "1500", "ready to submit"):
        assert part in done.stdout, done.stdout
    for file in (
        "results/results.json",
        "results/report.html",
        "results/feedback/ana.md",
        "tournament/tournament.html",
    ):
        assert (tmp_path / file).is_file()


def test_a_run_from_python_writes_what_the_command_writes_and_returns_its_grades(tmp_path, monkeypatch):
    folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    monkeypatch.chdir(tmp_path)

    grades = grader.run("submissions", results="library")
    assert command("run", "submissions", "-o", "command", cwd=tmp_path).returncode == 0

    assert [grade.id for grade in grades] == ["ana", "luis"]
    assert (tmp_path / "library/results.json").read_bytes() == (tmp_path / "command/results.json").read_bytes()
    names = [{path.relative_to(at).as_posix() for path in at.rglob("*")} for at in (Path("library"), Path("command"))]
    assert names[0] == names[1]


def test_an_assignment_is_read_once(tmp_path, monkeypatch):
    source = folder(tmp_path / "submissions", ana=FIRST, luis=LAST)
    read: list[Path] = []
    read_bytes = Path.read_bytes

    def count_reads(path: Path) -> bytes:
        read.append(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", count_reads)

    grader.run(source, results=tmp_path / "results")

    assert [path.name for path in read].count("assignment.yaml") == 1


def test_a_budget_limits_the_games_and_an_impossible_one_raises(tmp_path):
    source = folder(tmp_path / "submissions", ana=FIRST)

    with pytest.raises(OptionError, match="not even two games"):
        grader.run(source, results=tmp_path / "results", budget=0.01)


def test_every_public_name_exists_at_run_time_and_for_type_checkers():
    tree = ast.parse((PROJECT / "grader" / "__init__.py").read_text(encoding="utf-8"))
    (checked,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    seen = {alias.name for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names}

    assert all(getattr(grader, name) is not None for name in grader.__all__)
    assert seen == {*grader.__all__} - {"__version__"}
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        grader.nonsense  # type: ignore[attr-defined]  # noqa: B018  the access is the test


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, f"seed: must be a whole number from 0 to {LARGEST_SEED}, not -1"),
        ({"seed": "7"}, f"seed: must be a whole number from 0 to {LARGEST_SEED}, not '7'"),
        ({"jobs": 0}, "jobs: must be a whole number from 1 to 10000, not 0"),
        ({"lang": "fr"}, "lang: unknown language 'fr': choose from en, es"),
        ({"only": "nobody"}, "--only nobody: no such submission"),
    ],
)
def test_an_invalid_option_is_refused_before_anything_is_written(tmp_path, options, message):
    source = folder(tmp_path / "submissions", ana=FIRST)

    with pytest.raises(OptionError) as raised:
        grader.run(source, results=tmp_path / "results", **options)

    assert message in str(raised.value)
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 3}, "games: 3 is odd"),
        ({"games": 0}, "games: must be a whole number from 2"),
        ({"swiss": 0}, "swiss: must be a whole number from 1"),
        ({"anchors": "nobody"}, "--anchor nobody: unknown reference player"),
    ],
)
def test_an_invalid_tournament_is_refused(tmp_path, options, message):
    with pytest.raises(OptionError) as raised:
        grader.tournament(folder(tmp_path / "submissions", ana=FIRST), results=tmp_path / "results", **options)

    assert message in str(raised.value)


def test_a_missing_folder_leaves_no_results(tmp_path):
    with pytest.raises(grader.GraderError, match="no such file or folder"):
        grader.run(tmp_path / "nothing", results=tmp_path / "results")

    assert not (tmp_path / "results").exists()


def test_runs_in_several_threads_leave_the_process_as_it_was(tmp_path):
    source = folder(tmp_path / "submissions", ana=FIRST)
    before, main = Path.cwd(), sys.modules["__main__"]
    with ThreadPoolExecutor(3) as threads:
        results = [tmp_path / str(number) for number in range(3)]
        scores = [*threads.map(lambda at: grader.run(source, results=at, jobs=2)[0].score, results)]

    assert scores == [scores[0]] * 3 and scores[0] is not None
    assert (Path.cwd(), sys.modules["__main__"]) == (before, main)


def test_a_full_check_plays_all_games_and_gives_the_points(tmp_path):
    source = folder(tmp_path / "submissions", ana=FIRST)

    conclusion = grader.check(source / "ana", source / "assignment.yaml", full=True)

    assert "4" in conclusion.results and "10 points" in conclusion.results


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": -1, "full": True}, "jobs: must be a whole number"),
        ({"seed": -1}, "seed: must be a whole number"),
        ({"budget": -1}, "budget: must be a whole number"),
        ({"isolation": "foo"}, "isolation: unknown level 'foo': choose from none, basic, good, strong"),
    ],
)
def test_an_invalid_check_is_refused(tmp_path, options, message):
    source = folder(tmp_path / "submissions", ana=FIRST)

    with pytest.raises(OptionError) as raised:
        grader.check(source / "ana", **options)

    assert message in str(raised.value)


def test_regrade_refuses_an_invalid_number_of_jobs(tmp_path):
    source = folder(tmp_path / "submissions", ana=FIRST)
    grader.run(source, results=tmp_path / "results")

    with pytest.raises(OptionError, match="jobs: must be a whole number"):
        grader.regrade(tmp_path / "results", jobs=-1)
    with pytest.raises(OptionError, match="cannot be used with a cluster"):
        grader.run(source, results=tmp_path / "results", jobs=1, cluster="local:1")

    assert not (tmp_path / "results" / "regraded").exists()


def test_a_client_sees_the_public_types(environment, tmp_path):
    done = type_check(environment, tmp_path, CLIENT)

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('grader.run("submissions/")[0].score + 1', "Unsupported operand types"),
        ('grader.run("submissions/", seeed=1)', "Unexpected keyword argument"),
        ("grader.nonsense()", "nonsense"),
    ],
)
def test_type_checkers_report_wrong_uses(environment, tmp_path, wrong, message):
    done = type_check(environment, tmp_path, f"import grader\n\n{wrong}\n")

    assert done.returncode == 1
    assert message in done.stdout
