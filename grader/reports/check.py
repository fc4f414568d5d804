"""What `grader check` tells a student: a line for each thing seen, then the verdicts, then what the official run does otherwise."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from grader.assignment import Assignment
from grader.checks.conclusion import Conclusion
from grader.games.exam import Mark, Verdict
from grader.language import Language
from grader.reports.labels import time_limit_label

Signs = Mapping[Mark, str]
SIGNS: Signs = MappingProxyType({Mark.GOOD: "✓", Mark.NOTE: "!", Mark.BAD: "✗", Mark.OPEN: "–"})
ASCII_SIGNS: Signs = MappingProxyType({Mark.GOOD: "ok", Mark.NOTE: "!", Mark.BAD: "X", Mark.OPEN: "-"})
"""For terminals that have no ticks."""


def render_subject(name: str, assignment: Assignment, source: str, budget: float | None, speak: Language) -> str:
    """What is checked, by which rules."""
    names = assignment.rules.option_names()
    options = ", ".join(f"{speak(names.get(name, name))} {value}" for name, value in assignment.options.items())
    lines = [
        speak.say(
            "Checking {name} for {title} ({conditions}).",
            name=name,
            title=assignment.title,
            conditions="; ".join(filter(None, [options, speak(time_limit_label(assignment.time))])),
        ),
        speak.say("The rules are those of {source}.", source=speak(source)),
    ]
    if budget is not None:
        lines.append(speak.say("This takes at most about {budget:g} s; --full plays everything.", budget=budget))
    return "\n".join(lines) + "\n"


def render_observation(verdict: Verdict, speak: Language, signs: Signs = SIGNS) -> str:
    """A verdict with its details, at the moment at which it is reached."""
    return "\n".join([f"{signs[verdict.mark]} {speak(verdict.text)}", *_indent(verdict.detail, speak)])


def render_verdict(verdict: Verdict, speak: Language, signs: Signs = SIGNS) -> str:
    """One thing with what to do about it."""
    return "\n".join([f"{signs[verdict.mark]} {speak(verdict.text)}", *_indent([verdict.help], speak)])


def render(conclusion: Conclusion, lost_game: str, speak: Language, signs: Signs = SIGNS) -> str:
    """The verdicts with what to do, how games ended (and where a lost one is), what was skipped, and how the official run differs."""
    lines = [_headline(conclusion.verdicts, speak)]
    for mark in (Mark.BAD, Mark.NOTE, Mark.OPEN):
        found = [verdict for verdict in conclusion.verdicts if verdict.mark is mark]
        lines += [render_verdict(verdict, speak, signs) for verdict in found]
    good = [speak(verdict.topic) for verdict in conclusion.verdicts if verdict.mark is Mark.GOOD]
    if good:
        lines.append(f"{signs[Mark.GOOD]} {', '.join(good)}")
    lines += ["", *(line for line in (speak(conclusion.results), lost_game) if line)]
    if conclusion.skipped:
        skipped = "; ".join(speak(text) for text in conclusion.skipped)
        lines.append(speak.say("No time for: {skipped}. --budget gives it more.", skipped=skipped))
    if conclusion.postponed:
        lines.append(speak.say("The rest is looked at once that is mended."))
    return "\n".join([*lines, speak(conclusion.official)])


def _indent(lines: Sequence[str], speak: Language) -> list[str]:
    return [f"    {line}" for text in lines for line in speak(text).splitlines()]


def _headline(verdicts: Sequence[Verdict], speak: Language) -> str:
    bad, notes = (sum(verdict.mark is mark for verdict in verdicts) for mark in (Mark.BAD, Mark.NOTE))
    if bad:
        return (
            speak.say("Not ready: 1 thing to mend.")
            if bad == 1
            else speak.say("Not ready: {count} things to mend.", count=bad)
        )
    if not notes and any(verdict.mark is Mark.OPEN for verdict in verdicts):
        return speak.say("Nothing to mend, as far as this was found out.")
    if notes:
        return (
            speak.say("Nothing to mend, and 1 thing to look at.")
            if notes == 1
            else speak.say("Nothing to mend, and {count} things to look at.", count=notes)
        )
    return speak.say("Nothing to mend.")
