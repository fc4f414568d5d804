"""Split Python source into tokens, even if it has syntax errors.

The standard `tokenize` stops at the first error and, from Python 3.12 on, splits f-strings differently. This scanner accepts
any text, takes linear time, and gives the same tokens as `tokenize` for valid code.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
_SKIPPED = ("blank", "other")
OPERATORS = (
    *("+", "-", "*", "/", "//", "%", "@", "**", "&", "|", "^", "~", "<<", ">>", "<", ">", "<=", ">=", "==", "!="),
    *("=", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "**=", "&=", "|=", "^=", "<<=", ">>=", ":=", "->", "..."),
    *("(", ")", "[", "]", "{", "}", ".", ",", ":", ";"),
)

# An unclosed string ends with its line or, in triple quotes, with the file: this avoids backtracking.
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
"""Keywords that never start a line inside brackets: an open bracket before one of them was never closed."""


class Token(NamedTuple):
    """One token, and the line on which it starts."""

    kind: str
    text: str
    line: int


def scan(text: str) -> Iterator[Token]:
    r"""The tokens of a source whose lines end with `\n`. Characters that cannot start a token are skipped."""
    line = 1
    for found in _TOKEN.finditer(text):
        kind, token = found.lastgroup, found.group()
        if kind is not None and kind not in _SKIPPED:
            yield Token(kind, token, line)
        line += token.count("\n")


def statements(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """The tokens of each statement; for a compound statement, those of its first line."""
    statement: list[Token] = []
    depth, at_line_start = 0, True
    for token in tokens:
        was_unclosed = at_line_start and token.text in _OUTSIDE_BRACKETS
        at_line_start = token.kind == "newline"
        if was_unclosed:
            depth = 0
        if depth == 0 and (was_unclosed or at_line_start or token.text == ";"):
            if statement:
                yield statement
            statement = []
        if not at_line_start and token.text != ";":
            depth = max(0, depth + (token.text in OPENING) - (token.text in CLOSING))
            statement.append(token)
    if statement:
        yield statement
