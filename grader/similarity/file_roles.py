"""What the files of a submission are for: the player itself, code that it uses, or something else."""

from enum import Enum
from pathlib import Path

from grader.inspection.entry import choose_entry
from grader.inspection.submission_code import read_code, with_notebooks
from grader.intake.handouts import course_files, handout_classes
from grader.source.facts import Source

_TOOLKITS = frozenset(
    {"arcade", "curses", "customtkinter", "kivy", "pygame", "pyglet", "tkinter", "Tkinter", "turtle", "wx"}
    | {"PyQt4", "PyQt5", "PyQt6", "PySide2", "PySide6"}
)
"""Modules that draw windows."""


class Role(Enum):
    """What a file is for."""

    PLAYER = "player"
    """It contains the player."""
    USED = "used"
    """The player imports it, directly or indirectly. Also any file of a submission in which no player was found."""
    UNUSED = "unused"
    INTERFACE = "interface"
    """It draws windows, and the player does not use it."""
    COURSE = "course"
    """It is called like a file of the handout and defines one of its classes, but not a player."""


def file_roles(folder: Path) -> dict[Path, Role]:
    """The role of each Python file in a submission's folder that can be parsed, by its path in it."""
    code = read_code(folder)
    entry, _ = choose_entry(code)
    if entry is None and (more := with_notebooks(code)) is not None:
        code = more
        entry, _ = choose_entry(code)
    start = next((source for source in code.graph.sources if entry is not None and source.file == entry.file), None)
    used = {source.file for source in (code.graph.sources if start is None else code.graph.reachable_files(start))}
    return {
        source.file: Role.PLAYER if source is start else _role(source, used=source.file in used)
        for source in code.graph.sources
    }


def _role(source: Source, *, used: bool) -> Role:
    defined = {shape.name for shape in source.classes}
    if source.file.stem in course_files() and defined & handout_classes().keys() and not source.has_play:
        return Role.COURSE
    if used:
        return Role.USED
    imported = {item.module.partition(".")[0] for item in source.imports}
    return Role.UNUSED if imported.isdisjoint(_TOOLKITS) else Role.INTERFACE
