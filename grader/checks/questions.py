"""Ask a player for single moves, in its own process as in a game, and record each answer."""

from dataclasses import replace
from typing import Any

from grader.checks.budget import EXTRAS, Budget
from grader.checks.subject import CheckSubject
from grader.competition.seating import entrant_seating
from grader.games import Game
from grader.games.exam import ExamAnswer
from grader.records import Fault
from grader.referee import judge_answer
from grader.sandbox.process import PlayerProcess
from grader.seeds import public_seed


class QuestionedPlayer(PlayerProcess):
    """The player in a new process, as player 1 or 2, not loaded yet.

    Without a `session`, it may use the whole time of the check; with one, only a `share` of it. Each session has its own
    seed, so a player that gives the same answers in two sessions does not play at random. `game` may differ from the
    assignment's, e.g. in the size of the board.
    """

    def __init__(
        self,
        subject: CheckSubject,
        player_id: int,
        budget: Budget,
        *,
        game: Game | None = None,
        session: int | None = None,
        share: float = EXTRAS,
    ) -> None:
        first = session is None
        seed = public_seed("check", subject.assignment.secret, player_id, *(() if first else (session,)))
        limits = replace(subject.limits, until=budget.until if first else budget.share_until(share))
        super().__init__(entrant_seating(subject.entrant, player_id, seed), game or subject.game, limits)
        self.player_id = player_id
        self._budget = budget

    def __enter__(self) -> "QuestionedPlayer":
        return self

    def rebuild(self, player_id: int) -> Fault | None:
        """Create a new instance in the same process."""
        self.player_id = player_id
        return super().rebuild(player_id)

    def ask(self, position: Any) -> ExamAnswer:
        """Ask for its move in a position."""
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
