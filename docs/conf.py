"""Settings of the documentation's site: `python -m sphinx -W --keep-going -b html docs docs/_build`."""

import re

from sphinx.application import Sphinx

project = "grader"
extensions = ["myst_parser"]
exclude_patterns = ["_build", "examples"]
myst_heading_anchors = 4  # headings can be linked to by the same anchors as on GitHub

html_theme = "furo"
html_title = "grader"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False

SECTION = re.compile(r"^## (?P<title>.+)$(?P<body>(?:\n(?!## ).*)*)", re.MULTILINE)
PAGE = re.compile(r"\]\((?P<page>[\w/-]+)\.md\)")


def add_contents(_: Sphinx, name: str, source: list[str]) -> None:
    """Make the table of contents of the site from the links in `index.md`, which is plain Markdown on GitHub."""
    if name == "index":
        source[0] += "".join(
            f"\n```{{toctree}}\n:hidden:\n:caption: {section['title']}\n\n{pages}\n```\n"
            for section in SECTION.finditer(source[0])
            if (pages := "\n".join(PAGE.findall(section["body"])))
        )


def setup(app: Sphinx) -> None:
    """Connect the function above."""
    app.connect("source-read", add_contents)
