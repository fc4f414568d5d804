"""The assignment as frozen records. The descriptions of the fields are the comments in the YAML and the reference page."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from grader.assignment.field_types import (
    MOMENT,
    AssignmentSection,
    Flag,
    Moment,
    Options,
    Percent,
    Seconds,
    Share,
    Speed,
    StudentId,
    Text,
    choice,
    field_error,
    field_errors,
    integer,
    moment,
    number,
    text_matching,
)
from grader.assignment.opponents import Opponent, opponent_problems, total_points
from grader.assignment.problems import Loc
from grader.errors import OptionError
from grader.games import Game, find_game, is_file, make_game, option_problems
from grader.games.known_games import is_known
from grader.language import Message, say
from grader.records import Overrun
from grader.seeds import LARGEST_SEED

Isolation = Literal["none", "basic", "good", "strong"]
Rule = Literal["by-opponent", "ladder"]
Lifetime = Literal["game", "pairing"]
LanguageName = Literal["en", "es"]
Forbiddable = Literal["network", "processes", "ctypes", "files", "input", "eval", "import_time", "missing_import"]
FORBIDDABLE: tuple[str, ...] = get_args(Forbiddable)
"""The codes of the findings for which an assignment can disqualify."""

ENTRY = r"(?!/)(?!.*(^|/)\.\.?/)[^:\\]*[^:\\/]\.py(:[^\W\d][\w.]*)?"
MODULE = r"[^\W\d]\w*(\.[^\W\d]\w*)*"
LATER = r"(\d{1,4}(?:\.\d)?)\s*([dh])"
EXTENSION = rf"{LATER}|{MOMENT}"
PLAYER_FILE = say("a file such as solution.py, or a file and class such as solution.py:SmartPlayer")


@dataclass(frozen=True, slots=True)
class AssignmentOrigin:
    """Where an assignment was read from: files that it names are relative to that folder."""

    folder: Path = field(default=Path(), compare=False)  # not compared: assignments are equal wherever they are read
    find: Callable[[str], type[Game]] | None = field(default=None, compare=False)
    """Finds a game that is a file (default: in that folder)."""
    trusted: bool = field(default=True, compare=False)
    """Whether a person named the assignment. Any other may come from a student, so its game file runs only if it is known."""

    recorded: bool = field(default=False, compare=False)
    """Whether it is read from results: then old names of options stay, because its games are known by them."""

    def game(self, text: str) -> type[Game]:
        """The game with this name or file. Raises `OptionError` if it is unknown or not trusted."""
        if not is_file(text):
            return find_game(text)
        if self.find is not None:
            return self.find(text)
        if not self.trusted and not is_known(self.folder / text):
            raise OptionError(
                say(
                    "{file} would run outside the sandbox. If you trust this assignment, name it once with -c.",
                    file=text,
                )
            )
        return find_game(text, self.folder)


HERE = AssignmentOrigin()


class MatchTime(AssignmentSection):
    """Time limits in seconds: a limit per move, or a bank for all moves of a game."""

    move: Seconds | None = Field(default=None, description="seconds per move", examples=[9])
    """None if there is a bank."""
    bank: Seconds | None = Field(
        default=None, description="instead of move: seconds for all moves of a game together", examples=[300]
    )
    increment: Annotated[float, number(0, 3_600)] = Field(
        default=0.0, description="only with bank: seconds added after each move"
    )
    load: Seconds = Field(default=30.0, description="seconds to import and create the player")
    grace: Annotated[float, number(0, 60)] = Field(
        default=0.25, description="seconds by which a limit may be exceeded, to allow for timing jitter"
    )
    reference_speed: Speed | None = Field(
        default=None,
        description="scale the limits (not grace) to the speed of each machine, for the same amount of work everywhere: they hold for a "
        "machine of this speed (see `grader doctor`); default: not scaled",
        examples=[1.0],
    )
    machine_speed: Speed | None = Field(
        default=None,
        description="the speed of the machine that grades (see `grader doctor`), so that `check` can predict move times there; changes no "
        "limit",
        examples=[1.0],
    )

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
                say("give either move (seconds per move) or bank (seconds per game), not both"), ("bank",)
            )
        if self.increment and self.bank is None:
            raise field_error(
                say("only allowed with bank: give bank instead of move, or remove increment"), ("increment",)
            )
        if self.machine_speed is not None and self.reference_speed is not None:
            raise field_error(
                say("has no effect with reference_speed, which scales the limits everywhere: remove it"),
                ("machine_speed",),
            )
        return self


class Resources(AssignmentSection):
    """The resources that a player may use besides time."""

    memory_mb: Annotated[int, integer(64, 1_000_000)] = Field(
        default=1024, description=("memory limit of its process, in MB")
    )
    descriptors: Annotated[int, integer(16, 65_536)] = Field(default=64, description="maximum number of open files")
    output_kb: Annotated[int, integer(0, 100_000)] = Field(
        default=64, description="printed output that is kept, in kB; the rest is dropped"
    )
    scratch_mb: Annotated[int, integer(0, 100_000)] = Field(
        default=0, description="size of a temporary folder for its files, in MB; 0: it cannot write files"
    )


class Late(AssignmentSection):
    """The penalty for late submissions, in percent of the score."""

    percent_per_day: Percent = Field(default=10.0, description="percent of the score deducted per day or part of a day")
    at_most: Percent = Field(default=50.0, description="maximum deduction, in percent of the score")
    due: Moment | None = Field(
        default=None,
        description="the deadline, in local time unless it has an offset (default: the platform's)",
        examples=["2026-05-31 23:59"],
    )

    @property
    def due_at(self) -> datetime | None:
        """The deadline, in this machine's time zone if it has no offset."""
        return None if self.due is None else moment(self.due).astimezone()


