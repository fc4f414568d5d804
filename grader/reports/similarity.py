"""Who shares code with whom: for the terminal, for programs and for a spreadsheet. A hint, and worded as one."""

import json
from collections.abc import Sequence
from typing import Any

from tabulate import tabulate

from grader.language import Language, Message, say
from grader.records import as_json
from grader.reports.labels import name_with_id
from grader.reports.spreadsheets import csv_text, safe_cell
from grader.similarity import Comparison, SimilarPair
from grader.similarity.documents import Document
from grader.similarity.passages import LineRange, Passage

HINT = say(
    "This is a hint where to look, and never a verdict: shared code may come from a book, from working together as allowed, "
    "or from the game itself. Read both sides, and talk to the people."
)


def render(comparison: Comparison, speak: Language) -> str:
    """The tables for the terminal, and what they leave out."""
    parts = []
    if comparison.pairs:
        parts.append(_table(comparison.pairs, speak.say("shared with"), speak))
    if comparison.references:
        parts.append(_table(comparison.references, speak.say("reference player"), speak))
    parts += [speak(line) for line in remarks(comparison)]
    if comparison.pairs or comparison.references:
        parts.append(speak(HINT))
    return "\n\n".join(parts)


def remarks(comparison: Comparison) -> list[Message]:
    """What the tables do not show."""
    found = []
    if len(comparison.submissions) < 2:
        found.append(
            say("There is only one submission, so there is nobody to compare it with but the reference players.")
        )
    elif not comparison.pairs:
        found.append(
            say(
                "No two of {count} submissions share {share:.0%} or more of their code.",
                count=len(comparison.submissions),
                share=comparison.at_least,
            )
        )
    if comparison.more:
        found.append(say("{count} more pairs share as much: list them with --top.", count=comparison.more))
    if comparison.common:
        found.append(say("What most of the class has written the same way was left out of account."))
    if comparison.short:
        listed = ", ".join(comparison.short)
        found.append(say("Too little code of their own to be compared: {listed}.", listed=listed))
    for document in comparison.submissions:
        found += [say("{who}: {remark}", who=document_name(document), remark=remark) for remark in document.remarks]
    return found


def document_name(document: Document) -> str:
    """A submission by its name and its id."""
    return name_with_id(document.name, document.id)


def _table(pairs: Sequence[SimilarPair], other: str, speak: Language) -> str:
    share = speak.say("shared of it")
    headers = [speak.say("submission"), share, other, share, ""]
    return tabulate([_row(match, speak) for match in pairs], headers, disable_numparse=True)


def _row(match: SimilarPair, speak: Language) -> list[str]:
    where = [speak(remark) for remark in match.remarks] + [passage_lines(passage) for passage in longest(match)[:2]]
    more = len(match.passages) - 2
    if more > 0:
        where.append(speak.say("{count} more", count=more))
    return [
        *(
            document_name(match.first),
            f"{match.share_of_first:.0%}",
            document_name(match.second),
            f"{match.share_of_second:.0%}",
        ),
        ", ".join(where),
    ]


def longest(match: SimilarPair) -> list[Passage]:
    """Its passages, the longest first."""
    return sorted(match.passages, key=lambda passage: -passage.symbols)


def passage_lines(passage: Passage) -> str:
    """Where a passage stands on both sides: `solution.py:10–42 = solution.py:7–39`."""
    return f"{place(passage.first)} = {place(passage.second)}"


def place(at: LineRange) -> str:
    """`solution.py:10–42`."""
    return f"{at.file}:{at.first}" + (f"–{at.last}" if at.last != at.first else "")


def render_json(comparison: Comparison) -> str:
    """`similarity.json`."""
    content = {
        "at_least": comparison.at_least,
        "submissions": len(comparison.submissions),
        "pairs": [_data(match) for match in comparison.pairs],
        "references": [_data(match) for match in comparison.references],
        "not_listed": comparison.more,
        "too_short": list(comparison.short),
        "remarks": {document.id: list(document.remarks) for document in comparison.submissions if document.remarks},
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _data(match: SimilarPair) -> dict[str, Any]:
    return {
        "first": {"id": match.first.id, "name": match.first.name, "share": round(match.share_of_first, 4)},
        "second": {"id": match.second.id, "name": match.second.name, "share": round(match.share_of_second, 4)},
        "fingerprints": match.shared,
        "remarks": list(match.remarks),
        "passages": as_json(match.passages),
    }


def render_csv(comparison: Comparison, speak: Language) -> str:
    """`similarity.csv`: a line a pair, in which nothing that a student wrote is a formula."""
    heads = [
        "kind",
        "first",
        "first_name",
        "share_of_first",
        "second",
        "second_name",
        "share_of_second",
        "remarks",
        "lines",
    ]
    lines = [heads]
    for kind, matches in (("submissions", comparison.pairs), ("reference", comparison.references)):
        lines += [
            [
                *(kind, safe_cell(match.first.id), safe_cell(match.first.name), f"{match.share_of_first:.4f}"),
                *(safe_cell(match.second.id), safe_cell(match.second.name), f"{match.share_of_second:.4f}"),
                "; ".join(speak(remark) for remark in match.remarks),
                safe_cell("; ".join(passage_lines(passage) for passage in match.passages)),
            ]
            for match in matches
        ]
    return csv_text(lines)
