"""The Hex board against a plain list-and-search board, and the Desconecta-4 move tree."""

import random
import time
from collections.abc import Callable

from tabulate import tabulate

from grader.games import desconecta4_bits as bits
from grader.games.hex import HexBoard
from tests.bench.plain_board import PlainBoard
from tests.bench.timing import best_of

SIZE = 11
FILLS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90)
Board = HexBoard | PlainBoard


def report() -> str:
    rows = [[f"{fill} %", *hex_ratios(fill)] for fill in FILLS]
    headers = [
        "full",
        "clone",
        "clone + place",
        "moves",
        "check",
        "depth-2 search",
        "… reading board",
        "… undoing by hand",
    ]
    return (
        f"Hex {SIZE}×{SIZE}: how many times faster than a plain list-and-search board\n\n"
        + tabulate(rows, headers, floatfmt=".1f")
        + f"\n\nDesconecta-4: {perft_speed() / 1000:.0f}k nodes/s in a plain count of the move tree to depth 7"
    )


def hex_ratios(fill: int) -> list[float]:
    fast, plain = boards(fill)
    row, col = fast.get_possible_moves()[0]
    ratios = []
    for work, times in [
        (lambda board: board.clone(), 2000),
        (lambda board: board.clone().place_piece(row, col, 1), 2000),
        (lambda board: board.get_possible_moves(), 500),
        (lambda board: board.check_connection(1), 500),
        (depth_2, 1),
        (depth_2_reading, 1),
        (depth_2_undoing, 1),
    ]:
        ours, theirs = best_of([repeated(work, fast, times), repeated(work, plain, times)])
        ratios.append(theirs / ours)
    return ratios


def repeated(work: Callable[[Board], object], board: Board, times: int) -> Callable[[], None]:
    def run() -> None:
        for _ in range(times):
            work(board)

    return run


def boards(fill: int) -> tuple[HexBoard, PlainBoard]:
    """The same stones on both kinds of board, nobody connected yet."""
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
    """What a student's minimax does to a board: every move, every reply, and who has connected after each."""
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
    """The same, with a look at the lists of every leaf, as most students' evaluations have."""
    seen = 0
    for row, col in board.get_possible_moves():
        child = board.clone()
        child.place_piece(row, col, 1)
        for reply_row, reply_col in child.get_possible_moves():
            grandchild = child.clone()
            grandchild.place_piece(reply_row, reply_col, 2)
            seen += grandchild.board[row][col] - grandchild.check_connection(2)
    return seen


def depth_2_undoing(board: Board) -> int:
    """The same on one board, each stone taken back by hand: what a plain board is best at."""
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


def perft_speed() -> float:
    start = time.perf_counter()
    nodes = count(bits.START, 7)
    return nodes / (time.perf_counter() - start)


def count(state: bits.State, depth: int) -> int:
    """All nodes of the tree below a state."""
    if depth == 0 or bits.result_of(state) is not None:
        return 1
    return 1 + sum(count(after, depth - 1) for _, after in bits.successors(state))
