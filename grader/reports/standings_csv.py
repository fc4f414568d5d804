"""`standings.csv` and `crosstable.csv`, for a spreadsheet, in which nothing that a student wrote is a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

from grader.language import Language
from grader.reports.grades_csv import safe
from grader.scoring.standings import Standing, Standings

HEADS = (
    *("game", "rank", "rank_worst", "id", "name", "reference", "points", "rating", "low", "high"),
    *("games", "won", "drawn", "lost", "faults", "repeats", "byes", "reason"),
)


def render(tournaments: Sequence[Standings], speak: Language) -> str:
    """A line for each entrant, the strongest first, and for each who does not play, with the reason."""
    lines: list[list[object]] = [list(HEADS)]
    for tournament in tournaments:
        lines += [_line(tournament.terms.game, row) for row in tournament.rows]
        for left in tournament.excluded:
            known = {"game": tournament.terms.game, "id": safe(left.id), "name": safe(left.name)}
            known["reason"] = safe(speak(left.reason))
            lines.append([known.get(head, "") for head in HEADS])
    return _written(lines)


def render_crosstable(tournament: Standings) -> str:
    """What the row won against the column; empty where they have not met."""
    ids = [row.competitor.id for row in tournament.rows]
    lines: list[list[object]] = [["id", *map(safe, ids), "points"]]
    for row in tournament.rows:
        met = [tournament.head_to_head.get((row.competitor.id, other)) for other in ids]
        cells = [f"{cell.points:g}" if cell is not None and cell.games else "" for cell in met]
        lines.append([safe(row.competitor.id), *cells, f"{row.points:g}"])
    return _written(lines)


def _line(game: str, row: Standing) -> list[object]:
    rating = row.rating
    return [
        game,
        *(row.ranks or ("", "")),
        *(safe(row.competitor.id), safe(row.competitor.name), int(row.competitor.reference), f"{row.points:g}"),
        *(("", "", "") if rating is None else (f"{part:.1f}" for part in (rating.value, rating.low, rating.high))),
        *(row.games, row.won, row.drawn, row.lost, row.faults, row.repeats, row.byes, ""),
    ]


def _written(lines: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()
