"""Compute points from finished games. Results count in the order of the fixtures, not in the order they were played."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from grader.assignment import Assignment, Opponent
from grader.fixtures import Fixture, Results, move_line
from grader.language import say
from grader.records import Ending, Finding, RankedCandidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The result of a submission against one opponent."""

    opponent: str
    hidden: bool
    points: float
    max_points: float
    exact_points: Fraction
    """The points before they are rounded to four decimals, from which scores are scaled and rounded."""
    games: int
    """The games that count; fewer than planned if the rest could no longer change the points."""
    won: int
    drawn: int
    lost: int
    interval: tuple[float, float]
    """The 95 % interval of the win rate. Repeated games do not narrow it."""
    skipped: int
    """Planned games that could no longer change the points."""
    unplayed: int
    """Games that would count but have not been played: not yet, not fairly, or never if the player cannot be loaded."""
    repeats: int
    """Games that repeat an earlier one move for move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """The grade of one submission."""

    id: str
    name: str
    game: str
    score: float | None
    """None if it is ungraded or excused."""
    max_score: float
    penalty: float
    status: str
    """graded, disqualified, missing, ungraded or excused."""
    reason: str = ""
    """The reason for the status, or for not being able to play."""
    parts: tuple[Part, ...] = ()
    endings: Mapping[str, int] = field(default_factory=dict)
    endings_by_result: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The endings of the games that were won, drawn and lost; empty if none was played."""
    findings: tuple[Finding, ...] = ()
    entry: str = ""
    """The file and class that played: `src/solution.py:SmartPlayer`; empty if none did."""
    candidates: tuple[RankedCandidate, ...] = ()
    """The classes and functions that could have played, best first."""
    needs_decision: bool = False
    """Whether the instructor has to decide which class plays before it can be graded."""
    partial_score: float = 0.0
    """The score from the games played so far; the score once it is graded."""
    unrounded: float | None = None
    """The score before rounding, if the assignment rounds scores."""
    pass_mark: float | None = None

    @property
    def passed(self) -> bool | None:
        """Whether the score reaches the pass mark; None without a pass mark or a score."""
        return None if self.pass_mark is None or self.score is None else self.score >= self.pass_mark

    @property
    def was_played(self) -> bool:
        """Whether at least one game counts. If its player cannot be loaded, for example, none is played."""
        return any(part.games for part in self.parts)

    @property
    def is_unassessed(self) -> bool:
        """Whether nothing is known about it, through no fault of the student: not even a part of a score can be exported."""
        return self.status == "ungraded" and not self.parts


def needed_fixtures(assignment: Assignment, planned: Sequence[Fixture], results: Results) -> list[Fixture]:
    """The fixtures that can change the points, judging by the results before each of them."""
    needed = _open_fixtures(assignment, planned, results)
    for number, fixture in enumerate(needed):
        if _disqualification_by(assignment, fixture, results):  # later games change nothing
            return needed[: number + 1]
    return needed


def skipped_keys(assignment: Assignment, planned: Sequence[Fixture], results: Results) -> frozenset[str]:
    """The keys of the fixtures that can no longer change the points."""
    needed = {fixture.key for fixture in needed_fixtures(assignment, planned, results)}
    if assignment.scoring == "ladder" and not needed <= results.keys():  # the next rungs wait for this one
        return frozenset()
    return frozenset(fixture.key for fixture in planned) - needed


def _open_fixtures(assignment: Assignment, planned: Sequence[Fixture], results: Results) -> list[Fixture]:
    needed: list[Fixture] = []
    if assignment.scoring == "ladder":
        for rung in rungs(planned):
            needed += rung
            if not _is_beaten(rung, results):  # the next rung waits until it is
                break
        return needed
    for opponent in assignment.opponents:
        own = [fixture for fixture in planned if fixture.opponent == opponent.name]
        for number, fixture in enumerate(own):
            if _is_decided(opponent, own[:number], len(own), results, assignment.speed_share):
                break
            needed.append(fixture)
    return needed


def rungs(planned: Sequence[Fixture]) -> list[list[Fixture]]:
    """The rungs of a ladder: each opponent as player 1, then as player 2."""
    steps: dict[tuple[str, int], list[Fixture]] = {}
    for fixture in planned:
        steps.setdefault((fixture.opponent, fixture.seat), []).append(fixture)
    return list(steps.values())


def points_by_opponent(
    assignment: Assignment, planned: Sequence[Fixture], results: Results, unloadable: bool
) -> tuple[Part, ...]:
    """The points against each opponent. If the player is `unloadable`, no game is played, and there are no points."""
    counted = {fixture.key for fixture in needed_fixtures(assignment, planned, results)}
    idle = frozenset[str]() if unloadable else skipped_keys(assignment, planned, results)
    beaten = [rung for rung in rungs(planned) if _is_beaten(rung, results)] if assignment.scoring == "ladder" else []
    found = []
    for opponent in assignment.opponents:
        own = [fixture for fixture in planned if fixture.opponent == opponent.name]
        played = [fixture for fixture in own if fixture.key in counted and fixture.key in results]
        won, drawn, lost = (0, 0, 0) if unloadable else _tally(played, results)
        if assignment.scoring == "ladder":
            share = Fraction(sum(rung in beaten for rung in rungs(own)), max(1, len(rungs(own))))
        else:
            share = point_share(opponent, won, drawn, len(own))
        if assignment.speed_share and not unloadable:
            speed_share = exact(assignment.speed_share)
            share = (1 - speed_share) * share + speed_share * exact(_speed(assignment, played, results))
        points = exact(opponent.points) * share
        repeats = _repeats(played, results)
        games = won + drawn + lost
        skipped = sum(fixture.key in idle for fixture in own)
        found.append(
            Part(
                opponent=opponent.name,
                hidden=opponent.hidden,
                points=round(float(points), 4),
                max_points=opponent.points,
                exact_points=points,
                games=games,
                won=won,
                drawn=drawn,
                lost=lost,
                interval=wilson_interval(won + drawn / 2, games, max(1, games - repeats)),
                skipped=skipped,
                unplayed=len(own) - skipped - games,
                repeats=repeats,
            )
        )
    return tuple(found)


