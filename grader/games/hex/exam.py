"""The exam for Hex players: it shows whether a player uses the neighbours and sides of the assignment.

In each position, one side has almost finished two chains: one by the assignment's rule and one by another. Whoever looks for
wins finishes its own (or stops the other's) where it believes that neighbours and sides are. Who takes neither just does not
look, and is not accused of anything. All need a diagonal, but for a few that everybody sees who looks at all: who takes
only those knows four neighbours.
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

TOPIC = say("neighbourhood")
SURE = 3
"""Fewer answers than this tell nothing."""
ENOUGH = 8
"""Answers about wins with a diagonal after which nothing more is asked if they agree: who plays well by four neighbours hits
about half of them."""
BY_CHANCE = 0.0001
"""Nobody is said to believe something unless it explains the answers so much better than chance."""
UNEVEN = 0.02
"""Nobody is said to see one kind of wins and not another unless who overlooks some of either would seldom seem to."""
DOUBT = log(20)
"""A belief that explains them only so much less well than the best may be the player's, too."""
CARE = 0.98
"""How often a win is taken by somebody who believes that it is one: less often, and it may be something else."""


def has_enough(game: Game, replies: Sequence[Reply]) -> bool:
    """Whether the player has shown that it knows the rule as either player. Who seems to believe in another is asked all."""
    rules = cast("Hex", game)
    diagonal = _diagonal_replies(replies)
    if len(diagonal) < ENOUGH or _best_beliefs(rules, replies) != [rules.adjacency]:
        return False
    told_apart = {FOUR}.union(*(question.telling for question, _ in replies))
    sides = [[reply for reply in diagonal if reply[0].player_id == player] for player in (1, 2)]
    return told_apart >= set(BELIEFS) and all(4 * _count_right(rules, own) > 3 * len(own) for own in sides)


def tells_neighbours(game: Game, replies: Sequence[Reply]) -> bool:
    """Whether the answers tell what the player takes for neighbours, be it right or wrong."""
    return bool(_best_beliefs(cast("Hex", game), _faultless_replies(replies)))


def verdict(game: Game, replies: Sequence[Reply]) -> Verdict | None:
    """What the answers tell about the neighbourhood and the sides that the player believes in."""
    rules, replies = cast("Hex", game), _faultless_replies(replies)
    real, asked, best = rules.adjacency, _diagonal_replies(replies), _best_beliefs(rules, replies)
    if best and real not in best:
        return _wrong_belief(rules, best, replies)
    if len(asked) < SURE:
        return None
    for player in (1, 2):
        if (told := _one_sided_verdict(rules, player, asked)) is not None:
            return told
    values: dict[str, str | int] = {"real": real, "taken": _count_right(rules, asked), "asked": len(asked)}
    if best[:1] == [real]:
        text = say("It knows the neighbourhood {real}: it took or stopped {taken} of {asked} wins in one.", **values)
        return Verdict(mark=Mark.GOOD, topic=TOPIC, text=text)
    return Verdict(
        mark=Mark.NOTE,
        topic=TOPIC,
        text=say(
            "It took or stopped only {taken} of {asked} wins in one, so which cells it takes for neighbours cannot be told.",
            **values,
        ),
        help=say(
            "Before it searches, let it look for a move that connects, and then for one that stops the other from it."
        ),
    )


def review(game: Game, played: Sequence[FinishedGame], replies: Sequence[Reply]) -> Verdict | None:
    """What games show of the neighbourhood, where the answers did not."""
    return None if tells_neighbours(game, replies) else find_false_connection(cast("Hex", game), played)


EXAM = Exam(questions=questions, has_enough=has_enough, verdict=verdict, review=review)


def _wrong_belief(rules: Hex, believed: Sequence[str], replies: Sequence[Reply]) -> Verdict:
    """What it believes in place of the real rule: one thing, or one of several that fit about equally well."""
    name, diagonal = believed[0], _diagonal_replies(replies)
    asked = [reply for reply in (replies if name == EIGHT else diagonal) if _mistakes(rules, name, reply)] or diagonal
    mistaken = [reply for reply in asked if reply[1].move in _mistakes(rules, name, reply)]
    question, answer = (mistaken or [reply for reply in diagonal if not _follows_rule(rules, reply)])[0]
    numbers = {"asked": len(asked), "taken": _count_right(rules, asked), "mistaken": len(mistaken)}
    mark, topic, help_ = Mark.NOTE, TOPIC, advice(rules.adjacency, name) if name != EXCHANGED else _SIDES
    # Who was asked little is not told what it believes.
    if len(believed) > 1 or (name in SIX and len(mistaken) <= SURE):
        text = say(
            "It seems to believe in another neighbourhood than the assignment's ({real}): of {asked} wins in one it took or "
            "stopped {taken}.",
            real=rules.adjacency,
            asked=len(diagonal),
            taken=_count_right(rules, diagonal),
        )
        help_ = general_advice(rules.adjacency)
    elif name == EXCHANGED:
        mark, topic = Mark.BAD, say("sides")
        text = say(
            "It seems to connect the other player's sides: of {asked} wins in one it took or stopped {taken} between the real "
            "sides and {mistaken} between the others.",
            **numbers,
        )
    elif name == FOUR:
        straight = [reply for reply in replies if reply not in diagonal]
        text = say(
            "It seems to know only four neighbours: it took {straight} of {few} wins in one along rows and columns, and took or "
            "stopped {taken} of {asked} with a diagonal in them.",
            straight=_count_right(rules, straight),
            few=len(straight),
            **numbers,
        )
    else:
        text = say(
            "It seems to believe in another neighbourhood ({believed}) than the assignment's ({real}): of {asked} wins in one "
            "it took or stopped {taken} by the real rule and {mistaken} by the other.",
            believed=NAMES[name],
            real=rules.adjacency,
            **numbers,
        )
    shown = say(
        "Here player {player} played {move}; by the real rule the game is decided by {wins}:",
        player=question.player_id,
        move=rules.move_text(answer.move),
        wins=", ".join(sorted(map(rules.move_text, question.telling[rules.adjacency]))),
    )
    return Verdict(mark=mark, topic=topic, text=text, help=help_, detail=(shown, rules.draw(question.position)))


