"""What the template of the section "Needs your attention" calls."""

from functools import partial
from typing import Any

from grader.competition.attention import Cause
from grader.language import Language
from grader.reports import attention
from grader.reports.labels import cause_label, sentence_case

_TONES = {
    Cause.LOST: "lost",
    Cause.NO_POINTS: "lost",
    Cause.MISSING: "absent",
    Cause.LATE: "absent",
}
"""It played by the rules, or there is nothing to grade; in all other cases something does not work."""


def attention_functions(speak: Language) -> dict[str, Any]:
    """The functions of `attention.html.j2`, in addition to those of a student's section."""
    return {
        "attention_title": attention.title,
        "attention_by_cause": attention.by_cause,
        "attention_advice": attention.advice,
        "attention_hints": lambda found: list(attention.general_hints(found)),
        "cause_label": cause_label,
        "cause_tone": _tone,
        "override_lines": attention.override_lines,
        "sentence_case": partial(sentence_case, speak=speak),
        "states_reason": attention.states_reason,
    }


def _tone(cause: Cause) -> str:
    return _TONES.get(cause, "fault")
