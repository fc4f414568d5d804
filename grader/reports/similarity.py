"""`grader similarity`: submissions that share code, for the terminal."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from grader.intake.names import distinct_names, name_with_id
from grader.language import Language, Message, say
from grader.reports.table import Column, Report, Table, make_table
from grader.similarity import Comparison, SimilarGroup, SimilarPair
from grader.similarity.documents import Document
from grader.similarity.passages import LineRange, Passage
from grader.similarity.shipped_files import ShippedFile, ShippedKind

HINT = say(
    "This shows where to look; it proves nothing. Shared code may come from a book, from permitted collaboration or from "
    "the game itself. Read both versions and talk to the students."
)
_IDENTICAL = ("identical files", "identical file: {files}")
"""The remarks on pairs with identical files."""
LISTED_PASSAGES = 2
"""How many passages of a pair the terminal shows, the longest ones."""


def render(comparison: Comparison, speak: Language) -> Report:
    """The tables for the terminal, followed by remarks."""
    parts: list[str | Table] = []
    if comparison.groups:
        parts.append(_group_table(comparison, speak))
    names = _short_names(comparison)
    parts += [_table(section.pairs, names, speak(section.source), speak) for section in source_sections(comparison)]
    shipped = shipped_rows(comparison)
    if shipped:
        columns: list[Column | str] = [
            Column(head, wraps=True) for head in (speak.say("submission"), speak.say("file"), speak.say("what it is"))
        ]
        rows = [[", ".join(row.owners), row.name, speak(row.what)] for row in shipped]
        parts.append(make_table(columns, rows))
    parts += [speak(line) for line in remarks(comparison)]
    if comparison.groups or source_sections(comparison):
        parts.append(speak(HINT))
    return parts


@dataclass(frozen=True, slots=True)
class SourceSection:
    """The submissions that share code with one kind of source."""

    title: Message
    source: Message
    """What the second of each pair is."""
    pairs: tuple[SimilarPair, ...]


def source_sections(comparison: Comparison) -> list[SourceSection]:
    """The submissions that share code with something outside the class; no sections that are empty."""
    sections = [
        SourceSection(say("Overlap with earlier submissions"), say("earlier submission"), comparison.earlier),
        SourceSection(say("Overlap with known public code"), say("known public code"), comparison.known),
        SourceSection(say("Overlap with reference players"), say("reference player"), comparison.references),
    ]
    return [section for section in sections if section.pairs]


def remarks(comparison: Comparison) -> list[Message]:
    """What the tables do not show: omitted groups, ignored code, and remarks on single submissions."""
    found = [*_conclusion(comparison)]
    if comparison.more_groups:
        found.append(
            say(
                "{n} more group is not shown; use --top to see it.",
                "{n} more groups are not shown; use --top to see them.",
                n=comparison.more_groups,
            )
        )
    if comparison.handed_out:
        files = [say("{name} ({why})", name=name, why=why) for name, why in comparison.handed_out]
        together = reduce(lambda some, more: say("{some}, {more}", some=some, more=more), files)
        found.append(say("Treated as handed out, and not compared: {files}.", files=together))
    if comparison.common:
        found.append(say("Code common to most of the class was ignored."))
    found += _not_compared(comparison)
    for document in comparison.submissions:
        found += [say("{who}: {remark}", who=document_name(document), remark=remark) for remark in document.remarks]
    return found


def _conclusion(comparison: Comparison) -> Iterator[Message]:
    """What was compared, if no group says so."""
    count = len(comparison.submissions)
    compared = count - len(comparison.not_compared)
    if count < 2:
        yield say("There is only one submission, so it was not compared with others of this class.")
    elif comparison.groups:
        return
    elif compared < 2:
        yield say("No two submissions could be compared.")
    elif compared < count:
        yield say(
            "No two of the {compared} submissions that could be compared share {share:.0%} or more of their code.",
            compared=compared,
            share=comparison.at_least,
        )
    else:
        yield say(
            "No two of the {count} submissions share {share:.0%} or more of their code.",
            count=count,
            share=comparison.at_least,
        )


def _not_compared(comparison: Comparison) -> Iterator[Message]:
    """How many submissions could not be compared, and which have too little code; remarks say why the others."""
    if comparison.not_compared:
        yield say(
            "{number} of {count} submissions could not be compared.",
            number=len(comparison.not_compared),
            count=len(comparison.submissions),
        )
    if comparison.short:
        yield say("Too little original code to compare: {listed}.", listed=", ".join(comparison.short))
    for folder in comparison.sources:
        empty = sum(not document.grams for document in folder.documents)
        if empty:
            yield say(
                "{folder}: {n} of {count} submissions has no code that can be compared.",
                "{folder}: {n} of {count} submissions have no code that can be compared.",
                n=empty,
                count=len(folder.documents),
                folder=folder.name,
            )


@dataclass(frozen=True, slots=True)
class ShippedRow:
    """A file that is not source code, and the submissions that contain it."""

    owners: tuple[str, ...]
    name: str
    what: Message


def shipped_rows(comparison: Comparison) -> list[ShippedRow]:
    """The compiled programs, nets and engines in the class; the same file in several submissions is one row."""
    owners: dict[tuple[str, str], list[tuple[str, ShippedFile]]] = defaultdict(list)
    for document in comparison.submissions:
        for file in document.shipped:
            owners[file.digest, file.engine].append((document_name(document), file))
    rows = []
    for found in owners.values():
        file = found[0][1]
        rows.append(ShippedRow(tuple(dict.fromkeys(name for name, _ in found)), file.name, _what(file)))
    return sorted(rows, key=lambda row: (-len(row.owners), row.owners, row.name))


def _what(file: ShippedFile) -> Message:
    if file.kind is ShippedKind.PROGRAM:
        what = say("compiled program ({form})", form=file.form)
    elif file.kind is ShippedKind.NET:
        what = say("trained net or other computed data ({form})", form=file.form)
    else:
        return say("named like the engine {engine}", engine=file.engine)
    return say("{what}, engine {engine}", what=what, engine=file.engine) if file.engine else what


def document_name(document: Document) -> str:
    """The name and the id of a submission."""
    return name_with_id(document.name, document.id)


def _short_names(comparison: Comparison) -> dict[str, str]:
    """The names of the class's submissions in tables, by id."""
    return distinct_names((document.id, document.name) for document in comparison.submissions)


