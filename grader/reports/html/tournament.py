"""`tournament.html`: the standings of tournaments, with their intervals drawn, and who met whom."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grader.language import Language
from grader.reports.html import page
from grader.reports.standings import above_next, form, number, percent, rank, remarks
from grader.scoring.ratings import Rating
from grader.scoring.standings import Meeting, Standings

WIDTH = 240
"""Of the drawing of an interval, in its own units."""
STEP = 200
"""Points between two lines of the scale, at least."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The ratings that the drawings reach from and to."""

    low: float
    high: float

    def at(self, rating: float) -> float:
        """How far to the right it is drawn."""
        return round(WIDTH * (rating - self.low) / (self.high - self.low), 1)

    @property
    def lines(self) -> list[int]:
        """Round ratings between the ends."""
        step = STEP * max(1, math.ceil((self.high - self.low) / STEP / 6))
        return list(range(math.ceil(self.low / step) * step, math.floor(self.high) + 1, step))


def render(tournaments: Sequence[Standings], speak: Language) -> str:
    """The page."""
    return page(
        "tournament.html.j2",
        speak,
        title=" · ".join(tournament.terms.title for tournament in tournaments),
        styles=("tournament.css",),
        tournaments=[(tournament, _scale(tournament)) for tournament in tournaments],
        width=WIDTH,
        form=form,
        number=number,
        rank=rank,
        remarks=remarks,
        fared=_fared,
        percent=percent,
        above_next=above_next,
    )


def _scale(tournament: Standings) -> Scale:
    ratings: list[Rating] = [row.rating for row in tournament.rows if row.rating is not None]
    if not ratings:
        return Scale(0.0, 1.0)
    return Scale(min(rating.low for rating in ratings), max(rating.high for rating in ratings))


def _fared(meeting: Meeting) -> str:
    """The class of a cell: whether more was won than lost."""
    share = meeting.points / meeting.games
    return "won" if share > 0.5 else "lost" if share < 0.5 else "drawn"
