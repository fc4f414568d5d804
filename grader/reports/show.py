"""Everything behind one grade, for whoever has to stand up for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

import yaml
from tabulate import tabulate

from grader.assignment import Assignment
from grader.fixtures import Fixture
from grader.intake.submission import Submission
from grader.language import Language
from grader.records import MatchRecord
from grader.reports.endings import named
from grader.reports.feedback import Played, charges
from grader.reports.statuses import status_named
from grader.scoring.estimate import duration
from grader.scoring.points import Grade

_KEPT = "\N{NO-BREAK SPACE}"
"""Where a line must not end: between a move and its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """What a grade was made of."""

    grade: Grade
    submission: Submission
    assignment: Assignment
    isolation: str
    entry: str
    """Which file and class of it played; empty if there was none."""
    references: str
    """A hash of the reference players."""
    own: Mapping[str, str]
    """A hash of the game and of each opponent that is the course's own, by name."""
    machine: str
    """Which grader, Python and system the grade was worked out with; empty if an older grader did."""
    played: tuple[Played, ...]
    unplayed: tuple[Fixture, ...]
    """Games that were not needed, or could not be played."""
    finished: Mapping[str, str]
    """When each game was over, by the key of its fixture."""


def render(behind: Behind, speak: Language, *, moves: bool = False) -> str:
    """The submission, the conditions, the points and every game; each move with its time, if asked for."""
    sections = [
        _submission(behind, speak),
        _conditions(behind, speak),
        _points(behind, speak),
        _games(behind, speak),
        _faults(behind, speak),
        _unplayed(behind, speak),
        _findings(behind, speak),
        _moves(behind, speak) if moves else "",
    ]
    return "\n\n".join(section for section in sections if section)


def _listed(rows: Sequence[tuple[str, str]]) -> str:
    return tabulate([row for row in rows if row[1]], tablefmt="plain", disable_numparse=True)


def _submission(behind: Behind, speak: Language) -> str:
    grade, submission = behind.grade, behind.submission
    override = behind.assignment.overrides.get(grade.id)
    score = "–" if grade.score is None else f"{grade.score:g} / {grade.max_score:g}"
    return _listed(
        [
            (speak.say("submission"), submission.id),
            (speak.say("name"), grade.name),
            (speak.say("members"), ", ".join(submission.members)),
            (speak.say("score"), score),
            (speak.say("penalty"), f"{grade.penalty:g}" if grade.penalty else ""),
            (speak.say("status"), speak(status_named(grade.status))),
            (speak.say("reason"), speak(grade.reason)),
            (speak.say("SHA-256 of its files"), submission.digest),
            (speak.say("player"), behind.entry),
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


def _conditions(behind: Behind, speak: Language) -> str:
    machines = dict.fromkeys(game.record.machine for game in behind.played if game.record.machine)
    rows = [(speak.say("assignment"), behind.assignment.title), (speak.say("isolation"), behind.isolation)]
    rows += [(speak.say("seed"), str(behind.assignment.seed))]
    rows += [(speak.say("played with"), machine) for machine in machines]
    rows += [(speak.say("graded with"), behind.machine)] * (behind.machine not in machines)
    rows += [(speak.say("SHA-256 of the reference players"), behind.references)]
    rows += [(speak.say("SHA-256 of {name}", name=name), digest) for name, digest in behind.own.items()]
    left_out = {"title", "seed", "overrides"}
    rules = behind.assignment.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=left_out)
    text = yaml.safe_dump(rules, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)
    return f"{_listed(rows)}\n\n{text.rstrip()}"


def _points(behind: Behind, speak: Language) -> str:
    rows = [
        [
            part.opponent,
            f"{part.points:g} / {part.max_points:g}",
            *(part.won, part.drawn, part.lost),
            f"{part.interval[0]:.0%} – {part.interval[1]:.0%}",
            part.skipped or "",
            part.repeats or "",
        ]
        for part in behind.grade.parts
    ]
    heads = [
        *(speak.say("opponent"), speak.say("points"), speak.say("wins"), speak.say("draws"), speak.say("losses")),
        *(speak.say("share won (95 %)"), speak.say("not played"), speak.say("repeated")),
    ]
    return tabulate(rows, heads, disable_numparse=True) if rows else ""


def _games(behind: Behind, speak: Language) -> str:
    if not behind.played:
        return speak.say("No game was played.")
    heads = [
        *(speak.say("opponent"), "#", speak.say("moves as"), speak.say("result"), speak.say("ending")),
        *(speak.say("moves"), speak.say("seconds"), speak.say("slowest")),
    ]
    table = tabulate([_game(game, speak) for game in behind.played], heads, disable_numparse=True)
    found = [
        [
            *(game.opponent, game.fixture.number + 1, game.fixture.seed, game.fixture.opponent_seed),
            *(game.fixture.opening, behind.finished.get(game.fixture.key, ""), game.fixture.key[:16]),
        ]
        for game in behind.played
    ]
    heads = [
        *(speak.say("opponent"), "#", speak.say("seed"), speak.say("opponent's seed"), speak.say("opening")),
        *(speak.say("finished"), speak.say("key")),
    ]
    return f"{table}\n\n{tabulate(found, heads, disable_numparse=True)}"


def _game(game: Played, speak: Language) -> list[str]:
    fixture, record = game.fixture, game.record
    own = [charge.charged for charge in charges(game)]
    return [
        game.opponent,
        str(fixture.number + 1),
        str(fixture.seat + 1),
        result(record, fixture.seat, speak),
        speak(named(record.ending, game.game)),
        str(len(record.turns)),
        f"{sum(own):.2f}",
        f"{max(own, default=0.0):.2f}",
    ]


def result(record: MatchRecord, seat: int, speak: Language) -> str:
    """How a game went for a seat, in a word."""
    if record.winner is None:
        return speak.say("drawn")
    return speak.say("won") if record.winner == seat else speak.say("lost")


def _faults(behind: Behind, speak: Language) -> str:
    """Why games ended by a fault, each reason once."""
    faults = [game.record.fault for game in behind.played if game.record.fault is not None]
    game = behind.assignment.rules
    return "\n".join(dict.fromkeys(f"{speak(named(fault.ending, game))}: {speak(fault.text)}" for fault in faults))


def _unplayed(behind: Behind, speak: Language) -> str:
    left = [f"{behind.assignment.opponents[at.opponent].name} #{at.number + 1}" for at in behind.unplayed]
    return speak.say("Not played: {games}.", games=", ".join(left)) if left else ""


def _moves(behind: Behind, speak: Language) -> str:
    """Each move of each game with the seconds that it was charged."""
    blocks = []
    for game in behind.played:
        head = speak.say("Game {number} against {opponent}:", number=game.fixture.number + 1, opponent=game.opponent)
        moves = [
            f"{ply}.{_KEPT}{turn.move}{_KEPT}{turn.charge.charged:.3f}" for ply, turn in enumerate(game.record.turns, 1)
        ]
        lines = fill("   ".join(moves), 100, break_on_hyphens=False).replace(_KEPT, " ")
        blocks.append(f"{head}\n{lines}")
    return "\n\n".join(blocks)


def _findings(behind: Behind, speak: Language) -> str:
    lines = [
        "! " + ": ".join([*([_place(finding.file, finding.line)] if finding.file else []), speak(finding.text)])
        for finding in behind.grade.findings
    ]
    return "\n".join(lines)


def _place(file: str, line: int | None) -> str:
    return file if line is None else f"{file}:{line}"
