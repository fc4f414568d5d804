"""`similarity.json` and `similarity.csv`: submissions that share code, for programs and for spreadsheets."""

import json
from typing import Any

from grader.language import Language
from grader.records import as_json
from grader.reports.similarity import passage_lines
from grader.reports.spreadsheets import csv_text, number_cell, safe_cell
from grader.similarity import Comparison, SimilarGroup, SimilarPair
from grader.similarity.documents import Document

_HEADS = [
    *("kind", "first", "first_name", "share_of_first", "second", "second_name", "share_of_second", "remarks", "lines"),
    "group",
]


def render_json(comparison: Comparison) -> str:
    """`similarity.json`."""
    content = {
        "at_least": comparison.at_least,
        "submissions": len(comparison.submissions),
        "groups": [_group(group) for group in comparison.groups],
        "groups_not_listed": comparison.more_groups,
        "pairs": [_pair(pair) for pair in comparison.pairs],
        "references": [_pair(pair) for pair in comparison.references],
        "earlier": [_pair(pair) | {"others": list(pair.others)} for pair in comparison.earlier],
        "known": [_pair(pair) | {"others": list(pair.others)} for pair in comparison.known],
        "shipped": {each.id: as_json(each.shipped) for each in comparison.submissions if each.shipped},
        "not_listed": comparison.more,
        "handed_out": [{"file": name, "reason": str(why)} for name, why in comparison.handed_out],
        "not_compared": [document.id for document in comparison.not_compared],
        "too_short": list(comparison.short),
        "remarks": {document.id: list(document.remarks) for document in comparison.submissions if document.remarks},
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _group(group: SimilarGroup) -> dict[str, Any]:
    return {
        "members": [
            {"id": document.id, "name": document.name, "share": round(group.share_of(number), 4)}
            for number, document in enumerate(group.members)
        ],
        "identical_files": group.is_copy,
        "shares": [[round(share, 4) for share in row] for row in group.shares],
    }


def _pair(pair: SimilarPair) -> dict[str, Any]:
    return {
        "first": {"id": pair.first.id, "name": pair.first.name, "share": round(pair.share_of_first, 4)},
        "second": {"id": pair.second.id, "name": pair.second.name, "share": round(pair.share_of_second, 4)},
        "fingerprints": pair.shared,
        "remarks": list(pair.remarks),
        "passages": as_json(pair.passages),
    }


def render_csv(comparison: Comparison, speak: Language) -> str:
    """`similarity.csv`: a row for each pair. No text from a student can be run as a formula."""
    pairs = [("submissions", pair) for pair in comparison.pairs]
    pairs += [("earlier", pair) for pair in comparison.earlier]
    pairs += [("known", pair) for pair in comparison.known]
    pairs += [("reference", pair) for pair in comparison.references]
    return csv_text([_HEADS, *(_row(kind, pair, comparison, speak) for kind, pair in pairs)], speak)


def _row(kind: str, pair: SimilarPair, comparison: Comparison, speak: Language) -> list[str]:
    return [
        *(
            kind,
            safe_cell(pair.first.id),
            safe_cell(pair.first.name),
            number_cell(round(pair.share_of_first, 4), speak),
        ),
        *(safe_cell(pair.second.id), safe_cell(pair.second.name), number_cell(round(pair.share_of_second, 4), speak)),
        "; ".join(speak(remark) for remark in pair.remarks),
        safe_cell("; ".join(passage_lines(passage) for passage in pair.passages)),
        _group_number(comparison, {pair.first.id, pair.second.id}) if kind == "submissions" else "",
    ]


def _group_number(comparison: Comparison, pair: set[str]) -> str:
    """The number of the group that contains both submissions; empty if it is not listed."""
    numbered = enumerate(comparison.groups, start=1)
    return next((str(number) for number, group in numbered if pair <= _ids(group.members)), "")


def _ids(documents: tuple[Document, ...]) -> set[str]:
    return {document.id for document in documents}
