"""Convert Python source to a sequence of symbols that is hard to change without changing what the code does.

All names are one symbol, all numbers another, all strings a third. Comments, docstrings, type hints, imports, optional
brackets and commas, blank lines and indentation are dropped. What remains is the grammar, and the names that a student cannot
change: Python's built-in functions, the methods of its containers, and those of the course's boards. Without these names,
unrelated sources were measured to share a fifth more.
"""

import keyword
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from grader.games import State, installed_games
from grader.similarity.scanner import CLOSING, OPENING, OPERATORS, Token, scan, statements

FUNCTIONS = (
    *("abs", "all", "any", "bool", "callable", "dict", "divmod", "enumerate", "filter", "float", "frozenset"),
    *("getattr", "hasattr", "hash", "id", "int", "isinstance", "iter", "len", "list", "map", "max", "min", "next"),
    *("object", "pow", "print", "range", "repr", "reversed", "round", "set", "setattr", "sorted", "str", "sum"),
    *("super", "tuple", "type", "zip"),
)
"""Names that are kept, except after a dot."""
_BOARDS = [game.board(game.start()) for game in (kind() for kind in installed_games().values())]
_KNOWN_OBJECTS: tuple[object, ...] = (*_BOARDS, State, [], {}, set())
METHODS = frozenset(name for known in _KNOWN_OBJECTS for name in dir(known) if not name.startswith("_"))
"""Names that are kept after a dot."""

_KEYWORDS = frozenset(keyword.kwlist)
NAME, NUMBER, TEXT = "name", "0", "''"
_CODES = {
    symbol: code
    for code, symbol in enumerate(
        [NAME, NUMBER, TEXT, *OPERATORS, *sorted(_KEYWORDS), *sorted({*FUNCTIONS, *METHODS})], start=1
    )
}
assert max(_CODES.values()) < 256, "a symbol is a byte"
BREAK = b"\0"
"""Not a symbol: it separates files."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """A sequence of symbols, one byte each, and the line of each."""

    codes: bytes
    lines: tuple[int, ...]
    complete: bool
    """Whether the whole source was converted."""


def symbols(text: str, limit: int) -> Symbols:
    """The symbols of a source, up to a `limit` of tokens. Blank lines do not count, or they could hide the code after them."""
    tokens = _drop_blank_lines(scan(text))
    found = [
        (_CODES[_symbol(token, before)], token.line)
        for statement in statements(islice(tokens, limit))
        for before, token in _pair_with_previous(_drop_style(statement))
    ]
    codes, lines = bytes(code for code, _ in found), tuple(line for _, line in found)
    return Symbols(codes, lines, complete=next(tokens, None) is None)


def _drop_blank_lines(tokens: Iterable[Token]) -> Iterator[Token]:
    before = "newline"
    for token in tokens:
        if not token.kind == before == "newline":
            yield token
        before = token.kind


def _symbol(token: Token, before: str) -> str:
    if token.kind == "number":
        return NUMBER
    if token.kind == "string":
        return TEXT
    if token.kind == "name" and token.text not in _KEYWORDS:
        known = METHODS if before == "." else FUNCTIONS
        return token.text if token.text in known and before not in ("def", "class") else NAME
    return token.text


def _pair_with_previous(tokens: Iterable[Token]) -> Iterator[tuple[str, Token]]:
    before = ""
    for token in tokens:
        yield before, token
        before = token.text


def _drop_style(statement: list[Token]) -> Iterator[Token]:
    """The tokens of a statement that matter: none of an import or of a string by itself, such as a docstring."""
    if statement[0].text in ("import", "from") or all(token.kind == "string" for token in statement):
        return
    tokens = list(_drop_optional_brackets(_drop_hints(statement)))
    for at, token in enumerate(tokens, start=1):
        following = tokens[at] if at < len(tokens) else None
        joined = following is not None and token.kind == following.kind == "string"
        trailing = token.text == "," and following is not None and following.text in CLOSING
        if not joined and not trailing:
            yield token


def _drop_optional_brackets(tokens: Iterable[Token]) -> Iterator[Token]:
    """Drop round brackets except in calls and in definitions of functions and classes: the others are a matter of style."""
    open_brackets: list[bool] = []
    """For each open bracket, whether it is kept."""
    before = None
    for token in tokens:
        if token.text in OPENING:
            open_brackets.append(token.text != "(" or _is_callable(before))
            keep = open_brackets[-1]
        elif token.text in CLOSING and open_brackets:
            keep = open_brackets.pop()
        else:
            keep = True
        if keep:
            yield token
        before = token


def _is_callable(token: Token | None) -> bool:
    if token is None or token.kind in ("number", "operator"):
        return token is not None and token.text in CLOSING
    return token.text not in _KEYWORDS


def _drop_hints(statement: list[Token]) -> Iterable[Token]:
    head = [token.text for token in statement[:2]]
    if head[0] == "def" or head == ["async", "def"]:
        return _drop_parameter_hints(statement)
    if statement[0].kind == "name" and head[0] not in _KEYWORDS and head[-1] in (":", ".", "["):
        return _drop_variable_hint(statement)
    return statement


def _drop_parameter_hints(head: list[Token]) -> Iterator[Token]:
    """A `def` line without `: int` after parameters and `-> int` at the end."""
    depth, in_hint, in_default, in_return_hint = 0, False, False, False
    for token in head:
        depth -= token.text in CLOSING
        if depth == 0 and token.text == ":":
            in_return_hint = False
        elif token.text == "->":
            in_return_hint = True
        elif depth == 1 and token.text in (",", "="):
            in_hint, in_default = False, token.text == "="
        elif depth == 1 and token.text == ":" and not in_default:
            in_hint = True
        if depth == 0:
            in_hint = False
        if not in_hint and not in_return_hint:
            yield token
        depth += token.text in OPENING


def _drop_variable_hint(statement: list[Token]) -> list[Token]:
    """Turn `total: int = 0` into `total = 0`, and a bare `total: int` into nothing."""
    depth, colon = 0, None
    for at, token in enumerate(statement):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth == 0 and token.text == "=":
            return statement if colon is None else [*statement[:colon], *statement[at:]]
        if depth == 0 and token.text == ":" and colon is None:
            colon = at
    return statement if colon is None else []
