"""The exam for Hex players: it tests whether a player uses the assignment's neighbours and the right sides.

In each test position, one side lacks a single stone in two chains: one by the assignment's rule, and one by a wrong rule. A
player that looks for wins completes its own chain (or blocks the opponent's) by the rule that it believes in. A player that
does neither does not look for wins, and the exam says nothing about its rule. Almost all of the chains need a diagonal. A
player that finds only the few straight ones seems to know only four neighbours.
"""

from collections.abc import Sequence
from itertools import product
from math import comb, log
from typing import cast

from grader.games.base import Game
from grader.games.exam import Exam, FinishedGame, Mark, Question, Reply, Verdict
from grader.games.hex.exam_positions import BELIEFS, EXCHANGED, questions
from grader.games.hex.false_connections import find_false_connection
from grader.games.hex.neighbourhoods import EIGHT, FOUR, NAMES, SIX, advice, general_advice
from grader.games.hex.rules import Hex
from grader.language import Message, say

TOPIC = say("neighbours")
SURE = 3
"""Fewer answers than this show nothing."""
ENOUGH = 8
"""Number of consistent answers about wins with a diagonal after which the exam stops. A good player that knows only four
neighbours finds about half of these wins."""
BY_CHANCE = 0.0001
"""A belief is reported only if the answers are less likely than this by chance."""
UNEVEN = 0.02
"""A difference between two kinds of wins is reported only if it is less likely than this by chance."""
DOUBT = log(20)
"""Beliefs whose log-likelihood is within this distance of the best are considered possible, too."""
CARE = 0.98
"""How often a player is assumed to take a move that it believes to win."""


def has_enough(game: Game, replies: Sequence[Reply]) -> bool:
    """Whether the player has shown that it knows the rule, as both players. If it seems not to, all questions are asked."""
    rules = cast("Hex", game)
    diagonal = _diagonal_replies(replies)
    if len(diagonal) < ENOUGH or _best_beliefs(rules, replies) != [rules.adjacency]:
        return False
    covered = {FOUR}.union(*(question.moves_by_belief for question, _ in replies))
    sides = [[reply for reply in diagonal if reply[0].player_id == player] for player in (1, 2)]
    return covered >= set(BELIEFS) and all(4 * _count_right(rules, own) > 3 * len(own) for own in sides)


def shows_neighbours(game: Game, replies: Sequence[Reply]) -> bool:
    """Whether the answers show which neighbours the player uses, right or wrong."""
    return bool(_best_beliefs(cast("Hex", game), _faultless_replies(replies)))


def verdict(game: Game, replies: Sequence[Reply]) -> Verdict | None:
    """What the answers show about the neighbours and the sides that the player uses."""
    rules, replies = cast("Hex", game), _faultless_replies(replies)
    real, asked, best = rules.adjacency, _diagonal_replies(replies), _best_beliefs(rules, replies)
    if best and real not in best:
        return _wrong_belief(rules, best, replies)
    if len(asked) < SURE:
        return None
    for player in (1, 2):
        if (one_sided := _one_sided_verdict(rules, player, asked)) is not None:
            return one_sided
    values: dict[str, str | int] = {"real": real, "taken": _count_right(rules, asked), "asked": len(asked)}
    if best[:1] == [real]:
        text = say(
            "It uses the right neighbours ({real}): it played the winning or blocking move in {taken} of {asked} test positions.",
            **values,
        )
        return Verdict(mark=Mark.GOOD, topic=TOPIC, text=text)
    return Verdict(
        mark=Mark.NOTE,
        topic=say("neighbours could not be checked"),
        text=say(
            "It played the winning or blocking move in only {taken} of {asked} test positions, so its idea of neighbouring cells "
            "could not be checked.",
            **values,
        ),
        help=say("Before searching, look for a move that wins at once, then for one that blocks the opponent's win."),
    )


def review(game: Game, played: Sequence[FinishedGame], replies: Sequence[Reply]) -> Verdict | None:
    """What the games show about the neighbours that the player uses, if the answers do not show it."""
    return None if shows_neighbours(game, replies) else find_false_connection(cast("Hex", game), played)


EXAM = Exam(questions=questions, has_enough=has_enough, verdict=verdict, review=review)


