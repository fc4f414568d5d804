"""Read the documentation's Markdown: fenced blocks with the comments above them, headings, and links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.command import PROJECT

DOCS = PROJECT / "docs"
PAGES = tuple(sorted(path for path in DOCS.rglob("*.md") if not {"_build", "examples"} & set(path.parts)))
README = PROJECT / "README.md"
SHELL = ("sh", "console")
"""The languages of blocks with command lines."""

_FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>```+)(?P<language>[\w-]*)[^\n]*\n(?P<text>.*?)^(?P=indent)(?P=fence) *$",
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(r"<!-- (?P<key>not run|file|exit status): (?P<value>.+?) -->\s*\Z")
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<target>[^()\s]+)\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    language: str
    text: str
    line: int
    """Where its text begins in the page."""
    comment: str = ""
    """What the comment above it says: `not run`, `file` or `exit status`."""
    value: str = ""
    """The reason, the file's name or the number."""


def blocks(page: Path) -> Iterator[Block]:
    """All fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        comment = _COMMENT.search(text[: found.start()])
        line = text.count("\n", 0, found.start("text")) + 1
        indent = found["indent"]
        body = "".join(row.removeprefix(indent) for row in found["text"].splitlines(keepends=True))
        key, value = (comment["key"], comment["value"]) if comment else ("", "")
        yield Block(found["language"], body, line, key, value)


def prose(page: Path) -> str:
    """A page without its fenced blocks and comments."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, by GitHub's rule."""
    found: set[str] = set()
    for heading in _HEADING.findall(prose(page)):
        slug, number = _slug(heading), 0
        while (anchor := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(anchor)
    return found


def links(page: Path) -> list[str]:
    """The targets of all links of a page, outside code."""
    return _LINK.findall(re.sub(r"`[^`\n]*`", "`code`", prose(page)))


def _slug(heading: str) -> str:
    """Lower case, without punctuation, with dashes for spaces."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