class Override(AssignmentSection):
    """An exception for one student."""

    entry: Annotated[str, text_matching(ENTRY, PLAYER_FILE)] | None = Field(
        default=None, description="the file, or file and class, of this student's player"
    )
    extension: (
        Annotated[
            str,
            text_matching(EXTENSION, say("a duration such as 2d or 36h, or a date and time such as 2026-06-02 23:59")),
        ]
        | None
    ) = Field(default=None, description="extra time to submit: 2d, 36h, or a new deadline such as 2026-06-02 23:59")
    excused: Flag = Field(default=False, description="true: this student is not graded")
    note: Text | None = Field(default=None, description="a note for your records; students do not see it")

    @property
    def summary(self) -> Message:
        """The exception in a few words, for the instructor."""
        parts = [
            *([say("player {entry}", entry=self.entry)] if self.entry else []),
            *([say("extension {extension}", extension=self.extension)] if self.extension else []),
            *([say("excused")] if self.excused else []),
            *([say("note: {note}", note=self.note)] if self.note else []),
        ]
        text = parts[0] if parts else say("none")
        for part in parts[1:]:
            text = say("{before}; {part}", before=text, part=part)
        return text

    def late(self, seconds: int, submitted_at: str | None) -> int:
        """How many seconds late a submission is with this extension, if it is `seconds` late without it."""
        if self.extension is None:
            return seconds
        if found := re.fullmatch(LATER, self.extension):
            return max(0, seconds - round(float(found[1]) * (86_400 if found[2] == "d" else 3_600)))
        if submitted_at is None:
            return seconds
        submitted, due = moment(submitted_at).astimezone(), moment(self.extension).astimezone()
        return max(0, int((submitted - due).total_seconds()))


