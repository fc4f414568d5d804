"""Rate players by their games, with 95 % intervals: a Bradley–Terry model with a first-move term.

The probability that the first player beats the second is σ(strength of the first − strength of the second + first move).
A draw is half a win for both, which makes the intervals slightly too wide if there are many draws, never too narrow.

So that ratings stay finite at 0 % and 100 %, each player has one virtual draw against an imaginary player in the middle,
and the first move has one between equal players. Intervals come from the inverse of the Fisher information and are
relative to the mean of all players that are connected by games. 400 points mean 10:1 odds. The mean is `ORIGIN`, or the
caller names a player whose rating is: that shifts all ratings equally and does not change the width of any interval.
Players that no chain of games connects are not compared.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.scoring.ratings import ORIGIN, SCALE, RatedGame, Rating

Z = 1.959964
"""Standard deviations on each side of a 95 % interval."""
_VIRTUAL = 1.0
"""The weight of a virtual draw, in games."""
_STEPS = 100
_CLOSE = 1e-10

Floats = npt.NDArray[np.float64]


class Ratings:
    """The ratings of all players of a tournament."""

    def __init__(self, players: Iterable[str], results: Sequence[RatedGame], anchor: str | None = None) -> None:
        self.players = tuple(sorted(set(players)))
        self._at = {player: number for number, player in enumerate(self.players)}
        games = _sum_games(results, self._at)
        self._group = _groups(len(self.players), games)
        self._estimate = _fit(len(self.players), games)
        self._covariance = np.linalg.inv(_information(self._estimate, games))
        self._anchor = anchor

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The groups of players that are connected by games, the largest first."""
        found: dict[int, list[str]] = {}
        for player, group in zip(self.players, self._group, strict=True):
            found.setdefault(group, []).append(player)
        return tuple(sorted(map(tuple, found.values()), key=lambda group: (-len(group), group)))

    def rating(self, player: str) -> Rating | None:
        """The rating of a player in its group, or None if it has not played anyone."""
        group = np.array(self._group) == self._group[self._at[player]]
        if group.sum() == 1:
            return None
        middle = np.append(group / group.sum(), 0.0)
        contrast = -middle
        contrast[self._at[player]] += 1.0
        return self._scaled_rating(contrast, ORIGIN - self._anchor_lead(player, middle))

    def _anchor_lead(self, player: str, middle: Floats) -> float:
        """How far the scale is shifted to put the anchor at its origin."""
        if self._anchor is None or not self.are_connected(player, self._anchor):
            return 0.0
        return SCALE * float(self._estimate[self._at[self._anchor]] - middle @ self._estimate)

    def are_connected(self, one: str, other: str) -> bool:
        """Whether a chain of games leads from one to the other."""
        return self._group[self._at[one]] == self._group[self._at[other]]

    def probability_stronger(self, one: str, other: str) -> float | None:
        """The probability that one player is stronger than another, or None if no games connect them."""
        if one == other or not self.are_connected(one, other):
            return None
        contrast = np.zeros(len(self._estimate))
        contrast[self._at[one]], contrast[self._at[other]] = 1.0, -1.0
        difference, deviation = self._measure(contrast)
        return 0.5 * math.erfc(-difference / deviation / math.sqrt(2))

    @property
    def first_move(self) -> Rating:
        """What moving first is worth, in rating points."""
        contrast = np.zeros(len(self._estimate))
        contrast[-1] = 1.0
        return self._scaled_rating(contrast, 0.0)

    def _scaled_rating(self, contrast: Floats, origin: float) -> Rating:
        value, deviation = self._measure(contrast)
        middle, spread = origin + SCALE * value, SCALE * Z * deviation
        return Rating(middle, middle - spread, middle + spread)

    def _measure(self, contrast: Floats) -> tuple[float, float]:
        """A linear combination of the estimates, and its standard deviation."""
        return float(contrast @ self._estimate), math.sqrt(float(contrast @ self._covariance @ contrast))


@dataclass(frozen=True, slots=True)
class _Games:
    """All games, with those of the same two players in the same order added up."""

    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    weight: Floats
    won: Floats
    """The weighted score of the first player."""


def _sum_games(results: Sequence[RatedGame], at: dict[str, int]) -> _Games:
    """Add up the games in a fixed order, so that the order of `results` does not change any digit."""
    rows: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for result in results:
        rows.setdefault((at[result.first], at[result.second]), []).append((result.weight, result.score * result.weight))
    pairs = sorted(rows)
    return _Games(
        first=np.array([first for first, _ in pairs], dtype=np.intp),
        second=np.array([second for _, second in pairs], dtype=np.intp),
        weight=np.array([math.fsum(weight for weight, _ in rows[pair]) for pair in pairs], dtype=np.float64),
        won=np.array([math.fsum(won for _, won in rows[pair]) for pair in pairs], dtype=np.float64),
    )


def _groups(players: int, games: _Games) -> list[int]:
    """For each player, the index of the first player that games connect it with."""
    group = list(range(players))

    def root(player: int) -> int:
        while group[player] != player:
            player = group[player]
        return player

    for first, second in zip(games.first.tolist(), games.second.tolist(), strict=True):
        one, two = sorted((root(first), root(second)))
        group[two] = one
    return [root(player) for player in range(players)]


def _fit(players: int, games: _Games) -> Floats:
    """The strengths and, last, the first move, by Newton's method with each step halved until it improves."""
    estimate = np.zeros(players + 1)
    likelihood = _likelihood(estimate, games)
    for _ in range(_STEPS):
        step = np.linalg.solve(_information(estimate, games), _slope(estimate, games))
        while (better := _likelihood(estimate + step, games)) < likelihood and np.abs(step).max() > _CLOSE:
            step /= 2
        estimate, likelihood = estimate + step, better
        if np.abs(step).max() <= _CLOSE:
            return estimate
    raise ArithmeticError(f"the ratings of {players} players did not converge in {_STEPS} steps")


def _likelihood(estimate: Floats, games: _Games) -> float:
    lead = _lead(estimate, games)
    real = games.won * lead - games.weight * np.logaddexp(0.0, lead)
    virtual = estimate / 2 - np.logaddexp(0.0, estimate)
    return float(real.sum() + _VIRTUAL * virtual.sum())


def _slope(estimate: Floats, games: _Games) -> Floats:
    surprise = games.won - games.weight * _chance(_lead(estimate, games))
    slope: Floats = _VIRTUAL * (0.5 - _chance(estimate))
    np.add.at(slope, games.first, surprise)
    np.add.at(slope, games.second, -surprise)
    slope[-1] += surprise.sum()
    return slope


def _information(estimate: Floats, games: _Games) -> Floats:
    chance, virtual = _chance(_lead(estimate, games)), _chance(estimate)
    weight = games.weight * chance * (1 - chance)
    information: Floats = np.diag(_VIRTUAL * virtual * (1 - virtual))
    first_move = np.full_like(games.first, len(estimate) - 1)
    parts = ((games.first, 1.0), (games.second, -1.0), (first_move, 1.0))
    for one, sign in parts:
        for other, other_sign in parts:
            np.add.at(information, (one, other), sign * other_sign * weight)
    return information


def _lead(estimate: Floats, games: _Games) -> Floats:
    lead: Floats = estimate[games.first] - estimate[games.second] + estimate[-1]
    return lead


def _chance(lead: Any) -> Any:
    return 0.5 * (1 + np.tanh(lead / 2))  # the logistic function without overflow
