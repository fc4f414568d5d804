"""Generate the test positions of the Hex exam with a win in two moves.

A player that only asks the board for wins in one move finds those by the right rule, whatever its own search believes. So in
these positions there is nothing to win or block at once: one side has a chain that lacks two stones by the assignment's rule,
and another that lacks two by a wrong one. A player continues (or stops) the chain that its search believes in.
"""

import random
from collections.abc import Iterator

from grader.games.exam import Question
from grader.games.hex.grid import HexGrid, Spread, each_bit
from grader.games.hex.neighbourhoods import SIX, connects, missing_stones, spread_of, wandering_path, winning_cells
from grader.games.hex.rules import Hex, HexPosition

NEEDED = 2
"""The stones that each chain lacks."""
FEWEST_OTHERS = 4
"""The least number of stones that the other side lacks, so that there is nothing more urgent than the chains."""
SMALLEST = 6
"""On smaller boards there is no room for two such chains."""
TRIES = 150
_MOST_MOVES = 4
"""The most cells that continue a chain: with more, a hit says little."""


def two_move_questions(rules: Hex, seed: int, order: tuple[str, ...]) -> Iterator[Question]:
    """The positions for a seed: for each wrong rule in `order` a chain to continue as each player, then some to stop."""
    if rules.size < SMALLEST:
        return
    kinds = [(other, True, player, again) for again in (0, 1) for other in order for player in (1, 2)]
    kinds[2 * len(order) : 2 * len(order)] = [(order[0], False, player, 0) for player in (1, 2)]
    for at, (other, own, player, again) in enumerate(kinds):
        rng = random.Random(f"{seed}/two/{other}/{own}/{player}/{again}")
        question = _find_question(rules, other, player, player if own else 3 - player, at // 2 % 2, rng)
        if question is not None:
            yield question


def _find_question(rules: Hex, other: str, mover: int, hot: int, upper: int, rng: random.Random) -> Question | None:
    """A position in which the player `hot` has the two chains, and `mover` is to move."""
    for _ in range(TRIES):
        stones, gaps = _chains(rules, other, hot, upper, rng)
        if not stones:
            continue
        count = stones.bit_count() + (0 if mover == 1 else 1 if hot == 2 else -1)  # so that it is the mover's turn
        others = _harmless_stones(rules, hot, stones | gaps, count, rng)
        if others is None:
            continue
        one, two = (stones, others) if hot == 1 else (others, stones)
        question = _as_question(rules, other, HexPosition(one, two, mover - 1), hot)
        if question is not None:
            return question
    return None


def _chains(rules: Hex, other: str, hot: int, upper: int, rng: random.Random) -> tuple[int, int]:
    """The stones of the two chains, and the cells around their gaps, which stay free; (0, 0) if there are no such chains."""
    bits, half = rules.grid.bits, rules.size // 2
    lines = [sum(line) for line in (bits if hot == 1 else zip(*bits, strict=True))]
    parts = [sum(lines[:half]), sum(lines[rules.size - half :])]
    stones = gaps = 0
    for at, name in enumerate((rules.adjacency, other)):
        spread = spread_of(name, rules.size)
        path = wandering_path(rules.grid, spread, hot, parts[(at + upper) % 2], rng)
        if len(path) <= NEEDED:
            return 0, 0
        missing = rng.sample(path, NEEDED)
        stones |= sum(path) & ~sum(missing)
        gaps |= spread(sum(missing)) & rules.grid.full
    return stones, gaps & ~stones


def _harmless_stones(rules: Hex, hot: int, avoid: int, count: int, rng: random.Random) -> int | None:
    """Stones of the other player in as few of the lines as possible that it would have to cross; None if there is no room."""
    grid = rules.grid
    lines = [sum(line) for line in (grid.bits if hot == 1 else zip(*grid.bits, strict=True))]
    middle = rules.size // 2
    inwards = sorted(range(rules.size), key=lambda at: (at != middle, min(at, rules.size - 1 - at), rng.random()))
    placed = 0
    for at in inwards:
        free = list(each_bit(lines[at] & ~avoid))
        placed |= sum(rng.sample(free, min(len(free), count - placed.bit_count())))
        if placed.bit_count() == count:
            return placed
    return None


def _as_question(rules: Hex, other: str, position: HexPosition, hot: int) -> Question | None:
    """The position as a question, if the two rules want different moves and nothing is decided sooner by any rule."""
    grid, taken = rules.grid, position.one | position.two
    mine, theirs = (position.one, position.two) if hot == 1 else (position.two, position.one)
    wanted: dict[str, int] = {}
    for name in SIX:
        spread = spread_of(name, rules.size)
        missing = missing_stones(grid, spread, mine, taken, hot)
        if missing < NEEDED or missing_stones(grid, spread, theirs, taken, 3 - hot) < FEWEST_OTHERS:
            return None
        if missing == NEEDED:
            wanted[name], decides = _continuing_cells(grid, spread, mine, taken, hot)
            if name in (rules.adjacency, other) and not decides:
                return None
    real, believed = wanted.get(rules.adjacency, 0), wanted.get(other, 0)
    if not real or not believed or real & believed or max(real.bit_count(), believed.bit_count()) > _MOST_MOVES:
        return None
    if any(connects(grid, spread_of(name, rules.size), theirs, 3 - hot) for name in SIX):
        return None
    moves_by_belief = {name: frozenset(grid.list_cells(cells)) for name, cells in wanted.items()}
    return Question(player_id=position.turn + 1, position=position, moves_by_belief=moves_by_belief, depth=NEEDED)


def _continuing_cells(grid: HexGrid, spread: Spread, stones: int, taken: int, player: int) -> tuple[int, bool]:
    """The free cells after which a single stone is lacking, and whether one of them decides the game: two cells then win."""
    continuing, decides = 0, False
    for cell in each_bit(grid.full & ~taken):
        wins = winning_cells(grid, spread, stones | cell, taken | cell, player)
        continuing |= cell if wins else 0
        decides = decides or wins.bit_count() > 1
    return continuing, decides
