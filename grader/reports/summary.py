"""`grader run`: the scores of the class in the terminal."""

from collections.abc import Mapping, Sequence

from grader.games import Game
from grader.intake.names import distinct_names
from grader.language import Language
from grader.reports.labels import pass_label, score_label, status_label
from grader.reports.outcomes import results_label
from grader.reports.table import Column, Report, Table, TableCell, Tone, make_table
from grader.scoring.points import Grade, Part


def render(grades: Sequence[Grade], games: Mapping[str, Game], speak: Language) -> Report:
    """A table for each game, with the points of each submission and how its games ended."""
    parts: list[str | Table] = []
    names = distinct_names((grade.id, grade.name) for grade in grades)
    for game in dict.fromkeys(grade.game for grade in grades):
        own = sorted(
            (grade for grade in grades if grade.game == game), key=lambda grade: (-(grade.score or 0), grade.id)
        )
        parts.append(_table(own, games[game], names, speak))
        if any(grade.passed is not None for grade in own):
            parts.append(_pass_sentence(own, speak))
    if any(grade.parts for grade in grades):
        parts.append(speak.say("Per opponent: points (wins–losses)."))
    return parts


def _table(grades: Sequence[Grade], game: Game, names: Mapping[str, str], speak: Language) -> Table:
    opponents = list(dict.fromkeys(part.opponent for grade in grades for part in grade.parts))
    with_pass = any(grade.passed is not None for grade in grades)
    rows = [
        [
            names[grade.id],
            TableCell(score_label(grade, speak), _score_tone(grade)),
            *([TableCell(speak(pass_label(grade) or "–"), _pass_tone(grade))] * with_pass),
            *_points(grade, opponents, speak),
            _remark(grade, game, speak),
        ]
        for grade in grades
    ]
    graded = all(grade.status == "graded" for grade in grades)
    columns = [
        Column(game.name, wraps=True),
        Column(speak.say("score")),
        *([Column(speak.say("result"))] * with_pass),
        *(Column(name, leave_out=at) for at, name in enumerate(opponents, 2)),
        # It says why a submission was not graded, which is more important than the points of others.
        Column(speak.say("how games ended"), wraps=True, leave_out=len(opponents) + 2 if graded else 1),
    ]
    return make_table(columns, rows)


def _score_tone(grade: Grade) -> Tone:
    if grade.score is None:
        return Tone.WARNING
    return Tone.BAD if grade.score == 0 else Tone.GOOD if grade.score >= grade.max_score else Tone.PLAIN


def _pass_tone(grade: Grade) -> Tone:
    return Tone.PLAIN if grade.passed is None else Tone.GOOD if grade.passed else Tone.BAD


def _pass_sentence(grades: Sequence[Grade], speak: Language) -> str:
    results = [grade.passed for grade in grades if grade.passed is not None]
    return speak.say("{passed} of {n} passed.", "{passed} of {n} passed.", n=len(results), passed=sum(results))


def _points(grade: Grade, opponents: Sequence[str], speak: Language) -> list[str]:
    """Points against each opponent, with the games won and lost: `10 (2–0)`."""
    parts = {part.opponent: part for part in grade.parts}
    return [_part(part, speak) if (part := parts.get(name)) else "" for name in opponents]


def _part(part: Part, speak: Language) -> str:
    points = speak.number(part.points)
    return f"{points} ({part.won}–{part.lost})" if part.games else points


def _remark(grade: Grade, game: Game, speak: Language) -> str | TableCell:
    if grade.status != "graded":
        status = speak(status_label(grade.status))
        if grade.needs_decision:  # the reason is listed above, with the candidates
            return TableCell(f"{status}: {speak.say('needs your decision')}", Tone.WARNING)
        return TableCell(f"{status}: {speak(grade.reason)}" if grade.reason else status, Tone.WARNING)
    return results_label(grade, game, speak)
