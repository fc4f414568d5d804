"""What flows through a competition: the request, everybody who takes part, and what was planned and played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from grader.assignment import Assignment, Opponent
from grader.engine.jobs import Trial
from grader.errors import OptionError
from grader.fixtures import REFERENCE, RULES, Fixture, Results, opponent_key, opponent_text, player_name
from grader.inspection.chance import Chance
from grader.inspection.entry import Entry
from grader.inspection.players import ResolvedPlayer
from grader.intake.collect import Submission
from grader.intake.roster import RosterEntry
from grader.language import say
from grader.records import Finding
from grader.sandbox.isolation import Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What an instructor asks for."""

    path: Path
    results: Path
    assignments: tuple[Assignment, ...]
    """The assignments in force, read once: one for each game."""
    only: tuple[str, ...] = ()
    missing_ok: bool = False
    """Whether some of `only` may be missing without an error."""
    workers: int = 1
    roster: tuple[RosterEntry, ...] = ()
    single: bool = False
    """Whether `path` is one submission, whatever it looks like."""
    graded_by: Mapping[str, Assignment] = field(default_factory=dict)
    """Submissions that are to be graded by a certain one of the assignments, by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A submission that takes part: what was submitted, its assignment, and its player."""

    submission: Submission
    assignment: Assignment
    entry: Entry | None
    """Where its player is; None if there is none, and in results that were read back."""
    findings: tuple[Finding, ...]
    identity: Mapping[str, Any]
    """Whatever can change its games apart from the assignment: the hash of its files, which file and class of them plays,
    and by which rules, reference players and isolation level."""
    chance: Chance = Chance.UNKNOWN
    """What its player leaves to chance, as far as a tournament has looked."""

    @property
    def id(self) -> str:
        """Of the submission."""
        return self.submission.id

    @property
    def game(self) -> str:
        """The name of the game that it is for."""
        return self.assignment.rules.name

    @property
    def excused(self) -> bool:
        """Whether the course has excused this student: nothing is played."""
        override = self.assignment.overrides.get(self.id)
        return override is not None and override.excused

    @property
    def barred(self) -> str:
        """Why it is disqualified before it has played, or an empty text."""
        codes = {*self.assignment.forbidden, "forbidden_import"}
        return next((finding.text for finding in self.findings if finding.code in codes), "")


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A competition that could begin: who takes part, and under which conditions."""

    request: Request
    entrants: tuple[Entrant, ...]
    opponents: Mapping[str, ResolvedPlayer]
    """The opponents of all assignments, by `opponent_key`."""
    level: Level
    """The isolation level at which players run."""
    reference_digest: str
    """A hash of the files of all reference players."""
    rules: int = RULES
    """The version of the grader's own rules by which games are played."""

    @property
    def assignments(self) -> tuple[Assignment, ...]:
        """The assignments in force."""
        return self.request.assignments

    def assignment(self, fixture: Fixture) -> Assignment:
        """The assignment by which a game is played: the submission's, or that of the game."""
        if not fixture.submission.startswith(REFERENCE):
            return self.entrant(fixture.submission).assignment
        return next(one for one in self.assignments if one.rules.name == fixture.game)

    def entrant(self, id_: str) -> Entrant:
        """The submission of that id."""
        return self._by_id[id_]

    def opponent(self, assignment: Assignment, player: str) -> tuple[Opponent, ResolvedPlayer]:
        """An opponent as its assignment describes it, and where its code is."""
        described = next(one for one in assignment.opponents if one.name == player_name(player))
        return described, self.opponents[opponent_key(assignment, described)]

    def identity(self, assignment: Assignment, player: str) -> dict[str, Any]:
        """Whatever of a player can change a game."""
        if not player.startswith(REFERENCE):
            return {name: self.entrant(player).identity.get(name) for name in ("content", "entry")}
        described, found = self.opponent(assignment, player)
        return {
            "reference": opponent_text(described),
            "options": dict(found.options),
            "digest": found.digest or self.reference_digest,
            **described.model_dump(include={"time", "limits"}, exclude_none=True),
        }

    @cached_property
    def _by_id(self) -> dict[str, Entrant]:
        return {entrant.id: entrant for entrant in self.entrants}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """How the players of a tournament meet."""

    games: int = 2
    """Per pair, half of them with each colour."""
    rounds: int | None = None
    """Of a Swiss tournament; None for a round robin."""

    def __post_init__(self) -> None:
        check_number("games", self.games, 2, 1000)
        check_number("swiss", self.rounds, 1, 1000)
        if self.games % 2:
            raise OptionError(
                say("{games} is odd: both colours are played equally often, so write an even number", games=self.games)
            )


def check_number(name: str, value: int | None, low: int, high: int) -> None:
    """Raise `OptionError` for an option that is not a whole number between two others."""
    if value is not None and (type(value) is not int or not low <= value <= high):
        raise OptionError(
            say(
                "{name}: {value} is not a whole number from {low} to {high}",
                name=name,
                value=repr(value),
                low=low,
                high=high,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplayed:
    """A game that could not be played fairly: our fault, and never scored."""

    game: str
    text: str
    """Who played whom, and why it failed."""


@dataclass(frozen=True, kw_only=True)
class Competition:
    """All that was planned and played. Grades or standings follow from it, and from nothing else."""

    prepared: Prepared
    pairing: Pairing | None
    """How players meet in a tournament; None in a run, where each submission plays its assignment's opponents."""
    fixtures: tuple[Fixture, ...]
    """In the order in which they count."""
    results: Results
    unloadable: Mapping[str, Trial]
    """How it failed, for each submission whose player cannot be loaded."""
    unplayed: tuple[Unplayed, ...] = ()

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
    """What a competition came to: a sequence of grades or standings, and everything behind them."""

    competition: Competition
    items: tuple[Item, ...]

    @property
    def prepared(self) -> Prepared:
        """Who took part, and under which conditions."""
        return self.competition.prepared

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        return self.items[at]

    def __len__(self) -> int:
        return len(self.items)
