"""The Hex board against a plain list-and-search board, and the Desconecta-4 move tree."""

import random
import time
from collections.abc import Callable
from functools import partial

from tabulate import tabulate

from grader.games.desconecta4 import bits
from grader.games.hex import HexBoard
from tests.bench.figures import Comparison, Effort, Report, compare, ratio_text
from tests.bench.peers import PLAIN_BOARD
from tests.bench.plain_board import PlainBoard
from tests.bench.timing import cpu_of, repeated

SIZE = 11
FILLS = {Effort.FULL: (0, 10, 30, 60, 90), Effort.QUICK: (30,)}
"""The percentage of cells with a stone."""
TYPICAL = 30
"""The fill that is used in the summary."""
ROUNDS = 7
DEPTH = {Effort.FULL: 7, Effort.QUICK: 5}
Board = HexBoard | PlainBoard


def report(effort: Effort) -> Report:
    found = {fill: hex_comparisons(fill, effort.rounds(ROUNDS)) for fill in FILLS[effort]}
    rows = [
        [f"{fill} %", *(ratio_text(comparison.ratio) for comparison in comparisons.values())]
        for fill, comparisons in found.items()
    ]
    nodes = perft_speed(DEPTH[effort])
    return Report(
        f"Hex {SIZE}×{SIZE}: how many times faster than a plain list-and-search board\n\n"
        + tabulate(rows, ["full", *found[TYPICAL]], tablefmt="pipe", colalign=["right"] * 8, disable_numparse=True)
        + f"\n\nDesconecta-4: {nodes / 1000:.0f}k nodes per CPU second when counting the move tree",
        tuple(found[TYPICAL].values()),
    )


def hex_comparisons(fill: int, rounds: int) -> dict[str, Comparison]:
    """A comparison for each operation, by name, on the same position."""
    fast, plain = boards(fill)
    row, col = fast.get_possible_moves()[0]
    works: dict[str, tuple[Callable[[Board], object], int]] = {
        "clone": (lambda board: board.clone(), 2000),
        "clone + place": (lambda board: board.clone().place_piece(row, col, 1), 2000),
        "moves": (lambda board: board.get_possible_moves(), 500),
        "check": (lambda board: board.check_connection(1), 500),
        "depth-2 search": (depth_2, 1),
        "… reading `board`": (depth_2_reading, 1),
        "… undoing by hand": (depth_2_undoing, 1),
    }
    return {
        name: compare(
            f"HexBoard, {fill} % full: {name}",
            cpu_of(repeated(partial(work, fast), times)),
            cpu_of(repeated(partial(work, plain), times)),
            PLAIN_BOARD,
            rounds,
        )
        for name, (work, times) in works.items()
    }


def boards(fill: int) -> tuple[HexBoard, PlainBoard]:
    """The same stones on both kinds of board; neither player has connected."""
    for seed in range(100_000):
        rng = random.Random(seed)
        cells = [(row, col) for row in range(SIZE) for col in range(SIZE)]
        rng.shuffle(cells)
        fast, plain = HexBoard(SIZE), PlainBoard(SIZE)
        for at, (row, col) in enumerate(cells[: SIZE * SIZE * fill // 100]):
            fast.place_piece(row, col, at % 2 + 1)
            plain.place_piece(row, col, at % 2 + 1)
        if not fast.check_connection(1) and not fast.check_connection(2):
            return fast, plain
    raise AssertionError(f"no undecided board found at {fill} %")


def depth_2(board: Board) -> int:
    """A typical minimax by a student: try every move and every reply, and check for a connection after each."""
    won = 0
    for row, col in board.get_possible_moves():
        child = board.clone()
        child.place_piece(row, col, 1)
        if child.check_connection(1):
            won += 1
            continue
        for reply_row, reply_col in child.get_possible_moves():
            grandchild = child.clone()
            grandchild.place_piece(reply_row, reply_col, 2)
            won -= grandchild.check_connection(2)
    return won


def depth_2_reading(board: Board) -> int:
    """The same, but also reading `board` at every leaf, as most students' evaluations do."""
    total = 0
    for row, col in board.get_possible_moves():
        child = board.clone()
        child.place_piece(row, col, 1)
        for reply_row, reply_col in child.get_possible_moves():
            grandchild = child.clone()
            grandchild.place_piece(reply_row, reply_col, 2)
            total += grandchild.board[row][col] - grandchild.check_connection(2)
    return total


def depth_2_undoing(board: Board) -> int:
    """The same on a single board, undoing each move by hand: the best case for a plain board."""
    board = board.clone()
    won = 0
    for row, col in board.get_possible_moves():
        board.place_piece(row, col, 1)
        for reply_row, reply_col in board.get_possible_moves():
            board.place_piece(reply_row, reply_col, 2)
            won -= board.check_connection(2)
            board.board[reply_row][reply_col] = 0
            board.player_positions[2].discard((reply_row, reply_col))
        board.board[row][col] = 0
        board.player_positions[1].discard((row, col))
    return won


def perft_speed(depth: int) -> float:
    began = time.process_time()
    nodes = count(bits.START, depth)
    return nodes / (time.process_time() - began)


def count(state: bits.BitState, depth: int) -> int:
    """The number of nodes in the tree below a state."""
    if depth == 0 or bits.result_of(state) is not None:
        return 1
    return 1 + sum(count(after, depth - 1) for _, after in bits.successors(state))
