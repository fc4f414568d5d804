"""The class at a glance, for the terminal."""

from collections.abc import Mapping, Sequence

from tabulate import tabulate

from grader.games import Game
from grader.games.endings import ending_label
from grader.language import Language
from grader.reports.labels import name_with_id, score_label, status_label
from grader.scoring.points import Grade


def render(grades: Sequence[Grade], games: Mapping[str, Game], speak: Language) -> str:
    """A table a game: who has how many points, and how its games ended."""
    parts = []
    for game in dict.fromkeys(grade.game for grade in grades):
        own = sorted(
            (grade for grade in grades if grade.game == game), key=lambda grade: (-(grade.score or 0), grade.id)
        )
        opponents = list(dict.fromkeys(part.opponent for grade in own for part in grade.parts))
        rows = [
            [
                name_with_id(grade.name, grade.id),
                score_label(grade),
                *_points(grade, opponents),
                _remark(grade, games[game], speak),
            ]
            for grade in own
        ]
        parts.append(tabulate(rows, [game, speak.say("score"), *opponents, ""], disable_numparse=True))
    return "\n\n".join(parts)


def _points(grade: Grade, opponents: Sequence[str]) -> list[str]:
    found = {part.opponent: part for part in grade.parts}
    return [
        f"{found[name].points:g} ({found[name].won}–{found[name].lost})" if name in found else "" for name in opponents
    ]


def _remark(grade: Grade, game: Game, speak: Language) -> str:
    if grade.status != "graded":
        status = speak(status_label(grade.status))
        return f"{status}: {speak(grade.reason)}" if grade.reason else status
    return ", ".join(f"{count}× {speak(ending_label(ending, game))}" for ending, count in grade.endings.items())
