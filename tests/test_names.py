"""Every class and type has its own name in the whole project."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
STUDENTS_FILES = ("handout", "kit")
"""Folders with files for students, whose names are chosen by the courses."""

COURSES_NAMES = {"GameError"}
"""Classes that students' code imports from a course's module: ours have other names."""


def sources() -> list[Path]:
    found = [path for package in ("grader", "reference_players") for path in (ROOT / package).rglob("*.py")]
    return [path for path in found if not set(STUDENTS_FILES) & {part.name for part in path.parents}]


def definitions(tree: ast.Module) -> set[str]:
    """The classes and type aliases that a module defines."""
    classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return classes | {
        target.id
        for target in targets
        if isinstance(target, ast.Name) and target.id[0].isupper() and not target.id.isupper()
    }


def test_no_class_or_type_is_defined_twice():
    places = defaultdict(list)
    for path in sources():
        for name in definitions(ast.parse(path.read_text(encoding="utf-8"))):
            places[name].append(path.relative_to(ROOT).as_posix())

    twice = {name: where for name, where in places.items() if len(where) > 1 and name not in COURSES_NAMES}
    assert {name: where for name, where in twice.items() if not is_type_variable(name)} == {}
    assert len(places) > 300


def is_type_variable(name: str) -> bool:
    """Whether a name is a type variable: several modules may define the same one."""
    return name == "Decorated"


def test_no_module_has_a_meaningless_name():
    for path in sources():
        assert path.stem not in ("utils", "helpers", "common", "misc"), path
