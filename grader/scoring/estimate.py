"""Estimate how long a run takes: as expected from the speed of the players, and at most.

Slow classes are normal: 150 students at 5 seconds per move take days on two cores.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from grader.assignment import Assignment
from grader.fixtures import REFERENCE, Fixture, player_name
from grader.inspection.reference_catalogue import reference_players
from grader.language import Message, say
from grader.sandbox.limits import STOPPING, TimeLimits
from grader.sandbox.speed import known_speed

ASSUMED_SHARE = 0.25
"""The share of its time limit that a player is assumed to use until it has been measured."""
_UNMEASURED = 0.25
"""Seconds per move that an opponent is assumed to use if it has not been measured."""
START_SECONDS = 0.15
"""The time to start the two processes of a game, if it has not been measured."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The number of games, and the seconds they take on all workers together."""

    games: int
    expected: float
    worst: float


def estimate(
    planned: Sequence[tuple[Assignment, Fixture]],
    seconds_per_move: Mapping[str, float],
    workers: int,
    further: int = 0,
    start: float = START_SECONDS,
) -> Estimate:
    """How long these fixtures take, and `further` similar games that are not planned yet.

    `seconds_per_move` has the measured speed of submissions, by id, and `start` is how long it takes to start a game.
    """
    expected = worst = 0.0
    for assignment, fixture in planned:
        typical, longest = assignment.rules.plies()
        expected += start
        for player in fixture.players:
            likely, most = _seconds(assignment, player, seconds_per_move)
            expected += typical / 2 * likely
            worst += longest / 2 * most + (
                0.0 if player.startswith(REFERENCE) else assignment.time.load * _scale(assignment)
            )
    games = len(planned) + further
    scale = games / len(planned) / workers if planned else 0.0
    return Estimate(games=games, expected=expected * scale, worst=worst * scale)


def _seconds(assignment: Assignment, player: str, seconds_per_move: Mapping[str, float]) -> tuple[float, float]:
    """The seconds per move of a player: expected, and at most."""
    if player.startswith(REFERENCE):
        name = player_name(player)
        code = next((opponent.player for opponent in assignment.opponents if opponent.name == name), name)
        seconds = reference_seconds(assignment, code)
        return seconds, seconds
    limit = _limit(assignment)
    return min(seconds_per_move.get(player, ASSUMED_SHARE * limit), limit), _longest(assignment)


def reference_seconds(assignment: Assignment, player: str) -> float:
    """The approximate seconds per move of a reference player, which are fewer on a smaller board."""
    game = assignment.rules
    known = [each.seconds for each in reference_players() if each.name == player and each.plays(game)]
    return (known[0] if known else _UNMEASURED) * game.relative_cost()


def _limit(assignment: Assignment) -> float:
    """The limit in seconds per move; the average if there is a bank."""
    _, longest = assignment.rules.plies()
    limit = assignment.time.move or (assignment.time.bank or 0.0) / (longest / 2) + assignment.time.increment
    return limit * _scale(assignment)


def _scale(assignment: Assignment) -> float:
    """The factor by which the limits are multiplied on this machine, as far as it is known; on others it may differ."""
    return TimeLimits(reference_speed=assignment.time.reference_speed).scale(known_speed())


def _longest(assignment: Assignment) -> float:
    """The most seconds per move. With random moves for late players, stopping and loading again may be added."""
    again = STOPPING + assignment.time.load * _scale(assignment) if assignment.overrun == "random-move" else 0.0
    return _limit(assignment) + assignment.time.grace + again


def games_that_fit(
    planned: Sequence[tuple[Assignment, Fixture]],
    seconds_per_move: Mapping[str, float],
    workers: int,
    budget: float,
    start: float = START_SECONDS,
) -> int:
    """The number of games per opponent, the same for all submissions, that are expected to fit into `budget` seconds.

    The number is even, so that each side moves first equally often.
    """
    most = max((fixture.number + 1 for _, fixture in planned), default=0)
    for games in range(most + most % 2, 0, -2):
        some = [(assignment, fixture) for assignment, fixture in planned if fixture.number < games]
        if estimate(some, seconds_per_move, workers, start=start).expected <= budget:
            return games
    return 0


def start_of_a_game(starts: Iterable[float]) -> float:
    """The seconds to start the two players of a game, from the times that single players took (0 for those not measured)."""
    measured = [seconds for seconds in starts if seconds > 0]
    return max(START_SECONDS, 2 * median(measured)) if measured else START_SECONDS


def duration(seconds: float) -> Message:
    """A duration in a unit that suits it, e.g. 27 s, 36 min, 2.5 h or 3 days."""
    if seconds >= 1.5 * 86_400:
        return say("{days:g} days", days=_rounded(seconds / 86_400))
    if seconds >= 1.5 * 3600:
        return say("{hours:g} h", hours=_rounded(seconds / 3600))
    if seconds >= 1.5 * 60:
        return say("{minutes:g} min", minutes=_rounded(seconds / 60))
    return say("{seconds:g} s", seconds=max(1, round(seconds)))


def _rounded(value: float) -> float:
    return round(value, 1 if value < 10 else None)
