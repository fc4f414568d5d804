"""Why a submission has no player: an unfinished one, a method of another name, or no code at all."""

from collections.abc import Iterator

from grader.inspection.candidates import Candidate, top_level_classes
from grader.inspection.import_graph import DefinedClass, ImportGraph
from grader.inspection.places import source_place_text
from grader.inspection.ranking import OWN, SOLUTION, TEST, Clues, is_stand_in
from grader.intake.files import Files, printable_path
from grader.intake.handouts import PLAYER as BASE_CLASS
from grader.language import Message, say
from grader.records import Finding
from grader.source.facts import MoveMethod, Unreadable
from grader.source.notebook import cell_file
from grader.source.reading import is_notebook

_LISTED = 3
"""How many methods a message names."""
PUT_IN_SOLUTION = say("Put a class with a method play(self, board) in solution.py, at the top level of the folder.")


def classes_without_play(graph: ImportGraph) -> Iterator[DefinedClass]:
    """Classes that seem meant to be the player (named SmartPlayer or derived from Player) but have no `play`."""
    for source in graph.sources:
        for shape in source.classes:
            is_meant = shape.name == "SmartPlayer" or any(base.rpartition(".")[2] == BASE_CLASS for base in shape.bases)
            if shape.play_line is None and is_meant and not _has_play(cls := DefinedClass(source, shape), graph):
                yield cls


def _has_play(cls: DefinedClass, graph: ImportGraph) -> bool:
    """Whether a class inherits a `play`, or is the base of others, one of which may be the player."""
    if any(member.shape.play_line is not None and not member.shape.empty_play for member in graph.ancestry(cls)):
        return True
    return cls.shape.name in graph.base_names


def missing_play_finding(cls: DefinedClass, code: str = "missing_play") -> Finding:
    """The finding about a class that has no `play`."""
    text = say("The class {name} has no play() method.", name=cls.shape.name)
    help_ = say("Add a method play(self, board) that returns a move.")
    if (method := next(filter(_chooses_move, cls.shape.move_methods), None)) is not None:
        help_ = _rename_advice(method)
    return Finding(code=code, file=printable_path(cls.source.file), line=cls.shape.line, text=text, help=help_)


def _empty_play_finding(cls: DefinedClass) -> Finding:
    text = say("The play() method of {name} is not implemented.", name=cls.shape.name)
    help_ = say("Make it choose a move and return it.")
    file, line = printable_path(cls.source.file), cls.shape.play_line
    return Finding(code="no_player", file=file, line=line, text=text, help=help_)


def unfinished_player(first: Candidate, graph: ImportGraph, clues: Clues) -> DefinedClass | None:
    """The class that was asked for, if it is unfinished: then no other player is used instead."""
    if first.name != "SmartPlayer":
        for cls in classes_without_play(graph):
            is_asked = cls.shape.name == "SmartPlayer" or cls.source is first.source
            if is_asked and clues.class_rank(cls.source, cls.shape.name, cls, graph) < first.rank:
                return cls
    for cls in _classes_with_empty_play(graph):
        rank = clues.class_rank(cls.source, cls.shape.name, cls, graph)
        is_asked = cls.shape.name == "SmartPlayer" or (rank.file == SOLUTION and cls.source is not first.source)
        is_named = clues.is_named(cls.shape.name) and not clues.is_named(first.name)
        if rank.standing == OWN and ((is_asked and rank < first.rank) or is_named):
            return cls
    return None


def unfinished_finding(cls: DefinedClass) -> Finding:
    """The finding about a class that has no `play`, or an empty one."""
    return missing_play_finding(cls, "no_player") if cls.shape.play_line is None else _empty_play_finding(cls)


def unfinished_classes(graph: ImportGraph) -> Iterator[DefinedClass]:
    """Classes that may be the student's unfinished player: they have no `play`, or an empty one."""
    yield from classes_without_play(graph)
    yield from _classes_with_empty_play(graph)
    for cls in top_level_classes(graph):
        chooses = any(method.takes_board for method in cls.shape.move_methods)
        if chooses and cls.shape.play_line is None and not _has_play(cls, graph):
            yield cls


def unreadable_finding(bad: Unreadable) -> Finding:
    """The finding about a file that cannot be parsed."""
    file = printable_path(bad.file)
    text = say("{file} cannot be read: {reason}.", file=file, reason=bad.reason)
    if bad.cell is not None:
        file = cell_file(file, bad.cell)
    if bad.is_syntax_error:
        where = f"{file}:{bad.line}" if bad.line else file
        text = say("Syntax error in {where}: {reason}.", where=where, reason=bad.reason)
    return Finding(code="syntax_error", file=file, line=bad.line, text=text, help=bad.help)


