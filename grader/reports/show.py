"""`grader show`: everything behind one grade, so that it can be justified."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from textwrap import fill

import yaml

from grader.competition.evidence import Evidence
from grader.fixtures import Match
from grader.games.endings import ending_label, result_with_ending
from grader.language import Language
from grader.records import Ending, Finding
from grader.reports.failed_answers import failed_answer, timeout_lines
from grader.reports.isolation import isolation_warning
from grader.reports.labels import (
    as_sentence,
    cause_label,
    finding_place,
    not_played_label,
    result_label,
    score_label,
    score_notes,
    seat_label,
    sentence_case,
    split_reason,
    status_label,
    win_rate_label,
)
from grader.reports.machines import machine_label
from grader.reports.reasons import group_by_reason, list_game_numbers
from grader.reports.table import Column, Report, Table, TableCell, Tone, make_table, result_tone
from grader.reports.variety import variety_lines
from grader.scoring.estimate import duration
from grader.scoring.points import Grade

_SPACE = "\N{NO-BREAK SPACE}"
"""Between a move and its time, where a line must not be broken."""


def render(evidence: Evidence, speak: Language, *, moves: bool = False) -> Report:
    """The submission, its points and games, and the conditions; with `moves`, each move with its time."""
    sections: list[str | Table] = [
        _submission(evidence, speak),
        *_points(evidence, speak),
        *_games(evidence, speak),
        _faults(evidence, speak),
        _earlier_attempts(evidence, speak),
        _unplayed_games(evidence, speak),
        _findings(evidence, speak),
        *_conditions(evidence, speak),
        _moves(evidence, speak) if moves else "",
    ]
    return [section for section in sections if section]


def _rows(rows: Sequence[tuple[str, str]]) -> Table:
    known = [(TableCell(name, Tone.HEAD), value) for name, value in rows if value]
    return replace(make_table((Column("", wraps=True), Column("", wraps=True)), known), has_heads=False)


def _submission(evidence: Evidence, speak: Language) -> Table:
    grade, submission = evidence.grade, evidence.entrant.submission
    reason, _ = split_reason(grade)
    override = evidence.assignment.overrides.get(grade.id)
    return _rows(
        [
            (speak.say("submission"), submission.id),
            (speak.say("name"), grade.name),
            (speak.say("members"), ", ".join(submission.members)),
            (speak.say("score"), score_label(grade, speak)),
            (speak.say("result"), " ".join(map(speak, score_notes(grade)))),
            (speak.say("penalty"), speak.number(grade.penalty) if grade.penalty else ""),
            (speak.say("status"), speak(status_label(grade.status))),
            (speak.say("attention"), _attention(evidence, speak)),
            (speak.say("reason"), _with_place(reason, speak) if reason else speak(grade.reason)),
            (speak.say("SHA-256 of its files"), submission.digest),
            (speak.say("player"), ": ".join(evidence.entrant.identity.get("entry") or ())),
            *_candidates(grade, speak),
            (speak.say("platform"), _platform(submission.platform, speak)),
            (speak.say("submitted"), submission.submitted_at or ""),
            (speak.say("late by"), _late(submission.late_seconds, speak) if submission.late_seconds else ""),
            (speak.say("attempts"), str(submission.attempts)),
            (speak.say("overrides"), speak(override.summary) if override else ""),
        ]
    )


def _attention(evidence: Evidence, speak: Language) -> str:
    """Why the submission is listed among those that need attention, unless that is the reason for its grade anyway."""
    if (concern := evidence.concern) is None:
        return ""
    label = speak(cause_label(concern.cause))
    return label if concern.reason == evidence.grade.reason else f"{label}: {speak(concern.reason)}"


def _candidates(grade: Grade, speak: Language) -> list[tuple[str, str]]:
    """The candidates for its player with the reasons for their ranks, if there was a choice."""
    if len(grade.candidates) < 2:
        return []
    return [(speak.say("candidate"), f"{each.entry}: {speak(each.why)}") for each in grade.candidates]


def _late(seconds: int, speak: Language) -> str:
    """A readable duration and the exact seconds, because the penalty counts started days."""
    rounded, exact = speak(duration(seconds)), f"{seconds} s"
    return exact if rounded == exact else f"{rounded} ({exact})"


def _conditions(evidence: Evidence, speak: Language) -> Report:
    machines = dict.fromkeys(game.record.machine for game in evidence.played if game.record.machine)
    of_machine = {name: [game.record for game in evidence.played if game.record.machine == name] for name in machines}
    rows = [(speak.say("assignment"), evidence.assignment.title), (speak.say("isolation used"), evidence.isolation)]
    rows += [(speak.say("seed"), str(evidence.assignment.secret))]
    rows += [
        (
            speak.say("played with"),
            machine_label(
                name,
                {record.speed for record in records if record.speed},
                {record.time_scale for record in records},
                speak,
            ),
        )
        for name, records in of_machine.items()
    ]
    rows += [(speak.say("graded with"), evidence.machine)] * (evidence.machine not in machines)
    rows += [(speak.say("SHA-256 of the reference players"), evidence.entrant.identity.get("reference", ""))]
    rows += [(speak.say("SHA-256 of {name}", name=name), digest) for name, digest in evidence.own.items()]
    shown_above = {"title", "seed", "overrides"}
    rules = evidence.assignment.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=shown_above)
    text = yaml.safe_dump(rules, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)
    warning = isolation_warning(evidence.isolation)
    return [_rows(rows), text.rstrip(), *([] if warning is None else [speak(warning)])]


def _points(evidence: Evidence, speak: Language) -> Report:
    unplayed = Counter(fixture.opponent for fixture in evidence.unplayed)
    rows = [
        [
            part.opponent,
            f"{speak.number(part.points)} / {speak.number(part.max_points)}",
            *(part.won, part.drawn, part.lost),
            win_rate_label(part, speak),
            unplayed[part.opponent] or "",
            part.repeats or "",
        ]
        for part in evidence.grade.parts
    ]
    columns: list[Column | str] = [
        Column(speak.say("opponent"), wraps=True),
        *(speak.say("points"), speak.say("wins"), speak.say("draws"), speak.say("losses")),
        speak.say("win rate (95 % CI)"),
        Column(speak.say("not played"), leave_out=0 if unplayed else 2),
        Column(speak.say("repeated"), leave_out=1),
    ]
    if not rows:
        return []
    variety = variety_lines([(evidence.grade, evidence.assignment)], speak)
    return [make_table(columns, rows), *(["\n".join(variety)] if variety else [])]


def _platform(name: str, speak: Language) -> str:
    return speak.say("none (plain folder)") if name == "plain" else name


def _games(evidence: Evidence, speak: Language) -> Report:
    if not evidence.played:
        return [] if evidence.unplayed else [speak.say("No games were played.")]
    columns: list[Column | str] = [
        *(Column(speak.say("opponent"), wraps=True), "#", Column(speak.say("plays as"), leave_out=1)),
        *(speak.say("result"), Column(speak.say("ending"), wraps=True), Column(speak.say("moves"), leave_out=3)),
        *(Column(speak.say("time (s)"), leave_out=2), speak.say("slowest move (s)")),
    ]
    table = make_table(columns, [_game(game, speak) for game in evidence.played])
    sources: list[list[str | int | TableCell]] = [
        [
            *(game.opponent, game.fixture.number + 1, game.fixture.seeds[game.seat], game.fixture.seeds[1 - game.seat]),
            *(game.fixture.opening + 1, evidence.finished.get(game.fixture.key, ""), game.fixture.key[:16]),
        ]
        for game in evidence.played
    ]
    columns = [
        *(Column(speak.say("opponent"), wraps=True), "#", speak.say("seed")),
        *(Column(speak.say("opponent's seed"), leave_out=2), Column(speak.say("opening"), leave_out=1)),
        *(Column(speak.say("finished"), leave_out=3), speak.say("key")),
    ]
    return [table, make_table(columns, sources)]


def _game(game: Match, speak: Language) -> list[str | TableCell]:
    fixture, record = game.fixture, game.record
    own = [charge.charged for charge in record.charges_of(game.seat)]
    return [
        game.opponent,
        str(fixture.number + 1),
        str(game.seat + 1),
        TableCell(result_label(record, game.seat, speak), result_tone(record.winner, game.seat)),
        speak(ending_label(record.ending, game.game)),
        str(len(record.turns)),
        speak.number(sum(own), ".2f"),
        speak.number(max(own, default=0.0), ".2f"),
    ]


def _faults(evidence: Evidence, speak: Language) -> str:
    """The faults that ended games, each once, with the games."""
    lines = []
    for group in group_by_reason(game for game in evidence.played if game.record.fault is not None):
        count = speak.say(
            "{n} game: {ending}.",
            "{n} games: {ending}.",
            n=len(group.matches),
            ending=ending_label(group.ending, evidence.assignment.rules),
        )
        lines.append(
            f"{count} {as_sentence(speak(group.fault.text)) if group.fault else ''}\n    {list_game_numbers(group.matches)}"
        )
        if group.ending == Ending.TIMEOUT:
            lines += [f"    {line}" for line in timeout_lines(group.matches, evidence.assignment.time, speak)]
    return "\n".join(lines)


def _earlier_attempts(evidence: Evidence, speak: Language) -> str:
    """Why earlier attempts at games did not count."""
    return "\n".join(
        speak.say(
            "Game {number} against {opponent} was played again: {why}",
            number=game.fixture.number + 1,
            opponent=game.opponent,
            why=why,
        )
        for game in evidence.played
        for why in game.record.attempts
    )


def _unplayed_games(evidence: Evidence, speak: Language) -> str:
    if (not_played := not_played_label(evidence.grade)) is not None:
        return as_sentence(sentence_case(not_played, speak))
    games = [f"{fixture.opponent} {fixture.number + 1}" for fixture in evidence.unplayed]
    return speak.say("Not played: {games}.", games=", ".join(games)) if games else ""


def _moves(evidence: Evidence, speak: Language) -> str:
    """Each move of each game with the seconds charged for it, and the answer that failed."""
    blocks = []
    for game in evidence.played:
        head = speak.say(
            "Game {number} against {opponent}, {seat}: {result}",
            number=game.fixture.number + 1,
            opponent=game.opponent,
            seat=seat_label(game.seat),
            result=result_with_ending(game.record, game.seat, game.game),
        )
        moves = [
            f"{ply}.{_SPACE}{turn.move}{_SPACE}{speak.number(turn.charge.charged, '.3f')}"
            for ply, turn in enumerate(game.record.turns, 1)
        ]
        if failed := failed_answer(game, speak):
            moves.append(failed.replace(" ", _SPACE))
        lines = fill("   ".join(moves), 100, break_on_hyphens=False).replace(_SPACE, " ")
        blocks.append(f"{head}\n{lines}")
    return "\n\n".join(blocks)


def _findings(evidence: Evidence, speak: Language) -> str:
    _, findings = split_reason(evidence.grade)  # the reason is shown with the submission
    return "\n".join(f"! {_with_place(finding, speak)}" for finding in findings)


def _with_place(finding: Finding, speak: Language) -> str:
    return ": ".join(filter(None, [finding_place(finding), speak(finding.text)]))
