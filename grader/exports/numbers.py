"""Parse, scale and format points, with a decimal point or a decimal comma."""

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from grader.scoring.points import exact

_NUMBER = re.compile(r"\d{1,12}(?:[.,]\d{1,12})?")
_GROUPED = re.compile(r"(\d{1,3}(?:[.,'\s]\d{3}){1,3})((?:[.,]\d{1,2})?)")


def parse_number(text: str) -> float | None:
    """The value of a number with a decimal point or a decimal comma, or None for other text."""
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


def strip_grouping(text: str) -> str:
    """The same number without thousands separators, as in `1,000.00`; it may have at most two decimals."""
    found = _GROUPED.fullmatch(text)
    return re.sub(r"\D", "", found[1]) + found[2] if found else text


def decimal_mark(cells: Iterable[str], separator: str) -> str:
    """The decimal mark used in these cells; if none has decimals, the one that goes with the table's separator."""
    for cell in cells:
        if _NUMBER.fullmatch(cell) and not cell.isdecimal():
            return "," if "," in cell else "."
    return "," if separator == ";" else "."


def format_points(score: float, mark: str) -> str:
    """Points with two decimals, half a hundredth rounded up."""
    return str(Decimal(str(score)).quantize(Decimal("0.01"), ROUND_HALF_UP)).replace(".", mark)


def scale_score(score: float, max_score: float, to: float | None) -> float:
    """Convert a score to another maximum, with four decimals; unchanged if `to` is None."""
    if to is None or not max_score:
        return score
    return round(float(exact(score) * exact(to) / exact(max_score)), 4)


def replaces(written: str, before: str) -> bool:
    """Whether writing these points changes a grade that is already there."""
    return before not in ("", "-") and parse_number(before) != parse_number(written)
