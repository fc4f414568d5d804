"""Standings: the counted games of a tournament, with ratings, ranks and who beat whom."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.fixtures import Match
from grader.scoring.ratings import RatedGame, Rating, Ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a tournament is about."""

    title: str
    game: str
    seed: int
    isolation: str
    games_a_pair: int
    rounds: int | None
    """Of a Swiss tournament; None if all play all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Competitor:
    """A player of a tournament."""

    id: str
    name: str
    reference: bool = False
    """One of ours, to compare with: it has no rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """A submission that does not play: the others win nothing by it."""

    id: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one of them fared."""

    competitor: Competitor
    ranks: tuple[int, int] | None
    """The best and the worst among the submissions that its interval allows; None for a reference player."""
    points: float
    """Byes included."""
    rating: Rating | None
    """None if it has played nobody."""
    won: int
    drawn: int
    lost: int
    faults: int
    """Of those lost, by a fault of its own."""
    repeats: int
    """Of all these, games that went move for move like an earlier one between the same code."""
    byes: int
    """Rounds without an opponent; each counts as if all its games were won."""

    @property
    def games(self) -> int:
        """That count, byes apart."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadToHead:
    """The results of one player against another."""

    points: float
    games: int
    repeats: int
    stronger: float | None
    """The probability that the one is the stronger; None where no games compare them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """What a tournament came to."""

    terms: Terms
    rows: tuple[Standing, ...]
    """The strongest first."""
    head_to_head: Mapping[tuple[str, str], HeadToHead]
    """How each fared against each other whom it has met, and the probability of being stronger where it has not."""
    first_move: Rating | None
    """What it is worth to move first, in points of the ratings; None if nothing was played."""
    groups: tuple[tuple[str, ...], ...]
    """The competitors that chains of games connect: where there are several groups, ratings compare only within each."""
    anchor: str | None
    """Whose rating is fixed; None if the mean is."""
    repeats: int = 0
    """Games that went move for move like others between the same code, whoever has submitted it."""
    spared: int = 0
    """Of these, games that were not played, because they would only have repeated others."""
    excluded: tuple[Excluded, ...] = ()
    unplayed: tuple[str, ...] = ()
    """Games that could not be played fairly, and why: our fault, never scored."""


def standings(
    terms: Terms,
    competitors: Sequence[Competitor],
    matches: Sequence[Match],
    *,
    byes: Mapping[str, int],
    excluded: Sequence[Excluded] = (),
    unplayed: Sequence[str] = (),
) -> Standings:
    """Count and rate the games of all players. Each match is given once, as its first player sees it."""
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
            points_per_bye=terms.games_a_pair,
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
        spared=sum(not match.played for match in matches),
        excluded=tuple(excluded),
        unplayed=tuple(unplayed),
    )


def weigh(matches: Sequence[Match]) -> list[RatedGame]:
    """The results that ratings are made from: repeats of a game together weigh as much as one.

    Identical submissions are one player that has entered several times: a game of theirs was played once, and each has a
    share of its weight.
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


def _ranks(players: Sequence[str], ratings: Ratings) -> dict[str, tuple[int, int]]:
    """The best and the worst rank of each: players whose intervals overlap share theirs."""
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
    """The games of each, as it sees them."""
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


def _head_to_head(own: Mapping[str, Sequence[Match]], ratings: Ratings) -> dict[tuple[str, str], HeadToHead]:
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
