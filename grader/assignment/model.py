"""The assignment itself, as frozen records. Descriptions are what `written` puts beside each field."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from grader.assignment.kinds import (
    Flag,
    Moment,
    Options,
    Percent,
    Seconds,
    Share,
    Text,
    all_wrong,
    choice,
    matching,
    moment,
    number,
    whole,
    wrong,
)
from grader.assignment.problems import Loc
from grader.errors import OptionError
from grader.games import GAMES, make_game
from grader.language import Message, say

Overrun = Literal["forfeit", "disqualify", "random-move"]
Isolation = Literal["none", "basic", "good", "strong"]
Rule = Literal["by-opponent", "ladder"]
Lifetime = Literal["game", "pairing"]
Language = Literal["en", "es"]
Forbiddable = Literal["network", "processes", "ctypes", "files", "input", "eval", "import_time", "missing_import"]
FORBIDDABLE: tuple[str, ...] = get_args(Forbiddable)
"""The codes of the findings that an assignment can make disqualifying."""

ENTRY = r"(?!/)(?!.*(^|/)\.\.?/)[^:\\]*[^:\\/]\.py(:[^\W\d][\w.]*)?"
MODULE = r"[^\W\d]\w*(\.[^\W\d]\w*)*"


class Section(BaseModel):
    """Part of an assignment: what is not a field of it is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MatchTime(Section):
    """Time in seconds, as the clock charges it: a limit for each move, or a bank for all moves of a game."""

    move: Seconds | None = Field(default=None, description="seconds for a move", examples=[9])
    """None if there is a bank."""
    bank: Seconds | None = Field(
        default=None, description="instead of move: seconds for all moves of a game", examples=[300]
    )
    increment: Annotated[float, number(0, 3_600)] = Field(
        default=0.0, description="with a bank: seconds added after a move"
    )
    load: Seconds = Field(default=30.0, description="seconds until the player is ready")
    grace: Annotated[float, number(0, 60)] = Field(
        default=0.25, description="what may be overrun, for the jitter of machines"
    )

    @model_validator(mode="before")
    @classmethod
    def _limit_moves_unless_there_is_a_bank(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("bank") is None and data.get("move") is None:
            return {**data, "move": 9}
        return data

    @model_validator(mode="after")
    def _one_way_of_counting(self) -> "MatchTime":
        if self.move is not None and self.bank is not None:
            raise wrong(
                say("give either move (seconds for each) or bank (seconds for all of a game), not both"), ("bank",)
            )
        if self.increment and self.bank is None:
            raise wrong(say("goes with a bank only: give bank instead of move, or leave it out"), ("increment",))
        return self


class Resources(Section):
    """What a player may use beside time."""

    memory_mb: Annotated[int, whole(64, 1_000_000)] = Field(default=1024, description="memory of its process")
    descriptors: Annotated[int, whole(16, 65_536)] = Field(default=64, description="open files")
    output_kb: Annotated[int, whole(0, 100_000)] = Field(default=64, description="how much of what it prints is kept")
    scratch_mb: Annotated[int, whole(0, 100_000)] = Field(
        default=0, description="a folder of its own to write to; 0 for none"
    )


class Linear(Section):
    """Points in proportion to the share won, between two marks."""

    low: Share = Field(default=0.0, alias="from")
    """The share that gives nothing yet."""
    high: Share = Field(default=1.0, alias="to")
    """The share that gives all."""

    @model_validator(mode="after")
    def _rising(self) -> "Linear":
        if not self.low < self.high:
            text = say("must be more than from, which is {low:g}; not {high:g}", low=self.low, high=self.high)
            raise wrong(text, ("to",))
        return self


class Threshold(Section):
    """All the points for enough wins, none for fewer."""

    wins: Annotated[int, whole(1, 1_000)] = Field(description="how many of the games give all the points")


class Scoring(Section):
    """How games against one opponent become points: linear unless a threshold is given."""

    linear: Linear | None = None
    threshold: Threshold | None = None

    @model_validator(mode="before")
    @classmethod
    def _linear_unless_there_is_a_threshold(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("threshold") is None and data.get("linear") is None:
            return {**data, "linear": {}}
        return data

    @model_validator(mode="after")
    def _one_rule(self) -> "Scoring":
        if self.linear is not None and self.threshold is not None:
            raise wrong(say("give either linear or threshold, not both"), ("threshold",))
        return self


class Opponent(Section):
    """One reference player, and what there is to win against it."""

    player: Text = Field(description="a reference player, by name")
    options: Options = Field(default={}, description="its options")
    points: Annotated[float, number(0, 1_000_000)] = Field(description="for beating it always")
    games: Annotated[int, whole(1, 1_000)] = Field(default=4, description="an even number: both colours equally often")
    name: Text = Field(default="", description="what reports call it; left out, the player with its options")
    scoring: Scoring = Field(
        default=Scoring(),
        description="{linear: {from: 0, to: 1}}: by the share won; {threshold: {wins: 4}}: all or nothing",
    )
    hidden: Flag = Field(default=False, description="true: played and scored, but not named to students")
    disqualify_on_loss: Flag = Field(default=False, description="true: who loses a game to it is disqualified")

    @model_validator(mode="before")
    @classmethod
    def _call_it_what_it_is(cls, data: Any) -> Any:
        if isinstance(data, dict) and "name" not in data:
            options = data.get("options", {})
            if isinstance(data.get("player"), str) and isinstance(options, Mapping):
                return {**data, "name": called(data["player"], options)}
        return data

    @property
    def threshold(self) -> int | None:
        """How many wins give all the points, or None if they are linear."""
        return self.scoring.threshold.wins if self.scoring.threshold else None

    @property
    def linear(self) -> tuple[float, float]:
        """The share won that gives nothing yet, and the one that gives all the points."""
        return (self.scoring.linear.low, self.scoring.linear.high) if self.scoring.linear else (0.0, 1.0)


class Late(Section):
    """The penalty for handing in late, in percent of the score."""

    percent_per_day: Percent = Field(default=10.0, description="percent of the score for each day begun")
    at_most: Percent = Field(default=50.0, description="percent of the score in all")
    due: Moment | None = Field(
        default=None, description="when it is due, for platforms that tell when it came", examples=["2026-05-31 23:59"]
    )

    @property
    def due_at(self) -> datetime | None:
        """When it is due, by the clock of this machine if no offset is given."""
        return None if self.due is None else moment(self.due).astimezone()


class Assignment(Section):
    """All that a course decides about one game."""

    title: Text = Field(description="as reports show it")
    game: Annotated[str, choice(*GAMES)] = Field(description=" or ".join(GAMES))
    options: Options = Field(default={}, validate_default=True, description="of the game")
    entry: Annotated[str, matching(ENTRY, say("like solution.py or solution.py:SmartPlayer"))] | None = Field(
        default=None,
        description="where the player is; left out, it is searched for",
        examples=["solution.py:SmartPlayer"],
    )
    extended_board: Flag = Field(default=False, description="true: the board offers what some courses added to it")
    time: MatchTime = Field(default=MatchTime(), description="as charged: waiting for a busy machine does not count")
    overrun: Annotated[Overrun, choice(*get_args(Overrun))] = Field(
        default="forfeit", description="|".join(get_args(Overrun))
    )
    limits: Resources = Field(default=Resources(), description="what a player may use")
    isolation: Annotated[Isolation, choice(*get_args(Isolation))] = Field(
        default="none", description=f"{'|'.join(get_args(Isolation))}: with less than this, nothing is played"
    )
    forbidden: tuple[Annotated[Forbiddable, choice(*FORBIDDABLE)], ...] = Field(
        default=(), description=f"findings that disqualify, any of {', '.join(FORBIDDABLE)}"
    )
    forbidden_imports: tuple[Annotated[str, matching(MODULE, say("the name of a module, like numpy"))], ...] = Field(
        default=(), description="modules that disqualify who imports them, like [torch, requests]"
    )
    scoring: Annotated[Rule, choice(*get_args(Rule))] = Field(
        default="by-opponent",
        description="by-opponent; or ladder: beat each as first, then as second player, for half its points each, "
        "until one is not beaten",
    )
    speed_share: Share = Field(default=0.0, description="share of the points that is for time not used, 0 to 1")
    opponents: tuple[Opponent, ...] = Field(description="in order")
    lifetime: Annotated[Lifetime, choice(*get_args(Lifetime))] = Field(
        default="game", description="a player's process lives for a game, or for a pairing (it may learn)"
    )
    seed: Annotated[int, whole(0, 2**32 - 1)] = Field(default=0, description="the same seed, the same games")
    late: Late | None = Field(
        default=None,
        description="penalty",
        examples=[{"percent_per_day": 10, "at_most": 50, "due": "2026-05-31 23:59"}],
    )
    language: Annotated[Language, choice(*get_args(Language))] | None = Field(
        default=None, description="en|es, of the feedback and reports; left out, that of the machine", examples=["en"]
    )

    @field_validator("options")
    @classmethod
    def _options_of_the_game(cls, options: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        if (name := info.data.get("game")) is None:
            return options  # the game is wrong, and has been said to be
        found: list[tuple[Loc, str]] = []
        for option, value in options.items():  # one by one, to know which is wrong
            try:
                make_game(name, {option: value})
            except OptionError as error:
                found.append(((option,), _without_game(error.text)))
        if found:
            raise all_wrong(found)
        try:
            game = make_game(name, options)
        except OptionError as error:
            raise wrong(error.text) from None
        return {field.name: getattr(game, field.name) for field in fields(GAMES[name])}

    @field_validator("opponents")
    @classmethod
    def _opponents_that_fit(cls, opponents: tuple[Opponent, ...], info: ValidationInfo) -> tuple[Opponent, ...]:
        if not opponents:
            raise wrong(say("must be a list of at least one; left out, it is that of the built-in assignment"))
        found = list(_misfits(opponents, ladder=info.data.get("scoring") == "ladder"))
        if found:
            raise all_wrong(found)
        return opponents


def _without_game(text: str) -> str:
    """What is wrong with a game's option, without the name of the game: the place in the file says that."""
    if isinstance(text, Message) and "problem" in text.values:
        problem: str = text.values["problem"]
        return problem
    return text


def called(player: str, options: Mapping[str, Any]) -> str:
    """A player with its options, as `alphabeta(depth=4)`."""
    listed = ", ".join(f"{name}={value!r}" for name, value in sorted(options.items()))
    return f"{player}({listed})" if listed else player


def _misfits(opponents: tuple[Opponent, ...], *, ladder: bool) -> Iterator[tuple[Loc, str]]:
    """What is wrong between the fields of the opponents, each of which is right by itself."""
    names: set[str] = set()
    for at, opponent in enumerate(opponents):
        threshold, games = opponent.threshold, opponent.games
        if opponent.name in names:
            yield (
                (at, "name"),
                say(
                    "there is another opponent called {name}: give this one a name of its own", name=repr(opponent.name)
                ),
            )
        names.add(opponent.name)
        if games % 2 and (ladder or threshold is None):
            yield (
                (at, "games"),
                say("must be even, so that both colours are played equally often, not {games}", games=games),
            )
        if ladder and opponent.scoring != Scoring():
            yield (at, "scoring"), say("a ladder gives all the points of a rung or none: leave this out")
        elif threshold is not None and threshold > games:
            wins: Loc = (at, "scoring", "threshold", "wins")
            yield (
                wins,
                say(
                    "must be at most the number of games, which is {games}; not {threshold}",
                    games=games,
                    threshold=threshold,
                ),
            )
