"""The texts of `grader check`: a line for each step while it runs, then the problems and what to do about them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from grader.assignment import Assignment
from grader.checks.conclusion import Conclusion
from grader.games.exam import Mark, Verdict
from grader.language import Language
from grader.reports.labels import assignment_in_force
from grader.reports.second_person import to_student

MarkSigns = Mapping[Mark, str]
SIGNS: MarkSigns = MappingProxyType({Mark.GOOD: "✓", Mark.INFO: "·", Mark.NOTE: "!", Mark.BAD: "✗", Mark.OPEN: "–"})
ASCII_SIGNS: MarkSigns = MappingProxyType(
    {Mark.GOOD: "ok", Mark.INFO: ".", Mark.NOTE: "!", Mark.BAD: "X", Mark.OPEN: "-"}
)
"""For terminals that cannot show ticks."""


def render_subject(assignment: Assignment, source: str, budget: float | None, speak: Language) -> str:
    """The assignment by which a player is checked, and how long that takes."""
    lines = [assignment_in_force(assignment, source, speak)]
    if budget is not None:
        lines.append(speak.say("This takes up to about {budget:g} s; --full plays all games.", budget=budget))
    return "\n".join(lines)


def render_observation(verdict: Verdict, speak: Language, signs: MarkSigns = SIGNS) -> str:
    """A verdict at the moment it is reached."""
    return "\n".join([f"{signs[verdict.mark]} {speak(verdict.text)}", *_indent(verdict.detail, speak)])


def render_verdict(verdict: Verdict, speak: Language, signs: MarkSigns = SIGNS) -> str:
    """A verdict with its details and what to do about it."""
    text = to_student(speak)(verdict.text)
    return "\n".join([f"{signs[verdict.mark]} {text}", *_indent([*verdict.detail, verdict.help], speak)])


def render(conclusion: Conclusion, lost_game: str, speak: Language, signs: MarkSigns = SIGNS) -> str:
    """The problems and what to do, the results of the games, what was skipped, and how the official run differs."""
    lines = [headline(conclusion.verdicts, speak)]
    for mark in (Mark.BAD, Mark.NOTE, Mark.OPEN):
        lines += [render_verdict(verdict, speak, signs) for verdict in conclusion.verdicts if verdict.mark is mark]
    more = [speak(conclusion.results), lost_game]
    if conclusion.skipped:
        skipped = "; ".join(speak(text) for text in conclusion.skipped)
        more.append(speak.say("Skipped for lack of time: {skipped}. Allow more time with --budget.", skipped=skipped))
    if conclusion.postponed:
        more.append(speak.say("Fix this first; the remaining checks will run next time."))
    more = [line for line in (*more, speak(conclusion.official)) if line]
    return "\n".join([*lines, "", *more] if more else lines)


def _indent(lines: Sequence[str], speak: Language) -> list[str]:
    return [f"    {line}" for text in lines for line in speak(text).splitlines()]


def headline(verdicts: Sequence[Verdict], speak: Language) -> str:
    """Whether the player is ready, in a sentence."""
    bad, notes, unknown = (
        sum(verdict.mark is mark and not verdict.optional for verdict in verdicts)
        for mark in (Mark.BAD, Mark.NOTE, Mark.OPEN)
    )
    if bad:
        return speak.say("Not ready: {n} problem to fix.", "Not ready: {n} problems to fix.", n=bad)
    if unknown and notes:
        return speak.say(
            "No problems found so far, {n} warning (not everything could be checked).",
            "No problems found so far, {n} warnings (not everything could be checked).",
            n=notes,
        )
    if unknown:
        return speak.say("No problems found so far (not everything could be checked).")
    if notes:
        return speak.say("Ready to submit, with {n} warning.", "Ready to submit, with {n} warnings.", n=notes)
    return speak.say("Ready to submit: no problems found.")
