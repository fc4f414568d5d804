"""The exam for Hex players: it tests whether a player uses the assignment's neighbours and the right sides.

In each test position, one side lacks a single stone in two chains: one by the assignment's rule, and one by a wrong rule. A
player that looks for wins completes its own chain (or blocks the opponent's) by the rule that it believes in. A player that
does neither does not look for wins, and the exam says nothing about its rule. Almost all of the chains need a diagonal. A
player that finds only the few straight ones seems to know only four neighbours.

Many players ask the board for wins in one move, so these say nothing about their own search. So there are also positions that
need two moves, and the lists of neighbours in the code are read. The neighbours are confirmed only if all of this agrees: the
right list is in the code, and nothing else that may be a list of neighbours.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import cast

from grader.games.base import Game
from grader.games.exam import Exam, FinishedGame, Mark, PlayedCode, Question, Reply, Verdict
from grader.games.hex.beliefs import (
    SURE,
    UNEVEN,
    beliefs_in_two,
    best_beliefs,
    chance,
    continuing_replies,
    count_right,
    diagonal_replies,
    follows_rule,
    mistakes,
)
from grader.games.hex.code_verdicts import (
    TOPIC,
    list_places,
    refused_stone_verdicts,
    too_few_verdict,
    unclear_verdict,
    wrong_search_verdict,
    wrong_table_verdict,
)
from grader.games.hex.exam_positions import BELIEFS, EXCHANGED, WRONG, questions
from grader.games.hex.false_connections import find_false_connection
from grader.games.hex.neighbour_tables import NeighbourTables, read_tables
from grader.games.hex.neighbourhoods import EIGHT, FOUR, NAMES, SIX, advice, general_advice
from grader.games.hex.rules import Hex
from grader.games.hex.two_move_positions import SMALLEST, two_move_questions
from grader.games.hex.wrong_sides import find_wrong_sides
from grader.language import Message, say

ENOUGH = 8
"""Number of consistent answers about wins with a diagonal after which the exam stops. A good player that knows only four
neighbours finds about half of these wins."""
ENOUGH_IN_TWO = 4
"""Number of answers in positions with a win in two moves after which it stops, if they follow the rule."""
FEW_IN_TWO = 2
"""Number of such answers that are enough for a slow player with the right list of neighbours in its code."""
MOST_IN_TWO = 6
"""Number of such answers after which it stops if they show nothing, and none continues a wrong chain."""


def has_enough(game: Game, replies: Sequence[Reply]) -> bool:
    """Whether the player has shown that it knows the rule, as both players. If it seems not to, all questions are asked."""
    rules = cast("Hex", game)
    single, double = _by_depth(replies)
    diagonal = diagonal_replies(single)
    if len(diagonal) < ENOUGH or best_beliefs(rules, single) != [rules.adjacency]:
        return False
    covered = {FOUR}.union(*(question.moves_by_belief for question, _ in single))
    sides = [[reply for reply in diagonal if reply[0].player_id == player] for player in (1, 2)]
    if not covered >= set(BELIEFS) or any(4 * count_right(rules, own) <= 3 * len(own) for own in sides):
        return False
    if rules.size < SMALLEST or (len(double) >= ENOUGH_IN_TWO and beliefs_in_two(rules, double) == [rules.adjacency]):
        return True
    return len(double) >= MOST_IN_TWO and len(continuing_replies(double)) == count_right(rules, double)


def shows_neighbours(game: Game, replies: Sequence[Reply]) -> bool:
    """Whether the answers show which neighbours the player uses, right or wrong."""
    rules, (single, double) = cast("Hex", game), _by_depth(replies)
    return bool(best_beliefs(rules, single)) or bool(beliefs_in_two(rules, double))


def verdict(game: Game, replies: Sequence[Reply], code: PlayedCode) -> Verdict | None:
    """What the answers and the code show about the neighbours and the sides that the player uses."""
    rules, (single, double) = cast("Hex", game), _by_depth(replies)
    real, asked, best = rules.adjacency, diagonal_replies(single), best_beliefs(rules, single)
    if best and real not in best:
        return _wrong_belief(rules, best, single)
    tables, best_in_two = read_tables(code), beliefs_in_two(rules, double)
    if best_in_two and real not in best_in_two:
        return wrong_search_verdict(rules, best_in_two, double, tables)
    follows = _search_follows_rule(rules, best_in_two, double, tables)
    if (wrong := wrong_table_verdict(rules, tables, follows_rule=follows)) is not None:
        return wrong
    if len(asked) + len(double) < SURE:
        return too_few_verdict(len(asked) + len(double)) if asked or double else None
    for player in (1, 2):
        if (one_sided := _one_sided_verdict(rules, player, asked)) is not None:
            return one_sided
    values: dict[str, str | int] = {"real": real, "taken": count_right(rules, asked), "asked": len(asked)}
    if best[:1] == [real] or (follows and count_right(rules, asked) == len(asked)):
        if not follows or not tables.support(real):
            return unclear_verdict(rules, double, tables, follows_rule=follows)
        values |= {"taken": count_right(rules, [*asked, *double]), "asked": len(asked) + len(double)}
        text = say(
            "It uses the right neighbours ({real}): it played the winning or blocking move in {taken} of {asked} test positions.",
            **values,
        )
        return Verdict(mark=Mark.GOOD, topic=TOPIC, text=text)
    if asked and count_right(rules, asked) == len(asked):  # on a very small board, which has only a few
        return too_few_verdict(len(asked) + len(double))
    return Verdict(
        mark=Mark.NOTE,
        topic=say("neighbours could not be checked"),
        text=say(
            "It played the winning or blocking move in only {taken} of {asked} test positions, so its idea of neighbouring cells "
            "could not be checked.",
            **values,
        ),
        help=say("Before searching, look for a move that wins at once, then for one that blocks the opponent's win."),
        detail=tuple(list_places(rules, tables)),
    )


def _search_follows_rule(rules: Hex, best: Sequence[str], replies: Sequence[Reply], tables: NeighbourTables) -> bool:
    """Whether the answers in positions with a win in two moves show the right rule. With the right list in the code, two do."""
    right = count_right(rules, replies)
    if rules.adjacency in tables.by_name and right >= FEW_IN_TWO and right == len(continuing_replies(replies)):
        return True
    return best[:1] == [rules.adjacency]


def review(game: Game, played: Sequence[FinishedGame], replies: Sequence[Reply]) -> Verdict | None:
    """What the games show about the sides and the neighbours that the player uses, if the answers do not show it."""
    rules, (single, _) = cast("Hex", game), _by_depth(replies)
    wrong_sides = find_wrong_sides(rules, played, _SIDES) if EXCHANGED not in best_beliefs(rules, single) else None
    if wrong_sides is not None or shows_neighbours(game, replies):
        return wrong_sides
    return find_false_connection(rules, played)


def _questions(game: Game, seed: int) -> Iterator[Question]:
    """Positions with a win in two moves and positions with a win in one, in turn."""
    rules = cast("Hex", game)
    pairs = zip_longest(two_move_questions(rules, seed, WRONG[rules.adjacency][:3]), questions(rules, seed))
    return (question for pair in pairs for question in pair if question is not None)


EXAM = Exam(
    questions=_questions,
    has_enough=has_enough,
    verdict=verdict,
    review=review,
    review_code=lambda _, code: tuple(refused_stone_verdicts(code)),
)


def _wrong_belief(rules: Hex, believed: Sequence[str], replies: Sequence[Reply]) -> Verdict:
    """The verdict about a player that uses a wrong rule: one rule, or one of several that fit about equally well."""
    name, diagonal = believed[0], diagonal_replies(replies)
    asked = [reply for reply in (replies if name == EIGHT else diagonal) if mistakes(rules, name, reply)] or diagonal
    mistaken = [reply for reply in asked if reply[1].move in mistakes(rules, name, reply)]
    question, answer = (mistaken or [reply for reply in diagonal if not follows_rule(rules, reply)])[0]
    numbers = {"asked": len(asked), "taken": count_right(rules, asked), "mistaken": len(mistaken)}
    mark, topic = Mark.NOTE, say("neighbours seem to be wrong")
    help_ = advice(rules.adjacency, name) if name != EXCHANGED else _SIDES
    # With little evidence, do not name the belief.
    if len(believed) > 1 or (name in SIX and len(mistaken) <= SURE):
        text = say(
            "It seems to use the wrong neighbours (the assignment's are {real}): it played the winning or blocking move in {taken} "
            "of {asked} test positions.",
            real=rules.adjacency,
            asked=len(diagonal),
            taken=count_right(rules, diagonal),
        )
        help_ = general_advice(rules.adjacency)
    elif name == EXCHANGED:
        mark, topic = Mark.BAD, say("sides")
        text = say(
            "It seems to connect the other player's sides: in {asked} test positions, it won or blocked between the right sides in "
            "{taken}, and between the wrong ones in {mistaken}.",
            **numbers,
        )
    elif name == FOUR:
        straight = [reply for reply in replies if reply not in diagonal]
        text = say(
            "It seems to know only four neighbours: it found {straight} of {few} winning moves along rows and columns, but won or "
            "blocked in only {taken} of {asked} test positions that need a diagonal.",
            straight=count_right(rules, straight),
            few=len(straight),
            **numbers,
        )
    else:
        text = say(
            "It seems to use the wrong neighbours: {believed} instead of {real}. In {asked} test positions, it won "
            "or blocked according to the right rule in {taken}, and according to the wrong one in {mistaken}.",
            believed=NAMES[name],
            real=rules.adjacency,
            **numbers,
        )
    right = sorted(question.moves_by_belief[rules.adjacency])
    example = say(
        "For example, as player {player} it played {move} here, but the winning or blocking move is {right}:",
        "For example, as player {player} it played {move} here, but the winning or blocking moves are {right}:",
        n=len(right),
        player=question.player_id,
        move=rules.move_label(answer.move),
        right=", ".join(map(rules.move_label, right)),
    )
    return Verdict(mark=mark, topic=topic, text=text, help=help_, detail=(example, rules.draw(question.position)))


def _one_sided_verdict(rules: Hex, player: int, replies: Sequence[Reply]) -> Verdict | None:
    """A warning if the player finds wins much less often as this player than as the other."""
    blind, seeing = ([reply for reply in replies if reply[0].player_id == one] for one in (player, 3 - player))
    few, most = (count_right(rules, own) for own in (blind, seeing))
    if chance(most, len(seeing), few, len(blind)) > UNEVEN:
        return None
    return Verdict(
        mark=Mark.NOTE,
        topic=say("sides"),
        text=say(
            "As player {player} it played the winning or blocking move in only {few} of {asked} test positions, as player {other} "
            "in {most} of {seen}.",
            player=player,
            few=few,
            asked=len(blind),
            other=3 - player,
            most=most,
            seen=len(seeing),
        ),
        help=say("{sides} Use self.player_id to tell which player you are.", sides=_SIDES),
    )


_SIDES: Message = say(
    "Player 1 connects left and right (column 0 and the last column), player 2 top and bottom (row 0 and the last row)."
)


def _by_depth(replies: Sequence[Reply]) -> tuple[list[Reply], list[Reply]]:
    """The replies without a fault, in positions with a win in one move and in those that need two."""
    faultless = [reply for reply in replies if reply[1].fault is None]
    return [one for one in faultless if one[0].depth == 1], [one for one in faultless if one[0].depth > 1]