def group_remarks(group: SimilarGroup) -> tuple[Message, ...]:
    """The remarks on a group: those that all its listed pairs have, and who has identical files."""
    shared = tuple(remark for remark in group.pairs[0].remarks if all(remark in pair.remarks for pair in group.pairs))
    copies = {document.id for pair in group.pairs if pair.is_copy for document in (pair.first, pair.second)}
    if not copies or any(remark.template in _IDENTICAL for remark in shared):
        return shared
    if len(copies) == len(group.members):
        return (say("whole files are identical"), *shared)
    names = ", ".join(document_name(document) for document in group.members if document.id in copies)
    return (say("whole files are identical: {names}", names=names), *shared)


def _group_table(comparison: Comparison, speak: Language) -> Table:
    columns: list[Column | str] = [
        *(speak.say("group"), Column(speak.say("submission")), speak.say("overlap")),
        Column(speak.say("shared passages"), wraps=True),
    ]
    rows = []
    short = _short_names(comparison)
    for number, group in enumerate(comparison.groups, start=1):
        names = "\n".join(short[document.id] for document in group.members)
        shares = "\n".join(speak.number(group.share_of(at), ".0%") for at in range(len(group.members)))
        notes = [*group_remarks(group), *_passage_notes(group.pairs[0])]
        rows.append([str(number), names, shares, "\n".join(map(speak, notes))])
    return make_table(columns, rows)


def _passage_notes(pair: SimilarPair) -> list[str]:
    longest = sorted(pair.passages, key=lambda passage: -passage.symbols)[:LISTED_PASSAGES]
    more = len(pair.passages) - len(longest)
    return [passage_lines(passage) for passage in longest] + ([say("{n} more", "{n} more", n=more)] if more else [])


def _table(pairs: Sequence[SimilarPair], names: Mapping[str, str], other: str, speak: Language) -> Table:
    overlap = speak.say("overlap")
    columns: list[Column | str] = [
        *(Column(speak.say("submission"), wraps=True), overlap, Column(other, wraps=True), overlap),
        Column(speak.say("shared passages"), wraps=True),
    ]
    return make_table(columns, [_row(pair, names, speak) for pair in pairs])


def _row(pair: SimilarPair, names: Mapping[str, str], speak: Language) -> list[str]:
    notes = [*pair_remarks(pair), *_passage_notes(pair)]
    return [
        *(names[pair.first.id], speak.number(pair.share_of_first, ".0%")),
        *(document_name(pair.second), speak.number(pair.share_of_second, ".0%")),
        "\n".join(map(speak, notes)),
    ]


def pair_remarks(pair: SimilarPair) -> tuple[Message, ...]:
    """The remarks on a pair, and how many other sources are similar, too."""
    if not pair.others:
        return pair.remarks
    more = say("similar to {n} other, too", "similar to {n} others, too", n=len(pair.others))
    return (*pair.remarks, more)


def passage_lines(passage: Passage) -> str:
    """The lines of a passage in both submissions: `solution.py:10–42 = solution.py:7–39`."""
    return f"{line_range_label(passage.first)} = {line_range_label(passage.second)}"


def line_range_label(lines: LineRange) -> str:
    """A file and its lines: `solution.py:10–42`."""
    return f"{lines.file}:{lines.first}" + (f"–{lines.last}" if lines.last != lines.first else "")
