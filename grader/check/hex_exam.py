"""Does a Hex player believe in the assignment's neighbourhood and sides? Positions in which one stone connects under one of two.

In each of them one side has almost finished two chains: one by the assignment's rule and one by another. Whoever looks for
wins finishes its own (or stops the other's) where it believes that neighbours and sides are. Who takes neither just does not
look, and is not accused of anything.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import cast

from grader.check.exam import Exam, Question, Reply
from grader.check.hex_geometry import NEIGHBOURS, Spread, advice, connected, spread_of, wandering_path, winning
from grader.games import AnyGame
from grader.games.hex import Hex, HexPosition
from grader.language import Message, say
from grader.reports.check import Mark, Verdict

TOPIC = say("neighbourhood")
SURE = 3
"""So many wins taken, or stopped, by the real rule settle it; fewer answers than this tell nothing."""
BY_CHANCE = 0.0001
"""Nobody is said to believe something that chance would explain this often."""
TRIES = 300
"""Before a position of a kind is given up: the smallest boards have none."""
EXCHANGED = "exchanged"
"""The belief that player 1 connects top and bottom, and player 2 left and right."""
BELIEFS = (*NEIGHBOURS, EXCHANGED)
_ORDER = {"axial": ("even-r", "odd-r", "mirrored", EXCHANGED), "even-r": ("odd-r", "axial", "mirrored", EXCHANGED)}
"""What is believed in place of each, the most common first."""


def questions(game: AnyGame, seed: int) -> Iterator[Question]:
    """A win of one's own against each other belief; then, belief by belief, further wins to take and to stop, for each player."""
    rules = cast("Hex", game)
    order = _ORDER[rules.adjacency]
    kinds = [(other, True, at % 2 + 1) for at, other in enumerate(order)]
    kinds += [(other, own, player) for other in order for own in (True, False) for player in (1, 2)]
    for other, own, player in dict.fromkeys(kinds):
        rng = random.Random(f"{seed}/{other}/{own}/{player}")
        position = _position(rules, other, player, player if own else 3 - player, rng)
        if position is not None:
            yield position


def settled(game: AnyGame, replies: Sequence[Reply]) -> bool:
    """Whether the player has shown that it knows the rule as either player, or that it believes in another."""
    rules = cast("Hex", game)
    if len(replies) >= 2 * SURE and _believed(rules, replies) is not None:
        return True
    sides = [[reply for reply in replies if reply[0].player_id == player] for player in (1, 2)]
    told_apart = {name for question, _ in replies for name in question.telling}
    return told_apart >= set(BELIEFS) and all(_taken(own)[rules.adjacency] > 0.75 * len(own) for own in sides)


def verdict(game: AnyGame, replies: Sequence[Reply]) -> Verdict | None:
    """What the answers tell about the neighbourhood and the sides that the player believes in."""
    rules = cast("Hex", game)
    real = rules.adjacency
    replies = [reply for reply in replies if reply[1].fault is None]
    taken, asked = _taken(replies), len(replies)
    believed = _believed(rules, replies)
    if asked < SURE and believed is None:
        return None
    if believed is not None:
        return _wrong_belief(rules, believed, replies)
    for player in (1, 2):
        if (told := _half_blind(rules, player, replies)) is not None:
            return told
    if 2 * taken[real] >= asked:
        text = say(
            "It knows the neighbourhood {real}: it took or stopped {taken} of {asked} wins in one.",
            real=real,
            taken=taken[real],
            asked=asked,
        )
        return Verdict(mark=Mark.GOOD, topic=TOPIC, text=text)
    return Verdict(
        mark=Mark.NOTE,
        topic=TOPIC,
        text=say(
            "It took or stopped only {taken} of {asked} wins in one, so which cells it takes for neighbours cannot be told.",
            taken=taken[real],
            asked=asked,
        ),
        help=say(
            "Before it searches, let it look for a move that connects, and then for one that stops the other from it."
        ),
    )


EXAM = Exam(questions=questions, settled=settled, verdict=verdict)


def _wrong_belief(rules: Hex, believed: str, replies: Sequence[Reply]) -> Verdict:
    asked = [reply for reply in replies if reply[0].telling.get(believed)]
    question, answer = next(one for one in asked if one[1].move in one[0].telling[believed])
    wins = ", ".join(sorted(map(rules.move_text, question.telling[rules.adjacency])))
    taken = _taken(asked)
    numbers = {"asked": len(asked), "taken": taken[rules.adjacency], "mistaken": taken[believed]}
    text = say(
        "It seems to believe in another neighbourhood ({believed}) than the assignment's ({real}): of {asked} wins in one "
        "it took or stopped {taken} by the real rule and {mistaken} by the other.",
        believed=believed,
        real=rules.adjacency,
        **numbers,
    )
    if believed == EXCHANGED:
        text = say(
            "It seems to connect the other player's sides: of {asked} wins in one it took or stopped {taken} between the real "
            "sides and {mistaken} between the others.",
            **numbers,
        )
    return Verdict(
        mark=Mark.NOTE,
        topic=TOPIC if believed != EXCHANGED else say("sides"),
        text=text,
        help=advice(rules.adjacency, believed) if believed != EXCHANGED else _SIDES,
        detail=(
            say(
                "Here player {player} played {move}; by the real rule {wins} decides the game:",
                player=question.player_id,
                move=rules.move_text(answer.move),
                wins=wins,
            ),
            rules.draw(question.position),
        ),
    )


