"""Ask a player for single moves, in a process of its own as in a game, and note how each answer came about."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from grader.checks.budget import Budget
from grader.checks.subject import Subject
from grader.competition.seating import entrant_seating
from grader.fixtures import derived_seed
from grader.games import Game
from grader.games.exam import ExamAnswer
from grader.records import Charge, Fault
from grader.referee import judge_answer
from grader.sandbox.process import PlayerProcess

Heard = Callable[[ExamAnswer], None]


class Asked:
    """A player that has sat down to be asked."""

    def __init__(self, process: PlayerProcess, game: Game, player_id: int, heard: Heard, budget: Budget) -> None:
        self._process, self._game, self._heard, self._budget = process, game, heard, budget
        self.player_id = player_id

    def load(self) -> Fault | None:
        """Get ready."""
        return self._process.load()

    def rebuild(self, player_id: int) -> Fault | None:
        """Build a fresh object in the same process."""
        self.player_id = player_id
        return self._process.rebuild(player_id)

    def ask(self, position: Any) -> ExamAnswer:
        """Its move in a position."""
        reply = self._process.choose(position, watched=True)
        move, after, fault = judge_answer(self._game, position, reply, "check")
        answer = ExamAnswer(
            player_id=self.player_id,
            position=position,
            charge=reply.charge,
            move=move,
            after=after,
            fault=fault,
            late=reply.late,
            changed=reply.changed,
        )
        self._budget.took(reply.charge.wall)
        self._heard(answer)
        return answer

    @property
    def loaded(self) -> Charge | None:
        """What it took to get ready."""
        return self._process.load_charge

    def printed(self) -> str:
        """What it has printed. Ends the player."""
        return self._process.report().output


@contextmanager
def asking(subject: Subject, player_id: int, budget: Budget, heard: Heard) -> Iterator[Asked]:
    """The player in a fresh process, as player 1 or 2, not loaded yet, for as long as there is time."""
    seed = derived_seed(subject.assignment.seed, "check", player_id)
    with _sat_down(subject, subject.game, player_id, seed, budget.until) as process:
        yield Asked(process, subject.game, player_id, heard, budget)


@contextmanager
def probing(
    subject: Subject, player_id: int, budget: Budget, game: Game | None = None, sitting: int = 1
) -> Iterator[Asked]:
    """The same for further questions, which leave time for games. Another `game` than the assignment's may be named.

    Each `sitting` has a seed of its own, so that a player that answers alike in two of them does not play by chance.
    """
    game = game or subject.game
    seed = derived_seed(subject.assignment.seed, "check", player_id, sitting)
    with _sat_down(subject, game, player_id, seed, budget.questions_until) as process:
        yield Asked(process, game, player_id, lambda _: None, budget)


def _sat_down(subject: Subject, game: Game, player_id: int, seed: int, until: float | None) -> PlayerProcess:
    return PlayerProcess(entrant_seating(subject.entrant, player_id, seed), game, replace(subject.limits, until=until))
