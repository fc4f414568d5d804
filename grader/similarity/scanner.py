"""Split Python source into tokens, even if it has syntax errors.

Not by `tokenize`, because that one stops at the first mistake, and cuts f-strings into other tokens from Python 3.12 on. This
scanner takes any text, in linear time, and finds what `tokenize` finds wherever there is no mistake.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
_PASSED_OVER = ("blank", "other")
OPERATORS = (
    *("+", "-", "*", "/", "//", "%", "@", "**", "&", "|", "^", "~", "<<", ">>", "<", ">", "<=", ">=", "==", "!="),
    *("=", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "**=", "&=", "|=", "^=", "<<=", ">>=", ":=", "->", "..."),
    *("(", ")", "[", "]", "{", "}", ".", ",", ":", ";"),
)

# A text that is not closed ends with its line, or, in triple quotes, with the file: then nothing is tried twice.
_STRING = r"""
    (?: [rbuf] | br | rb | fr | rf )?
    (?: '{3} [^'\\]* (?: (?: \\. | '(?!'') ) [^'\\]* )* (?: '{3} | \\?\Z )
      | "{3} [^"\\]* (?: (?: \\. | "(?!"") ) [^"\\]* )* (?: "{3} | \\?\Z )
      | ' (?: [^'\\\n] | \\. )* '?
      | " (?: [^"\\\n] | \\. )* "? )
"""
_NUMBER = r"0[xob][\da-f_]+ | (?: \d[\d_]*\.?[\d_]* | \.\d[\d_]* ) (?: e[+-]?\d[\d_]* )? j?"
_OPERATOR = "|".join(re.escape(sign) for sign in sorted(OPERATORS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"""(?P<blank> [ \t\f]+ | \#[^\n]* | \\\n )
       | (?P<newline> \n )
       | (?P<string> {_STRING} )
       | (?P<number> {_NUMBER} )
       | (?P<name> [^\W\d]\w* )
       | (?P<operator> {_OPERATOR} )
       | (?P<other> [^\w\s'"\#\\()\[\]{{}}+\-*/%@&|^~<>=!.,:;]+ | . )""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)

_OUTSIDE_BRACKETS = (
    *("def", "class", "return", "while", "with", "try", "except", "finally", "raise", "import", "pass", "break"),
    *("continue", "global", "nonlocal", "del", "assert"),
)
"""Where one of these begins a line, every bracket before it was closed, or forgotten."""


class Token(NamedTuple):
    """One token, and the line on which it begins."""

    kind: str
    text: str
    line: int


def scan(text: str) -> Iterator[Token]:
    r"""The tokens of a source whose lines end with `\n`. Letters that begin no token are passed over."""
    line = 1
    for found in _TOKEN.finditer(text):
        kind, written = found.lastgroup, found.group()
        if kind is not None and kind not in _PASSED_OVER:
            yield Token(kind, written, line)
        line += written.count("\n")


def statements(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """The tokens of each statement; of one that holds others, those of its head."""
    statement: list[Token] = []
    depth, at_line_start = 0, True
    for token in tokens:
        forgotten = at_line_start and token.text in _OUTSIDE_BRACKETS
        at_line_start = token.kind == "newline"
        if forgotten:
            depth = 0
        if depth == 0 and (forgotten or at_line_start or token.text == ";"):
            if statement:
                yield statement
            statement = []
        if not at_line_start and token.text != ";":
            depth = max(0, depth + (token.text in OPENING) - (token.text in CLOSING))
            statement.append(token)
    if statement:
        yield statement
