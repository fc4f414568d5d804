"""Recompute the moves of a reference player in a recorded game."""

from dataclasses import dataclass, replace

from grader.engine.move_counts import CountMove
from grader.errors import GraderFault, OutOfTime
from grader.games import Game
from grader.records import MatchRecord
from grader.referee import judge_answer
from grader.sandbox.limits import Limits
from grader.sandbox.process import PlayerProcess, Seating


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckJob:
    """A recorded game, and the reference player whose moves to recompute."""

    key: str
    """The key of the game in the store."""
    game: Game
    record: MatchRecord
    seat: int
    """The seat of the reference player."""
    seating: Seating
    """The reference player as in the game: the same options, seed and opening."""
    until: float | None
    """When to stop, by `time.monotonic`; None to recompute every move."""

    @property
    def moves(self) -> int:
        """The number of moves to recompute."""
        return len(self.record.turns_of(self.seat))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckResult:
    """What a reference player answered."""

    moves: int
    """How many moves were recomputed."""
    ply: int = 0
    """The number of the first move that differs from the recorded one, from 1; 0 if none does."""
    expected: str = ""
    """Its move there."""
    problem: str = ""
    """Why the other moves could not be recomputed, if so."""


def recheck(job: RecheckJob, core: int | None, _count_move: CountMove) -> RecheckResult:
    """Ask a new object of the player for each of its moves in turn, until one differs."""
    game, position, asked = job.game, job.game.start(), 0
    try:
        with PlayerProcess(job.seating, game, Limits(core=core, until=job.until)) as player:
            fault = player.load()
            for ply, turn in enumerate(job.record.turns):
                if fault is None and job.record.mover(ply) == job.seat:
                    answer = player.choose(position)
                    move, _, fault = judge_answer(game, position, answer, "recheck")
                    asked += fault is None
                    if fault is None and game.move_text(move) != turn.move:
                        return RecheckResult(moves=asked, ply=ply + 1, expected=game.move_text(move))
                if fault is not None:
                    return RecheckResult(moves=asked, problem=fault.text)
                position = game.apply(position, game.parse_move(turn.move))
    except OutOfTime:
        pass  # the sample is complete
    except GraderFault as error:
        return RecheckResult(moves=asked, problem=error.text)
    return RecheckResult(moves=asked)


def without_requirements(seating: Seating) -> Seating:
    """The same player at the best isolation level of this machine, whatever that is: its code is the grader's own."""
    limits = seating.limits or Limits()
    time = replace(limits.time, overrun="forfeit")
    return replace(seating, limits=replace(limits, time=time, isolation=None, required=Limits().required))
