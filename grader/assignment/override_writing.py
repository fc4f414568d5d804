"""Add the player of a submission to the `overrides` of an assignment file, and leave the rest of the file as it is."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from grader.assignment.problems import AssignmentError, Problem
from grader.assignment.reading import YamlDocument, read_documents
from grader.errors import OptionError
from grader.games import installed_games
from grader.language import say


def write_entries(text: str, file: str, entries: Mapping[str, tuple[str, str]]) -> str:
    """The text of an assignment file with these entries added: by submission, the game as the file names it, and the entry.

    Raises `OptionError` if the file cannot be changed this way.
    """
    for id_, (game, entry) in entries.items():
        text = _add_entry(text, _document(text, file, game), id_, entry)
        written = _document(text, file, game).value([])
        if written.get("overrides", {}).get(id_, {}).get("entry") != entry:
            raise OptionError(
                say(
                    "{file}: the override could not be added. Add it yourself: for {id}, entry: {entry}",
                    file=file,
                    id=id_,
                    entry=_quote(entry),
                )
            )
    return text


def _document(text: str, file: str, game: str) -> YamlDocument:
    problems: list[Problem] = []
    documents = read_documents(text.encode(), file, problems)
    default = next(iter(installed_games()))
    found = [document for document in documents if _fields(document).get("game", default) == game]
    if problems or not found:
        raise AssignmentError(problems or [Problem(file, 1, 1, "game", say("no assignment for {game}", game=game))])
    return found[0]


def _fields(document: YamlDocument) -> dict[str, Any]:
    value = document.value([])
    return value if isinstance(value, dict) else {}


def override_field(id_: str, entry: str) -> str:
    """The field of `overrides` that names the player of a submission."""
    return f"{_quote(id_)}: {{entry: {_quote(entry)}}}"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # which is also valid YAML


def _add_entry(text: str, document: YamlDocument, id_: str, entry: str) -> str:
    own = override_field(id_, entry)
    root = document.root
    overrides = _member(root, "overrides")
    if overrides is None:
        return _append(text, root, ["overrides:", f"  {own}"], f"overrides: {{{own}}}")
    if not isinstance(overrides, yaml.MappingNode):
        return _replace(text, overrides, f" {{{own}}}")
    student = _member(overrides, id_)
    if student is None:
        return _insert(text, overrides, own)
    if not isinstance(student, yaml.MappingNode):
        return _replace(text, student, f" {{entry: {_quote(entry)}}}")
    earlier = _member(student, "entry")
    if earlier is None:
        return _insert(text, student, f"entry: {_quote(entry)}")
    return _replace(text, earlier, _quote(entry))


def _member(node: yaml.Node, name: str) -> yaml.Node | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for key, value in pairs if key.value == name), None)


def _replace(text: str, node: yaml.Node, new: str) -> str:
    return text[: node.start_mark.index] + new + text[node.end_mark.index :]


def _insert(text: str, mapping: yaml.MappingNode, field: str) -> str:
    """Add a field at the beginning of a mapping."""
    if mapping.flow_style:  # {a: b}
        at, after = mapping.start_mark.index + 1, ", " if mapping.value else ""
    else:
        first = mapping.value[0][0].start_mark
        at, after = first.index, _line_end(text) + " " * first.column
    return text[:at] + field + after + text[at:]


def _append(text: str, root: yaml.Node, block: Sequence[str], flow: str) -> str:
    """Add a field at the end of a document."""
    if isinstance(root, yaml.MappingNode) and root.flow_style:
        return _insert(text, root, flow)
    at = root.end_mark.index
    end = _line_end(text)
    before = "" if text[:at].endswith("\n") else end
    return text[:at] + before + "".join(line + end for line in block) + text[at:]


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
