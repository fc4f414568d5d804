"""The opponents of an assignment: who they are, their limits, and how games against them become points."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, model_validator

from grader.assignment.field_types import (
    AssignmentSection,
    Flag,
    Options,
    Seconds,
    Share,
    Text,
    field_error,
    integer,
    number,
)
from grader.assignment.problems import Loc
from grader.language import say


class Linear(AssignmentSection):
    """Points in proportion to the win rate, between two limits."""

    low: Share = Field(default=0.0, alias="from", description="the win rate, 0 to 1, up to which no points are given")
    high: Share = Field(default=1.0, alias="to", description="the win rate, 0 to 1, from which all points are given")

    @model_validator(mode="after")
    def _check_order(self) -> "Linear":
        if not self.low < self.high:
            text = say("must be greater than from ({low:g}), not {high:g}", low=self.low, high=self.high)
            raise field_error(text, ("to",))
        return self


class Threshold(AssignmentSection):
    """All points for enough wins, none for fewer."""

    wins: Annotated[int, integer(1, 1_000)] = Field(description="the number of wins needed for all points")


class Scoring(AssignmentSection):
    """How games against an opponent become points (default: linear)."""

    linear: Linear | None = Field(
        default=None, description="points in proportion to the win rate, between from and to (a draw is half a win)"
    )
    threshold: Threshold | None = Field(default=None, description="all points for enough wins, none for fewer")

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
    """Time limits of an opponent where they differ from the students'."""

    move: Seconds | None = Field(default=None, description="seconds per move")
    load: Seconds | None = Field(default=None, description="seconds to import and create it")


class OpponentLimits(AssignmentSection):
    """Resources of an opponent where they differ from the students'."""

    memory_mb: Annotated[int, integer(64, 1_000_000)] | None = Field(
        default=None, description="memory limit of its process, in MB"
    )
    scratch_mb: Annotated[int, integer(0, 100_000)] | None = Field(
        default=None, description="size of a temporary folder for its files, in MB"
    )


class Opponent(AssignmentSection):
    """One opponent and the points for beating it."""

    player: Text = Field(
        description="the name of a reference player (see `grader list`), or your own: ./staff/ninja.py, "
        "./staff/ninja.py:Class or a folder"
    )
    options: Options = Field(default={}, description="options of the player, e.g. {depth: 4}")
    points: Annotated[float, number(0, 1_000_000)] = Field(description="maximum points against this opponent")
    games: Annotated[int, integer(1, 1_000)] = Field(
        default=4,
        description="number of games: even, so that each player moves first equally often (odd only with a threshold)",
    )
    name: Text = Field(default="", description="its name in reports (default: the player with its options)")
    scoring: Scoring = Field(
        default=Scoring(),
        description="{linear: {from: 0, to: 1}}: points rise linearly as the win rate goes from one to the other; "
        "{threshold: {wins: 4}}: all points for 4 wins or more, none for fewer",
    )
    hidden: Flag = Field(default=False, description="true: its name is not shown to students")
    disqualify_on_loss: Flag = Field(
        default=False, description="true: losing a game against it disqualifies the submission"
    )
    time: OpponentTime = Field(default=OpponentTime(), description="its own time limits, e.g. {move: 30, load: 60}")
    limits: OpponentLimits = Field(
        default=OpponentLimits(), description="its own resource limits, e.g. {memory_mb: 4096, scratch_mb: 10}"
    )

    @model_validator(mode="before")
    @classmethod
    def _set_default_name(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("player"), str):
            return data
        options = data.get("options", {})
        if not isinstance(options, Mapping):
            return data
        recorded = getattr(info.context, "recorded", False)  # results refer to games by the old names
        if "options" in data and not is_own_player(data["player"]) and not recorded:
            options = {name: _rename_old_value(name, value) for name, value in options.items()}
            data = {**data, "options": options}
        return {"name": player_label(_short_name(data["player"]), options), **data}

    @property
    def is_own(self) -> bool:
        """Whether it is the course's own player, not an installed reference player."""
        return is_own_player(self.player)

    @property
    def threshold(self) -> int | None:
        """The number of wins needed for all points, or None if points are linear."""
        return self.scoring.threshold.wins if self.scoring.threshold else None

    @property
    def linear(self) -> tuple[float, float]:
        """The win rate up to which there are no points, and the one from which there are all."""
        return (self.scoring.linear.low, self.scoring.linear.high) if self.scoring.linear else (0.0, 1.0)


def is_own_player(text: str) -> bool:
    """Whether a text is a file or folder of the course, not the name of a reference player."""
    return re.search(r"\.py(:\w+)?$|[/\\]", text) is not None


def _short_name(player: str) -> str:
    """The short name of a player for reports: for a course's own, that of its file or folder."""
    if not is_own_player(player):
        return player
    path, _, name = player.partition(":")
    return f"{PurePath(path).stem}.{name}" if name else PurePath(path).stem or player


def _rename_old_value(option: str, value: Any) -> Any:
    """The value of a reference player's option under its present name: `style: mended` is called `fixed` now."""
    return "fixed" if (option, value) == ("style", "mended") else value


def player_label(player: str, options: Mapping[str, Any]) -> str:
    """A player with its options, e.g. `alphabeta(depth=4)`."""
    listed = ", ".join(f"{name}={value!r}" for name, value in sorted(options.items()))
    return f"{player}({listed})" if listed else player


def total_points(opponents: Iterable[Opponent]) -> float:
    """The points of all opponents, added up exactly: 0.1 and 0.2 are 0.3."""
    return float(sum(Decimal(str(opponent.points)) for opponent in opponents))


def opponent_problems(opponents: tuple[Opponent, ...], *, ladder: bool) -> Iterator[tuple[Loc, str]]:
    """Problems between the fields of opponents that are valid one by one."""
    names: set[str] = set()
    for at, opponent in enumerate(opponents):
        threshold, games = opponent.threshold, opponent.games
        if opponent.name in names:
            yield (
                (at, "name"),
                say("another opponent is also called {name}: give this one a different name", name=repr(opponent.name)),
            )
        names.add(opponent.name)
        if games % 2 and (ladder or threshold is None):
            yield (
                (at, "games"),
                say(
                    "{games} is odd; choose an even number, so that each player moves first equally often", games=games
                ),
            )
        if ladder and opponent.scoring != Scoring():
            yield (at, "scoring"), say("not allowed with a ladder, which has its own scoring: remove it")
        elif threshold is not None and threshold > games:
            wins: Loc = (at, "scoring", "threshold", "wins")
            yield (
                wins,
                say(
                    "must be at most the number of games ({games}), not {threshold}",
                    games=games,
                    threshold=threshold,
                ),
            )
