"""`feedback/<id>.md`: what one student is told, with nothing about the others."""

import re
from collections.abc import Sequence

from tabulate import tabulate

from grader import __version__
from grader.fixtures import Match
from grader.games.endings import ending_label, explain_ending, move_count
from grader.language import Language
from grader.records import Finding
from grader.reports.labels import format_seconds, status_label
from grader.scoring.points import Grade, Part

SLOWEST = 3


def render(
    grade: Grade,
    played: Sequence[Match],
    speak: Language,
    *,
    title: str,
    isolation: str,
    limit: str,
    reveal: bool,
) -> str:
    """The score, every lost game with its reason, the slowest moves and the findings.

    Never the seed: who knows it knows the games of the next attempt.
    """
    hidden = {part.opponent for part in grade.parts if part.hidden and not reveal}
    sections = [f"# {escape(title)}", _headline(grade, speak), _table(grade.parts, hidden, speak)]
    lost = [game for game in played if game.record.winner == 1 - game.seat and game.opponent not in hidden]
    if hidden:
        sections.append(speak.say("Games against hidden opponents count, and are not shown."))
    if lost:
        sections += [f"## {speak.say('Lost games')}", "\n".join(_loss(game, speak) for game in lost)]
    slow = _slowest(played, hidden, speak)
    if slow:
        sections += [f"## {speak.say('Slowest moves')}", speak.say("The limit is {limit}.", limit=limit), slow]
    if grade.findings:
        findings = "\n".join(_finding(finding, speak) for finding in grade.findings)
        sections += [f"## {speak.say('Findings')}", findings]
    sections.append(
        speak.say(
            "Graded by grader {version} at the isolation level {isolation}.",
            version=__version__,
            isolation=isolation,
        )
    )
    return "\n\n".join(section for section in sections if section) + "\n"


def escape(written: str) -> str:
    """What somebody wrote, so that Markdown and HTML leave it as it is."""
    plain = " ".join(written.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]#|!~$])", r"\\\1", plain)


def _sentence(written: str) -> str:
    escaped = escape(written)
    return escaped if escaped.endswith((".", "!", "?", "…")) else f"{escaped}."


def _headline(grade: Grade, speak: Language) -> str:
    who = f"**{escape(grade.name or grade.id)}**"
    reason = _sentence(speak(grade.reason)) if grade.reason else ""
    if grade.score is None:
        return speak.say("{who}: not graded. {reason}", who=who, reason=reason)
    points: dict[str, str | float] = {
        "who": who,
        "score": grade.score,
        "most": grade.max_score,
        "penalty": grade.penalty,
    }
    if grade.penalty:
        said = speak.say("{who}: {score:g} of {most:g} points after a penalty of {penalty:g} for lateness.", **points)
    else:
        said = speak.say("{who}: {score:g} of {most:g} points.", **points)
    if reason and grade.status != "graded":
        reason = f"{speak(status_label(grade.status)).capitalize()}: {reason}"
    return f"{said} {reason}".rstrip()


def _table(parts: Sequence[Part], hidden: set[str], speak: Language) -> str:
    if not parts:
        return ""
    rows = []
    for number, part in enumerate(parts, 1):
        low, high = part.interval
        notes = [str(part.games)]
        notes += [speak.say("{count} not needed", count=part.skipped)] * bool(part.skipped)
        notes += [speak.say("{count} not played", count=part.unplayed)] * bool(part.unplayed)
        notes += [speak.say("{count} repeated", count=part.repeats)] * bool(part.repeats)
        hidden_name = speak.say("hidden opponent {number}", number=number)
        rows.append(
            [
                hidden_name if part.opponent in hidden else escape(part.opponent),
                f"{part.points:g} / {part.max_points:g}",
                *(part.won, part.drawn, part.lost),
                f"{low:.0%} – {high:.0%}",
                ", ".join(notes),
            ]
        )
    headers = [
        *(speak.say("opponent"), speak.say("points"), speak.say("wins"), speak.say("draws"), speak.say("losses")),
        *(speak.say("share won (95 %)"), speak.say("games")),
    ]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def _loss(game: Match, speak: Language) -> str:
    record = game.record
    about: dict[str, str | int] = {
        "number": game.fixture.number + 1,
        "opponent": escape(game.opponent),
        "ending": ending_label(record.ending, game.game),
        "moves": move_count(len(record.turns)),
    }
    if game.seat == 0:
        head = speak.say("Game {number} against {opponent}, moving first: {ending} after {moves}.", **about)
    else:
        head = speak.say("Game {number} against {opponent}, moving second: {ending} after {moves}.", **about)
    if record.fault is None:
        return f"- {head} {speak(explain_ending(record.ending, game.game, won=False))}"
    fault = record.fault
    lines = [f"- {head} {_sentence(speak(fault.text))} {_sentence(speak(fault.help))}"]
    lines += [f"  - `{line.replace('`', ' ')}`" for line in fault.trace.splitlines()[-5:]]
    return "\n".join(lines)


def _slowest(played: Sequence[Match], hidden: set[str], speak: Language) -> str:
    moves = [
        (charge.charged, game, ply)
        for game in played
        if game.opponent not in hidden
        for ply, charge in zip(plies(game), game.record.charges_of(game.seat), strict=True)
    ]
    slow = sorted(moves, key=lambda move: -move[0])[:SLOWEST]
    return "\n".join("- " + _slow(seconds, game, ply, speak) for seconds, game, ply in slow)


def _slow(seconds: float, game: Match, ply: int, speak: Language) -> str:
    return speak.say(
        "{seconds} s for move {move} of game {game} against {opponent}",
        seconds=escape(format_seconds(seconds)),
        move=ply + 1,
        game=game.fixture.number + 1,
        opponent=escape(game.opponent),
    )


def plies(game: Match) -> list[int]:
    """The plies of the student's moves, from 0, the one that was its fault included."""
    own = [ply for ply in range(len(game.record.turns)) if game.record.mover(ply) == game.seat]
    return [*own, len(game.record.turns)] if len(game.record.charges_of(game.seat)) > len(own) else own


def _finding(finding: Finding, speak: Language) -> str:
    where = escape(f"{finding.file}:{finding.line}") + ": " if finding.file and finding.line else ""
    return f"- {where}{_sentence(speak(finding.text))} {_sentence(speak(finding.help))}"
