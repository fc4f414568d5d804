"""`grader similarity`: submissions that share code, for the terminal, for programs and for spreadsheets."""

import json
from collections.abc import Sequence
from functools import reduce
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
    "This shows where to look; it proves nothing. Shared code may come from a book, from permitted collaboration or from "
    "the game itself. Read both versions and talk to the students."
)


LISTED_PASSAGES = 2
"""How many passages of a pair the terminal shows, the longest ones."""


def render(comparison: Comparison, speak: Language) -> str:
    """The tables for the terminal, followed by remarks."""
    parts = []
    if comparison.pairs:
        parts.append(_table(comparison.pairs, speak.say("similar to"), speak))
    if comparison.references:
        parts.append(_table(comparison.references, speak.say("reference player"), speak))
    parts += [speak(line) for line in remarks(comparison)]
    if comparison.pairs or comparison.references:
        parts.append(speak(HINT))
    return "\n\n".join(parts)


def remarks(comparison: Comparison) -> list[Message]:
    """What the tables do not show: omitted pairs, ignored code, and remarks on single submissions."""
    found = []
    if len(comparison.submissions) < 2:
        found.append(say("There is only one submission, so it was compared only with the reference players."))
    elif not comparison.pairs:
        found.append(
            say(
                "No two of the {count} submissions share {share:.0%} or more of their code.",
                count=len(comparison.submissions),
                share=comparison.at_least,
            )
        )
    if comparison.more:
        found.append(
            say(
                "{n} more pair is not shown; use --top to see it.",
                "{n} more pairs are not shown; use --top to see them.",
                n=comparison.more,
            )
        )
    if comparison.handed_out:
        files = [say("{name} ({why})", name=name, why=why) for name, why in comparison.handed_out]
        together = reduce(lambda some, more: say("{some}, {more}", some=some, more=more), files)
        found.append(say("Treated as handed out, and not compared: {files}.", files=together))
    if comparison.common:
        found.append(say("Code common to most of the class was ignored."))
    if comparison.short:
        listed = ", ".join(comparison.short)
        found.append(say("Too little original code to compare: {listed}.", listed=listed))
    for document in comparison.submissions:
        found += [say("{who}: {remark}", who=document_name(document), remark=remark) for remark in document.remarks]
    return found


def document_name(document: Document) -> str:
    """The name and the id of a submission."""
    return name_with_id(document.name, document.id)


def _table(pairs: Sequence[SimilarPair], other: str, speak: Language) -> str:
    overlap = speak.say("overlap")
    headers = [speak.say("submission"), overlap, other, overlap, speak.say("shared passages")]
    return tabulate([_row(pair, speak) for pair in pairs], headers, disable_numparse=True)


def _row(pair: SimilarPair, speak: Language) -> list[str]:
    longest = sorted(pair.passages, key=lambda passage: -passage.symbols)[:LISTED_PASSAGES]
    notes = [speak(remark) for remark in pair.remarks] + [passage_lines(passage) for passage in longest]
    more = len(pair.passages) - len(longest)
    if more:
        notes.append(speak.say("{n} more", "{n} more", n=more))
    return [
        *(document_name(pair.first), speak.number(pair.share_of_first, ".0%")),
        *(document_name(pair.second), speak.number(pair.share_of_second, ".0%")),
        ", ".join(notes),
    ]


def passage_lines(passage: Passage) -> str:
    """The lines of a passage in both submissions: `solution.py:10–42 = solution.py:7–39`."""
    return f"{line_range_label(passage.first)} = {line_range_label(passage.second)}"


def line_range_label(lines: LineRange) -> str:
    """A file and its lines: `solution.py:10–42`."""
    return f"{lines.file}:{lines.first}" + (f"–{lines.last}" if lines.last != lines.first else "")


def render_json(comparison: Comparison) -> str:
    """`similarity.json`."""
    content = {
        "at_least": comparison.at_least,
        "submissions": len(comparison.submissions),
        "pairs": [_data(pair) for pair in comparison.pairs],
        "references": [_data(pair) for pair in comparison.references],
        "not_listed": comparison.more,
        "handed_out": [{"file": name, "reason": str(why)} for name, why in comparison.handed_out],
        "too_short": list(comparison.short),
        "remarks": {document.id: list(document.remarks) for document in comparison.submissions if document.remarks},
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _data(pair: SimilarPair) -> dict[str, Any]:
    return {
        "first": {"id": pair.first.id, "name": pair.first.name, "share": round(pair.share_of_first, 4)},
        "second": {"id": pair.second.id, "name": pair.second.name, "share": round(pair.share_of_second, 4)},
        "fingerprints": pair.shared,
        "remarks": list(pair.remarks),
        "passages": as_json(pair.passages),
    }


def render_csv(comparison: Comparison, speak: Language) -> str:
    """`similarity.csv`: a row for each pair. No text from a student can be run as a formula."""
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
    for kind, pairs in (("submissions", comparison.pairs), ("reference", comparison.references)):
        lines += [
            [
                *(kind, safe_cell(pair.first.id), safe_cell(pair.first.name), f"{pair.share_of_first:.4f}"),
                *(safe_cell(pair.second.id), safe_cell(pair.second.name), f"{pair.share_of_second:.4f}"),
                "; ".join(speak(remark) for remark in pair.remarks),
                safe_cell("; ".join(passage_lines(passage) for passage in pair.passages)),
            ]
            for pair in pairs
        ]
    return csv_text(lines)
