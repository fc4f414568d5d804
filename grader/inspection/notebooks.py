"""Findings about notebooks, and the cells in which other findings are."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from grader.inspection.entry import Entry
from grader.inspection.places import source_place
from grader.inspection.submission_code import SubmissionCode
from grader.intake.files import printable_path
from grader.intake.names import printable
from grader.language import Message, say
from grader.records import Finding
from grader.source.facts import Source
from grader.source.notebook import cell_file
from grader.source.notebook_code import LeftOut

LISTED = 6
"""How many parts of a notebook that are left out are listed."""


def notebook_findings(code: SubmissionCode, entry: Entry) -> Iterator[Finding]:
    """That the player is in a notebook, and what of the notebook is not used."""
    for source in code.graph.sources:
        if source.notebook is None or source.file != entry.file:
            continue
        file = printable_path(source.file)
        text = say(
            "Graded the code cells of the notebook {file}, without magics and top-level runs; {place} means cell 3, line 5.",
            file=file,
            place=f"{cell_file(file, 3)}:5",
        )
        if parts := source.notebook.left_out:
            listed: Message = _describe(parts[0])
            for part in parts[1:LISTED]:
                listed = say("{before}; {part}", before=listed, part=_describe(part))
            if len(parts) > LISTED:
                listed = say("{listed} and {more} more", listed=listed, more=len(parts) - LISTED)
            text = say("{text} Left out: {listed}.", text=text, listed=listed)
        help_ = say("Check that the player does not need what was left out, or submit a .py file.")
        yield Finding(code="notebook", file=file, text=text, help=help_)


def _describe(part: LeftOut) -> Message:
    code = printable(part.text)
    if part.first == part.last:
        return say("cell {cell}, line {line} ({code})", cell=part.cell, line=part.first, code=code)
    return say(
        "cell {cell}, lines {first}–{last} ({code} …)", cell=part.cell, first=part.first, last=part.last, code=code
    )


def in_cells(findings: Iterable[Finding], code: SubmissionCode) -> tuple[Finding, ...]:
    """The same findings, those in notebooks with the cell and the line in it."""
    notebooks = {printable_path(source.file): source for source in code.graph.sources if source.notebook is not None}
    return tuple(_in_cell(finding, notebooks.get(finding.file or "")) for finding in findings)


def _in_cell(finding: Finding, source: Source | None) -> Finding:
    if source is None or finding.line is None:
        return finding
    file, line = source_place(source, finding.line)
    return replace(finding, file=file, line=line)
