"""From the games of a tournament to its standings. Looks at the games in the order of their fixtures only."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.records import MatchRecord
from grader.scoring.ratings import Rating, Ratings, Result


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
class Entrant:
    """Somebody who plays in a tournament."""

    id: str
    name: str
    reference: bool = False
    """One of ours, to compare with: it has no rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """Somebody who does not play: others win nothing by it."""

    id: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Bout:
    """One game of a tournament that counts."""

    first: str
    """Who moved first."""
    second: str
    record: MatchRecord
    played: bool = True
    """False: the two would only have repeated another game move for move; this is that one."""
    code: str = ""
    """Whose code plays whose, as a hash that pairs of identical submissions share; empty: nobody else has theirs."""

    @property
    def sides(self) -> str | tuple[str, str]:
        """What all games have in common that the same code plays in the same order, whoever has submitted it."""
        return self.code or self.players

    @property
    def players(self) -> tuple[str, str]:
        """In the order of their seats."""
        return self.first, self.second

    def score(self, seat: int) -> float:
        """Of that seat: 1 won, ½ drawn, 0 lost."""
        return 0.5 if self.record.winner is None else float(self.record.winner == seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one of them fared."""

    entrant: Entrant
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
class Meeting:
    """How one fared against another."""

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
    meetings: Mapping[tuple[str, str], Meeting]
    """How each fared against each other whom it has met, and the probability of being stronger where it has not."""
    first_move: Rating | None
    """What it is worth to move first, in points of the ratings; None if nothing was played."""
    groups: tuple[tuple[str, ...], ...]
    """The entrants that chains of games connect: where there are several groups, ratings compare only within each."""
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
    entrants: Sequence[Entrant],
    bouts: Sequence[Bout],
    *,
    byes: Mapping[str, int],
    excluded: Sequence[Excluded] = (),
    unplayed: Sequence[str] = (),
) -> Standings:
    """Count and rate the games of everybody."""
    anchor = next((entrant for entrant in entrants if entrant.reference), None)
    ratings = Ratings((entrant.id for entrant in entrants), weighted(bouts), anchor=anchor.id if anchor else None)
    ranks = _ranks([entrant.id for entrant in entrants if not entrant.reference], ratings)
    own = _by_player(bouts)
    rows = [
        _standing(
            entrant,
            own.get(entrant.id, []),
            ratings.rating(entrant.id),
            ranks.get(entrant.id),
            byes=byes.get(entrant.id, 0),
            points_a_bye=terms.games_a_pair,
        )
        for entrant in entrants
    ]
    return Standings(
        terms=terms,
        rows=tuple(sorted(rows, key=_place)),
        meetings=_meetings(bouts, ratings),
        first_move=ratings.first_move if bouts else None,
        groups=ratings.groups,
        anchor=anchor.name if anchor else None,
        repeats=_repeats(bouts),
        spared=sum(not bout.played for bout in bouts),
        excluded=tuple(excluded),
        unplayed=tuple(unplayed),
    )


def weighted(bouts: Sequence[Bout]) -> list[Result]:
    """The games as they tell of strength: all that the same code plays in the same order tell as much as those that differ.

    Identical submissions are one player that has entered several times: a game of theirs was played once, and each has a
    share of what it tells.
    """
    alike: dict[str | tuple[str, str], list[Bout]] = defaultdict(list)
    for bout in bouts:
        alike[bout.sides].append(bout)
    results = []
    for same in alike.values():
        weight = len({line(bout.record) for bout in same}) / len(same)
        results += [Result(bout.first, bout.second, bout.score(0), weight) for bout in same]
    return results


def line(record: MatchRecord) -> tuple[str, ...]:
    """How a game went, move for move, and how it ended."""
    return (*(turn.move for turn in record.turns), str(record.ending))


def _ranks(players: Sequence[str], ratings: Ratings) -> dict[str, tuple[int, int]]:
    """For each the best and the worst rank: those whose intervals overlap share theirs."""
    rated = {player: ratings.rating(player) for player in players}

    def clearly(one: str, other: str) -> bool:
        higher, lower = rated[one], rated[other]
        return higher is not None and lower is not None and ratings.compare(one, other) and higher.above(lower)

    return {
        player: (
            1 + sum(clearly(other, player) for other in players),
            len(players) - sum(clearly(player, other) for other in players),
        )
        for player in players
    }


def _by_player(bouts: Sequence[Bout]) -> dict[str, list[tuple[Bout, int]]]:
    """The games of each, with the seat in which it sat."""
    own: dict[str, list[tuple[Bout, int]]] = defaultdict(list)
    for bout in bouts:
        for seat, player in enumerate(bout.players):
            own[player].append((bout, seat))
    return own


def _standing(
    entrant: Entrant,
    own: Sequence[tuple[Bout, int]],
    rating: Rating | None,
    ranks: tuple[int, int] | None,
    *,
    byes: int,
    points_a_bye: int,
) -> Standing:
    scores = Counter(bout.score(seat) for bout, seat in own)
    return Standing(
        entrant=entrant,
        ranks=ranks,
        points=scores[1.0] + scores[0.5] / 2 + byes * points_a_bye,
        rating=rating,
        won=scores[1.0],
        drawn=scores[0.5],
        lost=scores[0.0],
        faults=sum(bout.record.at_fault == seat for bout, seat in own),
        repeats=_repeats([bout for bout, _ in own]),
        byes=byes,
    )


def _repeats(bouts: Sequence[Bout]) -> int:
    return len(bouts) - len({(bout.sides, line(bout.record)) for bout in bouts})


def _place(row: Standing) -> tuple[float, float, str]:
    """By rating, then by points."""
    return -(round(row.rating.value, 6) if row.rating else -float("inf")), -row.points, row.entrant.id


def _meetings(bouts: Sequence[Bout], ratings: Ratings) -> dict[tuple[str, str], Meeting]:
    between: dict[tuple[str, str], list[tuple[Bout, int]]] = defaultdict(list)
    for bout in bouts:
        between[bout.first, bout.second].append((bout, 0))
        between[bout.second, bout.first].append((bout, 1))
    return {
        (one, other): Meeting(
            points=sum(bout.score(seat) for bout, seat in met),
            games=len(met),
            repeats=_repeats([bout for bout, _ in met]),
            stronger=ratings.stronger(one, other),
        )
        for one in ratings.players
        for other in ratings.players
        if one != other
        for met in [between.get((one, other), [])]
    }
