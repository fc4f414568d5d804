"""The exam for Desconecta-4 players: positions with a full column, or with a move that makes four in a row and loses.

A player that believes that four in a row wins will play such a move. A player that plays one only now and then just does
not look ahead. Illegal moves (into a full column, or BOOM without a bomb) are reported as faults, as in any game.
"""

import random
from collections.abc import Iterator, Sequence

from grader.games.base import Game
from grader.games.desconecta4.bits import SIZE
from grader.games.desconecta4.rules import LINE
from grader.games.exam import Exam, Mark, PlayedCode, Question, Reply, Verdict
from grader.language import say

POSITIONS = 6
"""Number of positions, half of them for each player."""
TOPIC = say("four in a row")
SURE = 4
"""Number of answers after which the exam stops, if none of them loses."""
GAMES = 200


def questions(game: Game, seed: int) -> Iterator[Question]:
    """A position with a full column for each player, then positions in which only some moves lose at once."""
    for crowded, wanted in ((True, 2), (False, POSITIONS)):
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
    """Whether the player has avoided four in a row often enough, and never made it."""
    return len(_tempting_replies(replies)) >= SURE and not _completed_lines(replies)


def verdict(game: Game, replies: Sequence[Reply], _: PlayedCode) -> Verdict | None:
    """What the answers show about the rule that the player believes in."""
    replies = [reply for reply in replies if reply[1].fault is None]
    lines, asked = _completed_lines(replies), len(_tempting_replies(replies))
    if asked < 2:
        return None
    if not lines:
        return Verdict(
            mark=Mark.GOOD,
            topic=TOPIC,
            text=say("It avoided four in a row in all {asked} test positions.", asked=asked),
        )
    question, answer = lines[0]
    example = (
        say(
            "For example, as player {player} it played {move} here:",
            player=question.player_id,
            move=game.move_label(answer.move),
        ),
        game.draw(question.position),
    )
    if len(lines) == asked >= 3:
        text = say(
            "It seems to believe that four in a row wins: it made four in a row in all {asked} test positions.",
            asked=asked,
        )
    else:
        text = say(
            "It made four in a row, and lost at once, in {lines} of {asked} test positions, although other moves were possible.",
            lines=len(lines),
            asked=asked,
        )
    help_ = say("Four in a row loses: try each move on environment.clone(), and avoid the moves that lose at once.")
    return Verdict(mark=Mark.NOTE, topic=TOPIC, text=text, help=help_, detail=example)


EXAM = Exam(questions=questions, has_enough=has_enough, verdict=verdict)


def _completed_lines(replies: Sequence[Reply]) -> list[Reply]:
    return [(question, answer) for question, answer in replies if answer.move in question.moves_by_belief[LINE]]


def _tempting_replies(replies: Sequence[Reply]) -> list[Reply]:
    """The replies for positions in which a line could be completed."""
    return [reply for reply in replies if reply[0].moves_by_belief[LINE]]


def _find_question(game: Game, player: int, rng: random.Random, *, crowded: bool) -> Question | None:
    """The first suitable position of a random game: with a full column, or in which only some moves lose at once."""
    position = game.start()
    while game.outcome(position) is None:
        moves = game.moves(position)
        after = {move: game.play(position, move) for move in moves}
        losing = frozenset(move for move in moves if _loses(game, after[move], game.turn(position)))
        safe = [move for move in moves if move not in losing]
        wanted = not set(range(SIZE)) <= set(moves) if crowded else losing and len(safe) > 1
        if wanted and game.turn(position) == player - 1:
            return Question(player_id=player, position=position, moves_by_belief={LINE: losing})
        position = after[rng.choice(safe or list(moves))]
    return None


def _loses(game: Game, position: object, seat: int) -> bool:
    outcome = game.outcome(position)
    return outcome is not None and outcome.ending == LINE and outcome.winner == 1 - seat
