"""`grades.csv`: one line a submission, for a spreadsheet, in which nothing that a student wrote is a formula."""

import csv
import io
from collections.abc import Sequence

from grader.language import Language
from grader.scoring.points import Grade


def render(grades: Sequence[Grade], speak: Language) -> str:
    """The grades with the points against each opponent. Only the reasons are for people; the rest is for programs."""
    opponents = list(dict.fromkeys(part.opponent for grade in grades for part in grade.parts))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "name", "game", "status", "score", "max_score", "penalty", *map(safe, opponents), "reason"])
    for grade in sorted(grades, key=lambda grade: grade.id):
        points = {part.opponent: part.points for part in grade.parts}
        writer.writerow(
            [
                safe(grade.id),
                safe(grade.name),
                grade.game,
                grade.status,
                "" if grade.score is None else f"{grade.score:g}",
                f"{grade.max_score:g}",
                f"{grade.penalty:g}",
                *(f"{points[opponent]:g}" if opponent in points else "" for opponent in opponents),
                safe(speak(grade.reason)),
            ]
        )
    return text.getvalue()


def safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    flat = " ".join(text.split())
    return f"'{flat}" if flat[:1] in tuple("=+-@|%") else flat