def _classes_with_empty_play(graph: ImportGraph) -> Iterator[DefinedClass]:
    """Classes whose own `play` does nothing or only raises, and from which no other derives."""
    for cls in top_level_classes(graph):
        # By name, because a class may derive from it by way of a module that only the course has.
        is_base = cls.shape.name == BASE_CLASS or cls.shape.name in graph.base_names
        if cls.shape.empty_play and not is_base:
            yield cls


def no_player_finding(graph: ImportGraph, files: Files, clues: Clues) -> Finding:
    """Why there is no candidate, as precisely as the files show."""
    classes = [
        DefinedClass(source, shape)
        for source in graph.sources
        if clues.file_rank(source.file).standing != TEST
        for shape in sorted(source.classes, key=lambda shape: shape.name == BASE_CLASS)
    ]
    for cls in classes_without_play(graph):
        if cls in classes and not is_stand_in(cls):
            return missing_play_finding(cls, "no_player")
    for cls in classes:
        provided = cls.shape.name == BASE_CLASS and len(graph.sources) > 1  # the course's own file, not theirs
        if cls.shape.play_line is None or provided:
            continue
        if not cls.shape.takes_board and not cls.shape.play_parameters:
            text = say("The play() method of {name} has no parameter for the board.", name=cls.shape.name)
            help_ = say("Define it as play(self, board).")
            file = printable_path(cls.source.file)
            return Finding(code="no_player", file=file, line=cls.shape.play_line, text=text, help=help_)
        if cls.shape.empty_play:
            return _empty_play_finding(cls)
    near = [(cls, method) for cls in classes for method in cls.shape.move_methods]
    return _near_miss_finding(near, files) if near else _no_class_finding(files)


def _chooses_move(method: MoveMethod) -> bool:
    return method.takes_board or not method.parameters


def _near_miss_finding(near: list[tuple[DefinedClass, MoveMethod]], files: Files) -> Finding:
    """That there are methods which choose or make moves, but none that is a player's `play`."""
    near.sort(key=lambda item: not _chooses_move(item[1]))
    (cls, method), *_ = near
    found = _describe(*near[0])
    for other in near[1:_LISTED]:
        found = say("{before}; {part}", before=found, part=_describe(*other))
    text = say("{text} Similar: {found}.", text=_no_play_text(files), found=found)
    help_ = _rename_advice(method) if _chooses_move(method) else _no_class_finding(files).help
    return Finding(code="no_player", file=printable_path(cls.source.file), line=method.line, text=text, help=help_)


def _describe(cls: DefinedClass, method: MoveMethod) -> Message:
    call = f"{cls.shape.name}.{method.name}({', '.join(method.parameters)})"
    place = source_place_text(cls.source, method.line)
    if _chooses_move(method):
        return say("{call} in {place} seems to choose a move", call=call, place=place)
    return say("{call} in {place} makes a move on a board", call=call, place=place)


def _rename_advice(method: MoveMethod) -> Message:
    return say(
        "The grader asks for moves with play(self, board): rename {method} to play, or call it from a method play(self, "
        "board).",
        method=method.name,
    )


def _no_play_text(files: Files) -> Message:
    if len(files.python) == 1 and is_notebook(files.python[0]):
        return say(
            "No player found: the code cells of {file} have no class with a method play(self, board).",
            file=printable_path(files.python[0]),
        )
    return say(
        "No player found: the Python file has no class with a method play(self, board).",
        "No player found: none of the {n} Python files has a class with a method play(self, board).",
        n=len(files.python),
    )


def _no_class_finding(files: Files) -> Finding:
    """That no file has a class that could be a player, or that there is perhaps only an archive."""
    other = next((file for file in files.others if file.suffix in (".zip", ".rar")), None)
    name = printable_path(other) if other else ""
    if files.python:
        text = _no_play_text(files)
        if other:
            text = say("{text} {file} was not read.", text=text, file=name)
    elif other:
        text = say("No player found: there is no .py file, only {file}.", file=name)
    else:
        text = say("No player found: there is no .py file.")
    return Finding(code="no_player", file=name or None, text=text, help=PUT_IN_SOLUTION)
