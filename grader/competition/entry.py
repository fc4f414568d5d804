"""Who may enter: the submissions that can be loaded, and the reference players that were asked to join."""

from collections.abc import Mapping
from pathlib import Path

from grader.assignment import Assignment, Opponent, is_own_player
from grader.competition.field import REFERENCE, Field
from grader.competition.prepare import assignments_for, opponent_of
from grader.competition.run import Candidate, Prepared, Request
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.fixtures import rival_key
from grader.inspection.chance import Chance, chance
from grader.inspection.players import reference_digest, reference_player
from grader.language import say
from grader.scoring.standings import Excluded

TOLD = 5
"""Names in a message, at most."""


def assignments_of(request: Request, anchors: tuple[str, ...]) -> tuple[Assignment, ...]:
    """The assignments in force, with the players that were asked to join instead of their opponents."""
    assignments = assignments_for(request)
    joining = {assignment.rules.name: list[Opponent]() for assignment in assignments}
    for text in dict.fromkeys(anchors):
        refused: list[OptionError] = []
        for assignment in assignments:
            try:
                joining[assignment.rules.name].append(_opponent(text, assignment))
            except OptionError as error:
                refused.append(error)
        for assignment in assignments:
            names = [one.name for one in joining[assignment.rules.name]]
            if len(set(names)) < len(names):
                raise OptionError(say("--anchor {text}: another anchor is called {name}.", text=text, name=names[-1]))
        if len(refused) == len(assignments):
            raise OptionError(say("--anchor {text}: {problem}", text=text, problem=refused[0].text))
    return tuple(
        assignment.model_copy(update={"opponents": tuple(joining[assignment.rules.name])}) for assignment in assignments
    )


def fields(prepared: Prepared, trials: Mapping[str, Trial]) -> tuple[Field, ...]:
    """The field of each game for which there are submissions. Raises with a sentence where nobody can play anybody."""
    found = [_field(assignment, prepared, trials) for assignment in prepared.assignments]
    if not any(field.submissions for field in found):
        raise OptionError(_nobody_to_play(prepared, trials))
    submitted = [candidate.assignment for candidate in prepared.candidates]
    return tuple(field for field in found if field.assignment in submitted)


def excluded(field: Field, prepared: Prepared, trials: Mapping[str, Trial]) -> tuple[Excluded, ...]:
    """Who does not play though it was submitted for this game, and why."""
    return tuple(
        Excluded(
            id=candidate.id,
            name=candidate.submission.name,
            reason=_unable(candidate, trials) or say("There is nobody else to play against."),
        )
        for candidate in prepared.candidates
        if candidate.assignment == field.assignment and candidate.id not in field.submissions
    )


def _opponent(text: str, assignment: Assignment) -> Opponent:
    """A player that joins, as an opponent that is worth nothing. Raises `OptionError` if it cannot play this game."""
    if is_own_player(text):
        path, _, name = text.partition(":") if ".py:" in text else (text, "", "")
        written = f"{Path(path).resolve()}{':' if name else ''}{name}"  # the command line means the working folder
        opponent = Opponent.model_validate({"player": written, "points": 0, "games": 2})
        opponent_of(assignment, opponent)
        return opponent
    player = reference_player(text, assignment.rules)
    assert player.entry is not None
    return Opponent.model_validate(
        {"player": player.entry.file.stem, "options": dict(player.options), "points": 0, "games": 2}
    )


def _field(assignment: Assignment, prepared: Prepared, trials: Mapping[str, Trial]) -> Field:
    """Everybody who can play, or nobody if that is one alone."""
    able = {
        candidate.id: candidate
        for candidate in prepared.candidates
        if candidate.assignment == assignment and not _unable(candidate, trials)
    }
    joining = {REFERENCE + other.name: prepared.rivals[rival_key(assignment, other)] for other in assignment.opponents}
    alone = not able or len(able) + len(joining) < 2
    return Field(
        assignment=assignment,
        level=prepared.level,
        submissions={} if alone else able,
        references={} if alone else joining,
        reference_digest=reference_digest(),
        chance={name: _chance(candidate) for name, candidate in able.items()},
    )


def _chance(candidate: Candidate) -> Chance:
    entry = candidate.player.entry
    return Chance.UNKNOWN if entry is None else chance(entry)


def _unable(candidate: Candidate, trials: Mapping[str, Trial]) -> str:
    """Why somebody cannot play, or an empty text."""
    if candidate.excused:
        return say("Excused from this assignment.")
    if candidate.barred:
        return candidate.barred
    fault = trials[candidate.id].fault
    return fault.text if fault is not None else ""


def _nobody_to_play(prepared: Prepared, trials: Mapping[str, Trial]) -> str:
    reasons = {candidate.id: _unable(candidate, trials) for candidate in prepared.candidates}
    unable = [(name, why) for name, why in reasons.items() if why]
    able = [name for name, why in reasons.items() if not why]
    told = say(
        "A tournament needs two players of the same game; able to play: {able}. Add submissions, or let a reference player "
        "join, as with --anchor random.",
        able=", ".join(able[:TOLD]) or say("nobody"),
    )
    for name, why in unable[:TOLD]:
        told = say("{told}\n  {name} cannot play: {why}", told=told, name=name, why=why)
    return told
