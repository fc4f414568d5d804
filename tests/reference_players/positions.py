"""Positions for tests of players."""

import random

from hypothesis import strategies as st

from grader.games.hex import HexBoard
from grader.games.hex.grid import ADJACENCIES
from tests.bench.plain_board import PlainBoard


def hex_board(text: str, adjacency: str = "axial") -> HexBoard:
    """The board with rows of '.', '1' and '2', separated by '/'. The numbers of stones need not match."""
    rows = text.split("/")
    board = HexBoard(len(rows), adjacency)
    for row, written in enumerate(rows):
        for col, mark in enumerate(written):
            if mark != ".":
                assert board.place_piece(row, col, int(mark))
    return board


def scattered(size: int, stones: int, seed: int, adjacency: str = "axial") -> HexBoard:
    """An undecided board with this many random stones, placed in turn."""
    for attempt in range(1000):
        rng = random.Random(f"{seed} {attempt}")
        board = HexBoard(size, adjacency)
        for at in range(stones):
            moves = board.get_possible_moves()
            board.place_piece(*moves[int(rng.random() * len(moves))], at % 2 + 1)
        if not (board.check_connection(1) or board.check_connection(2)):
            return board
    raise AssertionError(f"no undecided board with {stones} stones on {size}×{size} found")


def to_move(board: HexBoard) -> int:
    """The player to move."""
    return 1 if board.stones(1).bit_count() == board.stones(2).bit_count() else 2


def plain(board: HexBoard) -> PlainBoard:
    """The same stones on a plain board."""
    twin = PlainBoard(board.size, board.adjacency)
    for row, col in ((row, col) for row in range(board.size) for col in range(board.size)):
        if board.board[row][col]:
            twin.place_piece(row, col, board.board[row][col])
    return twin


@st.composite
def undecided(draw, smallest: int = 2, largest: int = 9):
    """Undecided boards of any size and adjacency, from empty to fairly full."""
    size = draw(st.integers(smallest, largest))
    share = draw(st.floats(0, 0.45))
    return scattered(size, int(size * size * share), draw(st.integers(0, 2**32)), draw(st.sampled_from(ADJACENCIES)))