def _one_sided_verdict(rules: Hex, player: int, replies: Sequence[Reply]) -> Verdict | None:
    """That it sees wins as one player and hardly ever as the other, if it is so."""
    blind, seeing = ([reply for reply in replies if reply[0].player_id == one] for one in (player, 3 - player))
    few, most = (_count_right(rules, own) for own in (blind, seeing))
    if _chance(most, len(seeing), few, len(blind)) > UNEVEN:
        return None
    return Verdict(
        mark=Mark.NOTE,
        topic=say("sides"),
        text=say(
            "As player {player} it took or stopped {few} of {asked} wins in one, as player {other} {most} of {seen}.",
            player=player,
            few=few,
            asked=len(blind),
            other=3 - player,
            most=most,
            seen=len(seeing),
        ),
        help=say("{sides} Does it know which one it is from self.player_id, and nowhere else?", sides=_SIDES),
    )


_SIDES: Message = say(
    "Player 1 connects left and right (column 0 and the last column), player 2 top and bottom (row 0 and the last row)."
)


def _faultless_replies(replies: Sequence[Reply]) -> list[Reply]:
    return [reply for reply in replies if reply[1].fault is None]


def _diagonal_replies(replies: Sequence[Reply]) -> list[Reply]:
    """Those about wins that are none for who knows four neighbours."""
    return [reply for reply in replies if FOUR not in reply[0].telling]


def _follows_rule(rules: Hex, reply: Reply) -> bool:
    return reply[1].move in reply[0].telling[rules.adjacency]


def _count_right(rules: Hex, replies: Sequence[Reply]) -> int:
    """How often the answer was right."""
    return sum(_follows_rule(rules, reply) for reply in replies)


def _mistakes(rules: Hex, name: str, reply: Reply) -> frozenset[object]:
    """What somebody takes for a win who believes this, and what is none."""
    telling = reply[0].telling
    return telling.get(name, frozenset()) - telling[rules.adjacency]


def _best_beliefs(rules: Hex, replies: Sequence[Reply]) -> list[str]:
    """The beliefs that explain the answers about equally well, the best first; none if it is hardly better than chance."""
    explained, fits = dict.fromkeys(BELIEFS, 0.0), dict.fromkeys(BELIEFS, 0.0)
    for (question, answer), name in product(_telling_replies(rules, replies), BELIEFS):
        free = len(rules.moves(question.position))
        if wins := question.telling.get(name):
            share = CARE / len(wins) if answer.move in wins else (1 - CARE) / max(1, free - len(wins))
            explained[name] += log(free * share)
            fits[name] += log(free * share)
        elif answer.move in (
            striking := _striking_moves(question)
        ):  # it looks for something else, and this may strike it, too
            fits[name] += max(0.0, log(free * CARE / len(striking)))
    ranked = sorted(BELIEFS, key=lambda name: -fits[name])
    near = [name for name in ranked if fits[name] > fits[ranked[0]] - DOUBT]
    told = explained[near[0]] > -log(BY_CHANCE) and (rules.adjacency in near or _has_evidence(rules, near[0], replies))
    return near if told else []


def _telling_replies(rules: Hex, replies: Sequence[Reply]) -> list[Reply]:
    """Without those where it could have stopped the other: who does not look for that has shown nothing there."""
    return [(one, answer) for one, answer in replies if _is_own(rules, one) or answer.move in _striking_moves(one)]


def _striking_moves(question: Question) -> frozenset[object]:
    """The wins by any belief."""
    return frozenset().union(*question.telling.values())


def _is_own(rules: Hex, question: Question) -> bool:
    """Whether it is the mover that could win."""
    win = next(iter(question.telling[rules.adjacency]))
    return rules.outcome(rules.play(question.position, win)) is not None


def _has_evidence(rules: Hex, name: str, replies: Sequence[Reply]) -> bool:
    """Whether many real wins were left, or, by who takes those for wins as well, others taken that are none."""
    if name == EIGHT:
        return sum(answer.move in _mistakes(rules, name, (one, answer)) for one, answer in replies) >= SURE
    diagonal = _diagonal_replies(replies)
    own = [reply for reply in diagonal if _is_own(rules, reply[0])]
    if name == FOUR:
        straight = [reply for reply in replies if reply not in diagonal]
        return _chance(_count_right(rules, straight), len(straight), _count_right(rules, own), len(own)) <= UNEVEN
    return 3 * _count_right(rules, own) <= 2 * len(own)


def _chance(many: int, of: int, few: int, of_others: int) -> float:
    """How probable it is that so many of all that were taken are of the first kind, or more, if the kinds are alike."""
    taken = many + few
    ways = sum(comb(of, hits) * comb(of_others, taken - hits) for hits in range(many, min(of, taken) + 1))
    return ways / comb(of + of_others, taken)
