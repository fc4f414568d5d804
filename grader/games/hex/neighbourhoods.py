"""The right neighbourhoods on a Hex board, and common wrong ones."""

import random
from collections.abc import Mapping
from heapq import heappop, heappush

from grader.games.hex.grid import HexGrid, Spread, each_bit, hex_grid, shifted_rows
from grader.language import Message, say

FOUR, EIGHT = "four", "eight"
_STRAIGHT = "(r,c-1) (r,c+1) (r-1,c) (r+1,c)"
_LEFT, _RIGHT = "(r-1,c-1) (r+1,c-1)", "(r-1,c+1) (r+1,c+1)"
NEIGHBOURS: Mapping[str, str] = {
    "axial": "(r-1,c) (r+1,c) (r,c-1) (r,c+1) (r-1,c+1) (r+1,c-1)",
    "even-r": say("{always}; even r: {even}; odd r: {odd}", always=_STRAIGHT, even=_RIGHT, odd=_LEFT),
    "odd-r": say("{always}; even r: {even}; odd r: {odd}", always=_STRAIGHT, even=_LEFT, odd=_RIGHT),
    "mirrored": "(r-1,c) (r+1,c) (r,c-1) (r,c+1) (r-1,c-1) (r+1,c+1)",
    FOUR: _STRAIGHT,
    EIGHT: f"{_STRAIGHT} {_LEFT} {_RIGHT}",
}
"""As students write them. The first two are those in courses' handouts; the others are common mistakes."""
SIX = tuple(name for name in NEIGHBOURS if name not in (FOUR, EIGHT))
NAMES: Mapping[str, str] = {
    "axial": "axial",
    "even-r": "even-r",
    "odd-r": say("odd rows shifted right"),
    "mirrored": say("mirrored axial"),
    FOUR: say("four neighbours"),
    EIGHT: say("eight neighbours"),
}
"""The labels of the neighbourhoods; the first two are values of `adjacency`."""


def advice(real: str, believed: str) -> Message:
    """What to do about a player that uses this wrong neighbourhood."""
    return say(
        "According to the assignment, (r,c) has these neighbours: {real}.\nIts moves suggest these instead: {believed}.\n"
        "Use the first list, or call board.check_connection().",
        real=NEIGHBOURS[real],
        believed=NEIGHBOURS[believed],
    )


def general_advice(real: str) -> Message:
    """What to do about a player that uses a wrong neighbourhood, if it is not clear which."""
    return say(
        "According to the assignment, (r,c) has these neighbours: {real}.\nUse these, or call board.check_connection().",
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
    """Whether stones connect the two sides of a player."""
    start, goal = grid.sides(player)
    return bool(flood(spread, stones & start, stones) & goal)


def flood(spread: Spread, reached: int, stones: int) -> int:
    """All stones that are connected to the reached ones."""
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
    """The least number of stones with which a player connects its sides; more than the number of cells if it cannot."""
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
    """The cells of a random path between a player's sides in a part of the board; empty if there is none."""
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
