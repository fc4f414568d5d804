"""A check from beginning to end: look, ask, play. What it comes to can be said at any moment."""

import random
from collections.abc import Callable, Mapping
from itertools import chain
from statistics import mean

from grader.checks import verdicts
from grader.checks.budget import Budget
from grader.checks.games import first_games, fits, play
from grader.checks.observations import CheckedGame, Seen
from grader.checks.questions import Asked, asking, probing
from grader.checks.results import official, result_of, results
from grader.checks.subject import Subject
from grader.checks.timing import in_time
from grader.errors import GraderFault, OutOfTime
from grader.fixtures import Fixture
from grader.games.exam import ExamAnswer, Mark, Verdict
from grader.language import say
from grader.records import Fault
from grader.reports.check import Conclusion

Tell = Callable[[Verdict], None]
Doing = Callable[[str], None]


class Checking:
    """Checks one player. `tell` hears of each thing as it is seen, `doing` of what is looked at now."""

    def __init__(
        self, subject: Subject, budget: Budget, tell: Tell = lambda _: None, doing: Doing = lambda _: None
    ) -> None:
        self.subject, self.seen = subject, Seen()
        self._budget, self._tell, self._doing = budget, tell, doing
        self._exam = subject.game.exam()

    def conclusion(self) -> Conclusion:
        """What all that was seen so far comes to."""
        return Conclusion(
            verdicts=tuple(verdicts.verdicts(self.subject, self.seen, self._exam)),
            results=results(self.seen),
            skipped=tuple(self.seen.skipped),
            postponed=self.seen.postponed,
            official=official(self.subject, self.seen),
        )

    def look_and_ask(self) -> bool:
        """Everything but whole games. Returns whether there is a player to play them."""
        self._tell(verdicts.found(self.subject))
        for told in verdicts.code(self.subject):
            self._tell(told)
        if self.subject.entrant.entry is None:
            return False
        try:
            if not self._try_out():
                return False
            if self.seen.failed():
                self.seen.postponed = True
            else:
                self._ask_fresh_objects()
                self._ask_questions()
                self._ask_elsewhere()
        except OutOfTime:
            self.seen.skipped.append(say("some of the questions"))
        return True

    def play_first_games(self) -> None:
        """A game of each colour against each opponent in turn, for as long as there is time."""
        left_out: dict[str, list[int]] = {}
        for fixture in first_games(self.subject):
            opponent = fixture.opponent
            if self.seen.failed() == {1, 2}:
                self.seen.postponed = True
                return
            share = self._share_for(fixture)
            if share is None:
                left_out.setdefault(opponent, []).append(fixture.seat + 1)
            else:
                self._play(fixture, opponent, share)
        for opponent, numbers in left_out.items():
            one = say("a game against {opponent} as player {number}", opponent=opponent, number=numbers[0])
            self.seen.skipped.append(one if len(numbers) == 1 else say("games against {opponent}", opponent=opponent))

    def _share_for(self, fixture: Fixture) -> Budget | None:
        """The time for a game: what is left, if it is expected to fit; a part of it, for a first look at each colour."""
        charges = self.seen.charges()
        if not charges:  # there was no time even for a first move
            return None
        pace = mean(charge.wall for charge in charges)
        if fits(self.subject, fixture, self._budget, pace):
            return self._budget
        missing = {0, 1} - {game.fixture.seat for game in self.seen.games}
        if fixture.seat not in missing or self._budget.left < 2 * pace:
            return None
        return self._budget.part(1 / len(missing))

    def played(self, game: CheckedGame) -> None:
        """A game is over, one way or another."""
        self.seen.games.append(game)
        self._tell(result_of(game))

    def look_back(self) -> None:
        """What shows only after all moves."""
        if self.seen.charges():
            self._tell(in_time(self.subject, self.seen))
            self._tell(verdicts.quiet(self.seen))
        if (told := verdicts.review(self.subject, self.seen, self._exam)) is not None:
            self._tell(told)

    def _try_out(self) -> bool:
        """The first moves as player 1 and as player 2, each in a process of its own as in a game."""
        for player_id in (1, 2):
            self._doing(say("asking it for moves as player {number}", number=player_id))
            with asking(self.subject, player_id, self._budget, self._heard) as player:
                if not self._load(player):
                    return False
                self._open(player)
                self._noted(player)
            if self.seen.moves(player_id):
                self._tell(verdicts.legal(self.seen, player_id))
        if (told := verdicts.unchanged(self.seen)) is not None:
            self._tell(told)
        return True

    def _load(self, player: Asked) -> bool:
        """Have it get ready. Told the first time, and whenever it fails."""
        first = self.seen.load is None
        try:
            self.seen.load_fault = player.load()
        except OutOfTime:
            if not first:  # then it is known that it can be
                raise
        else:
            self.seen.load = player.loaded if self.seen.load_fault is None else None
        if self.seen.load is not None:
            self._budget.loading = self.seen.load.wall
        if first or self.seen.load is None:
            self._tell(verdicts.loaded(self.seen))
        return self.seen.load is not None

    def _open(self, player: Asked) -> None:
        """Two moves from the beginning, the second only if there is time; somebody else's between them are random."""
        game, rng = self.subject.game, random.Random(f"{self.subject.assignment.seed}/{player.player_id}")
        position = game.start()
        for number in range(2):
            if game.turn(position) != player.player_id - 1:
                position = game.play(position, rng.choice(list(game.moves(position))))
            if game.outcome(position) is not None or (number and not self._budget.allows(6)):
                return
            answer = player.ask(position)
            if answer.fault is not None or game.outcome(answer.after) is not None:
                return
            position = answer.after

    def _ask_fresh_objects(self) -> None:
        """In one process: an object as player 2, one as player 1, and one as player 2 again, where they were asked before.

        If the third differs from the first, which answers as it did in a process of its own, it is tried again: whatever is
        the same then does not come by chance.
        """
        before = {answer.player_id: answer for answer in reversed(self.seen.answers)}
        if set(before) != {1, 2}:
            return
        if not self._budget.allows(3):
            self.seen.skipped.append(say("fresh objects in one process"))
            return
        self._doing(say("building it several times in one process"))
        self.seen.fresh = self._one_after_the_other(before, sitting=1)
        moves = [answer.move for answer in self.seen.fresh if isinstance(answer, ExamAnswer)]
        if len(moves) == 3 and before[2].move == moves[0] != moves[2] and self._budget.allows(3):
            again = self._one_after_the_other(before, sitting=2)
            if [answer.move for answer in again if isinstance(answer, ExamAnswer)] == moves:
                self.seen.disturbed = moves[0], moves[2]
        told = verdicts.fresh(self.subject, self.seen)
        if told is not None:
            self._tell(told)

    def _one_after_the_other(self, before: Mapping[int, ExamAnswer], sitting: int) -> list[ExamAnswer | Fault]:
        """What three objects in one process answer, up to the first that fails."""
        heard: list[ExamAnswer | Fault] = []
        with probing(self.subject, 2, self._budget, sitting=sitting) as player:
            fault = player.load()
            for number in (2, 1, 2):
                fault = fault or (player.rebuild(number) if heard else None)
                heard.append(fault or player.ask(before[number].position))
                if fault or _failed(heard[-1]):
                    break
            self._noted(player)
        return heard

    def _ask_questions(self) -> None:
        """Prepared positions, a fresh object for each."""
        if self._exam is None:
            return
        self._doing(say("asking it what it believes about the rules"))
        questions = self._exam.questions(self.subject.game, self.subject.assignment.seed)
        first = next(questions, None)
        if first is None:  # on a very small board there is nothing to ask
            return
        with probing(self.subject, 1, self._budget) as player:
            fault = player.load()
            for question in chain([first], questions):
                if not self._budget.allows(1 if self.seen.replies else 3):
                    break
                fault = fault or player.rebuild(question.player_id)
                if fault is not None:
                    break
                answer = player.ask(question.position)
                self.seen.replies.append((question, answer))
                if answer.fault is not None or self._exam.has_enough(self.subject.game, self.seen.replies):
                    break
            self._noted(player)
        if not self.seen.replies:
            self.seen.skipped.append(say("what it believes about the rules"))
            return
        for told in (self._exam.verdict(self.subject.game, self.seen.replies), verdicts.staged_fault(self.seen)):
            if told is not None:
                self._tell(told)

    def _ask_elsewhere(self) -> None:
        """On another board, where the game has several."""
        variant = self.subject.game.variant()
        if variant is None:
            return
        if not self._budget.allows(2):
            self.seen.skipped.append(say("another board"))
            return
        other, self.seen.variant = variant
        self._doing(say("asking it on another board"))
        start = other.start()
        second = other.play(start, other.moves(start)[-1])
        for player_id, position in ((1, start), (2, second)):
            with probing(self.subject, player_id, self._budget, game=other) as player:
                self.seen.elsewhere.append(player.load() or player.ask(position))
                self._noted(player)
        told = verdicts.other_board(self.seen)
        if told is not None:
            self._tell(told)

    def _play(self, fixture: Fixture, opponent: str, budget: Budget) -> None:
        doing: dict[str, str | int] = {"opponent": opponent, "number": fixture.seat + 1}
        self._doing(say("playing against {opponent} as player {number}", **doing))

        def step(moves: int) -> None:
            self._doing(say("playing against {opponent} as player {number}, move {moves}", **doing, moves=moves))

        try:
            game, own = play(self.subject, fixture, budget, step)
        except GraderFault as fault:  # ours: it says nothing about the player
            why = say("A game against {opponent} as player {number} could not be played.", **doing)
            self._tell(Verdict(mark=Mark.OPEN, topic=say("games"), text=why, detail=fault.args))
            return
        self.seen.output = self.seen.output or own.output
        self.seen.changed |= own.changed
        self.played(game)

    def _heard(self, answer: ExamAnswer) -> None:
        self.seen.answers.append(answer)
        self.seen.changed |= answer.changed

    def _noted(self, player: Asked) -> None:
        self.seen.output = self.seen.output or player.printed()


def _failed(answer: object) -> bool:
    return isinstance(answer, ExamAnswer) and answer.fault is not None
