"""The standings of a tournament: points, ratings, ranks and head-to-head results."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grader.fixtures import Match
from grader.scoring.ratings import RatedGame, Rating

if TYPE_CHECKING:
    from grader.scoring.bradley_terry import Ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a tournament."""

    title: str
    game: str
    seed: int
    isolation: str
    games_per_pair: int
    rounds: int | None
    """The number of Swiss rounds; None for a round robin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Competitor:
    """A player of a tournament."""

    id: str
    name: str
    reference: bool = False
    """Whether it is a reference player, which has no rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusion:
    """A submission that does not take part. The others get no points for that."""

    id: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The result of one competitor."""

    competitor: Competitor
    ranks: tuple[int, int] | None
    """The best and worst rank among the submissions that its interval allows; None for a reference player."""
    points: float
    """Points, including those for byes."""
    rating: Rating | None
    """None if it has not played anyone."""
    won: int
    drawn: int
    lost: int
    faults: int
    """Games lost by a fault of its own."""
    repeats: int
    """Games that repeat an earlier one between the same code, move for move."""
    byes: int
    """Rounds without an opponent; each counts like winning all its games."""

    @property
    def games(self) -> int:
        """The number of games that count, without byes."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead:
    """The results of one player against another."""

    points: float
    games: int
    repeats: int
    stronger: float | None
    """The probability of being stronger; None if no games connect the two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The result of a tournament of one game."""

    terms: Terms
    rows: tuple[Standing, ...]
    """One row per competitor, the strongest first."""
    head_to_head: Mapping[tuple[str, str], HeadToHead]
    """The results of each player against each other one, including the probability of being stronger."""
    first_move: Rating | None
    """What moving first is worth, in rating points; None if nothing was played."""
    groups: tuple[tuple[str, ...], ...]
    """The groups of competitors that games connect. Ratings are only comparable within a group."""
    anchor: str | None
    """The player whose rating is fixed; None if the mean is."""
    repeats: int = 0
    """Games that repeat others between the same code, move for move."""
    skipped: int = 0
    """Repeats that were not played, because their result was known."""
    excluded: tuple[Exclusion, ...] = ()
    unplayed: tuple[str, ...] = ()
    """Why games could not be played fairly. They are never scored."""


def standings(
    terms: Terms,
    competitors: Sequence[Competitor],
    matches: Sequence[Match],
    *,
    byes: Mapping[str, int],
    excluded: Sequence[Exclusion] = (),
    unplayed: Sequence[str] = (),
) -> Standings:
    """Count and rate the games of all players. Each match is given once, from its first player's point of view."""
    from grader.scoring.bradley_terry import Ratings  # here: only tournaments need numpy, which takes 0.1 s to import

    anchor = next((competitor for competitor in competitors if competitor.reference), None)
    ratings = Ratings(
        (competitor.id for competitor in competitors), weigh(matches), anchor=anchor.id if anchor else None
    )
    ranks = _ranks([competitor.id for competitor in competitors if not competitor.reference], ratings)
    own = _by_player(matches)
    rows = [
        _standing(
            competitor,
            own.get(competitor.id, []),
            ratings.rating(competitor.id),
            ranks.get(competitor.id),
            byes=byes.get(competitor.id, 0),
            points_per_bye=terms.games_per_pair,
        )
        for competitor in competitors
    ]
    return Standings(
        terms=terms,
        rows=tuple(sorted(rows, key=_sort_key)),
        head_to_head=_head_to_head(own, ratings),
        first_move=ratings.first_move if matches else None,
        groups=ratings.groups,
        anchor=anchor.name if anchor else None,
        repeats=_repeats(matches),
        skipped=sum(not match.played for match in matches),
        excluded=tuple(excluded),
        unplayed=tuple(unplayed),
    )


def weigh(matches: Sequence[Match]) -> list[RatedGame]:
    """The games for the ratings, in which a game and its repeats together weigh as much as one.

    Identical submissions share their games, so each of them gets a part of the weight.
    """
    alike: dict[str | tuple[str, str], list[Match]] = defaultdict(list)
    for match in matches:
        alike[match.code].append(match)
    results = []
    for same in alike.values():
        weight = len({match.line for match in same}) / len(same)
        results += [
            RatedGame(*match.fixture.players, match.seen_by(match.fixture.players[0]).score, weight) for match in same
        ]
    return results


def _ranks(players: Sequence[str], ratings: "Ratings") -> dict[str, tuple[int, int]]:
    """The best and worst rank of each player: players whose intervals overlap share ranks."""
    rated = {player: ratings.rating(player) for player in players}

    def is_clearly_above(one: str, other: str) -> bool:
        higher, lower = rated[one], rated[other]
        return higher is not None and lower is not None and ratings.are_connected(one, other) and higher.is_above(lower)

    return {
        player: (
            1 + sum(is_clearly_above(other, player) for other in players),
            len(players) - sum(is_clearly_above(player, other) for other in players),
        )
        for player in players
    }


def _by_player(matches: Sequence[Match]) -> dict[str, list[Match]]:
    """The games of each player, from its point of view."""
    own: dict[str, list[Match]] = defaultdict(list)
    for match in matches:
        for player in match.fixture.players:
            own[player].append(match.seen_by(player))
    return own


def _standing(
    competitor: Competitor,
    own: Sequence[Match],
    rating: Rating | None,
    ranks: tuple[int, int] | None,
    *,
    byes: int,
    points_per_bye: int,
) -> Standing:
    scores = Counter(match.score for match in own)
    return Standing(
        competitor=competitor,
        ranks=ranks,
        points=scores[1.0] + scores[0.5] / 2 + byes * points_per_bye,
        rating=rating,
        won=scores[1.0],
        drawn=scores[0.5],
        lost=scores[0.0],
        faults=sum(match.record.at_fault == match.seat for match in own),
        repeats=_repeats(own),
        byes=byes,
    )


def _repeats(matches: Sequence[Match]) -> int:
    return len(matches) - len({(match.code, match.line) for match in matches})


def _sort_key(row: Standing) -> tuple[float, float, str]:
    """By rating, then by points."""
    return -(round(row.rating.value, 6) if row.rating else -float("inf")), -row.points, row.competitor.id


def _head_to_head(own: Mapping[str, Sequence[Match]], ratings: "Ratings") -> dict[tuple[str, str], HeadToHead]:
    between: dict[tuple[str, str], list[Match]] = defaultdict(list)
    for player, matches in own.items():
        for match in matches:
            between[player, match.fixture.players[1 - match.seat]].append(match)
    return {
        (one, other): HeadToHead(
            points=sum(match.score for match in met),
            games=len(met),
            repeats=_repeats(met),
            stronger=ratings.probability_stronger(one, other),
        )
        for one in ratings.players
        for other in ratings.players
        if one != other
        for met in [between.get((one, other), [])]
    }
