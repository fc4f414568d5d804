"""Generate the test positions of the Hex exam: one stone wins under the assignment's rule, another under a common wrong rule."""

import random
from collections.abc import Iterator, Mapping
from typing import cast

from grader.games.base import Game
from grader.games.exam import Question
from grader.games.hex.grid import Spread
from grader.games.hex.neighbourhoods import (
    EIGHT,
    FOUR,
    NEIGHBOURS,
    SIX,
    connects,
    missing_stones,
    spread_of,
    wandering_path,
    winning_cells,
)
from grader.games.hex.rules import Hex, HexPosition

EXCHANGED = "exchanged"
"""The belief that player 1 connects top and bottom, and player 2 left and right."""
BELIEFS = (*NEIGHBOURS, EXCHANGED)
WRONG: Mapping[str, tuple[str, ...]] = {
    "axial": ("even-r", "odd-r", "mirrored", EIGHT, EXCHANGED),
    "even-r": ("odd-r", "axial", "mirrored", EIGHT, EXCHANGED),
}
"""The wrong beliefs for each adjacency, the most common first."""
FAR = 3
"""With four neighbours, chains must lack at least this many stones, so that their gaps do not look like wins."""
SMALL = 5
"""The largest board that is too small for that."""
TRIES = 300
"""Attempts to find a position of a kind; on the smallest boards there is none."""


def questions(game: Game, seed: int) -> Iterator[Question]:
    """The test positions for a seed, the most informative ones first.

    First a win to take for each wrong belief, and wins that need no diagonal, which even a player that knows only four
    neighbours finds. Then, belief by belief, further wins to take and to block, for each player. There are none to block for
    eight neighbours, where a player would see two wins and could block only one.
    """
    rules = cast("Hex", game)
    order = WRONG[rules.adjacency]
    kinds = [(other, True, at % 2 + 1, 0) for at, other in enumerate([*order, *order[:3]])]
    kinds += [(FOUR, True, player, again) for again in (0, 1) for player in (1, 2)]
    kinds += [(other, True, player, 0) for other in order for player in (1, 2)]
    kinds += [(other, False, player, 0) for other in order if other != EIGHT for player in (1, 2)]
    for at, (other, own, player, again) in enumerate(dict.fromkeys(kinds)):
        rng = random.Random(f"{seed}/{other}/{own}/{player}/{again}")
        position = _find_question(rules, other, player, player if own else 3 - player, at // 2 % 2, rng)
        if position is not None:
            yield position


def _find_question(rules: Hex, other: str, mover: int, hot: int, upper: int, rng: random.Random) -> Question | None:
    """A position in which the player `hot` has two chains that lack a single stone, and `mover` is to move.

    One chain is by the assignment's rule and one by the other belief; chains of four neighbours are valid for both.
    """
    for _ in range(TRIES):
        stones, gaps = _chains(rules, other, hot, upper, rng)
        free = [bit for row in rules.grid.bits for bit in row if not bit & (stones | gaps)]
        count = stones.bit_count() + (0 if mover == 1 else 1 if hot == 2 else -1)  # so that it is the mover's turn
        if not stones or count > len(free):
            continue
        scattered = sum(rng.sample(free, count))
        one, two = (stones, scattered) if hot == 1 else (scattered, stones)
        question = _as_question(rules, other, HexPosition(one, two, mover - 1), hot)
        if question is not None:
            return question
    return None


def _chains(rules: Hex, other: str, hot: int, upper: int, rng: random.Random) -> tuple[int, int]:
    """The stones of the unfinished chains, and the cells that must stay free; (0, 0) if there is no such pair of chains.

    `upper` decides which chain is in the upper half: a player that sees both wins may take the first that it finds.
    """
    parts = _halves(rules, hot)
    stones = gaps = 0
    for at, name in enumerate((FOUR, EIGHT) if other == FOUR else (rules.adjacency, other)):
        spread, goal = _belief_rule(rules, name, hot)
        within = parts[(at + upper) % 2] if goal == hot else rng.choice(_halves(rules, goal))
        path = wandering_path(rules.grid, spread, goal, within, rng)
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


def _belief_rule(rules: Hex, belief: str, player: int) -> tuple[Spread, int]:
    """The neighbourhood of a belief, and the player whose sides a player connects by it."""
    if belief == EXCHANGED:
        return spread_of(rules.adjacency, rules.size), 3 - player
    return spread_of(belief, rules.size), player


def _as_question(rules: Hex, other: str, position: HexPosition, hot: int) -> Question | None:
    """The position as a question, if each of the two rules has its own win and there is nothing else to win or block."""
    grid, taken = rules.grid, position.one | position.two
    mine, theirs = (position.one, position.two) if hot == 1 else (position.two, position.one)
    rule_of = {name: _belief_rule(rules, name, hot) for name in BELIEFS if name != EIGHT}
    if any(
        connects(grid, spread, mine, goal)
        or connects(grid, spread, theirs, 3 - goal)
        or winning_cells(grid, spread, theirs, taken, 3 - goal)
        for spread, goal in rule_of.values()
    ):
        return None
    wins = {name: winning_cells(grid, spread, mine, taken, goal) for name, (spread, goal) in rule_of.items()}
    blocking = hot != position.turn + 1
    wins[EIGHT] = 0 if blocking else _wins_for_eight(rules, mine, theirs, hot)
    if not _distinguishes(rules, other, wins, blocking=blocking):
        return None
    if (
        other != FOUR
        and rules.size > SMALL
        and missing_stones(grid, spread_of(FOUR, rules.size), mine, taken, hot) < FAR
    ):
        return None
    moves_by_belief = {name: frozenset(grid.list_cells(cells)) for name, cells in wins.items() if cells}
    return Question(player_id=position.turn + 1, position=position, moves_by_belief=moves_by_belief)


def _wins_for_eight(rules: Hex, mine: int, theirs: int, hot: int) -> int:
    """The cells that win by eight neighbours; none if the game would already be over by that rule."""
    spread = spread_of(EIGHT, rules.size)
    if connects(rules.grid, spread, mine, hot) or connects(rules.grid, spread, theirs, 3 - hot):
        return 0
    return winning_cells(rules.grid, spread, mine, mine | theirs, hot)


def _distinguishes(rules: Hex, other: str, wins: Mapping[str, int], *, blocking: bool) -> bool:
    """Whether the wins distinguish the other belief from the real rule."""
    real = wins[rules.adjacency]
    if other == FOUR:
        return bool(wins[FOUR] and wins[EIGHT] & ~real)
    if wins[FOUR] or not real or not wins[other] & ~real:
        return False
    if other == EIGHT:
        return not any(wins[name] for name in SIX if name != rules.adjacency)
    return not real & wins[other] and not (blocking and (real.bit_count() > 1 or wins[other].bit_count() > 1))
