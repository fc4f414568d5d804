"""The players, game and limits of a single game, for `grader match` and `grader play`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.assignment import Assignment, OpponentLimits, OpponentTime, load_assignments
from grader.competition.assignments import nearby_assignment, resolve_opponent
from grader.competition.seating import assignment_limits, opponent_limits
from grader.engine.match import EmptySeat, detect_game
from grader.games import Game, find_game
from grader.inspection.players import ResolvedPlayer, player_path, with_distinct_names
from grader.reading.players import resolve_players
from grader.records import Overrun
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.process import Seating
from grader.sandbox.speed import limits_on

SECONDS = 9.0
"""The default time per move."""


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """The players, game and limits of a single game."""

    game: str | type[Game] | None
    """None if it is detected from the players' code."""
    options: Mapping[str, Any]
    seconds: float
    """Per move."""
    players: tuple[ResolvedPlayer, ...]
    assignments: tuple[Assignment, ...] = ()
    """The assignment that applies, if there is one."""
    move_time: float | None = None
    """Seconds per move from the command line."""
    source: Path | None = None
    """The file with the assignment."""

    @property
    def in_force(self) -> Assignment | None:
        """The assignment with what the command line changes; None if there is none."""
        if not self.assignments:
            return None
        changes: dict[str, Any] = {"options": self.options}
        if self.move_time is not None:
            changes["time"] = self.assignments[0].time.model_copy(update={"move": self.move_time, "bank": None})
        return self.assignments[0].model_copy(update=changes)

    def limits(self, isolation: str | None, overrun: Overrun | None = None) -> Limits:
        """The limits of the players: the assignment's, changed by the command line."""
        level = Level[isolation.upper()] if isolation else None
        limits = (
            assignment_limits(self.assignments[0], Level.NONE)
            if self.assignments
            else Limits(time=TimeLimits(move=self.seconds))
        )
        time = limits.time
        if self.move_time is not None:
            time = replace(time, move=self.move_time, bank=None, increment=0.0)
        if overrun is not None:
            time = replace(time, overrun=overrun)
        return limits_on(None, replace(limits, time=time, isolation=level, required=level or Level.NONE))

    def widen(self, seating: Seating | EmptySeat, isolation: str | None) -> Seating | EmptySeat:
        """A seating with the higher limits that the assignment gives this opponent."""
        if not isinstance(seating, Seating) or not seating.reference:
            return seating
        allowed, default = self.limits(isolation), (OpponentTime(), OpponentLimits())
        for assignment in self.assignments:
            for opponent in assignment.opponents:
                if opponent.is_own and opponent.name == seating.name and default != (opponent.time, opponent.limits):
                    limits = opponent_limits(assignment, opponent, Level.NONE)
                    time = (
                        limits.time if self.move_time is None else replace(limits.time, move=self.move_time, bank=None)
                    )
                    wider = replace(limits, time=time, isolation=allowed.isolation, required=allowed.required)
                    return replace(seating, limits=wider)
        return seating


def match_terms(
    texts: Sequence[str],
    assignment_file: Path | None,
    game_name: str | None,
    options: Mapping[str, Any],
    move_time: float | None,
) -> MatchTerms:
    """The terms from the command line, completed by the assignment that was given or is near the players, as `check` finds it."""
    wanted = find_game(game_name) if game_name is not None else None
    source = assignment_file
    paths = [player_path(text) for text in texts]
    if wanted is None and source is None:
        source = nearby_assignment(*filter(None, paths))
    assignments = load_assignments(source, trusted=assignment_file is not None) if source is not None else ()
    named = [
        resolve_opponent(assignment, opponent)
        for text in texts
        for assignment in assignments
        if wanted in (None, type(assignment.rules))
        for opponent in assignment.opponents
        if opponent.name == text and not Path(text).exists()
    ]
    known = {player.name: player for player in named if not player.reference}
    others = [text for text in texts if text not in known]
    resolved = dict(zip(others, resolve_players(others), strict=True))
    players = with_distinct_names([known.get(text) or resolved[text] for text in texts], paths)
    given, seconds = dict(options), move_time or SECONDS
    if wanted is None and len(assignments) != 1:
        game = detect_game(players)
        assignments = tuple(each for each in assignments if each.rules.name == game)
    else:
        assignments = tuple(each for each in assignments if wanted in (None, type(each.rules)))
    if len(assignments) != 1:
        return MatchTerms(wanted, given, seconds, players, move_time=move_time)
    (assignment,) = assignments
    seconds = move_time or assignment.time.move or assignment.time.bank or SECONDS
    options = {**assignment.options, **given}
    return MatchTerms(type(assignment.rules), options, seconds, players, assignments, move_time, source)
