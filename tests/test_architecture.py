"""Imports point one way, as CONTRIBUTING.md draws it."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LAYERS = [
    {"grader"},
    {"grader.language"},
    {"grader.errors"},
    {"grader.records"},
    {"grader.player"},
    {"grader.games"},
    {"grader.source"},
    {"grader.intake", "grader.assignment"},
    {"grader.inspection"},
    {"grader.fixtures"},
    {"grader.sandbox", "grader.referee", "grader.similarity"},
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
"""A module imports from the lines above its own, never from beside or below."""

MODULES = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for package in ("grader", "reference_players")
    for path in (ROOT / package).rglob("*.py")
)


def imported(module: str) -> set[str]:
    """The project's own modules that a module imports, wherever in its file."""
    path = ROOT / (module.replace(".", "/") + ".py")
    path = path if path.exists() else ROOT / module.replace(".", "/") / "__init__.py"
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively; write the whole name"
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
    assert module == "grader" or own != "grader", f"{module} has no place in LAYERS: give it one"
    for name in imported(module):
        other = part(name)
        assert other == own or layer_of(other) < layer_of(own), f"{module} imports {name}"


ROOMS = sorted(
    path.parent.relative_to(ROOT).as_posix().replace("/", ".")
    for path in (ROOT / "grader" / "games").glob("*/__init__.py")
)


def room(module: str) -> str | None:
    """The room that a module is in, if it is in one."""
    return next((name for name in ROOMS if module == name or module.startswith(f"{name}.")), None)


@pytest.mark.parametrize("module", [name for name in MODULES if part(name) == "grader.games"])
def test_rooms_do_not_know_each_other_and_what_they_share_knows_none_of_them(module):
    for name in imported(module):
        assert room(name) in (None, room(module)), f"{module} imports {name}"


def test_only_games_and_reference_players_import_from_a_room():
    outside = [name for name in MODULES if part(name) not in ("grader.games", "reference_players")]

    assert [f"{module} imports {name}" for module in outside for name in imported(module) if room(name)] == []


def test_a_players_process_loads_only_the_room_of_its_game():
    code = (
        "import sys; from grader.sandbox import worker; from grader.games import remake;"
        "remake({'name': 'hex', 'options': {}, 'source': None, 'file': ''}).interface();"
        "print(*(name for name in sys.modules if name.startswith('grader.') or name in ('pathlib', 'importlib.metadata')))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())

    assert "grader.games.hex.rules" in loaded
    assert not loaded & {"pathlib", "importlib.metadata"}
    assert {room(name) for name in loaded} == {None, "grader.games.hex"}
    assert all(layer_of(part(name)) <= layer_of("grader.games") or part(name) == "grader.sandbox" for name in loaded)


INSIDE = {"adapter", "course", "isolation", "landlock", "protocol", "seccomp", "worker"}
"""The modules of the sandbox that run in the player's own process."""

BESIDE_A_STUDENTS_CODE = [
    name
    for name in MODULES
    if part(name) in ("grader.games", "grader.player") or name in {f"grader.sandbox.{module}" for module in INSIDE}
]


@pytest.mark.parametrize("module", BESIDE_A_STUDENTS_CODE)
def test_what_runs_beside_a_students_code_knows_nothing_of_grades(module):
    for name in imported(module):
        if part(name) == "grader.sandbox":
            assert name.split(".")[2] in INSIDE, f"{module} imports {name}"
        else:
            assert layer_of(part(name)) <= layer_of("grader.games"), f"{module} imports {name}"


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("reference_players")])
def test_a_reference_player_uses_only_what_a_student_may(module):
    for name in imported(module):
        assert part(name) in ("grader.player", "grader.games", "reference_players"), f"{module} imports {name}"


def test_every_module_is_looked_at():
    assert {"grader.cli", "grader.games.hex", "reference_players"} <= set(MODULES)


def test_the_walk_in_contributing_names_modules_that_there_are():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    walk = text.partition("### The walk")[2].partition("### The rooms")[0]
    steps = [line.split("|")[2] for line in walk.splitlines() if line.startswith("| ") and ".py" in line]
    named = [re.findall(r"`([\w/]+\.py)`", step) for step in steps]

    assert len(named) > 15
    assert [path for paths in named for path in paths if not (ROOT / "grader" / path).is_file()] == []


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "docs/library.md", "docs/course-folder.md"])
def test_documents_name_only_files_that_there_are(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    named = re.findall(r"`((?:grader|tests|reference_players|docs)/[\w/.-]*[\w/])`", text)

    assert [path for path in named if not (ROOT / path).exists() and "NAME" not in path and "TARGET" not in path] == []
