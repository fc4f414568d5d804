"""What is read for a game's exam from the part of a submission's code that its player's moves can reach."""

from grader.games.exam import MethodCall, PlayedCode, StepList
from grader.inspection.entry import Entry
from grader.inspection.reach import Reach
from grader.inspection.submission_code import SubmissionCode
from grader.intake.files import printable_path
from grader.source.facts import Source


def read_played_code(code: SubmissionCode, entry: Entry) -> PlayedCode:
    """The code that the entry's moves can reach, as far as an exam looks at it."""
    start = [source for source in code.graph.sources if source.file == entry.file]
    sources = [source for first in start for source in code.graph.reachable_files(first)]
    reach = Reach(code.graph, sources, entry)
    mentions = reach.mentions()
    return PlayedCode(
        steps=tuple(
            StepList(where=_place(source, steps.line), even=steps.even, odd=steps.odd)
            for source in sources
            for steps in source.steps
            if (steps.name in mentions if steps.name else reach.covers(source, steps.line))
        ),
        calls=tuple(
            MethodCall(where=_place(source, call.line), method=call.method, arguments=call.arguments)
            for source in sources
            for call in source.constant_calls
            if reach.covers(source, call.line)
        ),
        mentions=mentions,
    )


def _place(source: Source, line: int) -> str:
    return f"{printable_path(source.file)}:{line}"
