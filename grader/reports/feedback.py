"""`feedback/<id>.md`: what one student is told, with nothing about the others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tabulate import tabulate

from grader import __version__
from grader.records import Charge, Ending, MatchRecord
from grader.schedule import Fixture
from grader.scoring import Grade, Part

SLOWEST = 3


@dataclass(frozen=True, slots=True)
class Played:
    """A fixture and how it went."""

    fixture: Fixture
    opponent: str
    record: MatchRecord


def render(
    grade: Grade, played: Sequence[Played], *, title: str, seed: int, isolation: str, limit: str, reveal: bool
) -> str:
    """The score, every lost game with its reason, the slowest moves and the findings."""
    hidden = {part.opponent for part in grade.parts if part.hidden and not reveal}
    sections = [f"# {text(title)}", _headline(grade), _table(grade.parts, hidden)]
    lost = [game for game in played if game.record.winner == 1 - game.fixture.seat and game.opponent not in hidden]
    if lost:
        sections += ["## Lost games", "\n".join(_loss(game) for game in lost)]
    slow = _slowest(played, hidden)
    if slow:
        sections += ["## Slowest moves", f"The limit is {limit}.\n\n{slow}"]
    if grade.findings:
        sections += ["## Findings", "\n".join(_finding(grade, at) for at in range(len(grade.findings)))]
    sections.append(
        f"Graded by grader {__version__} at the isolation level {isolation}, with the seed {seed}. "
        f"To see it again: `grader run … --seed {seed} --only {grade.id}`."
    )
    return "\n\n".join(section for section in sections if section) + "\n"


def text(written: str) -> str:
    """What somebody wrote, so that Markdown and HTML leave it as it is."""
    plain = " ".join(written.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]#|!~$])", r"\\\1", plain)


def _sentence(written: str) -> str:
    escaped = text(written)
    return escaped if escaped.endswith((".", "!", "?", "…")) else f"{escaped}."


def _headline(grade: Grade) -> str:
    who = f"**{text(grade.name or grade.id)}**"
    if grade.score is None:
        return f"{who}: not graded. {_sentence(grade.reason)}"
    penalty = f" after a penalty of {grade.penalty:g} for lateness" if grade.penalty else ""
    status = "" if grade.status == "graded" else f"{grade.status.capitalize()}: "
    reason = f" {status}{_sentence(grade.reason)}" if grade.reason else ""
    return f"{who}: {grade.score:g} of {grade.max_score:g} points{penalty}.{reason}"


def _table(parts: Sequence[Part], hidden: set[str]) -> str:
    if not parts:
        return ""
    rows = []
    for number, part in enumerate(parts, 1):
        low, high = part.interval
        notes = [f"{part.skipped} not needed"] * bool(part.skipped) + [f"{part.repeats} repeated"] * bool(part.repeats)
        rows.append(
            [
                f"hidden opponent {number}" if part.opponent in hidden else text(part.opponent),
                f"{part.points:g} / {part.max_points:g}",
                *(part.won, part.drawn, part.lost),
                f"{low:.0%} – {high:.0%}",
                ", ".join(notes),
            ]
        )
    headers = ["opponent", "points", "won", "drawn", "lost", "share won (95 %)", "games"]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def _loss(game: Played) -> str:
    record, fixture = game.record, game.fixture
    colour = "first" if fixture.seat == 0 else "second"
    head = f"- Game {fixture.number + 1} against {text(game.opponent)}, moving {colour}: `{record.ending}`"
    if record.fault is None:
        return f"{head} after {len(record.turns)} moves. {_NATURAL[record.ending]}"
    lines = [f"{head} after {len(record.turns)} moves. {_sentence(record.fault.text)} {_sentence(record.fault.help)}"]
    lines += [f"  - `{line.replace('`', ' ')}`" for line in record.fault.trace.splitlines()[-5:]]
    return "\n".join(lines)


_NATURAL = {
    Ending.CONNECTED: "The opponent connected its two sides first.",
    Ending.LINE: "You owned four in line, and whoever does loses.",
}


def _slowest(played: Sequence[Played], hidden: set[str]) -> str:
    moves = [
        (charge.charged, game, game.fixture.seat + 2 * at)
        for game in played
        if game.opponent not in hidden
        for at, charge in enumerate(_charges(game))
    ]
    slow = sorted(moves, key=lambda move: -move[0])[:SLOWEST]
    return "\n".join(
        f"- {seconds:.2f} s for move {ply + 1} of game {game.fixture.number + 1} against {text(game.opponent)}"
        for seconds, game, ply in slow
    )


def _charges(game: Played) -> list[Charge]:
    """The time of each of the student's moves, the one that was its fault included."""
    charges = [turn.charge for turn in game.record.turns[game.fixture.seat :: 2]]
    last = game.record.last_charge
    return [*charges, last] if last is not None and game.record.at_fault == game.fixture.seat else charges


def _finding(grade: Grade, at: int) -> str:
    finding = grade.findings[at]
    where = text(f"{finding.file}:{finding.line}") + ": " if finding.file and finding.line else ""
    return f"- {where}{_sentence(finding.text)} {_sentence(finding.help)}"
