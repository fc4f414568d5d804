"""How results show themselves with `print` and in a notebook.

Records know nothing about reports, and every player's process imports them. So the report is imported when it is first needed.
"""

from importlib import import_module

RENDERER = "grader.reports.notebook"
"""The module with a function for each kind of result and form, e.g. `match_record_text`."""


def as_text(result: object) -> str:
    """A result as text for a terminal."""
    return _render(result, "text")


def as_html(result: object) -> str:
    """A result as HTML for a notebook."""
    return _render(result, "html")


def _render(result: object, form: str) -> str:
    kind = {"MatchRecord": "match_record", "Conclusion": "conclusion"}[type(result).__name__]
    text: str = getattr(import_module(RENDERER), f"{kind}_{form}")(result)
    return text
