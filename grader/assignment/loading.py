"""Load assignments from a file, or report every problem in it."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from grader.assignment.model import Assignment, AssignmentOrigin
from grader.assignment.problems import AssignmentError, Loc, Problem, choose_from
from grader.assignment.reading import MAX_BYTES, YamlDocument, read_documents
from grader.errors import OptionError
from grader.games import find_game, installed_games, is_file
from grader.language import Message, say, verbatim

MAX_ERRORS = 50
"""Of one document that are looked at: suggestions take their time."""

Check = Callable[[Assignment], Iterable[tuple[Loc, str]]]
"""What else is wrong with an assignment that is right in itself: where, and what. Its players, say, which only intake knows."""


def load_assignments(path: Path, check: Check | None = None, *, named: bool = True) -> tuple[Assignment, ...]:
    """The assignments in a file, one a YAML document and game. Raises `AssignmentError` with all that is wrong.

    `named` is whether a person named this file: one that was merely found runs no code that is not known.
    """
    data = b""
    reason: Message | None = None
    try:
        if not path.is_file():
            reason = say("there is no such file") if not path.exists() else say("this is not a file")
        elif path.stat().st_size > MAX_BYTES:
            reason = say("this file is too large for an assignment: at most {size} kB", size=MAX_BYTES // 1000)
        else:
            data = path.read_bytes()
    except OSError as error:
        reason = say("this file cannot be read: {problem}", problem=str(error.strerror))
    if reason:
        raise AssignmentError([Problem(str(path), 1, 1, "", reason)])
    return read_assignments(data, str(path), check, AssignmentOrigin(path.resolve().parent, named=named))


def read_assignments(
    data: bytes, file: str, check: Check | None = None, origin: AssignmentOrigin | None = None
) -> tuple[Assignment, ...]:
    """The same from the content of a file, and where the files are that it names."""
    origin = origin or AssignmentOrigin()
    problems: list[Problem] = []
    assignments: dict[str, Assignment] = {}
    found = read_documents(data, file, problems)
    if not found and not problems:
        text = say("this file is empty: write at least 'game: {game}'", game=_default_game())
        problems.append(Problem(file, 1, 1, "", text))
    for document in found:
        assignment = _validate(document, problems, origin)
        if assignment is None:
            continue
        game = assignment.rules.name
        if game in assignments:
            text = say("there is already an assignment for {game} in this file: one for each game", game=game)
            problems.append(document.problem(("game",), text))
        assignments[game] = assignment
        problems += [document.problem(loc, text) for loc, text in (check(assignment) if check else ())]
    if problems:
        raise AssignmentError(problems)
    return tuple(assignments.values())


def builtin_assignment(game: str) -> Assignment:
    """The assignment for a game, by name or in a file, where the course has none. Raises `OptionError` if there is no such game."""
    kind: Any = find_game(game)
    assignment = _builtin_for(kind)
    return assignment if not is_file(game) else assignment.model_copy(update={"game": game})


@cache
def _builtin_for(kind: Any) -> Assignment:
    text = kind().assignment()
    named = f"built-in {kind.name}.yaml"
    if kind.source is None:
        return read_assignments(text.encode(), named)[0]
    file = f"./{kind.file}"
    origin = AssignmentOrigin(find=lambda _: kind)
    return read_assignments(text.replace(f"game: {kind.name}", f"game: {file}").encode(), named, origin=origin)[0]


def _default_game() -> str:
    return next(iter(installed_games()))


def _validate(document: YamlDocument, problems: list[Problem], origin: AssignmentOrigin) -> Assignment | None:
    value = document.value(problems)
    if not isinstance(value, dict):
        kind = say("a list") if isinstance(value, list) else say("a single value")
        text = say(
            "an assignment is made of fields such as 'game: {game}', not {kind}", game=_default_game(), kind=kind
        )
        problems.append(document.problem((), text))
        return None
    try:
        return Assignment.model_validate(_fill_from_builtin(value, origin), context=origin)
    except ValidationError as error:
        for detail in error.errors(include_url=False)[:MAX_ERRORS]:
            problems += _locate_problems(document, detail)
        return None


def _fill_from_builtin(value: dict[str, Any], origin: AssignmentOrigin) -> dict[str, Any]:
    """What a course does not say itself, it takes from the built-in assignment."""
    if {"title", "opponents"} <= value.keys():
        return value
    kind: Any = find_game(_default_game())
    if isinstance(value.get("game"), str):
        with suppress(OptionError):  # reported when the field is checked
            kind = origin.game(value["game"])
    usual = _builtin_for(kind)
    return {"title": usual.title, "opponents": usual.opponents, **value}


def _locate_problems(document: YamlDocument, detail: ErrorDetails) -> list[Problem]:
    loc, kind = detail["loc"], detail["type"]
    if kind == "assignment":
        if loc[-1:] == ("[key]",):  # so pydantic marks an option whose name is the problem
            loc = loc[:-1]
        return [document.problem(loc + inner, text) for inner, text in detail["ctx"]["found"]]
    if kind == "extra_forbidden":
        text = say("there is no such field: {allowed}", allowed=choose_from(list(_fields(loc[:-1])), loc[-1]))
        return [document.problem(loc, text, at_key=True)]
    if kind == "missing":
        what = verbatim(_fields(loc[:-1])[str(loc[-1])].description or "")
        return [document.problem(loc, say("required: {what}", what=what))]
    shapes = {
        "dict_type": say("must be fields with a name and a value, indented below"),
        "model_type": say("must be fields with a name and a value, indented below"),
        "tuple_type": say("must be a list: [one, another], or a line with '- ' for each"),
    }
    return [document.problem(loc, shapes.get(kind, detail["msg"]))]


def _fields(loc: Loc) -> dict[str, FieldInfo]:
    """The fields that there are at a place."""
    fields, is_key = _fields_by_name(Assignment), False
    for part in loc:
        if is_key or not isinstance(part, str):  # a student's id, or a place in a list
            is_key = False
            continue
        kind = fields[part].annotation
        fields, is_key = _fields_by_name(_section_type(kind)), get_origin(kind) is dict
    return fields


def _fields_by_name(section: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in section.model_fields.items()}


def _section_type(kind: Any) -> Any:
    """The section that a field's type holds: itself, or inside an optional or a tuple."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next((section for part in get_args(kind) if (section := _section_type(part))), None)
