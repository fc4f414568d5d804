"""What a notebook's cells contain besides Python: magics, shell commands and questions about names."""

import re
from collections.abc import Iterator

_KEPT = ("time", "capture", "prun", "writefile", "file")
"""The cell magics whose body is Python that belongs to the notebook."""
_MAGIC = re.compile(
    r"""(?: [%!?]                                    # %matplotlib inline, !pip install, ?name
         | [\w.,\[\]'" \t]+=\s*(?: !|%[A-Za-z] )        # files = !ls, result = %time f()
         | (?: pip3?|conda|mamba )\s+(?: install|uninstall|list|show|update )\b
         | [\w.*]+\?{1,2}\s*(?: \#.* )?$ )              # name?""",
    re.VERBOSE,
)
_TOKEN = re.compile(
    r"""(?P<comment>\#.*) | (?P<triple>'''|\"\"\") | "(?:\\.|[^"\\])*"? | '(?:\\.|[^'\\])*'? | (?P<sign>[()\[\]{}])""",
    re.VERBOSE,
)


def cell_magic(lines: list[str]) -> tuple[int, bool] | None:
    """The line of a cell magic, and whether the rest of the cell is Python code; None if the cell has none."""
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is None or not lines[first].startswith("%%"):
        return None
    words = lines[first][2:].split()
    name = words[0].lower() if words else ""
    is_python = name in _KEPT and (name not in ("writefile", "file") or words[-1].lower().endswith(".py"))
    return first, is_python


def magic_lines(lines: list[str]) -> Iterator[int]:
    """The lines that are not Python: those that start a statement like a magic, and those that continue them."""
    depth, quote, continued = 0, "", False
    in_magic = False
    for number, line in enumerate(lines):
        if in_magic or (depth <= 0 and not quote and not continued and _MAGIC.match(line.lstrip())):
            yield number
            in_magic = line.rstrip().endswith("\\")
            continue
        depth, quote = _scan(line, depth, quote)
        continued = line.endswith("\\") and not quote


def _scan(line: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets are open after a line, and the quotes of a text that continues on the next line."""
    at = 0
    while at < len(line):
        if quote:
            end = line.find(quote, at)
            if end < 0:
                return depth, quote
            at, quote = end + len(quote), ""
            continue
        found = _TOKEN.search(line, at)
        if found is None or found["comment"] is not None:
            break
        at = found.end()
        if found["triple"] is not None:
            quote = found["triple"]
        elif found["sign"] is not None:
            depth += 1 if found["sign"] in "([{" else -1
    return depth, quote
