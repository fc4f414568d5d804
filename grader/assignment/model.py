"""The assignment itself, as frozen records. `render_assignment` writes the descriptions beside the fields."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePath
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from grader.assignment.field_types import (
    MOMENT,
    Flag,
    Moment,
    Options,
    Percent,
    Seconds,
    Share,
    StudentId,
    Text,
    choice,
    field_error,
    field_errors,
    moment,
    number,
    text_matching,
    whole,
)
from grader.assignment.problems import Loc
from grader.errors import OptionError
from grader.games import Game, find_game, is_file, make_game, option_problems
from grader.games.known_games import is_known
from grader.language import Message, say
from grader.records import Overrun

Isolation = Literal["none", "basic", "good", "strong"]
Rule = Literal["by-opponent", "ladder"]
Lifetime = Literal["game", "pairing"]
LanguageName = Literal["en", "es"]
Forbiddable = Literal["network", "processes", "ctypes", "files", "input", "eval", "import_time", "missing_import"]
FORBIDDABLE: tuple[str, ...] = get_args(Forbiddable)
"""The codes of the findings that an assignment can make disqualifying."""

ENTRY = r"(?!/)(?!.*(^|/)\.\.?/)[^:\\]*[^:\\/]\.py(:[^\W\d][\w.]*)?"
MODULE = r"[^\W\d]\w*(\.[^\W\d]\w*)*"
LATER = r"(\d{1,4}(?:\.\d)?)\s*([dh])"
EXTENSION = rf"{LATER}|{MOMENT}"


@dataclass(frozen=True, slots=True)
class AssignmentOrigin:
    """Where an assignment was read: what it calls `./ninja3.py` is relative to that."""

    folder: Path = field(default=Path(), compare=False)  # the same assignment is the same wherever it is read
    find: Callable[[str], type[Game]] | None = field(default=None, compare=False)
    """How to find a game that is a file, if not in that folder."""
    named: bool = field(default=True, compare=False)
    """Whether a person named the assignment: else it may lie in a student's folder, and its game is not run unless known."""

    def game(self, text: str) -> type[Game]:
        """The game that an assignment means. Raises `OptionError`."""
        if not is_file(text):
            return find_game(text)
        if self.find is not None:
            return self.find(text)
        if not self.named and not is_known(self.folder / text):
            raise OptionError(
                say(
                    "the code of {file} would run outside any sandbox. If you trust this assignment, name it once with -c.",
                    file=text,
                )
            )
        return find_game(text, self.folder)


HERE = AssignmentOrigin()


class AssignmentSection(BaseModel):
    """Part of an assignment: what is not a field of it is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class MatchTime(AssignmentSection):
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
    grace: Annotated[float, number(0, 60)] = Field(default=0.25, description="tolerance for timing jitter")

    @model_validator(mode="before")
    @classmethod
    def _default_to_move_limit(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("bank") is None and data.get("move") is None:
            return {**data, "move": 9}
        return data

    @model_validator(mode="after")
    def _check_one_limit(self) -> "MatchTime":
        if self.move is not None and self.bank is not None:
            raise field_error(
                say("give either move (seconds for each) or bank (seconds for all of a game), not both"), ("bank",)
            )
        if self.increment and self.bank is None:
            raise field_error(say("goes with a bank only: give bank instead of move, or leave it out"), ("increment",))
        return self


class Resources(AssignmentSection):
    """What a player may use beside time."""

    memory_mb: Annotated[int, whole(64, 1_000_000)] = Field(default=1024, description="memory of its process")
    descriptors: Annotated[int, whole(16, 65_536)] = Field(default=64, description="open files")
    output_kb: Annotated[int, whole(0, 100_000)] = Field(default=64, description="how much of what it prints is kept")
    scratch_mb: Annotated[int, whole(0, 100_000)] = Field(
        default=0, description="a folder of its own to write to; 0 for none"
    )


class Linear(AssignmentSection):
    """Points in proportion to the share won, between two marks."""

    low: Share = Field(default=0.0, alias="from")
    """The share that gives nothing yet."""
    high: Share = Field(default=1.0, alias="to")
    """The share that gives all."""

    @model_validator(mode="after")
    def _check_order(self) -> "Linear":
        if not self.low < self.high:
            text = say("must be more than from, which is {low:g}; not {high:g}", low=self.low, high=self.high)
            raise field_error(text, ("to",))
        return self


class Threshold(AssignmentSection):
    """All the points for enough wins, none for fewer."""

    wins: Annotated[int, whole(1, 1_000)] = Field(description="how many of the games give all the points")


class Scoring(AssignmentSection):
    """How games against one opponent become points: linear unless a threshold is given."""

    linear: Linear | None = None
    threshold: Threshold | None = None

    @model_validator(mode="before")
    @classmethod
    def _default_to_linear(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("threshold") is None and data.get("linear") is None:
            return {**data, "linear": {}}
        return data

    @model_validator(mode="after")
    def _check_one_rule(self) -> "Scoring":
        if self.linear is not None and self.threshold is not None:
            raise field_error(say("give either linear or threshold, not both"), ("threshold",))
        return self


class OpponentTime(AssignmentSection):
    """What an opponent is allowed beyond the students' time."""

    move: Seconds | None = Field(default=None, description="seconds per move")
    load: Seconds | None = Field(default=None, description="seconds until it is ready")


