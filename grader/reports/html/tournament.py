"""`tournament.html`: the standings of tournaments with a chart of the ratings, cross tables, and replays of all games."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from grader.assignment import Assignment
from grader.fixtures import Match
from grader.games import Game
from grader.language import Language, say
from grader.reports.conditions import board_label, format_date
from grader.reports.html import page
from grader.reports.html.replay import ReplayData, scripts, styles
from grader.reports.html.student import (
    FaultGroup,
    GameRow,
    explain_to_instructor,
    fault_groups,
    game_rows,
    template_functions,
)
from grader.reports.standings import (
    form,
    percent,
    possible_ranks,
    rank,
    rating_range,
    remarks,
    reservations,
    stronger_than_next,
)
from grader.scoring.ratings import Rating
from grader.scoring.standings import Competitor, HeadToHead, Standings

WIDTH = 240
"""The width of the drawing of an interval, in its own units."""
MOST_GAMES = 6_000
"""With more games, the page has no replays: each game is included twice, once for each player."""
STEP = 200
"""The least number of points between two lines of the scale."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The range of ratings that the drawings cover."""

    low: float
    high: float

    def at(self, rating: float) -> float:
        """The horizontal position of a rating in the drawing."""
        return round(WIDTH * (rating - self.low) / (self.high - self.low), 1)

    @property
    def lines(self) -> list[int]:
        """The round ratings at which vertical lines are drawn."""
        step = STEP * max(1, math.ceil((self.high - self.low) / STEP / 6))
        return list(range(math.ceil(self.low / step) * step, math.floor(self.high) + 1, step))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSection:
    """A player with all its games and faults."""

    tournament: Standings
    at: int
    """The row in the standings, from 0."""
    competitor: Competitor
    game: Game
    rows: list[GameRow]
    faults: list[FaultGroup]


def render(
    tournaments: Sequence[Standings],
    matches: Sequence[Match],
    assignments: Sequence[Assignment],
    speak: Language,
    *,
    seal: str = "",
    finished: str = "",
    machine: str = "",
    load: str = "",
) -> str:
    """The page. `matches` are all games that count, each once."""
    explain = partial(explain_to_instructor, speak=speak)
    names = {row.competitor.id: row.competitor.name for tournament in tournaments for row in tournament.rows}
    replays = ReplayData(speak, explain, names=names)
    sections = []
    first_games: dict[tuple[str, str, str], int] = {}
    for tournament, assignment in _with_games(tournaments, matches, assignments):
        own = _by_player(matches, assignment.rules.name)
        for at, row in enumerate(tournament.rows):
            competitor, played = row.competitor, own.get(row.competitor.id, [])
            games = game_rows(played, explain)
            replays.add(f"{assignment.rules.name}/{competitor.id}", competitor.name, assignment, played, rows=games)
            for match, game in zip(played, games, strict=True):
                other = match.fixture.players[1 - match.seat]
                first_games.setdefault((assignment.rules.name, competitor.id, other), game.at)
            sections.append(
                PlayerSection(
                    tournament=tournament,
                    at=at,
                    competitor=competitor,
                    game=assignment.rules,
                    rows=games,
                    faults=fault_groups(played, games),
                )
            )
    return page(
        "tournament.html.j2",
        speak,
        title=_title(tournaments, assignments, speak),
        scripts=scripts(assignments),
        styles=(*styles(assignments), "tournament.css"),
        data=replays.as_data(),
        student_data=replays.games_by_student(),
        **template_functions(speak),
        sections=sections,
        seal=seal,
        finished=format_date(finished),
        machine=machine,
        load=load,
        boards={assignment.rules.name: board_label(assignment, speak) for assignment in assignments},
        first_games=first_games,
        counts=speak.say(
            "{players}, {games}",
            players=say("{n} player", "{n} players", n=sum(len(tournament.rows) for tournament in tournaments)),
            games=say("{n} game", "{n} games", n=len(matches)),
        ),
        too_many=len(matches) > MOST_GAMES,
        tournaments=[(tournament, _scale(tournament)) for tournament in tournaments],
        width=WIDTH,
        form=form,
        rank=rank,
        rating_range=rating_range,
        possible_ranks=possible_ranks,
        remarks=remarks,
        reservations=reservations,
        cell_class=_cell_class,
        percent=percent,
        stronger_than_next=stronger_than_next,
    )


def _title(tournaments: Sequence[Standings], assignments: Sequence[Assignment], speak: Language) -> str:
    titles = " · ".join(tournament.terms.title for tournament in tournaments)
    if titles in (assignment.rules.title for assignment in assignments):
        return speak.say("{game} tournament", game=titles)
    if len(tournaments) == 1:
        return speak.say("Tournament: {title}", title=titles)
    return speak.say("Tournaments: {titles}", titles=titles)


def _with_games(
    tournaments: Sequence[Standings], matches: Sequence[Match], assignments: Sequence[Assignment]
) -> list[tuple[Standings, Assignment]]:
    """The tournaments whose games the page shows, with their assignments; none if there are too many games."""
    if len(matches) > MOST_GAMES:
        return []
    by_game = {assignment.rules.name: assignment for assignment in assignments}
    return [(tournament, by_game[tournament.terms.game]) for tournament in tournaments]


def _by_player(matches: Sequence[Match], game: str) -> dict[str, list[Match]]:
    """The games of each player from its side, sorted by opponent."""
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
    """The CSS class of a cell of the cross table: won, lost or drawn by the row."""
    share = meeting.points / meeting.games
    return "won" if share > 0.5 else "lost" if share < 0.5 else "drawn"
