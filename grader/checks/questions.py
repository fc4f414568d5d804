"""Ask a player for single moves, in a process of its own as in a game, and note how each answer came about."""

from dataclasses import replace
from typing import Any

from grader.checks.budget import Budget
from grader.checks.subject import CheckSubject
from grader.competition.seating import entrant_seating
from grader.fixtures import derived_seed
from grader.games import Game
from grader.games.exam import ExamAnswer
from grader.records import Fault
from grader.referee import judge_answer
from grader.sandbox.process import PlayerProcess


class QuestionedPlayer(PlayerProcess):
    """The player in a fresh process, as player 1 or 2, not loaded yet, for as long as there is time.

    With a `sitting`, it is for further questions, which leave time for games. Each sitting has a seed of its own, so that
    a player that answers alike in two of them does not play by chance. `game` may be another than the assignment's.
    """

    def __init__(
        self,
        subject: CheckSubject,
        player_id: int,
        budget: Budget,
        *,
        game: Game | None = None,
        sitting: int | None = None,
    ) -> None:
        first = sitting is None
        seed = derived_seed(subject.assignment.seed, "check", player_id, *(() if first else (sitting,)))
        limits = replace(subject.limits, until=budget.until if first else budget.questions_until)
        super().__init__(entrant_seating(subject.entrant, player_id, seed), game or subject.game, limits)
        self.player_id = player_id
        self._budget = budget

    def __enter__(self) -> "QuestionedPlayer":
        return self

    def rebuild(self, player_id: int) -> Fault | None:
        """Build a fresh object in the same process."""
        self.player_id = player_id
        return super().rebuild(player_id)

    def ask(self, position: Any) -> ExamAnswer:
        """Its move in a position."""
        reply = self.choose(position, watched=True)
        move, after, fault = judge_answer(self._game, position, reply, "check")
        self._budget.note_move(reply.charge.wall)
        return ExamAnswer(
            player_id=self.player_id,
            position=position,
            charge=reply.charge,
            move=move,
            after=after,
            fault=fault,
            late=reply.late,
            changed=reply.changed,
        )