class OpponentLimits(AssignmentSection):
    """What an opponent may use beyond what students may."""

    memory_mb: Annotated[int, whole(64, 1_000_000)] | None = Field(default=None, description="memory of its process")
    scratch_mb: Annotated[int, whole(0, 100_000)] | None = Field(default=None, description="a folder to write to")


class Opponent(AssignmentSection):
    """One opponent, and what there is to win against it."""

    player: Text = Field(
        description="a reference player by name, or your own: ./staff/ninja.py, a folder, or file.py:Class"
    )
    options: Options = Field(default={}, description="its options")
    points: Annotated[float, number(0, 1_000_000)] = Field(description="for winning every game")
    games: Annotated[int, whole(1, 1_000)] = Field(default=4, description="an even number: both colours equally often")
    name: Text = Field(default="", description="what reports call it (default: the player with its options)")
    scoring: Scoring = Field(
        default=Scoring(),
        description="{linear: {from: 0, to: 1}}: by the share won; {threshold: {wins: 4}}: all or nothing",
    )
    hidden: Flag = Field(default=False, description="true: played and scored, but not named to students")
    disqualify_on_loss: Flag = Field(default=False, description="true: losing a game to it disqualifies")
    time: OpponentTime = Field(default=OpponentTime(), description="more time than students get: {move: 30, load: 60}")
    limits: OpponentLimits = Field(default=OpponentLimits(), description="more memory or files: {memory_mb: 4096}")

    @model_validator(mode="before")
    @classmethod
    def _set_default_name(cls, data: Any) -> Any:
        if isinstance(data, dict) and "name" not in data:
            options = data.get("options", {})
            if isinstance(data.get("player"), str) and isinstance(options, Mapping):
                return {**data, "name": player_label(_short_name(data["player"]), options)}
        return data

    @property
    def is_own(self) -> bool:
        """Whether it is a course's own, and not one of the reference players that are installed."""
        return is_own_player(self.player)

    @property
    def threshold(self) -> int | None:
        """How many wins give all the points, or None if they are linear."""
        return self.scoring.threshold.wins if self.scoring.threshold else None

    @property
    def linear(self) -> tuple[float, float]:
        """The share won that gives nothing yet, and the one that gives all the points."""
        return (self.scoring.linear.low, self.scoring.linear.high) if self.scoring.linear else (0.0, 1.0)


class Late(AssignmentSection):
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


class Override(AssignmentSection):
    """What is different for one student."""

    entry: Annotated[str, text_matching(ENTRY, say("like solution.py or solution.py:SmartPlayer"))] | None = Field(
        default=None, description="where this player is"
    )
    extension: (
        Annotated[str, text_matching(EXTENSION, say("like 2d, 36h, or a date and time like 2026-06-02 23:59"))] | None
    ) = Field(default=None, description="more time to submit: 2d, 36h, or a new date")
    excused: Flag = Field(default=False, description="true: not graded")
    note: Text | None = Field(default=None, description="the reason, for your own records")

    @property
    def summary(self) -> Message:
        """What is different, for the instructor."""
        parts = [
            *([say("player {entry}", entry=self.entry)] if self.entry else []),
            *([say("extension {extension}", extension=self.extension)] if self.extension else []),
            *([say("excused")] if self.excused else []),
            *([say("note: {note}", note=self.note)] if self.note else []),
        ]
        told = parts[0] if parts else say("nothing")
        for part in parts[1:]:
            told = say("{before}; {part}", before=told, part=part)
        return told

    def late(self, seconds: int, submitted_at: str | None) -> int:
        """How late something is by this extension that was `seconds` late without it."""
        if self.extension is None:
            return seconds
        if found := re.fullmatch(LATER, self.extension):
            return max(0, seconds - round(float(found[1]) * (86_400 if found[2] == "d" else 3_600)))
        if submitted_at is None:
            return seconds
        submitted, due = moment(submitted_at).astimezone(), moment(self.extension).astimezone()
        return max(0, int((submitted - due).total_seconds()))


