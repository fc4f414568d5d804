"""The right and the common wrong neighbourhoods on a Hex board."""

import random
from collections.abc import Mapping
from heapq import heappop, heappush

from grader.games.hex.grid import HexGrid, Spread, each_bit, hex_grid, shifted_rows
from grader.language import Message, say

FOUR, EIGHT = "four", "eight"
_BESIDE = "(r,c-1) (r,c+1) (r-1,c) (r+1,c)"
_LEFT, _RIGHT = "(r-1,c-1) (r+1,c-1)", "(r-1,c+1) (r+1,c+1)"
NEIGHBOURS: Mapping[str, str] = {
    "axial": "(r-1,c) (r+1,c) (r,c-1) (r,c+1) (r-1,c+1) (r+1,c-1)",
    "even-r": say("{always}; even r: {even}; odd r: {odd}", always=_BESIDE, even=_RIGHT, odd=_LEFT),
    "odd-r": say("{always}; even r: {even}; odd r: {odd}", always=_BESIDE, even=_LEFT, odd=_RIGHT),
    "mirrored": "(r-1,c) (r+1,c) (r,c-1) (r,c+1) (r-1,c-1) (r+1,c+1)",
    FOUR: _BESIDE,
    EIGHT: f"{_BESIDE} {_LEFT} {_RIGHT}",
}
"""As a student would write them. The first two are those that courses have handed out; the others are common slips."""
SIX = tuple(name for name in NEIGHBOURS if name not in (FOUR, EIGHT))
NAMES: Mapping[str, str] = {
    "axial": "axial",
    "even-r": "even-r",
    "odd-r": say("odd rows shifted to the right"),
    "mirrored": say("axial in a mirror"),
    FOUR: say("four neighbours"),
    EIGHT: say("eight neighbours"),
}
"""What people read: the first two are values of `adjacency`."""


def advice(real: str, believed: str) -> Message:
    """What to do for who believes in another neighbourhood."""
    return say(
        "By the assignment the neighbours of (r,c) are {real}.\nIts moves fit better to {believed}.\n"
        "Write the first, or ask board.check_connection, which knows.",
        real=NEIGHBOURS[real],
        believed=NEIGHBOURS[believed],
    )


def general_advice(real: str) -> Message:
    """The same for who believes in one of several, or in none that has a name."""
    return say(
        "By the assignment the neighbours of (r,c) are {real}.\nWrite those, or ask board.check_connection, which knows.",
        real=NEIGHBOURS[real],
    )


def spread_of(name: str, size: int) -> Spread:
    """The neighbourhood of that name on a board of that size."""
    grid = hex_grid(size, "axial")
    stride = grid.stride
    if name in ("axial", "even-r"):
        return hex_grid(size, name).spread
    if name == "mirrored":
        return lambda x: x | x << 1 | x >> 1 | x << stride | x >> stride | x << stride + 1 | x >> stride + 1
    if name == FOUR:
        return lambda x: x | x << 1 | x >> 1 | x << stride | x >> stride
    if name == EIGHT:
        return lambda x: (wide := x | x << 1 | x >> 1) | wide << stride | wide >> stride
    even, odd = grid.alternate_rows()
    return shifted_rows(stride, odd, even)


def connects(grid: HexGrid, spread: Spread, stones: int, player: int) -> bool:
    """Whether stones join the two sides of a player."""
    start, goal = grid.sides(player)
    return bool(flood(spread, stones & start, stones) & goal)


def flood(spread: Spread, reached: int, stones: int) -> int:
    """All the stones that can be reached from some of them."""
    while (further := spread(reached) & stones) != reached:
        reached = further
    return reached


def winning_cells(grid: HexGrid, spread: Spread, stones: int, taken: int, player: int) -> int:
    """The free cells with which a player would connect its sides."""
    start, goal = grid.sides(player)
    near = spread(flood(spread, stones & start, stones)) | start
    far = spread(flood(spread, stones & goal, stones)) | goal
    return near & far & grid.full & ~taken


def missing_stones(grid: HexGrid, spread: Spread, stones: int, taken: int, player: int) -> int:
    """How many stones a player needs at least to connect its sides; more than there are cells if it cannot."""
    start, goal = grid.sides(player)
    free = grid.full & ~taken
    reached, count = flood(spread, stones & start, stones), 0
    while not reached & goal:
        placed = reached | (spread(reached) | start) & free
        further = flood(spread, placed, stones | placed)
        if further == reached:
            return grid.size**2 + 1
        reached, count = further, count + 1
    return count


def wandering_path(grid: HexGrid, spread: Spread, player: int, within: int, rng: random.Random) -> list[int]:
    """The cells of a connection between a player's sides on some of the board, by a random way; none if there is none."""
    start, goal = grid.sides(player)
    cost = {cell: rng.random() for cell in each_bit(within)}
    queue = [(cost[cell], cell, 0) for cell in each_bit(start & within)]
    queue.sort()
    came: dict[int, int] = {}
    while queue:
        far, cell, before = heappop(queue)
        if cell in came:
            continue
        came[cell] = before
        if cell & goal:
            path = [cell]
            while came[path[-1]]:
                path.append(came[path[-1]])
            return path
        for near in each_bit(spread(cell) & within):
            if near not in came:
                heappush(queue, (far + cost[near], near, cell))
    return []