def point_share(opponent: Opponent, won: int, drawn: int, games: int) -> Fraction:
    """The share of an opponent's points for these results, from 0 to 1."""
    if opponent.threshold is not None:
        return Fraction(won >= opponent.threshold)
    share = Fraction(2 * won + drawn, 2 * games) if games else Fraction(0)
    low, high = map(exact, opponent.linear)
    return min(Fraction(1), max(Fraction(0), (share - low) / (high - low)))


def exact(value: float) -> Fraction:
    """The decimal number that a person wrote: 0.1 is a tenth, not the binary number closest to it."""
    return Fraction(str(value))


def wilson_interval(successes: float, games: int, effective: int | None = None) -> tuple[float, float]:
    """The 95 % Wilson interval of a win rate. `effective` is the number of games without repeats."""
    if games == 0:
        return 0.0, 1.0
    share, n, z = successes / games, games if effective is None else effective, 1.959964
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    spread = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return round(max(0.0, centre - spread), 4), round(min(1.0, centre + spread), 4)


def ending_counts(planned: Sequence[Fixture], results: Results) -> dict[str, int]:
    """How often each ending occurred, in a stable order."""
    counts = Counter(str(results[fixture.key].ending) for fixture in planned if fixture.key in results)
    return dict(sorted(counts.items()))


def ending_counts_by_result(planned: Sequence[Fixture], results: Results) -> dict[str, dict[str, int]]:
    """How often each ending occurred in the games that were won, drawn and lost, each with the most frequent first."""
    counts: dict[str, Counter[str]] = {"won": Counter(), "drawn": Counter(), "lost": Counter()}
    for fixture in planned:
        if (record := results.get(fixture.key)) is not None:
            result = "drawn" if record.winner is None else "won" if record.winner == fixture.seat else "lost"
            counts[result][str(record.ending)] += 1
    return {
        result: dict(sorted(own.items(), key=lambda item: (-item[1], item[0]))) for result, own in counts.items() if own
    }


def game_disqualification(assignment: Assignment, planned: Sequence[Fixture], results: Results) -> str:
    """Why the games disqualify a submission, or an empty text."""
    return next((why for fixture in planned if (why := _disqualification_by(assignment, fixture, results))), "")


def _disqualification_by(assignment: Assignment, fixture: Fixture, results: Results) -> str:
    """Why one game disqualifies, or an empty text. Does not name the opponent, which may be hidden."""
    record = results.get(fixture.key)
    if record is None:
        return ""
    if assignment.overrun == "disqualify" and record.ending == Ending.TIMEOUT and record.at_fault == fixture.seat:
        return say("The player ran out of time in a game. {text}", text=record.fault.text if record.fault else "")
    strict = {opponent.name for opponent in assignment.opponents if opponent.disqualify_on_loss}
    if fixture.opponent in strict and record.winner == 1 - fixture.seat:
        return say("The player lost to an opponent against which any loss disqualifies.")
    return ""


def _is_decided(
    opponent: Opponent, before: Sequence[Fixture], games: int, results: Results, speed_share: float
) -> bool:
    """Whether the games so far settle the points, whatever the rest results in."""
    if speed_share or opponent.disqualify_on_loss or any(fixture.key not in results for fixture in before):
        return False
    won, drawn, _ = _tally(before, results)
    left = games - len(before)
    return point_share(opponent, won, drawn, games) == point_share(opponent, won + left, drawn, games)


def _tally(played: Sequence[Fixture], results: Results) -> tuple[int, int, int]:
    winners = [(fixture.seat, results[fixture.key].winner) for fixture in played]
    won = sum(winner == seat for seat, winner in winners)
    drawn = sum(winner is None for _, winner in winners)
    return won, drawn, len(winners) - won - drawn


def _is_beaten(rung: Sequence[Fixture], results: Results) -> bool:
    if any(fixture.key not in results for fixture in rung):
        return False
    won, _, lost = _tally(rung, results)
    return won > lost


def _repeats(played: Sequence[Fixture], results: Results) -> int:
    lines = [(fixture.seat, move_line(results[fixture.key])) for fixture in played]
    return len(lines) - len(set(lines))


def _speed(assignment: Assignment, played: Sequence[Fixture], results: Results) -> float:
    """The average share of its time that the player did not use in a game, rounded to percent.

    In a game with a fault of its own or a late move, it counts as having used all its time.
    """
    unused = []
    for fixture in played:
        record = results[fixture.key]
        turns = record.turns_of(fixture.seat)
        used = sum(turn.charge.charged for turn in turns) / record.time_scale
        if assignment.time.bank is not None:
            allowed = assignment.time.bank + assignment.time.increment * len(turns)
        else:
            allowed = (assignment.time.move or 0.0) * len(turns)
        failed = record.at_fault == fixture.seat or any(turn.late for turn in turns)
        unused.append(0.0 if failed or not turns else min(1.0, max(0.0, 1 - used / allowed)))
    return round(sum(unused) / len(unused), 2) if unused else 0.0
