"""The types of an assignment's fields. Each rejects a wrong value with a message that says what is allowed."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict
from pydantic_core import PydanticCustomError

from grader.assignment.problems import Loc, choose_from, quote_yaml
from grader.language import Message, say

MAX_TEXT = 200
MAX_NUMBER = 10**18
"""The largest number in the options of a game or a player."""


class AssignmentSection(BaseModel):
    """A part of an assignment. Unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def field_error(text: str, loc: Loc = ()) -> PydanticCustomError:
    """An error about a value, or about a value inside it at `loc`."""
    return field_errors([(loc, text)])


def field_errors(found: Sequence[tuple[Loc, str]]) -> PydanticCustomError:
    """Several errors inside one value, in one exception: pydantic lets a validator raise only one."""
    return PydanticCustomError(
        "assignment", "{summary}", {"found": list(found), "summary": "; ".join(text for _, text in found)}
    )


def number(low: float, high: float) -> BeforeValidator:
    """A number in this range."""
    return _number(say("a number"), (int, float), low, high)


def integer(low: int, high: int) -> BeforeValidator:
    """A whole number in this range."""
    return _number(say("a whole number"), (int,), low, high)


def choice(*allowed: str) -> BeforeValidator:
    """One of these words."""

    def check(value: object) -> object:
        if value not in allowed:
            raise field_error(
                say("unknown value {value}: {allowed}", value=quote_yaml(value), allowed=choose_from(allowed, value))
            )
        return value

    return BeforeValidator(check)


def text_matching(pattern: str, what: Message) -> BeforeValidator:
    """A text that matches this pattern; `what` describes it."""

    def check(value: object) -> object:
        if not isinstance(value, str) or len(value) > MAX_TEXT or not re.fullmatch(pattern, value):
            raise field_error(say("must be {what}, not {value}", what=what, value=quote_yaml(value)))
        return value

    return BeforeValidator(check)


def moment(text: str) -> datetime:
    """The date and time that a text in the format of `MOMENT` stands for."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))  # for Python 3.10


def _check_moment(text: str) -> str:
    try:
        moment(text)
    except ValueError:
        raise field_error(say("must be a valid date and time, not {value}", value=quote_yaml(text))) from None
    return text


def _number(what: Message, kinds: tuple[type, ...], low: float, high: float) -> BeforeValidator:
    def check(value: Any) -> Any:
        # Compares exact types, because a bool is an int, too.
        if type(value) not in kinds or not low <= value <= high:
            raise field_error(
                say(
                    "must be {what} from {low} to {high}, not {value}",
                    what=what,
                    low=low,
                    high=high,
                    value=quote_yaml(value),
                )
            )
        return value

    return BeforeValidator(check)


def _check_flag(value: object) -> object:
    if not isinstance(value, bool):
        raise field_error(say("must be true or false, not {value}", value=quote_yaml(value)))
    return value


def _check_plain(value: object) -> object:
    if not (abs(value) < MAX_NUMBER if isinstance(value, int | float) else isinstance(value, str | None)):
        raise field_error(say("must be a number, text, true, false or null, not {value}", value=quote_yaml(value)))
    return value


def _id_as_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Flag = Annotated[bool, BeforeValidator(_check_flag)]
Text = Annotated[str, text_matching(r"(?s).*\S.*", say("text of 1 to {most} characters", most=MAX_TEXT))]
MOMENT = r"20\d{2}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2})?([+-]\d{2}:\d{2}|Z)?"
Moment = Annotated[
    str,
    text_matching(MOMENT, say("a date and time, e.g. 2026-05-31 23:59 or 2026-05-31 23:59+02:00")),
    AfterValidator(_check_moment),
]
Seconds = Annotated[float, number(0.01, 86_400)]
Percent = Annotated[float, number(0, 100)]
Share = Annotated[float, number(0, 1)]
Speed = Annotated[float, number(0.05, 20)]
"""The speed of a machine, as `grader.sandbox.speed` measures it."""
StudentId = Annotated[str, BeforeValidator(_id_as_text), text_matching(r"(?s).*\S.*", say("the id of a submission"))]
"""The id of a submission. YAML reads an id of digits as a number."""
OptionName = Annotated[str, text_matching(r"[^\W\d]\w*", say("the name of an option (letters, digits and _)"))]
Options = dict[OptionName, Annotated[Any, BeforeValidator(_check_plain)]]
"""The options of a game or a player: numbers, texts, true, false or null, by name."""
