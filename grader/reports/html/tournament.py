"""`tournament.html`: the standings of tournaments, with their intervals drawn, who met whom, and every game to replay."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from grader.assignment import Assignment
from grader.fixtures import Match
from grader.games import Game
from grader.language import Language
from grader.reports.html import page
from grader.reports.html.replay import ReplayData, scripts, styles
from grader.reports.html.student import GameRow, explain_to_instructor, game_rows, template_functions
from grader.reports.standings import above_next, form, number, percent, rank, remarks
from grader.scoring.ratings import Rating
from grader.scoring.standings import Competitor, HeadToHead, Standings

WIDTH = 240
"""Of the drawing of an interval, in its own units."""
MOST_GAMES = 6_000
"""Games that a page shows: each is in it twice, once for each player."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSection:
    """A player with all its games."""

    competitor: Competitor
    game: Game
    rows: list[GameRow]


def render(
    tournaments: Sequence[Standings], matches: Sequence[Match], assignments: Sequence[Assignment], speak: Language
) -> str:
    """The page. `matches` are all games that count, each once."""
    explain = partial(explain_to_instructor, speak=speak)
    replays = ReplayData(speak, explain)
    sections = []
    for tournament, assignment in _with_games(tournaments, matches, assignments):
        own = _by_player(matches, assignment.rules.name)
        for row in tournament.rows:
            competitor, seen = row.competitor, own.get(row.competitor.id, [])
            replays.add(f"{assignment.rules.name}/{competitor.id}", competitor.name, assignment, seen)
            sections.append(PlayerSection(competitor=competitor, game=assignment.rules, rows=game_rows(seen, explain)))
    return page(
        "tournament.html.j2",
        speak,
        title=" · ".join(tournament.terms.title for tournament in tournaments),
        scripts=scripts(assignments),
        styles=(*styles(assignments), "tournament.css"),
        data=replays.as_data(),
        **template_functions(),
        sections=sections,
        too_many=len(matches) > MOST_GAMES,
        tournaments=[(tournament, _scale(tournament)) for tournament in tournaments],
        width=WIDTH,
        form=form,
        number=number,
        rank=rank,
        remarks=remarks,
        cell_class=_cell_class,
        percent=percent,
        above_next=above_next,
    )


def _with_games(
    tournaments: Sequence[Standings], matches: Sequence[Match], assignments: Sequence[Assignment]
) -> list[tuple[Standings, Assignment]]:
    """The tournaments whose games the page shows, with their assignments: none, if they are too many."""
    by_game = {assignment.rules.name: assignment for assignment in assignments}
    return [] if len(matches) > MOST_GAMES else [(one, by_game[one.terms.game]) for one in tournaments]


def _by_player(matches: Sequence[Match], game: str) -> dict[str, list[Match]]:
    """The games of each player, as it sees them, those against one opponent together."""
    found: dict[str, list[Match]] = {}
    for match in matches:
        if match.fixture.game == game:
            for player in match.fixture.players:
                found.setdefault(player, []).append(match.seen_by(player))
    return {player: sorted(own, key=lambda match: match.opponent) for player, own in found.items()}


def _scale(tournament: Standings) -> Scale:
    ratings: list[Rating] = [row.rating for row in tournament.rows if row.rating is not None]
    if not ratings:
        return Scale(0.0, 1.0)
    return Scale(min(rating.low for rating in ratings), max(rating.high for rating in ratings))


def _cell_class(meeting: HeadToHead) -> str:
    """The class of a cell: whether more was won than lost."""
    share = meeting.points / meeting.games
    return "won" if share > 0.5 else "lost" if share < 0.5 else "drawn"
