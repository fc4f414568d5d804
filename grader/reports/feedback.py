"""`feedback/<id>.md`: the feedback for one student, which contains nothing about the others."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tabulate import tabulate

from grader import __version__
from grader.assignment import MatchTime
from grader.competition.attention import cause_of_not_playing
from grader.fixtures import Match
from grader.games.endings import explain_ending, move_count
from grader.language import Language, say
from grader.records import Finding
from grader.reports.first_step import FirstStep, first_step
from grader.reports.isolation import isolation_warning
from grader.reports.labels import (
    as_sentence,
    cause_label,
    finding_place,
    format_seconds,
    score_notes,
    seat_label,
    slow_from,
    split_reason,
    status_label,
    time_limit_label,
    win_rate_label,
)
from grader.reports.reasons import ReasonGroup, by_opponent, fault_title, group_by_reason
from grader.reports.second_person import to_student
from grader.scoring.points import Grade, Part

SLOWEST = 3
"""How many of the slowest moves are listed."""
TRACE_LINES = 5
"""How many lines of a traceback are shown."""


def render(
    grade: Grade,
    played: Sequence[Match],
    speak: Language,
    *,
    title: str,
    isolation: str,
    time: MatchTime,
    reveal: bool,
    seal: str = "",
) -> str:
    """The score, what to do first, the lost games by reason, moves that were nearly too slow, and the findings.

    The seed is left out: students who know it can predict the games of the next attempt.
    """
    speak = to_student(speak)
    hidden = {part.opponent for part in grade.parts if part.hidden and not reveal}
    reason, findings = split_reason(grade)
    visible = [match for match in played if match.opponent not in hidden]
    step = None if reason is not None else first_step(_without_hidden(grade, hidden), visible, time)
    first = "" if step is None else _first_step(step, speak)
    sections = [f"# {escape(title)}", _headline(grade, reason, speak), first, _table(grade, hidden, speak)]
    if hidden:
        sections.append(speak.say("Games against hidden opponents count but are not shown."))
    lost = group_by_reason(match for match in visible if match.record.winner == 1 - match.seat)
    if lost:
        sections += [f"## {speak.say('Lost games')}", "\n".join(_losses(group, step, speak) for group in lost)]
    slow = _slowest(visible, slow_from(time), speak)
    if slow:
        limit = speak.say("The limit is {limit}.", limit=time_limit_label(time))
        sections += [f"## {speak.say('Slowest moves')}", limit, slow]
    if findings:
        sections += [f"## {speak.say('Findings')}", "\n".join(f"- {_finding(finding, speak)}" for finding in findings)]
    sections.append(
        speak.say(
            "Graded with grader {version}, isolation level {isolation}.", version=__version__, isolation=isolation
        )
    )
    if (warning := isolation_warning(isolation)) is not None:
        sections.append(speak(warning))
    if seal:
        sections.append(
            speak.say(
                "Seal of the results: {seal}. Keep it: it reveals any later change to the games and grades.", seal=seal
            )
        )
    return "\n\n".join(section for section in sections if section) + "\n"


def escape(text: str) -> str:
    """Text from outside the grader, escaped so that Markdown and HTML show it unchanged."""
    plain = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]#|!~$])", r"\\\1", plain)


def _sentence(text: str) -> str:
    return as_sentence(escape(text))


def _headline(grade: Grade, finding: Finding | None, speak: Language) -> str:
    """The score and the reason for it, with its place and what to do if it is a finding."""
    who = f"**{escape(grade.name or grade.id)}**"
    reason = _sentence(speak(grade.reason)) if grade.reason else ""
    if finding is not None:
        reason = _finding(finding, speak)
    if grade.score is None:
        return speak.say("{who}: not graded. {reason}", who=who, reason=reason)
    points: dict[str, str | float] = {"who": who, "score": grade.score, "most": grade.max_score}
    if grade.penalty:
        score = speak.say(
            "{who}: {score:g} of {most:g} points, after a late penalty of {penalty:g}.",
            penalty=grade.penalty,
            **points,
        )
    else:
        score = speak.say("{who}: {score:g} of {most:g} points.", **points)
    score = " ".join([score, *map(speak, score_notes(grade))])
    if reason and grade.status != "graded":
        reason = f"{speak(status_label(grade.status)).capitalize()}: {reason}"
    return f"{score} {reason}".rstrip()


def _table(grade: Grade, hidden: set[str], speak: Language) -> str:
    if not grade.parts:
        return ""
    rows = []
    for number, part in enumerate(grade.parts, 1):
        hidden_name = speak.say("hidden opponent {number}", number=number)
        rows.append(
            [
                hidden_name if part.opponent in hidden else escape(part.opponent),
                f"{speak.number(part.points)} / {speak.number(part.max_points)}",
                *(part.won, part.drawn, part.lost),
                win_rate_label(part, speak),
                games_label(grade, part, speak),
            ]
        )
    headers = [
        *(speak.say("opponent"), speak.say("points"), speak.say("wins"), speak.say("draws"), speak.say("losses")),
        *(speak.say("win rate (95 % CI)"), speak.say("games")),
    ]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def games_label(grade: Grade, part: Part, speak: Language) -> str:
    """How many games count against an opponent, and what is special about some of them."""
    if (found := cause_of_not_playing(grade)) is not None:
        return speak.say("{n} not played: {why}", "{n} not played: {why}", n=part.unplayed, why=cause_label(found[0]))
    notes = [str(part.games)]
    notes += [speak.say("{n} not needed", "{n} not needed", n=part.skipped)] * bool(part.skipped)
    notes += [speak.say("{n} not played", "{n} not played", n=part.unplayed)] * bool(part.unplayed)
    notes += [speak.say("{n} repeated", "{n} repeated", n=part.repeats)] * bool(part.repeats)
    return ", ".join(notes)


def _without_hidden(grade: Grade, hidden: set[str]) -> Grade:
    """The grade with hidden opponents named by number."""
    parts = tuple(
        replace(part, opponent=say("hidden opponent {number}", number=number)) if part.opponent in hidden else part
        for number, part in enumerate(grade.parts, 1)
    )
    return replace(grade, parts=parts)


def _first_step(step: FirstStep, speak: Language) -> str:
    """What to do first, in one paragraph."""
    place = f"{escape(step.place)}: " if step.place else ""
    parts = [f"**{speak(step.title)}.**", f"{place}{_sentence(speak(step.text))}", _sentence(speak(step.help))]
    code = [f"- `{line.replace('`', ' ')}`" for line in step.code.splitlines()]
    return "\n".join([" ".join(filter(None, parts)), *code])


def _losses(group: ReasonGroup, step: FirstStep | None, speak: Language) -> str:
    """Games that were lost for the same reason: the reason and the traceback, unless `step` has them, and the games."""
    game, fault = group.matches[0].game, group.fault
    title = speak(fault_title(group.matches[0]))
    count = speak.say("{n} game: {ending}.", "{n} games: {ending}.", n=len(group.matches), ending=escape(title))
    if fault is None:
        lines = [f"- **{count}** {speak(explain_ending(group.ending, game, won=False))}"]
    elif step is not None and step.matches == group.matches:
        lines = [f"- **{count}**"]
    else:
        text = speak.say("For example: {fault}", fault=fault.text) if group.is_varied else speak(fault.text)
        lines = [f"- **{count}** {_sentence(text)} {_sentence(speak(fault.help))}"]
        lines += [f"  - `{line.replace('`', ' ')}`" for line in fault.trace.splitlines()[-TRACE_LINES:]]
    for opponent, matches in by_opponent(group.matches).items():
        lines.append(f"  - {escape(opponent)}: {', '.join(_game(match, speak) for match in matches)}")
    return "\n".join(lines)


def _game(match: Match, speak: Language) -> str:
    return speak.say(
        "game {number} ({seat}, {moves})",
        number=match.fixture.number + 1,
        seat=seat_label(match.seat),
        moves=move_count(len(match.record.turns)),
    )


def _slowest(played: Sequence[Match], least: float, speak: Language) -> str:
    moves = [
        (charge.charged, match, ply)
        for match in played
        for ply, charge in zip(own_plies(match), match.record.charges_of(match.seat), strict=True)
        if charge.charged > least * match.record.time_scale
    ]
    slow = sorted(moves, key=lambda move: -move[0])[:SLOWEST]
    return "\n".join("- " + _slow_move(seconds, match, ply, speak) for seconds, match, ply in slow)


def _slow_move(seconds: float, match: Match, ply: int, speak: Language) -> str:
    return speak.say(
        "{seconds} s for move {move} of game {game} against {opponent}",
        seconds=escape(format_seconds(seconds, speak)),
        move=ply + 1,
        game=match.fixture.number + 1,
        opponent=escape(match.opponent),
    )


def own_plies(match: Match) -> list[int]:
    """The plies of the student's moves, from 0, including the answer that was a fault."""
    own = [ply for ply in range(len(match.record.turns)) if match.record.mover(ply) == match.seat]
    return [*own, len(match.record.turns)] if len(match.record.charges_of(match.seat)) > len(own) else own


def _finding(finding: Finding, speak: Language) -> str:
    where = f"{escape(finding_place(finding))}: " if finding.line and finding_place(finding) else ""
    return f"{where}{_sentence(speak(finding.text))} {_sentence(speak(finding.help))}"
