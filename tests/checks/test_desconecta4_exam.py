"""The test positions that show whether a player knows that four in a row lose."""

import random

from grader.games.desconecta4 import Desconecta4
from grader.games.desconecta4.exam import EXAM, POSITIONS
from grader.games.desconecta4.rules import LINE
from grader.games.exam import ExamAnswer, Mark, PlayedCode
from grader.records import Charge

GAME = Desconecta4()
NO_TIME = Charge(wall=0.0, cpu=0.0, waited=0.0, charged=0.0)


def verdict(decide):
    replies = []
    for question in EXAM.questions(GAME, 0):
        answer = ExamAnswer(
            player_id=question.player_id, position=question.position, charge=NO_TIME, move=decide(question)
        )
        replies.append((question, answer))
    return EXAM.verdict(GAME, replies, PlayedCode())


def test_two_questions_have_a_full_column():
    first, second, *_ = EXAM.questions(GAME, 0)

    assert (first.player_id, second.player_id) == (1, 2)
    for question in (first, second):
        assert not set(range(7)) <= set(GAME.moves(question.position))


def test_in_the_other_questions_some_moves_lose_at_once_and_others_do_not():
    questions = list(EXAM.questions(GAME, 0))[2:]

    assert [question.player_id for question in questions] == [1, 2] * (POSITIONS // 2)
    for question in questions:
        assert question.moves_by_belief[LINE] < set(GAME.moves(question.position))
        for move in GAME.moves(question.position):
            outcome = GAME.outcome(GAME.play(question.position, move))
            lost = outcome is not None and outcome.ending == "line" and outcome.winner == 2 - question.player_id
            assert lost == (move in question.moves_by_belief[LINE])


def test_a_player_that_always_completes_a_line_seems_to_believe_that_it_wins():
    told = verdict(lambda question: min(question.moves_by_belief[LINE] or GAME.moves(question.position)))

    assert told.mark is Mark.NOTE and "believe that four in a row wins" in told.text and len(told.detail) == 2


def test_a_player_that_never_completes_a_line_knows_the_rule():
    told = verdict(lambda question: min(set(GAME.moves(question.position)) - question.moves_by_belief[LINE]))

    assert told.mark is Mark.GOOD


def test_a_random_player_is_not_said_to_believe_anything():
    for seed in range(20):
        rng = random.Random(seed)
        assert "believe" not in verdict(lambda question, rng=rng: rng.choice(GAME.moves(question.position))).text
