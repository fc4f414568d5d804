"""What is read for a game's exam from the part of a submission's code that its player's moves can reach."""

from collections.abc import Sequence

from grader.games.exam import MethodCall, PlayedCode, StepList
from grader.inspection.entry import Entry
from grader.inspection.places import source_place_text
from grader.inspection.reach import Reach
from grader.inspection.submission_code import SubmissionCode
from grader.source.facts import Source, Steps


def read_played_code(code: SubmissionCode, entry: Entry) -> PlayedCode:
    """The code that the entry's moves can reach, as far as an exam looks at it."""
    start = [source for source in code.graph.sources if source.file == entry.file]
    sources = [source for first in start for source in code.graph.reachable_files(first)]
    reach = Reach(code.graph, sources, entry)
    return PlayedCode(
        steps=tuple(
            StepList(where=source_place_text(source, steps.line), even=steps.even, odd=steps.odd)
            for source in sources
            for steps in source.steps
            if _is_used(steps, source, sources, reach)
        ),
        calls=tuple(
            MethodCall(where=source_place_text(source, call.line), method=call.method, arguments=call.arguments)
            for source in sources
            for call in source.constant_calls
            if reach.covers(source, call.line)
        ),
    )


def _is_used(steps: Steps, source: Source, sources: Sequence[Source], reach: Reach) -> bool:
    """Whether a move can reach a list: the function that it is in, or one that mentions its name."""
    if not steps.name:
        return reach.covers(source, steps.line)
    namesakes = [other.file for other in sources if any(one.name == steps.name for one in other.steps)]
    return reach.uses_constant(source, steps.name, namesakes)