def _half_blind(rules: Hex, player: int, replies: Sequence[Reply]) -> Verdict | None:
    """That it sees wins as one player and hardly ever as the other, if it is so."""
    blind, seeing = ([reply for reply in replies if reply[0].player_id == one] for one in (player, 3 - player))
    few, most = (_taken(own)[rules.adjacency] for own in (blind, seeing))
    if min(len(blind), len(seeing)) < SURE or 8 * few > len(blind) or 4 * most < 3 * len(seeing):
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


def _taken(replies: Sequence[Reply]) -> Counter[str]:
    """How often the answer was one that each belief tells."""
    return Counter(
        name for question, answer in replies for name, moves in question.telling.items() if answer.move in moves
    )


def _believed(rules: Hex, replies: Sequence[Reply]) -> str | None:
    """The other rule by which the player decides, if it decides by one and not by the real one.

    It must have hit three of four of that one's wins, so many as hardly anybody hits who puts stones anywhere.
    """
    found: list[tuple[float, str]] = []
    for name in BELIEFS:
        asked = [reply for reply in replies if reply[0].telling.get(name)]
        if name == rules.adjacency or not asked:
            continue
        hits, by_rule = _taken(asked)[name], _taken(asked)[rules.adjacency]
        chances = [len(question.telling[name]) / len(rules.moves(question.position)) for question, _ in asked]
        if 4 * hits >= 3 * len(asked) and by_rule <= len(asked) // 4 and _at_least(hits, chances) < BY_CHANCE:
            found.append((hits / len(asked), name))
    return max(found)[1] if found else None


def _at_least(hits: int, chances: Sequence[float]) -> float:
    """How probable so many hits are, or more, where each has a chance of its own."""
    spread = [1.0]
    for chance in chances:
        spread = [
            (spread[at] * (1 - chance) if at < len(spread) else 0.0) + (spread[at - 1] * chance if at else 0.0)
            for at in range(len(spread) + 1)
        ]
    return sum(spread[hits:])


def _position(rules: Hex, other: str, mover: int, hot: int, rng: random.Random) -> Question | None:
    """A position in which the side `hot` has one chain of each kind that lacks a single stone, and `mover` is to move."""
    for _ in range(TRIES):
        stones, gaps = _two_chains(rules, other, hot, rng)
        free = [bit for row in rules.grid.bits for bit in row if not bit & (stones | gaps)]
        count = stones.bit_count() + (0 if mover == 1 else 1 if hot == 2 else -1)  # as many as make it the mover's turn
        if not stones or count > len(free):
            continue
        scattered = sum(rng.sample(free, count))
        one, two = (stones, scattered) if hot == 1 else (scattered, stones)
        question = _telling(rules, other, HexPosition(one, two, mover - 1), hot)
        if question is not None:
            return question
    return None


def _two_chains(rules: Hex, other: str, hot: int, rng: random.Random) -> tuple[int, int]:
    """The stones of two unfinished chains, and the cells that are to be free; none if it did not work out."""
    grid = rules.grid
    parts = _halves(rules, hot)
    rng.shuffle(parts)
    stones = gaps = 0
    for name, part in zip((rules.adjacency, other), parts, strict=True):
        spread, goal = _seen(rules, name, hot)
        within = part if goal == hot else rng.choice(_halves(rules, goal))
        path = wandering_path(grid, spread, goal, within, rng)
        if not path:
            return 0, 0
        gap = rng.choice(path)
        stones, gaps = stones | sum(path) & ~gap, gaps | gap
    return stones & ~gaps, gaps


def _halves(rules: Hex, player: int) -> list[int]:
    """Two parts of the board, in each of which a player can connect its sides."""
    bits, half = rules.grid.bits, rules.size // 2
    lines = [sum(line) for line in (bits if player == 1 else zip(*bits, strict=True))]
    return [sum(lines[:half]), sum(lines[rules.size - half :])]


def _seen(rules: Hex, belief: str, player: int) -> tuple[Spread, int]:
    """What is next to what, and whose sides a player connects, for somebody who believes this."""
    if belief == EXCHANGED:
        return spread_of(rules.adjacency, rules.size), 3 - player
    return spread_of(belief, rules.size), player


def _telling(rules: Hex, other: str, position: HexPosition, hot: int) -> Question | None:
    """The position as a question, if each of the two has a win of its own and nothing else is to be won or stopped."""
    grid = rules.grid
    taken = position.one | position.two
    mine, theirs = (position.one, position.two) if hot == 1 else (position.two, position.one)
    seen = {name: _seen(rules, name, hot) for name in BELIEFS}
    if any(
        connected(grid, spread, mine, goal)
        or connected(grid, spread, theirs, 3 - goal)
        or winning(grid, spread, theirs, taken, 3 - goal)
        for spread, goal in seen.values()
    ):
        return None
    wins = {name: winning(grid, spread, mine, taken, goal) for name, (spread, goal) in seen.items()}
    real = wins[rules.adjacency]
    stopping = hot != position.turn + 1
    if not real or not wins[other] or real & wins[other]:
        return None
    if stopping and (real.bit_count() > 1 or wins[other].bit_count() > 1):
        return None
    telling = {name: frozenset(grid.listed(cells)) for name, cells in wins.items() if cells and not cells & real}
    return Question(
        player_id=position.turn + 1,
        position=position,
        telling={**telling, rules.adjacency: frozenset(grid.listed(real))},
    )
