"""The wheel contains everything that the program needs, and the sdist everything that is needed to build and test it."""

import gettext
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import grader
from grader.exports.wheel import PACKAGES, build_wheel

ROOT = Path(__file__).parent.parent
HOOK = ".ci/compile_translations.py"
CATALOGUE = "grader/language/catalogues/es/LC_MESSAGES/grader"
IN_WHEEL = {
    f"{CATALOGUE}.mo",
    "grader/py.typed",
    "grader/reports/html/templates/report.html.j2",
    "grader/reports/html/templates/page.css",
    "grader/reports/html/templates/replay.js",
    "grader/kit/files/course.en.md.j2",
    "grader/kit/files/plain/solution.py",
    "grader/games/hex/assignment.yaml",
    "grader/games/hex/board.js",
    "grader/games/hex/handout/en.md.j2",
    "reference_players/mcts.py",
    "reference_players/any_game/alphabeta.py",
    "reference_players/search/tree.py",
}
IN_SDIST = {
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml", HOOK, f"{CATALOGUE}.po"),
    *("docs/own-game.md", "docs/examples/connect4/assignment.yaml", "submissions/hex_random/solution.py"),
    *("tests/test_packaging.py", "tests/command.py", "tests/fuzz/data/assignment/hex.yaml"),
    *(IN_WHEEL - {f"{CATALOGUE}.mo"}),
}


def configuration():
    """The content of pyproject.toml."""
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 cannot read TOML")
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_and_the_packages_are_the_same_everywhere():
    content = configuration()

    assert content["project"]["version"] == grader.__version__
    assert tuple(content["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == PACKAGES


def test_the_build_hook_exists_and_its_requirements_are_declared():
    content = configuration()

    assert content["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["path"] == HOOK
    assert (ROOT / HOOK).is_file()
    assert {requirement.partition(">")[0] for requirement in content["build-system"]["requires"]} == {
        "babel",
        "hatchling",
    }


def test_the_build_hook_compiles_every_catalogue_next_to_its_source(tmp_path, monkeypatch):
    folder = tmp_path / "grader/language/catalogues/es/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "grader.po").write_text('msgid "game"\nmsgstr "partida"\n', encoding="utf-8")
    interface = ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = SimpleNamespace  # type: ignore[attr-defined]  # hatchling need not be installed
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    for name in ("hatchling", "hatchling.builders", "hatchling.builders.hooks", "hatchling.builders.hooks.plugin"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))

    load_hook().CompileTranslations(root=str(tmp_path)).initialize("standard", {})

    assert sorted(file.name for file in folder.iterdir()) == ["grader.mo", "grader.po"]
    with (folder / "grader.mo").open("rb") as compiled:
        assert gettext.GNUTranslations(compiled).gettext("game") == "partida"


def load_hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compile_translations", ROOT / HOOK)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_exported_wheel_contains_the_same_kinds_of_files():
    _, content = build_wheel()

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        check_wheel(set(archive.namelist()))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist of a copy of this tree, built with the build requirements of pyproject.toml."""
    tmp_path = tmp_path_factory.mktemp("packaging")
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "_build")
    copy = shutil.copytree(ROOT, tmp_path / "copy", ignore=ignored)
    requirements = configuration()["build-system"]["requires"]
    run("-m", "pip", "install", "--quiet", "--target", tmp_path / "tools", *requirements)
    run("-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path, cwd=copy, path=tmp_path / "tools")
    (built,) = tmp_path.glob("*.tar.gz")
    return built


def run(*arguments: str | Path, cwd: Path = ROOT, path: Path | None = None) -> None:
    environment = {**os.environ, **({"PYTHONPATH": str(path)} if path else {})}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_sdist_contains_sources_tests_and_documents_but_nothing_compiled(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert names >= IN_SDIST
    assert not [name for name in names if name.endswith((".mo", ".pyc")) or "_cache" in name]


@pytest.mark.slow
def test_the_wheel_that_pip_builds_from_the_sdist_is_complete_and_has_no_tests(sdist, tmp_path):
    run("-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, sdist)

    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        built = set(archive.namelist())
    check_wheel(built)
    with zipfile.ZipFile(io.BytesIO(build_wheel()[1])) as archive:
        assert set(archive.namelist()) == built


def check_wheel(names: set[str]) -> None:
    assert names >= IN_WHEEL
    assert {name.partition("/")[0] for name in names} == {*PACKAGES, f"grader-{grader.__version__}.dist-info"}
    assert not [name for name in names if name.endswith((".po", ".pyc"))]