def _wrong_belief(rules: Hex, believed: Sequence[str], replies: Sequence[Reply]) -> Verdict:
    """The verdict about a player that uses a wrong rule: one rule, or one of several that fit about equally well."""
    name, diagonal = believed[0], _diagonal_replies(replies)
    asked = [reply for reply in (replies if name == EIGHT else diagonal) if _mistakes(rules, name, reply)] or diagonal
    mistaken = [reply for reply in asked if reply[1].move in _mistakes(rules, name, reply)]
    question, answer = (mistaken or [reply for reply in diagonal if not _follows_rule(rules, reply)])[0]
    numbers = {"asked": len(asked), "taken": _count_right(rules, asked), "mistaken": len(mistaken)}
    mark, topic = Mark.NOTE, say("neighbours seem to be wrong")
    help_ = advice(rules.adjacency, name) if name != EXCHANGED else _SIDES
    # With little evidence, do not name the belief.
    if len(believed) > 1 or (name in SIX and len(mistaken) <= SURE):
        text = say(
            "It seems to use the wrong neighbours (the assignment's are {real}): it played the winning or blocking move in {taken} "
            "of {asked} test positions.",
            real=rules.adjacency,
            asked=len(diagonal),
            taken=_count_right(rules, diagonal),
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
            straight=_count_right(rules, straight),
            few=len(straight),
            **numbers,
        )
    else:
        text = say(
            "It seems to use the wrong neighbours: {believed} instead of {real}. In {asked} test positions, it won or blocked by "
            "the right rule in {taken}, and by the wrong one in {mistaken}.",
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
    few, most = (_count_right(rules, own) for own in (blind, seeing))
    if _chance(most, len(seeing), few, len(blind)) > UNEVEN:
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


def _faultless_replies(replies: Sequence[Reply]) -> list[Reply]:
    return [reply for reply in replies if reply[1].fault is None]


def _diagonal_replies(replies: Sequence[Reply]) -> list[Reply]:
    """The replies about wins that need a diagonal."""
    return [reply for reply in replies if FOUR not in reply[0].moves_by_belief]


def _follows_rule(rules: Hex, reply: Reply) -> bool:
    return reply[1].move in reply[0].moves_by_belief[rules.adjacency]


def _count_right(rules: Hex, replies: Sequence[Reply]) -> int:
    """The number of right answers."""
    return sum(_follows_rule(rules, reply) for reply in replies)


def _mistakes(rules: Hex, name: str, reply: Reply) -> frozenset[object]:
    """The moves that win by this belief, but not by the rules."""
    wins = reply[0].moves_by_belief
    return wins.get(name, frozenset()) - wins[rules.adjacency]


def _best_beliefs(rules: Hex, replies: Sequence[Reply]) -> list[str]:
    """The beliefs that explain the answers about equally well, best first; empty if none is much better than chance."""
    explained, fits = dict.fromkeys(BELIEFS, 0.0), dict.fromkeys(BELIEFS, 0.0)
    for (question, answer), name in product(_informative_replies(rules, replies), BELIEFS):
        free = len(rules.moves(question.position))
        if wins := question.moves_by_belief.get(name):
            share = CARE / len(wins) if answer.move in wins else (1 - CARE) / max(1, free - len(wins))
            explained[name] += log(free * share)
            fits[name] += log(free * share)
        elif answer.move in (striking := _striking_moves(question)):  # it may notice the cell even if it is not a win
            fits[name] += max(0.0, log(free * CARE / len(striking)))
    ranked = sorted(BELIEFS, key=lambda name: -fits[name])
    near = [name for name in ranked if fits[name] > fits[ranked[0]] - DOUBT]
    is_sure = explained[near[0]] > -log(BY_CHANCE) and (
        rules.adjacency in near or _has_evidence(rules, near[0], replies)
    )
    return near if is_sure else []


def _informative_replies(rules: Hex, replies: Sequence[Reply]) -> list[Reply]:
    """The replies without missed blocks: a player that does not look for blocks has shown nothing there."""
    return [(one, answer) for one, answer in replies if _is_own(rules, one) or answer.move in _striking_moves(one)]


def _striking_moves(question: Question) -> frozenset[object]:
    """The moves that win by any belief."""
    return frozenset().union(*question.moves_by_belief.values())


def _is_own(rules: Hex, question: Question) -> bool:
    """Whether the player to move can win (and not just block)."""
    win = next(iter(question.moves_by_belief[rules.adjacency]))
    return rules.outcome(rules.play(question.position, win)) is not None


def _has_evidence(rules: Hex, name: str, replies: Sequence[Reply]) -> bool:
    """Whether the player missed many real wins or, for eight neighbours, played many that are not wins."""
    if name == EIGHT:
        return sum(answer.move in _mistakes(rules, name, (one, answer)) for one, answer in replies) >= SURE
    diagonal = _diagonal_replies(replies)
    own = [reply for reply in diagonal if _is_own(rules, reply[0])]
    if name == FOUR:
        straight = [reply for reply in replies if reply not in diagonal]
        return _chance(_count_right(rules, straight), len(straight), _count_right(rules, own), len(own)) <= UNEVEN
    return 3 * _count_right(rules, own) <= 2 * len(own)


def _chance(many: int, of: int, few: int, of_others: int) -> float:
    """The probability of at least `many` hits of the first kind if both kinds are equally easy (Fisher's exact test)."""
    taken = many + few
    ways = sum(comb(of, hits) * comb(of_others, taken - hits) for hits in range(many, min(of, taken) + 1))
    return ways / comb(of + of_others, taken)
