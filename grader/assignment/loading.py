"""Load assignments from a file, or report all its problems."""

from collections.abc import Callable, Iterable, Sequence
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
"""The most errors of one document that are reported: suggesting corrections takes time."""
MAX_ROUNDS = 4
"""How often a document with errors is checked again without its wrong values."""
_NAMING = ("player", "name", "options", "scoring")
"""Fields of an opponent whose absence could cause other errors."""
_HARMLESS: dict[str | int, int] = {"points": 1_000_000, "games": 1000, "bank": 1}
"""Values that agree with any value of the other fields, to replace wrong ones that cannot simply be removed."""

Check = Callable[[Assignment], Iterable[tuple[Loc, str]]]
"""Finds further problems of a valid assignment, such as unknown players: the path and the text of each."""


def load_assignments(path: Path, check: Check | None = None, *, trusted: bool = True) -> tuple[Assignment, ...]:
    """The assignments in a file: one YAML document per game. Raises `AssignmentError` with all problems.

    `trusted` is whether a person named this file. The game file of any other assignment runs only if it is known.
    """
    data = b""
    reason: Message | None = None
    try:
        if not path.is_file():
            reason = say("this file does not exist") if not path.exists() else say("this is not a file")
        elif path.stat().st_size > MAX_BYTES:
            reason = say("this file is too large for an assignment (at most {size} kB)", size=MAX_BYTES // 1000)
        else:
            data = path.read_bytes()
    except OSError as error:
        reason = say("this file cannot be read: {problem}", problem=str(error.strerror))
    if reason:
        raise AssignmentError([Problem(str(path), 1, 1, "", reason)])
    return read_assignments(data, str(path), check, AssignmentOrigin(path.resolve().parent, trusted=trusted))


def read_assignments(
    data: bytes, file: str, check: Check | None = None, origin: AssignmentOrigin | None = None
) -> tuple[Assignment, ...]:
    """The assignments in the content of a file. `origin` is where the files it names are found."""
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
            text = say("this file already has an assignment for {game}: write one per game", game=game)
            problems.append(document.problem(("game",), text))
        assignments[game] = assignment
        problems += [document.problem(loc, text) for loc, text in (check(assignment) if check else ())]
    if problems:
        raise AssignmentError(problems)
    return tuple(assignments.values())


def builtin_assignment(game: str) -> Assignment:
    """The default assignment of a game, given by name or file. Raises `OptionError` for an unknown game."""
    kind: Any = find_game(game)
    assignment = _builtin_for(kind)
    return assignment if not is_file(game) else assignment.model_copy(update={"game": game})


@cache
def _builtin_for(kind: Any) -> Assignment:
    text = kind().assignment()
    title = f"built-in {kind.name}.yaml"
    if kind.source is None:
        return read_assignments(text.encode(), title)[0]
    file = f"./{kind.file}"
    origin = AssignmentOrigin(find=lambda _: kind)
    return read_assignments(text.replace(f"game: {kind.name}", f"game: {file}").encode(), title, origin=origin)[0]


def _default_game() -> str:
    return next(iter(installed_games()))


def _validate(document: YamlDocument, problems: list[Problem], origin: AssignmentOrigin) -> Assignment | None:
    value = document.value(problems)
    if not isinstance(value, dict):
        kind = say("a list") if isinstance(value, list) else say("a single value")
        text = say("expected fields such as 'game: {game}', found {kind}", game=_default_game(), kind=kind)
        problems.append(document.problem((), text))
        return None
    data = _fill_from_builtin(value, origin)
    reported: set[Loc] = set()
    for _ in range(MAX_ROUNDS):
        try:
            return Assignment.model_validate(data, context=origin)
        except ValidationError as error:
            details = error.errors(include_url=False)
        new = [found for detail in details[:MAX_ERRORS] for found in _explain(detail) if found[0] not in reported]
        problems += [document.problem(loc, text, at_key=at_key) for loc, text, at_key in new]
        wrong = [loc for loc, _, _ in new]
        if not wrong or len(details) > MAX_ERRORS or not _remove_values(data, wrong):
            break
        reported.update(wrong)
    return None


def _remove_values(data: dict[str, Any], wrong: Sequence[Loc]) -> bool:
    """Remove wrong values, so that checks that depend on several fields can run on the others.

    Returns False if that could cause errors that are not in the file.
    """
    for loc in reversed(wrong):  # from the end, so that indices into lists stay valid
        if loc[:1] in ((), ("game",)) or (loc[0] == "opponents" and (len(loc) < 3 or loc[2] in _NAMING)):
            return False
        section: Any = data
        try:
            for part in loc[:-1]:
                section = section[part]
            if loc[-1] in _HARMLESS:
                section[loc[-1]] = _HARMLESS[loc[-1]]
            else:
                del section[loc[-1]]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _fill_from_builtin(value: dict[str, Any], origin: AssignmentOrigin) -> dict[str, Any]:
    """Take the title and the opponents from the built-in assignment if the file does not give them."""
    if {"title", "opponents"} <= value.keys():
        return value
    kind: Any = find_game(_default_game())
    if isinstance(value.get("game"), str):
        with suppress(OptionError):  # reported when the field is checked
            kind = origin.game(value["game"])
    builtin = _builtin_for(kind)
    return {"title": builtin.title, "opponents": builtin.opponents, **value}


def _explain(detail: ErrorDetails) -> list[tuple[Loc, str, bool]]:
    """The problems behind one of pydantic's errors: the path, the text, and whether the key is wrong, not the value."""
    loc, kind = detail["loc"], detail["type"]
    if kind == "assignment":
        if loc[-1:] == ("[key]",):  # pydantic's mark for an option whose name is wrong
            loc = loc[:-1]
        return [(loc + inner, text, False) for inner, text in detail["ctx"]["found"]]
    if kind == "extra_forbidden":
        return [(loc, say("unknown field: {allowed}", allowed=choose_from(list(_fields(loc[:-1])), loc[-1])), True)]
    if kind == "missing":
        what = verbatim(_fields(loc[:-1])[str(loc[-1])].description or "")
        return [(loc, say("required: {what}", what=what), False)]
    shapes = {
        "dict_type": say("must contain fields ('name: value'), indented below"),
        "model_type": say("must contain fields ('name: value'), indented below"),
        "tuple_type": say("must be a list: [a, b], or one '- ' line per item"),
    }
    return [(loc, shapes.get(kind, detail["msg"]), False)]


def _fields(loc: Loc) -> dict[str, FieldInfo]:
    """The fields that exist at a path."""
    fields, is_key = _fields_by_name(Assignment), False
    for part in loc:
        if is_key or not isinstance(part, str):  # a student's id, or an index
            is_key = False
            continue
        kind = fields[part].annotation
        fields, is_key = _fields_by_name(_section_type(kind)), get_origin(kind) is dict
    return fields


def _fields_by_name(section: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in section.model_fields.items()}


def _section_type(kind: Any) -> Any:
    """The section in a field's type: the type itself, or inside an optional or a tuple."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind
    return next((section for part in get_args(kind) if (section := _section_type(part))), None)
