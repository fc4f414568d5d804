"""`standings.json`: tournaments for programs. Two tournaments of deterministic players give identical files."""

import json
from collections.abc import Sequence
from typing import Any

from grader import __version__
from grader.reports.isolation import isolation_member
from grader.reports.standings import place
from grader.scoring.ratings import Rating
from grader.scoring.standings import Standing, Standings


def render(tournaments: Sequence[Standings]) -> str:
    """All tournaments, with every pair of players that met or can be compared."""
    content = {"grader": __version__, "tournaments": [_tournament(tournament) for tournament in tournaments]}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _tournament(tournament: Standings) -> dict[str, Any]:
    terms = tournament.terms
    return {
        "game": terms.game,
        "title": terms.title,
        "seed": terms.seed,
        "isolation": terms.isolation,
        **isolation_member(terms.isolation),
        "games_a_pair": terms.games_per_pair,
        "rounds": terms.rounds,
        "anchor": tournament.anchor,
        "first_move": _rating(tournament.first_move),
        "spared": tournament.skipped,
        "players": [_player(row, place(tournament, at)) for at, row in enumerate(tournament.rows)],
        "pairs": _pairs(tournament),
        "groups": [list(group) for group in tournament.groups],
        "not_playing": [{"id": left.id, "name": left.name, "reason": left.reason} for left in tournament.excluded],
        "unplayed": list(tournament.unplayed),
    }


def _player(row: Standing, own_place: int | None) -> dict[str, Any]:
    return {
        "id": row.competitor.id,
        "name": row.competitor.name,
        "reference": row.competitor.reference,
        "place": own_place,
        "ranks": row.ranks and list(row.ranks),
        "points": row.points,
        "rating": _rating(row.rating),
        "games": row.games,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "faults": row.faults,
        "repeats": row.repeats,
        "byes": row.byes,
    }


def _rating(rating: Rating | None) -> dict[str, Any] | None:
    if rating is None:
        return None
    value, low, high = (round(part, 1) + 0.0 for part in (rating.value, rating.low, rating.high))  # no "-0.0"
    return {"value": value, "interval": [low, high]}


def _pairs(tournament: Standings) -> list[dict[str, Any]]:
    """Each pair once, the higher-ranked player first. `stronger` is the probability that it is the stronger one."""
    ids = [row.competitor.id for row in tournament.rows]
    found = []
    for at, one in enumerate(ids):
        for other in ids[at + 1 :]:
            met, back = tournament.head_to_head[one, other], tournament.head_to_head[other, one]
            if met.games or met.stronger is not None:
                found.append(
                    {
                        "players": [one, other],
                        "points": [met.points, back.points],
                        "games": met.games,
                        "repeats": met.repeats,
                        "stronger": None if met.stronger is None else round(met.stronger, 4),
                    }
                )
    return found
