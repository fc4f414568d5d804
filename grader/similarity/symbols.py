"""Python source as a row of symbols in which little is left that can be changed without changing what the code does.

Names are one symbol, numbers another, texts a third. Comments, docstrings, type hints, imports, brackets and commas that
are a matter of style, blank lines and indentation are left out. What stays is the grammar, and the names that a student cannot change:
Python's own functions, the methods of its containers, and what the course's boards offer. Keeping those was measured: without
them, sources that have nothing to do with each other share a fifth more.
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
"""Names that are kept, unless they stand behind a dot."""
_BOARDS = [game.board(game.start()) for game in (kind() for kind in installed_games().values())]
_HANDED_TO_STUDENTS: tuple[object, ...] = (*_BOARDS, State, [], {}, set())
METHODS = frozenset(name for made in _HANDED_TO_STUDENTS for name in dir(made) if not name.startswith("_"))
"""Names that are kept behind a dot."""

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
"""Is no symbol: it keeps apart what stands in different files."""


@dataclass(frozen=True, slots=True)
class Symbols:
    """A row of symbols, one byte each, and the line on which each stands."""

    codes: bytes
    lines: tuple[int, ...]
    whole: bool
    """Whether they are all that there are."""


def symbols(text: str, most: int) -> Symbols:
    """The symbols of a source, of its first so many tokens. Blank lines count for nothing: they would hide what follows."""
    tokens = _drop_blank_lines(scan(text))
    found = [
        (_CODES[_symbol(token, before)], token.line)
        for statement in statements(islice(tokens, most))
        for before, token in _pair_with_previous(_drop_trifles(statement))
    ]
    return Symbols(bytes(code for code, _ in found), tuple(line for _, line in found), whole=next(tokens, None) is None)


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
        kept = METHODS if before == "." else FUNCTIONS
        return token.text if token.text in kept and before not in ("def", "class") else NAME
    return token.text


def _pair_with_previous(tokens: Iterable[Token]) -> Iterator[tuple[str, Token]]:
    before = ""
    for token in tokens:
        yield before, token
        before = token.text


def _drop_trifles(statement: list[Token]) -> Iterator[Token]:
    """What counts of a statement: nothing of an import, nor of a text that stands by itself, as docstrings do."""
    if statement[0].text in ("import", "from") or all(token.kind == "string" for token in statement):
        return
    kept = list(_drop_needless_brackets(_drop_hints(statement)))
    for at, token in enumerate(kept, start=1):
        behind = kept[at] if at < len(kept) else None
        joined = behind is not None and token.kind == behind.kind == "string"
        trailing = token.text == "," and behind is not None and behind.text in CLOSING
        if not joined and not trailing:
            yield token


def _drop_needless_brackets(tokens: Iterable[Token]) -> Iterator[Token]:
    """No round brackets but those of calls and of heads of functions and classes: the others come and go with style."""
    opened: list[bool] = []
    before = None
    for token in tokens:
        if token.text in OPENING:
            opened.append(token.text != "(" or _is_callable(before))
            kept = opened[-1]
        elif token.text in CLOSING and opened:
            kept = opened.pop()
        else:
            kept = True
        if kept:
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
    """The head of a function without `: int` behind a parameter and `-> int` behind them all."""
    depth, in_hint, in_default, behind_all = 0, False, False, False
    for token in head:
        depth -= token.text in CLOSING
        if depth == 0 and token.text == ":":
            behind_all = False
        elif token.text == "->":
            behind_all = True
        elif depth == 1 and token.text in (",", "="):
            in_hint, in_default = False, token.text == "="
        elif depth == 1 and token.text == ":" and not in_default:
            in_hint = True
        if depth == 0:
            in_hint = False
        if not in_hint and not behind_all:
            yield token
        depth += token.text in OPENING


def _drop_variable_hint(statement: list[Token]) -> list[Token]:
    """`total: int = 0` as `total = 0`, and nothing of a bare `total: int`."""
    depth, colon = 0, None
    for at, token in enumerate(statement):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        if depth == 0 and token.text == "=":
            return statement if colon is None else [*statement[:colon], *statement[at:]]
        if depth == 0 and token.text == ":" and colon is None:
            colon = at
    return statement if colon is None else []
