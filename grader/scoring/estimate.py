"""How long a run may take, honestly: at worst, and as expected from what is known of the players.

A slow class is the normal case: a hundred and fifty students at five seconds a move are days on two cores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.assignment import Assignment
from grader.fixtures import REFERENCE, Fixture, player_name
from grader.inspection.reference_catalogue import reference_players
from grader.language import Message, say
from grader.sandbox.limits import STOPPING

ASSUMED_SHARE = 0.25
"""Of its limit that a player takes for a move, while nothing is known of it."""
_UNMEASURED = 0.25
"""Seconds that an opponent takes for a move, while nothing is known of it."""
START_SECONDS = 0.15
"""To start the two processes of a game."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds, on all workers together."""

    games: int
    expected: float
    worst: float


def estimate(
    planned: Sequence[tuple[Assignment, Fixture]], seconds_a_move: Mapping[str, float], workers: int, further: int = 0
) -> Estimate:
    """How long these fixtures take, and `further` games like them that are not known yet.

    `seconds_a_move` is what is known of each submission.
    """
    expected = worst = 0.0
    for assignment, fixture in planned:
        typical, longest = assignment.rules.plies()
        expected += START_SECONDS
        for player in fixture.players:
            likely, most = _seconds(assignment, player, seconds_a_move)
            expected += typical / 2 * likely
            worst += longest / 2 * most + (0.0 if player.startswith(REFERENCE) else assignment.time.load)
    games = len(planned) + further
    scale = games / len(planned) / workers if planned else 0.0
    return Estimate(games=games, expected=expected * scale, worst=worst * scale)


def _seconds(assignment: Assignment, player: str, seconds_a_move: Mapping[str, float]) -> tuple[float, float]:
    """What a player takes for a move: about, and at most."""
    if player.startswith(REFERENCE):
        name = player_name(player)
        code = next((opponent.player for opponent in assignment.opponents if opponent.name == name), name)
        seconds = reference_seconds(assignment, code)
        return seconds, seconds
    limit = _limit(assignment)
    return min(seconds_a_move.get(player, ASSUMED_SHARE * limit), limit), _longest(assignment)


def reference_seconds(assignment: Assignment, player: str) -> float:
    """What a reference player takes for a move, about; less on a smaller board."""
    game = assignment.rules
    known = [one.seconds for one in reference_players() if one.name == player and one.plays(game)]
    return (known[0] if known else _UNMEASURED) * game.relative_cost()


def _limit(assignment: Assignment) -> float:
    """Seconds for a move, on average if there is a bank."""
    _, longest = assignment.rules.plies()
    return assignment.time.move or (assignment.time.bank or 0.0) / (longest / 2) + assignment.time.increment


def _longest(assignment: Assignment) -> float:
    """Seconds for a move at worst: where a late player goes on, it has to be stopped, and may have to load again."""
    again = STOPPING + assignment.time.load if assignment.overrun == "random-move" else 0.0
    return _limit(assignment) + assignment.time.grace + again


def games_that_fit(
    planned: Sequence[tuple[Assignment, Fixture]], seconds_a_move: Mapping[str, float], workers: int, budget: float
) -> int:
    """How many games against each opponent, the same for everybody, are expected to fit into so many seconds.

    An even number, so that both colours are played equally often.
    """
    most = max((fixture.number + 1 for _, fixture in planned), default=0)
    for games in range(most + most % 2, 0, -2):
        some = [(assignment, fixture) for assignment, fixture in planned if fixture.number < games]
        if estimate(some, seconds_a_move, workers).expected <= budget:
            return games
    return 0


def duration(seconds: float) -> Message:
    """As a person says it."""
    if seconds >= 1.5 * 86_400:
        return say("{days:.1f} days", days=seconds / 86_400)
    if seconds >= 1.5 * 3600:
        return say("{hours:.1f} hours", hours=seconds / 3600)
    if seconds >= 1.5 * 60:
        return say("{minutes:.1f} minutes", minutes=seconds / 60)
    if seconds < 1.5:
        return say("a second")
    return say("{seconds:.0f} seconds", seconds=seconds)
