"""The encoding of a Python file, as its first two lines declare it, and whether it is supported.

Python can read a file in about a hundred encodings. Some of them take minutes for a small file (`punycode`), and some hide its
text from everything else that reads it (`utf-7`, `unicode_escape`). Only UTF-8 and one-byte encodings like Latin-1, in which
ASCII means the same, are read.
"""

import re
from encodings.aliases import aliases

_BOM = b"\xef\xbb\xbf"
_DECLARATION = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
"""Python's own rule, in PEP 263."""
_BLANK = re.compile(rb"[ \t\f]*(?:#.*)?")
_ALLOWED = frozenset(
    {"utf_8", "utf_8_sig", "ascii", "latin_1"}
    | {f"iso8859_{number}" for number in range(1, 17)}
    | {f"cp{number}" for number in range(1250, 1259)}
)


def declared_encoding(data: bytes) -> str | None:
    """The encoding that a file declares, as written, or None if it declares none."""
    data = data.removeprefix(_BOM)
    for line in re.split(rb"\r\n|\r|\n", data, maxsplit=2)[
        :2
    ]:  # like Python's parser, which takes a lone \r for a line's end
        found = _DECLARATION.match(line)
        if found:
            return found[1].decode("ascii")
        if not _BLANK.fullmatch(line):
            return None
    return None


def is_allowed(encoding: str) -> bool:
    """Whether files with this declared encoding are read."""
    name = encoding.lower().replace("-", "_").replace(".", "_")
    if re.match(r"(utf_8|latin_1|iso_8859_1|iso_latin_1)(_|$)", name):  # Python ignores the rest: utf-8-unix
        return True
    return aliases.get(name, name) in _ALLOWED
