"""Which neighbourhoods explain a Hex player's answers in the test positions."""

from collections.abc import Sequence
from itertools import product
from math import comb, log

from grader.games.exam import Question, Reply
from grader.games.hex.exam_positions import BELIEFS
from grader.games.hex.neighbourhoods import EIGHT, FOUR, SIX
from grader.games.hex.rules import Hex

SURE = 3
"""Fewer answers than this show nothing."""
BY_CHANCE = 0.0001
"""A belief is reported only if the answers are less likely than this by chance."""
BY_CHANCE_IN_TWO = 0.000001
"""The same for a wrong belief in positions with a win in two moves, where only moves that continue a chain are counted."""
UNEVEN = 0.02
"""A difference between two kinds of wins is reported only if it is less likely than this by chance."""
DOUBT = log(20)
"""Beliefs whose log-likelihood is within this distance of the best are considered possible, too."""
CARE = 0.98
"""How often a player is assumed to take a move that it believes to win."""
CARE_IN_TWO = 0.9
"""How often it is assumed to continue the chain that it believes in, if it continues any."""


def diagonal_replies(replies: Sequence[Reply]) -> list[Reply]:
    """The replies about wins that need a diagonal."""
    return [reply for reply in replies if FOUR not in reply[0].moves_by_belief]


def follows_rule(rules: Hex, reply: Reply) -> bool:
    """Whether the answer is right."""
    return reply[1].move in reply[0].moves_by_belief[rules.adjacency]


def count_right(rules: Hex, replies: Sequence[Reply]) -> int:
    """The number of right answers."""
    return sum(follows_rule(rules, reply) for reply in replies)


def mistakes(rules: Hex, name: str, reply: Reply) -> frozenset[object]:
    """The moves that win by this belief, but not by the rules."""
    wins = reply[0].moves_by_belief
    return wins.get(name, frozenset()) - wins[rules.adjacency]


def best_beliefs(rules: Hex, replies: Sequence[Reply]) -> list[str]:
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


def beliefs_in_two(rules: Hex, replies: Sequence[Reply]) -> list[str]:
    """The neighbourhoods whose chains the player continues in positions with a win in two moves, best first; empty if unclear.

    Moves elsewhere say nothing: a player may have its reasons for them.
    """
    continuing = continuing_replies(replies)
    fits = dict.fromkeys(SIX, 0.0)
    for (question, answer), name in product(continuing, SIX):
        free = len(rules.moves(question.position))
        if wanted := question.moves_by_belief.get(name):
            share = CARE_IN_TWO / len(wanted) if answer.move in wanted else (1 - CARE_IN_TWO) / (free - len(wanted))
            fits[name] += log(free * share)
    ranked = sorted(SIX, key=lambda name: -fits[name])
    near = [name for name in ranked if fits[name] > fits[ranked[0]] - DOUBT]
    fit, is_right = fits[near[0]], 2 * count_right(rules, continuing) > len(continuing)
    is_sure = fit > -log(BY_CHANCE if rules.adjacency in near else BY_CHANCE_IN_TWO)
    return near if is_sure and (rules.adjacency in near or not is_right) else []


def continuing_replies(replies: Sequence[Reply]) -> list[Reply]:
    """The replies that continue a chain, by whatever rule."""
    return [(question, answer) for question, answer in replies if answer.move in _striking_moves(question)]


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
        return sum(answer.move in mistakes(rules, name, (one, answer)) for one, answer in replies) >= SURE
    diagonal = diagonal_replies(replies)
    own = [reply for reply in diagonal if _is_own(rules, reply[0])]
    if name == FOUR:
        straight = [reply for reply in replies if reply not in diagonal]
        return chance(count_right(rules, straight), len(straight), count_right(rules, own), len(own)) <= UNEVEN
    return 3 * count_right(rules, own) <= 2 * len(own)


def chance(many: int, of: int, few: int, of_others: int) -> float:
    """The probability of at least `many` hits of the first kind if both kinds are equally easy (Fisher's exact test)."""
    taken = many + few
    ways = sum(comb(of, hits) * comb(of_others, taken - hits) for hits in range(many, min(of, taken) + 1))
    return ways / comb(of + of_others, taken)
