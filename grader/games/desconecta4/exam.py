"""The exam for Desconecta-4 players: positions with a full column, or with a move that completes a line and loses.

Somebody who believes that four in line win takes such a move for a win. Whoever loses in one now and then just does not look
ahead. What is illegal where a column is full, or without a bomb to set off, is a fault like any other.
"""

import random
from collections.abc import Iterator, Sequence

from grader.games.base import Game
from grader.games.desconecta4.bits import SIZE
from grader.games.desconecta4.rules import LINE
from grader.games.exam import Exam, Mark, Question, Reply, Verdict
from grader.language import say

ASKED = 6
"""Positions, half of them for each player."""
TOPIC = say("no line of its own")
SURE = 4
"""Answers after which nothing more is asked of a player that has lost none."""
GAMES = 200


def questions(game: Game, seed: int) -> Iterator[Question]:
    """A full column for each player, then moves that lose at once beside others that do not, for both in turn."""
    for crowded, wanted in ((True, 2), (False, ASKED)):
        found = 0
        for number in range(GAMES):
            rng = random.Random(f"{seed}/{number}")
            question = _find_question(game, found % 2 + 1, rng, crowded=crowded)
            if question is not None:
                yield question
                found += 1
            if found == wanted:
                break


def has_enough(_: Game, replies: Sequence[Reply]) -> bool:
    """Whether it has avoided a few lines and completed none."""
    return len(_tempting_replies(replies)) >= SURE and not _completed_lines(replies)


def verdict(game: Game, replies: Sequence[Reply]) -> Verdict | None:
    """What the answers tell about the rule that the player believes in."""
    replies = [reply for reply in replies if reply[1].fault is None]
    lines, asked = _completed_lines(replies), len(_tempting_replies(replies))
    if asked < 2:
        return None
    if not lines:
        return Verdict(
            mark=Mark.GOOD,
            topic=TOPIC,
            text=say("It completed no line of its own in {asked} positions that invite to.", asked=asked),
        )
    question, answer = lines[0]
    shown = (
        say("Here player {player} played {move}:", player=question.player_id, move=game.move_text(answer.move)),
        game.draw(question.position),
    )
    if len(lines) == asked >= 3:
        text = say(
            "It seems to believe that four in line win: it completed a line of its own in each of {asked} positions.",
            asked=asked,
        )
    else:
        text = say(
            "It completed a line of its own, and so lost at once, in {lines} of {asked} positions with other moves.",
            lines=len(lines),
            asked=asked,
        )
    help_ = say(
        "Whoever owns four in line loses: let it try each move on a clone and leave out those after which it has lost."
    )
    return Verdict(mark=Mark.NOTE, topic=TOPIC, text=text, help=help_, detail=shown)


EXAM = Exam(questions=questions, has_enough=has_enough, verdict=verdict)


def _completed_lines(replies: Sequence[Reply]) -> list[Reply]:
    return [(question, answer) for question, answer in replies if answer.move in question.telling[LINE]]


def _tempting_replies(replies: Sequence[Reply]) -> list[Reply]:
    """Those about positions in which a line could be completed."""
    return [reply for reply in replies if reply[0].telling[LINE]]


def _find_question(game: Game, player: int, rng: random.Random, *, crowded: bool) -> Question | None:
    """The first position of a random game that is wanted: with a full column, or with a move that loses and others that do not."""
    position = game.start()
    while game.outcome(position) is None:
        moves = game.moves(position)
        after = {move: game.play(position, move) for move in moves}
        losing = frozenset(move for move in moves if _loses(game, after[move], game.turn(position)))
        safe = [move for move in moves if move not in losing]
        wanted = not set(range(SIZE)) <= set(moves) if crowded else losing and len(safe) > 1
        if wanted and game.turn(position) == player - 1:
            return Question(player_id=player, position=position, telling={LINE: losing})
        position = after[rng.choice(safe or list(moves))]
    return None


def _loses(game: Game, position: object, seat: int) -> bool:
    outcome = game.outcome(position)
    return outcome is not None and outcome.ending == LINE and outcome.winner == 1 - seat
