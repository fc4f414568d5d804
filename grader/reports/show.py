"""Everything behind one grade, for whoever has to justify it."""

from collections.abc import Sequence
from textwrap import fill

import yaml
from tabulate import tabulate

from grader.competition.evidence import Evidence
from grader.fixtures import Match
from grader.games.endings import ending_label
from grader.language import Language
from grader.reports.labels import finding_place, result_label, score_label, status_label
from grader.scoring.estimate import duration

_KEPT = "\N{NO-BREAK SPACE}"
"""Where a line must not end: between a move and its time."""


def render(evidence: Evidence, speak: Language, *, moves: bool = False) -> str:
    """The submission, the conditions, the points and every game; each move with its time, if asked for."""
    sections = [
        _submission(evidence, speak),
        _conditions(evidence, speak),
        _points(evidence, speak),
        _games(evidence, speak),
        _faults(evidence, speak),
        _unplayed_games(evidence, speak),
        _findings(evidence, speak),
        _moves(evidence, speak) if moves else "",
    ]
    return "\n\n".join(section for section in sections if section)


def _rows(rows: Sequence[tuple[str, str]]) -> str:
    return tabulate([row for row in rows if row[1]], tablefmt="plain", disable_numparse=True)


def _submission(evidence: Evidence, speak: Language) -> str:
    grade, submission = evidence.grade, evidence.entrant.submission
    override = evidence.assignment.overrides.get(grade.id)
    return _rows(
        [
            (speak.say("submission"), submission.id),
            (speak.say("name"), grade.name),
            (speak.say("members"), ", ".join(submission.members)),
            (speak.say("score"), score_label(grade)),
            (speak.say("penalty"), f"{grade.penalty:g}" if grade.penalty else ""),
            (speak.say("status"), speak(status_label(grade.status))),
            (speak.say("reason"), speak(grade.reason)),
            (speak.say("SHA-256 of its files"), submission.digest),
            (speak.say("player"), ": ".join(evidence.entrant.identity.get("entry") or ())),
            (speak.say("platform"), submission.platform),
            (speak.say("submitted"), submission.submitted_at or ""),
            (speak.say("late by"), _late(submission.late_seconds, speak) if submission.late_seconds else ""),
            (speak.say("attempts"), str(submission.attempts)),
            (speak.say("override"), speak(override.summary) if override else ""),
        ]
    )


def _late(seconds: int, speak: Language) -> str:
    """As a person says it, and to the second: the penalty is by days begun."""
    return f"{speak(duration(seconds))} ({seconds} s)"


def _conditions(evidence: Evidence, speak: Language) -> str:
    machines = dict.fromkeys(game.record.machine for game in evidence.played if game.record.machine)
    rows = [(speak.say("assignment"), evidence.assignment.title), (speak.say("isolation"), evidence.isolation)]
    rows += [(speak.say("seed"), str(evidence.assignment.seed))]
    rows += [(speak.say("played with"), machine) for machine in machines]
    rows += [(speak.say("graded with"), evidence.machine)] * (evidence.machine not in machines)
    rows += [(speak.say("SHA-256 of the reference players"), evidence.entrant.identity.get("reference", ""))]
    rows += [(speak.say("SHA-256 of {name}", name=name), digest) for name, digest in evidence.own.items()]
    left_out = {"title", "seed", "overrides"}
    rules = evidence.assignment.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=left_out)
    text = yaml.safe_dump(rules, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)
    return f"{_rows(rows)}\n\n{text.rstrip()}"


def _points(evidence: Evidence, speak: Language) -> str:
    rows = [
        [
            part.opponent,
            f"{part.points:g} / {part.max_points:g}",
            *(part.won, part.drawn, part.lost),
            f"{part.interval[0]:.0%} – {part.interval[1]:.0%}",
            part.skipped or "",
            part.repeats or "",
        ]
        for part in evidence.grade.parts
    ]
    heads = [
        *(speak.say("opponent"), speak.say("points"), speak.say("wins"), speak.say("draws"), speak.say("losses")),
        *(speak.say("share won (95 %)"), speak.say("not played"), speak.say("repeated")),
    ]
    return tabulate(rows, heads, disable_numparse=True) if rows else ""


def _games(evidence: Evidence, speak: Language) -> str:
    if not evidence.played:
        return speak.say("No game was played.")
    heads = [
        *(speak.say("opponent"), "#", speak.say("moves as"), speak.say("result"), speak.say("ending")),
        *(speak.say("moves"), speak.say("seconds"), speak.say("slowest")),
    ]
    table = tabulate([_game(game, speak) for game in evidence.played], heads, disable_numparse=True)
    found = [
        [
            *(game.opponent, game.fixture.number + 1, game.fixture.seed, game.fixture.seeds[1 - game.seat]),
            *(game.fixture.opening, evidence.finished.get(game.fixture.key, ""), game.fixture.key[:16]),
        ]
        for game in evidence.played
    ]
    heads = [
        *(speak.say("opponent"), "#", speak.say("seed"), speak.say("opponent's seed"), speak.say("opening")),
        *(speak.say("finished"), speak.say("key")),
    ]
    return f"{table}\n\n{tabulate(found, heads, disable_numparse=True)}"


def _game(game: Match, speak: Language) -> list[str]:
    fixture, record = game.fixture, game.record
    own = [charge.charged for charge in record.charges_of(game.seat)]
    return [
        game.opponent,
        str(fixture.number + 1),
        str(game.seat + 1),
        result_label(record, game.seat, speak),
        speak(ending_label(record.ending, game.game)),
        str(len(record.turns)),
        f"{sum(own):.2f}",
        f"{max(own, default=0.0):.2f}",
    ]


def _faults(evidence: Evidence, speak: Language) -> str:
    """Why games ended by a fault, each reason once."""
    faults = [game.record.fault for game in evidence.played if game.record.fault is not None]
    game = evidence.assignment.rules
    return "\n".join(
        dict.fromkeys(f"{speak(ending_label(fault.ending, game))}: {speak(fault.text)}" for fault in faults)
    )


def _unplayed_games(evidence: Evidence, speak: Language) -> str:
    left = [f"{fixture.opponent} #{fixture.number + 1}" for fixture in evidence.unplayed]
    return speak.say("Not played: {games}.", games=", ".join(left)) if left else ""


def _moves(evidence: Evidence, speak: Language) -> str:
    """Each move of each game with the seconds that it was charged."""
    blocks = []
    for game in evidence.played:
        head = speak.say("Game {number} against {opponent}:", number=game.fixture.number + 1, opponent=game.opponent)
        moves = [
            f"{ply}.{_KEPT}{turn.move}{_KEPT}{turn.charge.charged:.3f}" for ply, turn in enumerate(game.record.turns, 1)
        ]
        lines = fill("   ".join(moves), 100, break_on_hyphens=False).replace(_KEPT, " ")
        blocks.append(f"{head}\n{lines}")
    return "\n\n".join(blocks)


def _findings(evidence: Evidence, speak: Language) -> str:
    return "\n".join(
        "! " + ": ".join(filter(None, [finding_place(finding), speak(finding.text)]))
        for finding in evidence.grade.findings
    )
