"""Imports point one way, as described in CONTRIBUTING.md."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")),
]

LAYERS = [
    {"grader"},
    {"grader.display"},
    {"grader.language"},
    {"grader.errors"},
    {"grader.records"},
    {"grader.player"},
    {"grader.file_removal"},
    {"grader.seeds"},
    {"grader.games"},
    {"grader.source"},
    {"grader.intake", "grader.assignment"},
    {"grader.inspection"},
    {"grader.fixtures"},
    {"grader.sandbox", "grader.referee", "grader.similarity"},
    {"grader.reading"},
    {"grader.scoring"},
    {"grader.engine", "grader.store", "grader.kit"},
    {"grader.competition"},
    {"grader.checks"},
    {"grader.reports"},
    {"grader.exports"},
    {"grader.results"},
    {"grader.workflow"},
    {"grader.api"},
    {"grader.cli"},
    {"grader.__main__"},
]
"""A module imports only from layers above its own line in this list."""

MODULES = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for package in ("grader", "reference_players")
    for path in (ROOT / package).rglob("*.py")
)


def imports_of(module: str) -> set[str]:
    """The project's own modules that a module imports, anywhere in its file."""
    path = ROOT / (module.replace(".", "/") + ".py")
    path = path if path.exists() else ROOT / module.replace(".", "/") / "__init__.py"
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import; write the full name"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] in ("grader", "reference_players")}


def part(module: str) -> str:
    """The part of the project that a module belongs to: `grader.games` for `grader.games.hex.Hex`."""
    names = module.split(".")
    return ".".join(names[:2]) if names[0] == "grader" and known(".".join(names[:2])) else names[0]


def known(name: str) -> bool:
    return any(name in layer for layer in LAYERS)


def layer_of(name: str) -> int:
    return next(number for number, layer in enumerate(LAYERS) if name in layer)


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("grader.")])
def test_a_module_imports_only_from_layers_below_it(module):
    own = part(module)
    assert module == "grader" or own != "grader", f"{module} is not in LAYERS: add it"
    for name in imports_of(module):
        other = part(name)
        assert other == own or layer_of(other) < layer_of(own), f"{module} imports {name}"


GAME_PACKAGES = sorted(
    path.parent.relative_to(ROOT).as_posix().replace("/", ".")
    for path in (ROOT / "grader" / "games").glob("*/__init__.py")
)


def game_package(module: str) -> str | None:
    """The package of a game that a module belongs to, if any."""
    return next((name for name in GAME_PACKAGES if module == name or module.startswith(f"{name}.")), None)


@pytest.mark.parametrize("module", [name for name in MODULES if part(name) == "grader.games"])
def test_games_do_not_import_each_other_and_shared_modules_import_no_game(module):
    for name in imports_of(module):
        assert game_package(name) in (None, game_package(module)), f"{module} imports {name}"


def test_only_games_and_reference_players_import_from_a_game():
    outside = [name for name in MODULES if part(name) not in ("grader.games", "reference_players")]

    assert [f"{module} imports {name}" for module in outside for name in imports_of(module) if game_package(name)] == []


def test_a_players_process_loads_only_its_own_game():
    code = (
        "import sys; from grader.sandbox import worker; from grader.games import remake;"
        "remake({'name': 'hex', 'options': {}, 'source': None, 'file': ''}).interface();"
        "print(*(name for name in sys.modules if name.startswith('grader.') or name in ('pathlib', 'importlib.metadata')))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())

    assert "grader.games.hex.rules" in loaded
    assert not loaded & {"pathlib", "importlib.metadata"}
    assert {game_package(name) for name in loaded} == {None, "grader.games.hex"}
    assert all(layer_of(part(name)) <= layer_of("grader.games") or part(name) == "grader.sandbox" for name in loaded)


INSIDE = {"adapter", "course", "isolation", "landlock", "protocol", "seccomp", "worker"}
"""The modules of the sandbox that run in the player's own process."""

WITH_STUDENT_CODE = [
    name
    for name in MODULES
    if part(name) in ("grader.games", "grader.player") or name in {f"grader.sandbox.{module}" for module in INSIDE}
]


@pytest.mark.parametrize("module", WITH_STUDENT_CODE)
def test_modules_in_a_players_process_import_nothing_about_grading(module):
    for name in imports_of(module):
        if part(name) == "grader.sandbox":
            assert name.split(".")[2] in INSIDE, f"{module} imports {name}"
        else:
            assert layer_of(part(name)) <= layer_of("grader.games"), f"{module} imports {name}"


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("reference_players")])
def test_a_reference_player_imports_only_what_students_may(module):
    for name in imports_of(module):
        assert part(name) in ("grader.player", "grader.games", "reference_players"), f"{module} imports {name}"


def test_all_packages_are_checked():
    assert {"grader.cli", "grader.games.hex", "reference_players"} <= set(MODULES)


def test_modules_named_step_by_step_in_contributing_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("### One submission, step by step")[2].partition("### The packages")[0]
    steps = [line.split("|")[2] for line in section.splitlines() if line.startswith("| ") and ".py" in line]
    named = [re.findall(r"`([\w/]+\.py)`", step) for step in steps]

    assert len(named) > 15
    assert [path for paths in named for path in paths if not (ROOT / "grader" / path).is_file()] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_named_in_documents_exist(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    named = re.findall(r"`((?:grader|tests|reference_players|docs)/[\w/.-]*[\w/])`", text)

    assert [path for path in named if not (ROOT / path).exists() and "NAME" not in path and "TARGET" not in path] == []
