"""Games against the reference players, played as in the official run, as long as there is time."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from grader.checks.budget import Budget
from grader.checks.observations import CheckedGame
from grader.checks.subject import CheckSubject
from grader.competition.seating import fixture_seatings
from grader.engine.match import starvation
from grader.errors import GraderFault, OutOfTime
from grader.fixtures import Fixture
from grader.language import say
from grader.records import Answer, Charge, Fault, SeatReport
from grader.referee import play_match
from grader.sandbox.clock import CoreUse
from grader.sandbox.process import PlayerProcess

MoveCounter = Callable[[int], None]
"""Called after each of the player's moves with the number of its moves so far."""


class ObservedSeat:
    """The seat of the checked player: its moves and times are recorded even if the game is not finished."""

    def __init__(self, process: PlayerProcess, budget: Budget, step: MoveCounter) -> None:
        self._process, self._budget, self._step = process, budget, step
        self.charges: list[Charge] = []
        self.pending = 0.0
        """How many seconds it had been thinking about a move when time ran out."""
        self.changed = False
        self.output = ""

    def load(self) -> Fault | None:
        """Get ready to play."""
        return self._process.load()

    def choose(self, position: Any) -> Answer:
        """Answer with a move."""
        began = time.monotonic()
        try:
            reply = self._process.choose(position, watched=True)
        except OutOfTime:
            self.pending = time.monotonic() - began
            raise
        self.charges.append(reply.charge)
        self.changed |= reply.changed
        self._budget.note_move(reply.charge.wall)
        self._step(len(self.charges))
        return reply

    def learn(self, result: int) -> Fault | None:
        """Learn how the game ended."""
        return self._process.learn(result)

    def report(self) -> SeatReport:
        """Report on the game, and leave."""
        report = self._process.report()
        self.output = report.output
        return report


def play_game(
    subject: CheckSubject, fixture: Fixture, budget: Budget, step: MoveCounter
) -> tuple[CheckedGame, ObservedSeat]:
    """Play a game to its end, or until time runs out. Raises `GraderFault` if the reference player fails."""
    pair = fixture_seatings(subject.setup, fixture)
    limits = replace(subject.limits, until=budget.until)
    with ExitStack() as stack:
        first, second = (stack.enter_context(PlayerProcess(seating, subject.game, limits)) for seating in pair)
        own = ObservedSeat(first if fixture.seat == 0 else second, budget, step)
        seats = (own, second) if fixture.seat == 0 else (first, own)
        used_before, use = first.cpu() + second.cpu(), CoreUse(limits.core)
        try:
            record = play_match(subject.game, seats, seed=fixture.seed)
        except OutOfTime:
            own.report()
            return CheckedGame(fixture=fixture, record=None, charges=tuple(own.charges), pending=own.pending), own
        others = use.by_others(first.cpu() + second.cpu() - used_before)
    if record.at_fault == 1 - fixture.seat and record.fault is not None:
        raise GraderFault(say("{name}: {text}", name=fixture.opponent, text=record.fault.text))
    unfair = starvation(record, pair, limits.time_in_force, others) or ""
    return CheckedGame(fixture=fixture, record=record, charges=tuple(own.charges), unfair=unfair), own
