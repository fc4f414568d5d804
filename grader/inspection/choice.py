"""Choose one of the candidates, or say why none can be chosen."""

from collections.abc import Sequence
from pathlib import Path

from grader.inspection.candidates import Candidate
from grader.inspection.import_graph import ImportGraph
from grader.inspection.no_player import unfinished_player_finding
from grader.inspection.ranking import OTHER, TEST, Clues, Rank
from grader.intake.files import printable_path
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source, Unreadable

SEVERAL_PLAYERS = "several_players"
"""The code of the finding that the player cannot be chosen: the instructor decides."""
_LISTED = 5
"""How many candidates a message names."""


def choose(
    candidates: list[Candidate], unreadable: Sequence[Unreadable], graph: ImportGraph, clues: Clues
) -> tuple[Candidate | None, list[Finding]]:
    """The first of the candidates, or None if another is as good; and the findings about the choice."""
    if not candidates or any(_is_before(bad, candidates[0], clues) for bad in unreadable):
        return None, []
    first = candidates[0]
    if (unfinished := unfinished_player_finding(first, graph, clues)) is not None:
        return None, [unfinished]
    equals = [other for other in candidates[1:] if other.rank == first.rank and not other.is_copy]
    if equals:
        return None, [_several_players_finding([first, *equals])]
    return first, [_chosen_finding(first, candidates[1:])] if len(candidates) > 1 else []


def _is_before(bad: Unreadable, first: Candidate, clues: Clues) -> bool:
    """Whether a file that cannot be parsed would have come first: then no other player may be used instead."""
    rank = clues.file_rank(bad.file)
    return rank.standing != TEST and rank.file != OTHER and rank.place < first.rank.place


def _chosen_finding(first: Candidate, others: list[Candidate]) -> Finding:
    text = say("Using {first}; also found {others}.", first=str(first), others=_join_names(others))
    help_ = say("If this is the wrong one, submit only the player that should be graded.")
    return Finding(code="chosen", file=printable_path(first.source.file), line=first.line, text=text, help=help_)


def _several_players_finding(best: list[Candidate]) -> Finding:
    first, names = best[0], {candidate.name for candidate in best}
    text = say("Found several players and cannot tell which one to use: {best}.", best=_join_names(best))
    help_ = say("Rename the class that should play to SmartPlayer.")
    if names == {"SmartPlayer"} or first.kind == "function":
        help_ = say(
            "Submit only one of them, or put the one that should play at the top of the folder, as solution.py."
        )
    return Finding(code=SEVERAL_PLAYERS, file=printable_path(first.source.file), line=first.line, text=text, help=help_)


def _join_names(candidates: list[Candidate]) -> str:
    listed = ", ".join(str(candidate) for candidate in candidates[:_LISTED])
    more = len(candidates) - _LISTED
    return say("{listed} and {more} more", listed=listed, more=more) if more > 0 else listed


def choose_named(
    wanted: str, graph: ImportGraph, candidates: list[Candidate], unreadable: Sequence[Unreadable], clues: Clues
) -> tuple[Candidate | None, list[Finding]]:
    """The player that the assignment names: `solution.py`, `src/solution.py` or `solution.py:SmartPlayer`."""
    path, _, name = wanted.partition(":")
    for source in graph.sources:
        own = [candidate for candidate in candidates if candidate.source is source]
        if not is_path_of(path, source.file):
            continue
        if not name and own:
            return choose(own, [], graph, clues)
        if name and (found := _named_candidate(name, source, graph)) is not None:
            return found, []
    if any(is_path_of(path, bad.file) for bad in unreadable):
        return None, []  # another finding says what is wrong with it
    text = say("The assignment requires the player {wanted}, which is not in the submission.", wanted=wanted)
    help_ = say("Put the player in {path}.", path=path)
    if name:
        help_ = say("Put the player in {path}, in a class named {name}.", path=path, name=name)
    return None, [Finding(code="no_player", text=text, help=help_)]


def is_path_of(path: str, file: Path) -> bool:
    """Whether a path means this file: it may omit the folder that contains the whole submission."""
    wanted, parts = ([part.lower() for part in path.parts] for path in (Path(path), file))
    return bool(wanted) and parts[-len(wanted) :] == wanted


def _named_candidate(name: str, source: Source, graph: ImportGraph) -> Candidate | None:
    rank = Rank(0, 0, 0, 0, 0, 0)
    if name == "play" and source.play_function is not None:
        return Candidate(source, name, "function", source.play_function, rank)
    cls = graph.find_class(name, source)
    is_defined = name in source.aliases or any(item.alias == name for item in source.imports)
    if cls is None and not is_defined:
        return None
    line = cls.shape.line if cls is not None and cls.source is source else 1
    return Candidate(source, name, "class", line, rank)
