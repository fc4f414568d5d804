"""The CSV files of results. No text from a student can be run as a formula by a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Sequence

from grader.language import Language
from grader.reports.isolation import isolation_warning
from grader.scoring.points import Grade
from grader.scoring.standings import Standing, Standings

STANDINGS_HEADS = (
    *("game", "rank", "rank_worst", "id", "name", "reference", "points", "rating", "low", "high"),
    *("games", "won", "drawn", "lost", "faults", "repeats", "byes", "reason"),
)


def csv_text(lines: Iterable[Sequence[object]]) -> str:
    """Rows of cells as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def safe_cell(text: str) -> str:
    """A text on one line that no spreadsheet treats as a formula."""
    flat = " ".join(text.split())
    return f"'{flat}" if flat[:1] in tuple("=+-@|%") else flat


def render_grades(grades: Sequence[Grade], speak: Language, *, isolation: str) -> str:
    """`grades.csv`: the grades, with the points against each opponent. Only the reasons and the warning are translated."""
    opponents = list(dict.fromkeys(part.opponent for grade in grades for part in grade.parts))
    heads = ["id", "name", "game", "status", "score", "max_score", "penalty", *map(safe_cell, opponents), "reason"]
    warning = isolation_warning(isolation)
    lines = [heads + ["warning"] * (warning is not None)]
    for grade in sorted(grades, key=lambda grade: grade.id):
        points = {part.opponent: part.points for part in grade.parts}
        lines.append(
            [
                *(safe_cell(grade.id), safe_cell(grade.name), grade.game, grade.status),
                *("" if grade.score is None else f"{grade.score:g}", f"{grade.max_score:g}", f"{grade.penalty:g}"),
                *(f"{points[opponent]:g}" if opponent in points else "" for opponent in opponents),
                safe_cell(speak(grade.reason)),
                *(() if warning is None else (safe_cell(speak(warning)),)),
            ]
        )
    return csv_text(lines)


def render_standings(tournaments: Sequence[Standings], speak: Language) -> str:
    """`standings.csv`: a row for each player, the strongest first, then the excluded submissions with the reason."""
    lines: list[Sequence[object]] = [STANDINGS_HEADS]
    for tournament in tournaments:
        lines += [_standing(tournament.terms.game, row) for row in tournament.rows]
        for left in tournament.excluded:
            known = {"game": tournament.terms.game, "id": safe_cell(left.id), "name": safe_cell(left.name)}
            known["reason"] = safe_cell(speak(left.reason))
            lines.append([known.get(head, "") for head in STANDINGS_HEADS])
    return csv_text(lines)


def render_crosstable(tournament: Standings) -> str:
    """`crosstable.csv`: the points of the row against the column; empty if they did not play."""
    ids = [row.competitor.id for row in tournament.rows]
    lines = [["id", *map(safe_cell, ids), "points"]]
    for row in tournament.rows:
        met = [tournament.head_to_head.get((row.competitor.id, other)) for other in ids]
        cells = [f"{cell.points:g}" if cell is not None and cell.games else "" for cell in met]
        lines.append([safe_cell(row.competitor.id), *cells, f"{row.points:g}"])
    return csv_text(lines)


def _standing(game: str, row: Standing) -> list[object]:
    rating, competitor = row.rating, row.competitor
    return [
        game,
        *(row.ranks or ("", "")),
        *(safe_cell(competitor.id), safe_cell(competitor.name), int(competitor.reference), f"{row.points:g}"),
        *(("", "", "") if rating is None else (f"{part:.1f}" for part in (rating.value, rating.low, rating.high))),
        *(row.games, row.won, row.drawn, row.lost, row.faults, row.repeats, row.byes, ""),
    ]
