"""`grader run`: the scores of the class in the terminal."""

from collections.abc import Mapping, Sequence

from tabulate import tabulate

from grader.games import Game
from grader.language import Language
from grader.reports.labels import name_with_id, pass_label, score_label, status_label
from grader.reports.outcomes import results_label
from grader.scoring.points import Grade, Part


def render(grades: Sequence[Grade], games: Mapping[str, Game], speak: Language) -> str:
    """A table for each game, with the points of each submission and how its games ended."""
    parts = []
    for game in dict.fromkeys(grade.game for grade in grades):
        own = sorted(
            (grade for grade in grades if grade.game == game), key=lambda grade: (-(grade.score or 0), grade.id)
        )
        opponents = list(dict.fromkeys(part.opponent for grade in own for part in grade.parts))
        with_pass = any(grade.passed is not None for grade in own)
        rows = [
            [
                name_with_id(grade.name, grade.id),
                score_label(grade, speak),
                *([speak(pass_label(grade) or "–")] * with_pass),
                *_points(grade, opponents, speak),
                _remark(grade, games[game], speak),
            ]
            for grade in own
        ]
        result = [speak.say("result")] * with_pass
        heads = [game, speak.say("score"), *result, *opponents, speak.say("how games ended")]
        parts.append(tabulate(rows, heads, disable_numparse=True))
        if with_pass:
            parts.append(_pass_sentence(own, speak))
    if any(grade.parts for grade in grades):
        parts.append(speak.say("Per opponent: points (wins–losses)."))
    return "\n\n".join(parts)


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


def _remark(grade: Grade, game: Game, speak: Language) -> str:
    if grade.status != "graded":
        status = speak(status_label(grade.status))
        if grade.needs_decision:  # the reason is listed above, with the candidates
            return f"{status}: {speak.say('needs your decision')}"
        return f"{status}: {speak(grade.reason)}" if grade.reason else status
    return results_label(grade, game, speak)
