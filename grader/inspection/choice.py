"""Choose one of the candidates, or say why none can be chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.inspection.candidates import Candidate, can_play
from grader.inspection.import_graph import DefinedClass, ImportGraph
from grader.inspection.no_player import (
    missing_play_finding,
    unfinished_classes,
    unfinished_finding,
    unfinished_player,
    unreadable_finding,
)
from grader.inspection.ranking import ASIDE, HANDED_OUT, OTHER, OWN, TEST, Clues
from grader.intake.files import printable_path
from grader.intake.handouts import PLAYER as BASE_CLASS
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source, Unreadable

SEVERAL_PLAYERS = "several_players"
UNFINISHED_PLAYER = "unfinished_player"
NEED_DECISION = frozenset({SEVERAL_PLAYERS, UNFINISHED_PLAYER})
"""The codes of findings that the player cannot be chosen: the instructor decides."""
_EMPTY_BASES = frozenset({BASE_CLASS, "object", "ABC"})
"""Base classes from which no `play` can be inherited."""
_LISTED = 5
"""How many candidates a message names."""

Chosen = tuple[Candidate | None, list[Finding]]
"""The player, or None if there is none that can be chosen; and the findings about the choice."""


@dataclass(frozen=True, slots=True)
class Contenders:
    """The candidates of a submission, best first, and everything else that a choice depends on."""

    candidates: list[Candidate]
    unreadable: Sequence[Unreadable]
    graph: ImportGraph
    clues: Clues


def choose(contenders: Contenders) -> Chosen:
    """The first of the candidates, unless another is as good, or the student's own work is another one."""
    candidates, clues = contenders.candidates, contenders.clues
    if not candidates or any(_is_before(bad, candidates[0], clues) for bad in contenders.unreadable):
        return None, []
    if (unfinished := unfinished_player(candidates[0], contenders.graph, clues)) is not None:
        named = [candidate for candidate in candidates if candidate.rank.standing == OWN and candidate.rank.readme == 0]
        if named and not clues.is_named(unfinished.shape.name):
            return _first(named)
        return None, [unfinished_finding(unfinished)]
    if (doubt := _doubt(contenders)) is not None:
        return None, [doubt]
    return _first(candidates)


def _is_before(bad: Unreadable, first: Candidate, clues: Clues) -> bool:
    """Whether a file that cannot be parsed would have come first: then no other player may be used instead."""
    rank = clues.file_rank(bad.file)
    return rank.standing != TEST and rank.file != OTHER and rank.place < first.rank.place


def _first(candidates: list[Candidate]) -> Chosen:
    first, *others = candidates
    equals = [other for other in others if other.rank == first.rank and not other.is_copy]
    if equals:
        return None, [_several_players_finding([first, *equals])]
    return first, [_chosen_finding(first, others)] if others else []


def _doubt(contenders: Contenders) -> Finding | None:
    """Why the first candidate may not be the student's work, though it is the best: the instructor has to decide."""
    first, *others = contenders.candidates
    if first.rank.standing == OWN:
        return None
    if (problem := next(_problems_before(first, contenders), None)) is not None:
        text = say(
            "{problem} The best other player is {first}: {why}.", problem=problem.text, first=str(first), why=first.why
        )
        return Finding(code=UNFINISHED_PLAYER, file=problem.file, line=problem.line, text=text, help=problem.help)
    handed_out = [other for other in others if other.rank.standing == HANDED_OUT and not other.is_copy]
    if first.rank.standing == ASIDE and handed_out:  # what a group shares looks the same as what was handed out
        return _several_players_finding([first, *handed_out])
    return None


def _problems_before(first: Candidate, contenders: Contenders) -> Iterator[Finding]:
    """What is unfinished or cannot be parsed, though it is more the student's own work than the first candidate."""
    graph, clues = contenders.graph, contenders.clues
    for cls in unfinished_classes(graph):
        if clues.class_rank(cls.source, cls.shape.name, cls, graph).standing < first.rank.standing:
            yield unfinished_finding(cls)
    for bad in contenders.unreadable:
        if clues.file_rank(bad.file).standing < first.rank.standing:
            yield unreadable_finding(bad)


def _chosen_finding(first: Candidate, others: list[Candidate]) -> Finding:
    text = say("Using {first}; also found {others}.", first=str(first), others=_join_names(others))
    help_ = say("If this is the wrong one, submit only the player that should be graded.")
    return Finding(code="chosen", file=printable_path(first.source.file), line=first.line, text=text, help=help_)


def _several_players_finding(best: list[Candidate]) -> Finding:
    first, names = best[0], {candidate.name for candidate in best}
    text = say("Found several players and cannot tell which one to use: {best}.", best=_join_names(best))
    help_ = say("Rename the class that should play to SmartPlayer.")
    if names == {"SmartPlayer"} or first.kind == "function" or first.rank.standing != OWN:
        help_ = say(
            "Submit only one of them, or put the one that should play at the top of the folder, as solution.py."
        )
    return Finding(code=SEVERAL_PLAYERS, file=printable_path(first.source.file), line=first.line, text=text, help=help_)


def _join_names(candidates: list[Candidate]) -> str:
    listed = ", ".join(str(candidate) for candidate in candidates[:_LISTED])
    more = len(candidates) - _LISTED
    return say("{listed} and {more} more", listed=listed, more=more) if more > 0 else listed