class Assignment(AssignmentSection):
    """Everything that a course decides about one game."""

    title: Text = Field(description="shown in reports")
    game: Annotated[str, text_matching(r".*\S.*", say("the name of a game, or a file such as ./connect4.py"))] = Field(
        description="the name of an installed game (see `grader list`), or your own: ./connect4.py"
    )
    options: Options = Field(default={}, validate_default=True, description="options of the game (see `grader list`)")
    entry: Annotated[str, text_matching(ENTRY, PLAYER_FILE)] | None = Field(
        default=None,
        description="the file, or file and class, where each submission's player is looked for first (default: found "
        "automatically)",
        examples=["solution.py:SmartPlayer"],
    )
    extended_board: Flag = Field(
        default=False,
        description="true: also give the board the extra methods that some courses use, if the game has any",
    )
    time: MatchTime = Field(default=MatchTime(), description="time limits; waiting for a busy machine does not count")
    overrun: Annotated[Overrun, choice(*get_args(Overrun))] = Field(
        default="forfeit",
        description="when a player runs out of time: forfeit (it loses the game), disqualify (it gets no points at all) or "
        "random-move (a random move is played for it)",
    )
    limits: Resources = Field(default=Resources(), description="resources that a player may use")
    isolation: Annotated[Isolation, choice(*get_args(Isolation))] = Field(
        default="good",
        description="isolation level that the machine must have: none, basic, good or strong (see `grader doctor`)",
    )
    forbidden: tuple[Annotated[Forbiddable, choice(*FORBIDDABLE)], ...] = Field(
        default=(),
        description="findings that disqualify the submission: network, processes (starting programs), ctypes, files, input, eval, "
        "import_time (code that runs on import), missing_import (unavailable modules)",
    )
    forbidden_imports: tuple[Annotated[str, text_matching(MODULE, say("the name of a module, e.g. numpy"))], ...] = (
        Field(default=(), description="modules whose import disqualifies the submission, e.g. [torch, requests]")
    )
    scoring: Annotated[Rule, choice(*get_args(Rule))] = Field(
        default="by-opponent",
        description=(
            "by-opponent: each opponent is scored on its own; ladder: half of an opponent's points for "
            "beating it as player 1 (more wins than losses), half as player 2, up to the first one not "
            "beaten"
        ),
    )
    speed_share: Share = Field(default=0.0, description="share of the points, 0 to 1, that is given for unused time")
    opponents: tuple[Opponent, ...] = Field(description="the opponents, in order")
    maximum: Annotated[float, number(0.01, 1_000_000)] | None = Field(
        default=None,
        description="the points of all opponents together are scaled to this maximum (default: they are added up)",
        examples=[10],
    )
    round_to: Annotated[float, number(0.001, 1_000_000)] | None = Field(
        default=None,
        alias="round",
        description="the step to which scores are rounded, half a step up: 0.1, 0.5, 1 (default: not rounded)",
        examples=[0.1],
    )
    pass_mark: Annotated[float, number(0.01, 1_000_000)] | None = Field(
        default=None,
        alias="pass",
        description="the score, after rounding, from which a submission has passed (default: no pass mark)",
        examples=[5],
    )
    lifetime: Annotated[Lifetime, choice(*get_args(Lifetime))] = Field(
        default="game",
        description="game: a new process for each game; pairing: one process for all games against an "
        "opponent as the same player, so that it can learn",
    )
    seed: Annotated[int, integer(0, LARGEST_SEED)] | None = Field(
        default=None,
        description="the same seed gives the same games (default: a secret one, drawn for each results folder)",
        examples=[20260531],
    )
    late: Late | None = Field(
        default=None,
        description="penalty for late submissions (default: none): percent of the score per day or part of a day, its "
        "maximum, and the deadline (default: the platform's)",
        examples=[{"percent_per_day": 10, "at_most": 50, "due": "2026-05-31 23:59"}],
    )
    language: Annotated[LanguageName, choice(*get_args(LanguageName))] | None = Field(
        default=None, description="language of feedback and reports: en or es (default: the system's)", examples=["en"]
    )
    overrides: dict[StudentId, Override] = Field(
        default={},
        description="exceptions by submission id (entry, extension, excused, note), e.g. {ana: {extension: 2d, note: ill}}",
    )

    _rules: Game = PrivateAttr()
    _origin: AssignmentOrigin = PrivateAttr(default=HERE)

    @property
    def rules(self) -> Game:
        """The game, with its options."""
        return self._rules

    @property
    def folder(self) -> Path:
        """The folder of the files that it names."""
        return self._origin.folder

    @property
    def max_score(self) -> float:
        """The score for winning every game: `maximum`, or the points of all opponents."""
        return self.maximum or total_points(self.opponents)

    @property
    def secret(self) -> int:
        """The seed, once it is known: given in the assignment or on the command line, or drawn."""
        assert self.seed is not None, "a competition draws its seed before anything else"
        return self.seed

    def with_options(self, options: Mapping[str, Any]) -> "Assignment":
        """A copy with other options of the game. Raises `OptionError` if they are not allowed."""
        rules = make_game(type(self.rules), options)
        changed = self.model_copy(update={"options": rules.options()})
        changed._rules = rules
        return changed

    def model_post_init(self, context: Any) -> None:
        """Store the origin and the game, which has been validated before."""
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
            return options  # the game is wrong, which is reported already
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
            raise field_error(say("must have at least one opponent; leave the field out for the built-in ones"))
        found = list(opponent_problems(opponents, ladder=info.data.get("scoring") == "ladder"))
        if found:
            raise field_errors(found)
        return opponents

    @field_validator("maximum")
    @classmethod
    def _check_maximum(cls, maximum: float | None, info: ValidationInfo) -> float | None:
        if maximum is not None and "opponents" in info.data and not total_points(info.data["opponents"]):
            raise field_error(say("nothing to scale: all opponents have 0 points"))
        return maximum

    @field_validator("round_to", "pass_mark")
    @classmethod
    def _check_attainable(cls, value: float | None, info: ValidationInfo) -> float | None:
        if value is None or not {"opponents", "maximum"} <= info.data.keys():
            return value  # one of those is wrong, which is reported already
        most = info.data["maximum"] or total_points(info.data["opponents"])
        if value > most:
            raise field_error(
                say("must be at most the maximum score ({most:g}), not {value:g}", most=most, value=value)
            )
        return value


def _origin(info: ValidationInfo) -> AssignmentOrigin:
    return info.context if isinstance(info.context, AssignmentOrigin) else HERE


def _drop_game_name(text: str) -> str:
    """The problem with a game's option without the name of the game, which the place in the file shows."""
    if isinstance(text, Message) and "problem" in text.values:
        problem: str = text.values["problem"]
        return problem
    return text
