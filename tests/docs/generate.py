"""`python -m tests.docs.generate`: update the parts of the documentation that are made from the code."""

import os
import re
from collections.abc import Callable
from unittest.mock import patch

from grader.inspection.reference_catalogue import reference_players
from grader.language import language
from grader.reports.labels import FINDINGS
from grader.sandbox.isolation import Level
from grader.sandbox.threats import THREATS
from tests.docs import assignment_page, commands_page, endings_page
from tests.docs.markdown import DOCS

COMMAND = ".venv/bin/python -m tests.docs.generate"


def main() -> None:
    """Write every page that is out of date."""
    for name, text in generated().items():
        file = DOCS / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            print(f"wrote docs/{name}")


def generated() -> dict[str, str]:
    """All generated pages, and the pages with a generated table, by their path in `docs/`."""
    with patch.dict(os.environ, {"LANGUAGE": "en"}):
        return {
            **{name: render() for name, render in PAGES.items()},
            **{name: _with_table(name, *table) for name, table in TABLES.items()},
        }


def threats_table() -> str:
    """Which isolation level stops which attack."""
    speak = language("en")
    rows = [
        f"| {speak(threat.what)} | {' | '.join('✓' if level >= threat.stopped_from else '–' for level in Level)} |"
        for threat in THREATS
    ]
    levels = " | ".join(str(level) for level in Level)
    return "\n".join([f"| attack | {levels} |", "|---|:-:|:-:|:-:|:-:|", *rows])


def findings_table() -> str:
    """The codes of all findings, and what reports call them."""
    speak = language("en")
    rows = [f"| `{code}` | {speak(label)} |" for code, label in sorted(FINDINGS.items())]
    return "\n".join(["| code | in reports |", "|---|---|", *rows])


def players_table() -> str:
    """The reference players with their options."""
    rows = []
    for one in reference_players():
        games = ", ".join(f"`{game}`" for game in one.games) or "any"
        options = ", ".join(f"`{name}={value}`" for name, value in one.options.items()) or "–"
        rows.append(f"| `{one.name}` | {games} | {one.summary} | {options} |")
    return "\n".join(["| name | games | what it is | options |", "|---|---|---|---|", *rows])


def _with_table(name: str, what: str, table: Callable[[], str]) -> str:
    """A page with its generated table, between two comments, made again."""
    begin, end = f"<!-- generated: {what} -->\n", "\n<!-- end -->"
    text = (DOCS / name).read_text(encoding="utf-8")
    pattern = re.compile(f"(?<={re.escape(begin)}).*?(?={re.escape(end)})", re.DOTALL)
    assert pattern.search(text), f"docs/{name} has no place for the table of {what}"
    return pattern.sub(lambda _: f"\n{table()}\n", text)


PAGES = {
    "reference/assignment.md": assignment_page.render,
    "reference/commands.md": commands_page.render,
    "reference/endings.md": endings_page.render,
}
TABLES = {
    "how-it-works/isolation.md": ("attacks", threats_table),
    "reference/findings.md": ("findings", findings_table),
    "reference/reference-players.md": ("reference players", players_table),
}

if __name__ == "__main__":
    main()
