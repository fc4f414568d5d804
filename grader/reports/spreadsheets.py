"""The spreadsheets of results. No text from a student can be run as a formula by a spreadsheet."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from grader.language import Language, Message, say
from grader.reports.isolation import isolation_warning
from grader.reports.labels import pass_label, status_label
from grader.reports.standings import place
from grader.reports.xlsx import FORMULA, Cell, Style, one_line
from grader.reports.xlsx import render as render_xlsx
from grader.scoring.points import Grade
from grader.scoring.standings import Standing, Standings

_INNER_FORMULA = re.compile(f"""([,;][\\s"]*)(?=[{re.escape("".join(FORMULA))}])""")
"""Where a formula would begin if the text were split into cells."""
STANDINGS_HEADS = (
    *("game", "rank", "rank_worst", "id", "name", "reference", "points", "rating", "low", "high"),
    *("games", "won", "drawn", "lost", "faults", "repeats", "byes", "reason", "place"),
)


def csv_text(lines: Iterable[Sequence[object]], speak: Language) -> str:
    """Rows of cells as CSV, with the separator that spreadsheets in this language expect."""
    text = io.StringIO()
    csv.writer(text, delimiter=list_separator(speak), lineterminator="\n").writerows(lines)
    return text.getvalue()


def list_separator(speak: Language) -> str:
    """The separator that spreadsheets in this language expect."""
    return ";" if speak.decimal_mark == "," else ","


def safe_cell(text: str) -> str:
    """A text on one line that no spreadsheet treats as a formula, not even if it splits cells at another separator."""
    flat = _INNER_FORMULA.sub(r"\1'", one_line(text))
    return f"'{flat}" if flat.startswith(FORMULA) else flat


def number_cell(value: float | None, speak: Language) -> str:
    """A number with all its decimals and the decimal mark of the language; empty for None."""
    if value is None:
        return ""
    digits = f"{Decimal(str(value)):f}"
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits).replace(".", speak.decimal_mark)


def render_grades(grades: Sequence[Grade], speak: Language, *, isolation: str, zeros: Mapping[str, str]) -> str:
    """`grades.csv`: the grades, with the points against each opponent. Titles and codes are never translated.

    `zeros` are the reasons for scores of 0, by id.
    """
    columns = _grade_columns(grades, isolation, zeros)
    lines = [[safe_cell(column.title) for column in columns]]
    for grade in sorted(grades, key=lambda grade: grade.id):
        cells = (column.value(grade) for column in columns)
        lines.append([safe_cell(speak(cell)) if isinstance(cell, str) else number_cell(cell, speak) for cell in cells])
    return csv_text(lines, speak)


def render_workbook(
    grades: Sequence[Grade],
    speak: Language,
    *,
    isolation: str,
    zeros: Mapping[str, str],
    notice: Message | None = None,
) -> bytes:
    """`grades.xlsx`: the same table for people, with translated titles, and colours for passes and zeros.

    `notice` is repeated in every row.
    """
    columns = _grade_columns(grades, isolation, zeros)
    if notice is not None:
        columns.append(_Column("interim", say("interim"), lambda _: notice))
    rows: list[list[Cell]] = [[speak(column.label) for column in columns]]
    styles: dict[tuple[int, int], Style] = {}
    for number, grade in enumerate(sorted(grades, key=lambda grade: grade.id), 1):
        rows.append(
            [speak(cell) if isinstance(cell := column.value_for_people(grade), str) else cell for column in columns]
        )
        for at, column in enumerate(columns):
            if column.title == "passed" and grade.passed is not None:
                styles[number, at] = Style.GOOD if grade.passed else Style.BAD
            elif column.title == "score" and grade.score == 0:
                styles[number, at] = Style.BAD
    return render_xlsx(speak.say("Grades"), rows, styles)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the grades: its title for programs and for people, and its value for each of them."""

    title: str
    label: str
    value: Callable[[Grade], Cell]
    people: Callable[[Grade], Cell] | None = None

    def value_for_people(self, grade: Grade) -> Cell:
        return (self.people or self.value)(grade)


def _grade_columns(grades: Sequence[Grade], isolation: str, zeros: Mapping[str, str]) -> list[_Column]:
    warning = isolation_warning(isolation)
    columns = [
        _Column("id", say("id"), lambda grade: grade.id),
        _Column("name", say("name"), lambda grade: grade.name),
        _Column("game", say("game played"), lambda grade: grade.game),
        _Column("status", say("status"), lambda grade: grade.status, lambda grade: status_label(grade.status)),
        _Column("score", say("score"), lambda grade: grade.score),
        _Column("max_score", say("maximum"), lambda grade: grade.max_score),
        _Column("penalty", say("penalty"), lambda grade: grade.penalty),
    ]
    if any(grade.unrounded is not None for grade in grades):
        columns.append(_Column("unrounded", say("before rounding"), lambda grade: grade.unrounded))
    if any(grade.pass_mark is not None for grade in grades):
        codes = {True: "yes", False: "no", None: ""}
        columns.append(_Column("passed", say("result"), lambda grade: codes[grade.passed], pass_label))
    opponents = dict.fromkeys(part.opponent for grade in grades for part in grade.parts)
    columns += [_Column(opponent, opponent, partial(_points, opponent)) for opponent in opponents]
    columns.append(_Column("reason", say("reason"), lambda grade: grade.reason or zeros.get(grade.id, "")))
    if warning is not None:
        columns.append(_Column("warning", say("warning"), lambda _: warning))
    return columns


def _points(opponent: str, grade: Grade) -> float | None:
    return next((part.points for part in grade.parts if part.opponent == opponent), None)


def render_standings(tournaments: Sequence[Standings], speak: Language) -> str:
    """`standings.csv`: a row for each player, the strongest first, then the excluded submissions with the reason."""
    lines: list[Sequence[object]] = [STANDINGS_HEADS]
    for tournament in tournaments:
        lines += [
            [*_standing(tournament.terms.game, row, speak), place(tournament, at) or ""]
            for at, row in enumerate(tournament.rows)
        ]
        for left in tournament.excluded:
            known = {"game": tournament.terms.game, "id": safe_cell(left.id), "name": safe_cell(left.name)}
            known["reason"] = safe_cell(speak(left.reason))
            lines.append([known.get(head, "") for head in STANDINGS_HEADS])
    return csv_text(lines, speak)


def render_crosstable(tournament: Standings, speak: Language) -> str:
    """`crosstable.csv`: the points of the row against the column; empty if they did not play."""
    ids = [row.competitor.id for row in tournament.rows]
    lines = [["id", *map(safe_cell, ids), "points"]]
    for row in tournament.rows:
        met = [tournament.head_to_head.get((row.competitor.id, other)) for other in ids]
        cells = [number_cell(cell.points, speak) if cell is not None and cell.games else "" for cell in met]
        lines.append([safe_cell(row.competitor.id), *cells, number_cell(row.points, speak)])
    return csv_text(lines, speak)


def _standing(game: str, row: Standing, speak: Language) -> list[object]:
    rating, competitor = row.rating, row.competitor
    return [
        game,
        *(row.ranks or ("", "")),
        *(safe_cell(competitor.id), safe_cell(competitor.name), int(competitor.reference)),
        number_cell(row.points, speak),
        *(
            ("", "", "")
            if rating is None
            else (f"{part:.1f}".replace(".", speak.decimal_mark) for part in (rating.value, rating.low, rating.high))
        ),
        *(row.games, row.won, row.drawn, row.lost, row.faults, row.repeats, row.byes, ""),
    ]
