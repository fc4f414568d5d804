"""The records of a competition: the request, the participants, and the games that were planned and played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from grader.assignment import Assignment, Opponent
from grader.competition.assignments import BUILT_IN, FoundAssignment
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.fixtures import REFERENCE, RULES, Fixture, Results, opponent_key, opponent_text, player_name
from grader.inspection.chance import Chance
from grader.inspection.choice import NEED_DECISION
from grader.inspection.entry import Entry
from grader.inspection.players import ResolvedPlayer
from grader.intake.names import distinct_names
from grader.intake.roster import RosterEntry
from grader.intake.submission import Submission
from grader.language import say
from grader.records import Finding, RankedCandidate
from grader.sandbox.isolation import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to grade, and how."""

    path: Path
    results: Path
    assignments: tuple[Assignment, ...]
    """The assignments, read once: one per game."""
    only: tuple[str, ...] = ()
    missing_ok: bool = False
    """Whether some of `only` may be missing without an error."""
    workers: int = 1
    roster: tuple[RosterEntry, ...] = ()
    single: bool | None = None
    """Whether to treat `path` as a single submission or as a class (default: recognised)."""
    source: FoundAssignment = BUILT_IN
    """Where the assignments come from."""
    graded_by: Mapping[str, Assignment] = field(default_factory=dict)
    """The assignment of submissions that must be graded by a certain one, by id."""
    accepted: Level | None = None
    """The isolation level that the instructor accepts although an assignment requires more."""

    def required_level(self, assignment: Assignment) -> Level:
        """The isolation level that the machine must have."""
        required = Level[assignment.isolation.upper()]
        if self.source.may_be_a_students:
            required = max(required, Level.GOOD)
        return required if self.accepted is None else min(required, self.accepted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A submission that takes part, with its assignment and its player."""

    submission: Submission
    assignment: Assignment
    entry: Entry | None
    """The place of its player; None if there is none, or in results that were loaded."""
    findings: tuple[Finding, ...]
    identity: Mapping[str, Any]
    """Everything besides the assignment that can change its games: the hash of its files, the file and class of its player,
    the versions of Python and of the packages it imports, and those of the rules, reference players and isolation level."""
    candidates: tuple[RankedCandidate, ...] = ()
    """The classes and functions that could be its player, best first."""
    chance: Chance = Chance.UNKNOWN
    """Whether its player uses random numbers, as far as a tournament has checked."""

    @property
    def id(self) -> str:
        """The id of the submission."""
        return self.submission.id

    @property
    def game(self) -> str:
        """The name of its game."""
        return self.assignment.rules.name

    @property
    def no_player(self) -> Finding:
        """Why there is no player, if there is none: the first finding after those about the files."""
        return self.findings[len(self.submission.findings)]

    @property
    def is_excused(self) -> bool:
        """Whether this student is excused, so that nothing is played."""
        override = self.assignment.overrides.get(self.id)
        return override is not None and override.excused

    @property
    def needs_decision(self) -> str:
        """Why the instructor has to decide which class plays, which is not the student's fault; or an empty text."""
        if self.entry is not None or self.identity.get("entry") is not None:
            return ""
        override = self.assignment.overrides.get(self.id)
        if override is not None and override.entry is not None:
            why = self.findings[0].text if self.findings else ""
            return say("overrides: {id}: entry {entry}: {text}", id=self.id, entry=override.entry, text=why)
        return next((finding.text for finding in self.findings if finding.code in NEED_DECISION), "")

    @property
    def disqualification(self) -> str:
        """Why its code disqualifies it, or an empty text."""
        codes = {*self.assignment.forbidden, "forbidden_import"}
        return next((finding.text for finding in self.findings if finding.code in codes), "")


@dataclass(frozen=True, kw_only=True)
class Setup:
    """A competition that is ready to start: its participants and the conditions of play."""

    request: Request
    entrants: tuple[Entrant, ...]
    opponents: Mapping[str, ResolvedPlayer]
    """The opponents of all assignments, by `opponent_key`."""
    level: Level
    """The isolation level at which players run."""
    reference_digest: str
    """A hash of the files of all reference players."""
    rules: int = RULES
    """The version of the grader's rules by which games are played."""

    @property
    def assignments(self) -> tuple[Assignment, ...]:
        """The assignments of the competition."""
        return self.request.assignments

    def assignment(self, fixture: Fixture) -> Assignment:
        """The assignment of a game: the submission's, or the one for the game."""
        if not fixture.submission.startswith(REFERENCE):
            return self.entrant(fixture.submission).assignment
        return next(each for each in self.assignments if each.rules.name == fixture.game)

    def entrant(self, id_: str) -> Entrant:
        """The submission with this id."""
        return self._by_id[id_]

    def opponent(self, assignment: Assignment, player: str) -> tuple[Opponent, ResolvedPlayer]:
        """An opponent as its assignment describes it, and the place of its code."""
        described = next(each for each in assignment.opponents if each.name == player_name(player))
        return described, self.opponents[opponent_key(assignment, described)]

    def identity(self, assignment: Assignment, player: str) -> dict[str, Any]:
        """Everything about a player that can change a game."""
        if not player.startswith(REFERENCE):
            return {name: self.entrant(player).identity.get(name) for name in ("content", "entry", "environment")}
        described, found = self.opponent(assignment, player)
        return {
            "reference": opponent_text(described),
            "options": dict(found.options),
            "digest": found.digest or self.reference_digest,
            **described.model_dump(include={"time", "limits"}, exclude_none=True),
        }

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names of the submissions by id, with the id where several have the same name."""
        return distinct_names((entrant.id, entrant.submission.name) for entrant in self.entrants)

    @cached_property
    def _by_id(self) -> dict[str, Entrant]:
        return {entrant.id: entrant for entrant in self.entrants}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """How the players of a tournament are paired."""

    games: int = 2
    """Games per pair; each player moves first in half of them."""
    rounds: int | None = None
    """The number of rounds of a Swiss tournament; None for a round robin."""

    def __post_init__(self) -> None:
        check_number("games", self.games, 2, 1000)
        check_number("swiss", self.rounds, 1, 1000)
        if self.games % 2:
            raise OptionError(
                say(
                    "games: {games} is odd; choose an even number, so that each player moves first equally often",
                    games=self.games,
                )
            )


def check_number(name: str, value: int | None, low: int, high: int) -> None:
    """Raise `OptionError` if an option is given and not a whole number in this range."""
    if value is not None and (type(value) is not int or not low <= value <= high):
        raise OptionError(
            say(
                "{name}: must be a whole number from {low} to {high}, not {value}",
                name=name,
                value=repr(value),
                low=low,
                high=high,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnplayedGame:
    """A game that could not be played fairly, because of the grader. It is never scored."""

    game: str
    text: str
    """The players, and why it failed."""


@dataclass(frozen=True, kw_only=True)
class Competition:
    """All games that were planned and played. Grades and standings depend on nothing else."""

    setup: Setup
    pairing: Pairing | None
    """How the players of a tournament are paired; None for a run."""
    fixtures: tuple[Fixture, ...]
    """In the order in which they count."""
    results: Results
    unloadable: Mapping[str, Trial]
    """The failed trials of submissions whose player cannot be loaded, by id."""
    unplayed: tuple[UnplayedGame, ...] = ()
    fewest: int | None = None
    """How many units of games were played at a time at the least, because the machine was busy; None if that was never limited."""
    seal: str = ""
    """The hash under which it was saved; empty before that."""
    finished: str = ""
    """When its last game ended, in ISO 8601; empty if none was played."""
    machine: str = ""
    """The versions and hardware with which it was saved."""
    speed: float | None = None
    """The speed of that machine, if it is known."""
    interim: bool = False
    """Whether it has not been finished, so that games are missing."""

    @property
    def game_counts(self) -> tuple[int, int]:
        """The number of games that have been played, and of those that are planned; shared games count once."""
        planned = {fixture.key for fixture in self.fixtures if not self.unloadable.keys() & {*fixture.players}}
        return sum(key in self.results for key in planned), len(planned)

    def fixtures_of(self, player: str) -> tuple[Fixture, ...]:
        """The games of one player."""
        return self._by_player.get(player, ())

    @cached_property
    def _by_player(self) -> dict[str, tuple[Fixture, ...]]:
        found: dict[str, list[Fixture]] = {}
        for fixture in self.fixtures:
            for player in fixture.players:
                found.setdefault(player, []).append(fixture)
        return {player: tuple(own) for player, own in found.items()}


Item = TypeVar("Item")


@dataclass(frozen=True, kw_only=True)
class CompetitionResult(Sequence[Item], Generic[Item]):
    """The result of a competition: a sequence of grades or standings, with the games behind them."""

    competition: Competition
    items: tuple[Item, ...]

    @property
    def setup(self) -> Setup:
        """The participants and the conditions of play."""
        return self.competition.setup

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        return self.items[at]

    def __len__(self) -> int:
        return len(self.items)
