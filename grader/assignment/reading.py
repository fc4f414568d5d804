"""Read untrusted YAML and keep the line and column of every value."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from grader.assignment.problems import Loc, Problem, field_name
from grader.games.base import quote
from grader.language import Message, say

MAX_BYTES = 50_000
"""An assignment with all fields and comments has about 3 000; a malicious file of this size takes a second to read."""
MAX_DEPTH = 12
MAX_DOCUMENTS = 16
_NOT_IN_A_LINE = {"Cc", "Cs", "Zl", "Zp"}
"""Unicode categories of characters that would break a line of a report or a terminal."""


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """One YAML document of a file, with the place of every value."""

    file: str
    root: yaml.Node

    def problem(self, loc: Loc, text: str, *, at_key: bool = False) -> Problem:
        """A problem at the value with this path, or at its key; if the value is missing, at the section it belongs in."""
        key = node = self.root
        for part in loc:
            child = _child(node, part)
            if child is None:
                break
            key, node = child
        return self._problem(key if at_key else node, loc, text)

    def value(self, problems: list[Problem]) -> Any:
        """The document as Python values. Adds what cannot be converted to `problems`."""
        return self._value(self.root, (), problems)

    def _value(self, node: yaml.Node, loc: Loc, problems: list[Problem]) -> Any:
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, loc, problems)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(item, (*loc, at), problems) for at, item in enumerate(node.value)]
        value = _SCALARS[node.tag](node.value)
        if isinstance(value, str) and any(unicodedata.category(letter) in _NOT_IN_A_LINE for letter in value):
            problems.append(self._problem(node, loc, say("must be on one line, without control characters")))
        return value

    def _mapping(self, node: yaml.MappingNode, loc: Loc, problems: list[Problem]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for key, item in node.value:
            if not isinstance(key, yaml.ScalarNode):
                problems.append(self._problem(key, loc, say("a field name must be a single word")))
                continue
            name, inner = key.value, (*loc, key.value)
            if name in lines:
                problems.append(self._problem(key, inner, say("given twice, first on line {line}", line=lines[name])))
                continue
            lines[name] = key.start_mark.line + 1
            # A field without a value counts as left out, e.g. `limits:` with everything below it commented out.
            if not _is_empty(item):
                values[name] = self._value(item, inner, problems)
        return values

    def _problem(self, node: yaml.Node, loc: Loc, text: str) -> Problem:
        return Problem(self.file, node.start_mark.line + 1, node.start_mark.column + 1, field_name(loc), text)


def read_documents(data: bytes, file: str, problems: list[Problem]) -> list[YamlDocument]:
    """The documents of a file that are not empty. Adds syntax and encoding errors to `problems`."""
    found: list[YamlDocument] = []
    try:
        for root in _root_nodes(_decode(data)):
            if len(found) == MAX_DOCUMENTS:
                raise yaml.MarkedYAMLError(problem=say("too many documents in one file"), problem_mark=root.start_mark)
            if not _is_empty(root):
                found.append(YamlDocument(file, root))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problems.append(Problem(file, line, column, "", _explain(error)))
    except _Unreadable as error:
        *above, last = error.before.split("\n")
        problems.append(Problem(file, len(above) + 1, len(last) + 1, "", error.text))
    return found


class _Unreadable(Exception):
    """The bytes of a file are not valid text after `before`."""

    def __init__(self, before: str, text: Message) -> None:
        super().__init__(text)
        self.before = before
        self.text = text


_NULL = "tag:yaml.org,2002:null"
_STR = "tag:yaml.org,2002:str"
_BOOL = "tag:yaml.org,2002:bool"
_INT = "tag:yaml.org,2002:int"
_FLOAT = "tag:yaml.org,2002:float"
_SCALARS: dict[str, Callable[[str], Any]] = {
    _NULL: lambda _: None,
    _STR: str,
    _BOOL: lambda text: text.lower() == "true",
    _INT: int,
    _FLOAT: float,
}


class _Loader(yaml.SafeLoader):
    """Plain YAML: `no`, 1:30 and 2026-01-31 are texts, and aliases and tags are not allowed."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases (with which a small file can expand to a huge one), tags and deep nesting."""
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]  # the stubs leave it out
        problem: Message | None = None
        if isinstance(event, yaml.AliasEvent):
            problem = say("aliases ({name}) are not allowed: write the value again", name=quote(event.anchor))
        elif getattr(event, "tag", None):
            problem = say("tags ({name}) are not allowed: write the plain value", name=quote(event.tag))
        elif self.depth == MAX_DEPTH:
            problem = say("nested more than {most} levels deep", most=MAX_DEPTH)
        if problem:
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


_Loader.yaml_implicit_resolvers = {}  # those of this class only
for _tag, _pattern, _first in (
    (_NULL, r"null|Null|NULL|~|", ["n", "N", "~", ""]),
    (_BOOL, r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    (_INT, r"[-+]?[0-9]{1,39}", list("-+0123456789")),  # as long as the longest seed; a longer one is read as text
    (_FLOAT, r"[-+]?(\.[0-9]{1,30}|[0-9]{1,18}(\.[0-9]{0,30})?)([eE][-+]?[0-9]{1,3})?", list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(_tag, re.compile(f"^(?:{_pattern})$"), _first)


def _root_nodes(text: str) -> Iterator[yaml.Node]:
    try:
        loader = _Loader(text)
        while loader.check_node():
            node = loader.get_node()
            assert node is not None
            yield node
    except yaml.reader.ReaderError as error:
        before, letter = text[: error.position], text[error.position]
        raise _Unreadable(
            before, say("the character U+{code} is not allowed here", code=f"{ord(letter):04X}")
        ) from None


def _decode(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _Unreadable("", say("this file is in UTF-16: save it as UTF-8"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig")
        raise _Unreadable(before, say("this file is not in UTF-8: save it as UTF-8")) from None


def _is_empty(node: yaml.Node) -> bool:
    return node.tag == _NULL and node.value == ""


def _child(node: yaml.Node, part: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """The key and value with this name, or the list item with this index, twice."""
    if isinstance(node, yaml.MappingNode):
        return next(((key, value) for key, value in node.value if key.value == part), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    return None


def _explain(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or error.context or say("invalid YAML")
    if "'\\t'" in problem:
        return say("YAML does not allow tabs here: indent with spaces")
    if problem == "mapping values are not allowed here":
        return say("a second colon on this line, or too much indentation: put quotes around text that contains a colon")
    if isinstance(error, yaml.scanner.ScannerError | yaml.parser.ParserError):
        return say(
            "YAML syntax error: {problem}; check the indentation, quotes and brackets here and just above",
            problem=problem,
        )
    return problem