def choose_named(wanted: str, contenders: Contenders) -> Chosen:
    """The player that an override names, and no other: `solution.py`, `src/solution.py` or `solution.py:SmartPlayer`."""
    path, _, name = wanted.partition(":")
    for source in contenders.graph.sources:
        if not _is_path_of(path, source.file):
            continue
        if not name and (own := _candidates_in(source, contenders)):
            return _first_finished(own, contenders)
        if name and (found := _named_candidate(name, source, contenders)) is not None:
            cls = contenders.graph.find_class(name, source)
            if cls is not None and found.kind == "class" and _lacks_play(cls, contenders.graph):
                return None, [missing_play_finding(cls, "no_player")]
            return found, []
    if any(_is_path_of(path, bad.file) for bad in contenders.unreadable):
        return None, []  # another finding says what is wrong with it
    text = say("The assignment requires the player {wanted}, which is not in the submission.", wanted=wanted)
    help_ = say("Put the player in {path}.", path=path)
    if name:
        help_ = say("Put the player in {path}, in a class named {name}.", path=path, name=name)
    return None, [Finding(code="no_player", text=text, help=help_)]


def choose_asked(asked: str, contenders: Contenders) -> Chosen:
    """The player that an assignment asks all submissions for or, if a submission has none there, the first by the rule.

    It must be a candidate, and as much the student's own work as the best one. Exactly where it was asked for, it may also be
    in a folder that would come last.
    """
    path, _, name = asked.partition(":")
    if any(bad.cell is None and _is_exactly(path, bad.file, contenders.clues) for bad in contenders.unreadable):
        return None, []  # another finding says what is wrong with it
    there = sorted(_asked_candidates(path, name, contenders), key=lambda candidate: candidate.rank)
    exact = [candidate for candidate in there if _is_exactly(path, candidate.source.file, contenders.clues)]
    if best := exact or there:
        return _first(best) if name else _first_finished(best, contenders)
    found, findings = choose(contenders)
    if found is None:
        return None, findings
    finding = Finding(
        code="not_at_entry",
        text=say("The assignment asks for the player {asked}; using {used} instead.", asked=asked, used=str(found)),
        help=say("If this is the wrong one, put your player where the assignment asks for it."),
        file=printable_path(found.source.file),
    )
    return found, [finding, *findings]


def _asked_candidates(path: str, name: str, contenders: Contenders) -> Iterator[Candidate]:
    """The candidates at a path, only those with the name if there is one, that may play before all others."""
    limit = _asked_limit(contenders)
    for source in contenders.graph.sources:
        if _is_path_of(path, source.file):
            allowed = {*range(limit + 1), *((ASIDE, TEST) if _is_exactly(path, source.file, contenders.clues) else ())}
            own = [candidate for candidate in _candidates_in(source, contenders) if name in ("", candidate.name)]
            own = own or list(_playable(name, source, contenders))
            yield from (candidate for candidate in own if candidate.rank.standing in allowed)


def _asked_limit(contenders: Contenders) -> int:
    """How little a player may be the student's own work if the assignment asks for it: no less than the best that is sure."""
    if not contenders.candidates:
        return TEST
    return contenders.candidates[0].rank.standing if _doubt(contenders) is None else OWN


def _playable(name: str, source: Source, contenders: Contenders) -> Iterator[Candidate]:
    """What a name means in a file, unless it is known to be a class that cannot play, or the course's base class."""
    cls = contenders.graph.find_class(name, source)
    is_base = cls is not None and cls.shape.name == BASE_CLASS and BASE_CLASS in contenders.graph.base_names
    found = _named_candidate(name, source, contenders)
    if found is not None and (
        found.kind == "function" or cls is None or (can_play(cls, contenders.graph) and not is_base)
    ):
        yield found


def _first_finished(candidates: list[Candidate], contenders: Contenders) -> Chosen:
    """The first of these candidates, unless an unfinished one in its file comes before it."""
    unfinished = unfinished_player(candidates[0], contenders.graph, contenders.clues)
    if unfinished is not None and unfinished.source is candidates[0].source:
        return None, [unfinished_finding(unfinished)]
    return _first(candidates)


def _candidates_in(source: Source, contenders: Contenders) -> list[Candidate]:
    return [candidate for candidate in contenders.candidates if candidate.source is source]


def _is_path_of(path: str, file: Path) -> bool:
    """Whether a path means this file: it may omit the folder that contains the whole submission."""
    wanted, parts = ([part.lower() for part in path.parts] for path in (Path(path), file))
    return bool(wanted) and parts[-len(wanted) :] == wanted


def _is_exactly(path: str, file: Path, clues: Clues) -> bool:
    """Whether a file is at a path of the submission, or of the folder that contains all of it."""
    return _is_path_of(path, file) and len(Path(path).parts) in (
        len(file.parts),
        len(file.parts) - len(clues.top.parts),
    )


def _named_candidate(name: str, source: Source, contenders: Contenders) -> Candidate | None:
    if name == "play" and source.play_function is not None:
        return Candidate(source, name, "function", source.play_function, contenders.clues.function_rank(source))
    cls = contenders.graph.find_class(name, source)
    if cls is not None:
        line = cls.shape.line if cls.source is source else 1
        return Candidate(source, name, "class", line, contenders.clues.class_rank(source, name, cls, contenders.graph))
    if name in source.aliases or any(item.alias == name for item in source.imports):
        return Candidate(source, name, "class", 1, contenders.clues.file_rank(source.file, source.code))
    return None


def _lacks_play(cls: DefinedClass, graph: ImportGraph) -> bool:
    """Whether a class certainly has no `play`: neither its own, nor one from a base class that could have one."""
    ancestry = graph.ancestry(cls)
    unknown = (
        base.rpartition(".")[2]
        for member in ancestry
        for base in member.shape.bases
        if graph.find_class(base, member.source) is None
    )
    return all(member.shape.play_line is None for member in ancestry) and _EMPTY_BASES.issuperset(unknown)