class Assignment(AssignmentSection):
    """All that a course decides about one game."""

    title: Text = Field(description="as reports show it")
    game: Annotated[str, text_matching(r".*\S.*", say("the name of a game, or a file like ./connect4.py"))] = Field(
        description="an installed game by name, or a file of your own: ./connect4.py"
    )
    options: Options = Field(default={}, validate_default=True, description="of the game")
    entry: Annotated[str, text_matching(ENTRY, say("like solution.py or solution.py:SmartPlayer"))] | None = Field(
        default=None,
        description="where the player is (default: found automatically)",
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
    forbidden_imports: tuple[Annotated[str, text_matching(MODULE, say("the name of a module, like numpy"))], ...] = (
        Field(default=(), description="modules that disqualify who imports them, like [torch, requests]")
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
    language: Annotated[LanguageName, choice(*get_args(LanguageName))] | None = Field(
        default=None, description="en|es, of the feedback and reports (default: the system's)", examples=["en"]
    )
    overrides: dict[StudentId, Override] = Field(
        default={}, description="what is different for one student: {ana: {extension: 2d, note: ill}}"
    )

    _rules: Game = PrivateAttr()
    _origin: AssignmentOrigin = PrivateAttr(default=HERE)

    @property
    def rules(self) -> Game:
        """The game, with its options."""
        return self._rules

    @property
    def folder(self) -> Path:
        """Where the files are that it names."""
        return self._origin.folder

    def with_options(self, options: Mapping[str, Any]) -> "Assignment":
        """The same with other options of the game. Raises `OptionError` if they are not allowed."""
        rules = make_game(type(self.rules), options)
        changed = self.model_copy(update={"options": rules.options()})
        changed._rules = rules
        return changed

    def model_post_init(self, context: Any) -> None:
        """Keep where it was read, and its game, which is known to exist by now."""
        self._origin = context if isinstance(context, AssignmentOrigin) else HERE
        self._rules = make_game(self._origin.game(self.game), self.options)

    @field_validator("game")
    @classmethod
    def _check_game(cls, game: str, info: ValidationInfo) -> str:
        try:
            _origin(info).game(game)
        except OptionError as error:
            raise field_error(error.text) from None
        return game

    @field_validator("options")
    @classmethod
    def _check_options(cls, options: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        if (name := info.data.get("game")) is None:
            return options  # the game is wrong, and has been said to be
        kind = _origin(info).game(name)
        found: list[tuple[Loc, str]] = [
            ((option,), _drop_game_name(error.text)) for option, error in option_problems(kind, options).items()
        ]
        if found:
            raise field_errors(found)
        try:
            return make_game(kind, options).options()
        except OptionError as error:
            raise field_error(error.text) from None

    @field_validator("opponents")
    @classmethod
    def _check_opponents(cls, opponents: tuple[Opponent, ...], info: ValidationInfo) -> tuple[Opponent, ...]:
        if not opponents:
            raise field_error(say("must be a list of at least one; left out, it is that of the built-in assignment"))
        found = list(_opponent_problems(opponents, ladder=info.data.get("scoring") == "ladder"))
        if found:
            raise field_errors(found)
        return opponents


def _origin(info: ValidationInfo) -> AssignmentOrigin:
    return info.context if isinstance(info.context, AssignmentOrigin) else HERE


def is_own_player(text: str) -> bool:
    """Whether a text means a file or folder of a course, and not the name of a reference player."""
    return re.search(r"\.py(:\w+)?$|[/\\]", text) is not None


def _short_name(player: str) -> str:
    """A player as reports call it: one of a course's own by its file or folder."""
    if not is_own_player(player):
        return player
    path, _, name = player.partition(":")
    return f"{PurePath(path).stem}.{name}" if name else PurePath(path).stem or player


def _drop_game_name(text: str) -> str:
    """What is wrong with a game's option, without the name of the game: the place in the file says that."""
    if isinstance(text, Message) and "problem" in text.values:
        problem: str = text.values["problem"]
        return problem
    return text


def player_label(player: str, options: Mapping[str, Any]) -> str:
    """A player with its options, as `alphabeta(depth=4)`."""
    listed = ", ".join(f"{name}={value!r}" for name, value in sorted(options.items()))
    return f"{player}({listed})" if listed else player


def _opponent_problems(opponents: tuple[Opponent, ...], *, ladder: bool) -> Iterator[tuple[Loc, str]]:
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
