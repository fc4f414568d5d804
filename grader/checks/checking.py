"""The steps of a check: inspect the code, ask for single moves, play games. A conclusion is available at any time."""

import random
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from statistics import mean

from grader.checks import verdicts
from grader.checks.budget import EXAM, FEW_ANSWERS, PROBES, Budget
from grader.checks.conclusion import Conclusion, game_verdict, official_differences, results_sentence, unplayed_verdict
from grader.checks.games import play_game
from grader.checks.legality import legality_verdict
from grader.checks.observations import CheckedGame, Observations
from grader.checks.questions import QuestionedPlayer
from grader.checks.subject import CheckSubject
from grader.checks.timing import time_verdict
from grader.competition.gauntlet import play_gauntlet
from grader.competition.grades import grade
from grader.competition.progress import Watch
from grader.engine.local import LocalEngine
from grader.errors import GraderFault, OutOfTime
from grader.fixtures import Fixture
from grader.games.exam import ExamAnswer, Verdict
from grader.language import say
from grader.records import Fault
from grader.scoring.estimate import estimate
from grader.store import Store


class Checking:
    """Checks one player. `on_verdict` is called with each verdict as it is reached, `on_step` with the current step."""

    def __init__(
        self,
        subject: CheckSubject,
        budget: Budget,
        on_verdict: Callable[[Verdict], None] = lambda _: None,
        on_step: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.subject, self.observed = subject, Observations()
        self._budget, self._on_verdict, self._on_step = budget, on_verdict, on_step
        self._exam = subject.game.exam()

    def conclusion(self) -> Conclusion:
        """The conclusion from everything observed so far."""
        return Conclusion(
            verdicts=tuple(verdicts.all_verdicts(self.subject, self.observed, self._exam)),
            results=results_sentence(self.observed),
            skipped=tuple(self.observed.skipped),
            postponed=self.observed.postponed,
            official=official_differences(self.subject, self.observed),
            games=tuple(game.record for game in self.observed.finished_games),
        )

    def check_moves(self) -> bool:
        """Run all checks except games. Returns whether there is a player that can play them."""
        if self.subject.entrant.entry is None:  # the conclusion says why
            return False
        self._report(verdicts.player_verdict(self.subject))
        try:
            if not self._try_first_moves():
                return False
            if self.observed.players_at_fault():
                self.observed.postponed = True
            else:
                self._try_test_positions()
                self._try_instances()
                self._try_other_board()
        except OutOfTime:
            self.observed.skipped.append(say("some of the checks"))
        return True

    def play_first_games(self) -> None:
        """Play one game as each player against each opponent, as long as there is time."""
        skipped: dict[str, list[int]] = {}
        for fixture in (fixture for fixture in self.subject.fixtures if fixture.number < 2):
            opponent = fixture.opponent
            if self.observed.players_at_fault() == {1, 2}:
                self.observed.postponed = True
                return
            share = self._share_for(fixture)
            if share is None:
                skipped.setdefault(opponent, []).append(fixture.seat + 1)
            else:
                self._play(fixture, share)
        for opponent, numbers in skipped.items():
            self.observed.skipped.append(
                say("a game against {opponent} as player {number}", opponent=opponent, number=numbers[0])
                if len(numbers) == 1
                else say("games against {opponent}", opponent=opponent)
            )

    def _share_for(self, fixture: Fixture) -> Budget | None:
        """The time for a game: all that is left if the game should fit, else a part of it for the first game as each player."""
        charges = self.observed.charges()
        if not charges:  # time ran out before the first move
            return None
        pace = mean(charge.wall for charge in charges)
        expected = estimate([(self.subject.assignment, fixture)], {self.subject.entrant.id: pace}, 1).expected
        if expected + self._budget.loading <= self._budget.remaining:
            return self._budget
        missing = {0, 1} - {game.fixture.seat for game in self.observed.games}
        if fixture.seat not in missing or self._budget.remaining < 2 * pace:
            return None
        return self._budget.part(1 / len(missing))

    def add_game(self, game: CheckedGame) -> None:
        """Record and report a game that is over, finished or not."""
        self.observed.games.append(game)
        self._report(game_verdict(game, self.subject.game))

    def play_everything(self, folder: Path, workers: int, watch: Watch = lambda _: None) -> None:
        """Play and score all games as the official run does; if interrupted, record those that were played.

        The games are stored only in `folder`.
        """
        with Store(folder) as store, LocalEngine(workers) as engine:
            try:
                competition = play_gauntlet(self.subject.setup, {}, engine, store, watch)
                (self.observed.grade,) = grade(competition)
                self.observed.unplayed += [unplayed_verdict(game.text) for game in competition.unplayed]
            finally:
                for fixture in self.subject.fixtures:
                    if (record := store.get(fixture.key)) is not None:
                        charges = tuple(record.charges_of(fixture.seat))
                        self.add_game(CheckedGame(fixture=fixture, record=record, charges=charges))

    def check_totals(self) -> None:
        """Report what only shows after all moves: times, output, and what the games reveal."""
        if self.observed.charges():
            self._report(time_verdict(self.subject, self.observed), verdicts.output_verdict(self.observed))
        self._report(verdicts.review_games(self.subject, self.observed, self._exam))

    def _try_first_moves(self) -> bool:
        """Ask for the first moves as player 1 and as player 2, each in its own process as in a game."""
        for player_id in (1, 2):
            self._on_step(say("Trying moves as player {number}", number=player_id))
            with QuestionedPlayer(self.subject, player_id, self._budget) as player:
                if not self._load(player):
                    return False
                self._play_first_moves(player)
                self._end(player)
            if self.observed.moves(player_id):
                self._report(legality_verdict(self.observed, player_id))
        self._report(verdicts.unchanged_board_verdict(self.observed))
        return True

    def _load(self, player: QuestionedPlayer) -> bool:
        """Load it. Reported the first time, and whenever it fails."""
        first = self.observed.load is None
        try:
            self.observed.load_fault = player.load()
        except OutOfTime:
            if not first:  # it is known that it can be loaded
                raise
        else:
            self.observed.load = player.load_charge if self.observed.load_fault is None else None
        if self.observed.load is not None:
            self._budget.loading = self.observed.load.wall
        if first or self.observed.load is None:
            self._report(verdicts.loading_verdict(self.observed))
        return self.observed.load is not None

    def _play_first_moves(self, player: QuestionedPlayer) -> None:
        """Ask for two moves from the start, the second only if there is time, against random moves."""
        game, rng = self.subject.game, random.Random(f"{self.subject.assignment.secret}/{player.player_id}")
        position = game.start()
        for number in range(2):
            if game.turn(position) != player.player_id - 1:
                position = game.play(position, rng.choice(list(game.moves(position))))
            if game.outcome(position) is not None or (number and not self._budget.allows(6, PROBES)):
                return
            answer = player.ask(position)
            self.observed.answers.append(answer)
            self.observed.changed |= answer.changed
            if answer.fault is not None or game.outcome(answer.after) is not None:
                return
            position = answer.after

    def _try_instances(self) -> None:
        """In one process, ask instances as player 2, as player 1 and as player 2 again, in the positions asked before.

        If the first answers as it did in its own process and the third differs, all are asked again in another session:
        if the answers are the same, they are not random.
        """
        before = {answer.player_id: answer for answer in reversed(self.observed.answers)}
        if set(before) != {1, 2}:
            return
        if not self._budget.allows(3):
            self.observed.skipped.append(say("a second instance in the same process"))
            return
        self._on_step(say("Creating several instances in one process"))
        self.observed.instance_answers = self._ask_instances(before, session=1)
        moves = [answer.move for answer in self.observed.instance_answers if isinstance(answer, ExamAnswer)]
        if len(moves) == 3 and before[2].move == moves[0] != moves[2] and self._budget.allows(3):
            again = self._ask_instances(before, session=2)
            if [answer.move for answer in again if isinstance(answer, ExamAnswer)] == moves:
                self.observed.differing_moves = moves[0], moves[2]
        self._report(verdicts.instances_verdict(self.subject, self.observed))

    def _ask_instances(self, before: Mapping[int, ExamAnswer], session: int) -> list[ExamAnswer | Fault]:
        """The answers of three instances in one process, up to the first that fails."""
        answers: list[ExamAnswer | Fault] = []
        with QuestionedPlayer(self.subject, 2, self._budget, session=session) as player:
            fault = player.load()
            for number in (2, 1, 2):
                fault = fault or (player.rebuild(number) if answers else None)
                answer = fault or player.ask(before[number].position)
                answers.append(answer)
                if isinstance(answer, Fault) or answer.fault is not None:
                    break
            self._end(player)
        return answers

    def _try_test_positions(self) -> None:
        """Ask for a move in each test position of the game's exam, with a new instance for each."""
        if self._exam is None:
            return
        self._on_step(say("Trying test positions"))
        questions = self._exam.questions(self.subject.game, self.subject.assignment.secret)
        first = next(questions, None)
        if first is None:  # a very small board has no test positions
            return
        with QuestionedPlayer(self.subject, 1, self._budget, session=1, share=EXAM) as player:
            fault = player.load()
            for question in chain([first], questions):
                if not self._budget.allows(1, EXAM if len(self.observed.replies) < FEW_ANSWERS else PROBES):
                    break
                fault = fault or player.rebuild(question.player_id)
                if fault is not None:
                    break
                answer = player.ask(question.position)
                self.observed.replies.append((question, answer))
                if answer.fault is not None or self._exam.has_enough(self.subject.game, self.observed.replies):
                    break
            self._end(player)
        if not self.observed.replies:
            if fault is None:
                self.observed.skipped.append(say("test positions"))
            return
        self._report(
            verdicts.exam_verdict(self.subject, self.observed, self._exam), verdicts.exam_fault_verdict(self.observed)
        )

    def _try_other_board(self) -> None:
        """Ask for moves on another board, if the game has several."""
        variant = self.subject.game.variant()
        if variant is None:
            return
        if not self._budget.allows(2):
            self.observed.skipped.append(say("a board of another size"))
            return
        other, self.observed.variant = variant
        self._on_step(say("Trying a board of another size"))
        start = other.start()
        second = other.play(start, other.moves(start)[-1])
        for player_id, position in ((1, start), (2, second)):
            with QuestionedPlayer(self.subject, player_id, self._budget, game=other, session=1) as player:
                self.observed.variant_answers.append(player.load() or player.ask(position))
                self._end(player)
        self._report(verdicts.other_board_verdict(self.observed))

    def _play(self, fixture: Fixture, budget: Budget) -> None:
        values: dict[str, str | int] = {"opponent": fixture.opponent, "number": fixture.seat + 1}
        self._on_step(say("Playing against {opponent} as player {number}", **values))

        def step(moves: int) -> None:
            self._on_step(say("Playing against {opponent} as player {number}, move {moves}", **values, moves=moves))

        try:
            game, own = play_game(self.subject, fixture, budget, step)
        except GraderFault as fault:  # not the player's fault
            text = say("The game against {opponent} as player {number} could not be played.", **values)
            self.observed.unplayed.append(unplayed_verdict(text, fault.args))
            return
        self.observed.output = self.observed.output or own.output
        self.observed.changed |= own.changed
        self.add_game(game)

    def _end(self, player: QuestionedPlayer) -> None:
        """End a player, and record what it has printed."""
        self.observed.output = self.observed.output or player.report().output

    def _report(self, *reached: Verdict | None) -> None:
        for verdict in reached:
            if verdict is not None:
                self._on_verdict(verdict)
