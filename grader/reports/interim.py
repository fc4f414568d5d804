"""Mark the files of an unfinished competition as interim, whatever their format."""

import csv
import io
import json
from pathlib import Path

from grader.language import Language, Message, say
from grader.reports.html import mark_code
from grader.reports.spreadsheets import csv_text, list_separator, safe_cell

_HEADER = '<header class="top">'
"""Where a page begins."""
COLUMN = "interim"
"""The column of spreadsheets, and the member of JSON files, that only interim results have."""


def interim_notice(played: int, planned: int, *, tournament: bool) -> Message:
    """That results are interim, with the number of games so far."""
    if tournament:
        return say(
            "Interim: {played} of {n} game played. Run the same `grader tournament` command again to finish it.",
            "Interim: {played} of {n} games played. Run the same `grader tournament` command again to finish it.",
            n=planned,
            played=played,
        )
    return say(
        "Interim: {played} of {n} game played. These are not grades yet: run the same `grader run` command again to finish it.",
        "Interim: {played} of {n} games played. These are not grades yet: run the same `grader run` command again to finish it.",
        n=planned,
        played=played,
    )


def student_notice(played: int, planned: int) -> Message:
    """The same for students."""
    return say(
        "Interim: {played} of {n} game of the class played. This is not your grade yet.",
        "Interim: {played} of {n} games of the class played. This is not your grade yet.",
        n=planned,
        played=played,
    )


def is_interim(file: Path) -> bool:
    """Whether a JSON file is marked as interim."""
    try:
        return COLUMN in json.loads(file.read_bytes())
    except (OSError, ValueError, TypeError):
        return False


def mark_interim(name: str, content: str, notice: Message, speak: Language) -> str:
    """The content of a file with this name, marked as interim."""
    if name.endswith(".html"):
        assert _HEADER in content, "a page without a header cannot be marked"
        banner = f'<p class="notice" role="note"><strong>{mark_code(speak(notice))}</strong></p>'
        return content.replace(_HEADER, f"{banner}\n{_HEADER}", 1)
    if name.endswith(".md"):
        return f"> **{speak(notice)}**\n\n{content}"
    if name.endswith(".json"):
        return json.dumps({COLUMN: str(notice), **json.loads(content)}, indent=1, ensure_ascii=False) + "\n"
    assert name.endswith(".csv"), f"{name} cannot be marked"
    heads, *rows = csv.reader(io.StringIO(content, newline=""), delimiter=list_separator(speak))
    return csv_text([[*heads, COLUMN], *([*row, safe_cell(speak(notice))] for row in rows)], speak)
