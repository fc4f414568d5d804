"""The Hex board follows whatever a student writes into its lists, however it was last used."""

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games.hex import HexBoard
from grader.games.hex.grid import ADJACENCIES
from tests.games.list_board import ListBoard

ASK = {
    "moves": lambda board: board.get_possible_moves(),
    "check 1": lambda board: board.check_connection(1),
    "check 2": lambda board: board.check_connection(2),
    "positions": lambda board: board.player_positions,
}


class Pair:
    """A `HexBoard` and the model, and what a student keeps of them."""

    def __init__(self, fast: HexBoard, model: ListBoard) -> None:
        self.both: tuple[Any, Any] = (fast, model)
        self.kept: list[tuple[list[Any], list[Any]]] = []
        """Rows, of either board, to which a student has kept a reference."""
        self.tried: list[tuple[int, int, int]] = []
        """Stones placed, which may be taken back by hand."""

    def same(self, ask: str) -> None:
        fast, model = map(ASK[ask], self.both)
        assert fast == model

    def same_everything(self) -> None:
        for ask in ASK:
            self.same(ask)
        fast, model = self.both
        lists = [row[:] for row in fast.board]
        assert lists == model.board
        assert type(fast.board) is list and {type(row) for row in fast.board} == {list}
        for twin in (fast.clone(), copy.deepcopy(fast), pickle.loads(pickle.dumps(fast))):
            assert all(ASK[ask](twin) == ASK[ask](model) for ask in ASK)
        assert fast.board == lists


STEPS = (
    *(
        "place",
        "place",
        "place",
        "undo",
        "undo",
        "undo discarding first",
        "write",
        "keep",
        "write kept",
        "ask",
        "ask",
        "ask",
    ),
    *("clone", "copy", "replace", "replace all", "share row", "share lists", "slice", "list method", "numpy", "odd"),
)


@given(st.data(), st.integers(2, 5), st.sampled_from(ADJACENCIES))
def test_every_answer_follows_the_lists_after_any_use_and_any_writes(data, size, adjacency):
    pairs = [Pair(HexBoard(size, adjacency), ListBoard(size, adjacency))]
    for step in data.draw(st.lists(st.sampled_from(STEPS), max_size=25)):
        take(step, pairs, data, size)
    for pair in pairs:
        pair.same_everything()


def take(step: str, pairs: list[Pair], data: st.DataObject, size: int) -> None:
    """Do one step with a board and its model."""
    cells = st.integers(0, size - 1)
    pair = data.draw(st.sampled_from(pairs))
    row, col, player = data.draw(cells), data.draw(cells), data.draw(st.sampled_from([1, 2]))
    value = data.draw(st.sampled_from([0, 0, 1, 2, 7, -1]))
    if step == "place":
        placed = [board.place_piece(row, col, player) for board in pair.both]
        assert placed[0] is placed[1]
        if placed[0]:
            pair.tried.append((row, col, player))
    elif step.startswith("undo") and pair.tried:
        row, col, player = pair.tried.pop()
        for board in pair.both:
            if "first" in step:
                board.player_positions[player].discard((row, col))
            board.board[row][col] = 0
            board.player_positions[player].discard((row, col))
    elif step == "ask":
        pair.same(data.draw(st.sampled_from([*ASK])))
    elif step == "clone":
        pairs.append(Pair(*(board.clone() for board in pair.both)))
    elif step == "copy":
        fast, model = pair.both
        deep = data.draw(st.booleans())  # a deep copy keeps two names for the same row
        pairs.append(Pair(*map(copy.deepcopy, pair.both)) if deep else Pair(copy.copy(fast), model.clone()))
    elif step == "keep":
        pair.kept.append(tuple(board.board[row] for board in pair.both))
    elif step == "write kept":
        if pair.kept:
            for line in data.draw(st.sampled_from(pair.kept)):
                line[col] = value
    else:
        other = data.draw(st.sampled_from(pairs))
        new = data.draw(st.lists(st.sampled_from([0, 1, 2]), min_size=size, max_size=size))
        for board, of in zip(pair.both, other.both, strict=True):
            write(step, board, of, (row, col, value), new)
        if step in {"numpy", "odd"}:  # a method makes them full lists
            pair.same("moves")


def write(step: str, board: Any, other: Any, where: tuple[int, int, int], new: list[int]) -> None:
    """Write into the lists of a board, in one of the ways in which students do."""
    row, col, value = where
    size = board.size
    if step == "write":
        board.board[row][col] = value
    elif step == "replace":
        board.board[row] = new[:]
    elif step == "replace all":
        board.board = [new[:] for _ in range(size)] if value else [new[:]] * size
    elif step == "share row":
        board.board[row] = other.board[col]
    elif step == "share lists":
        board.board = other.board
    elif step == "slice":
        board.board[row][col:] = new[col:]
    elif step == "list method":
        line = board.board[row]
        (line.sort if value == 0 else line.reverse if value == 1 else lambda: line.insert(col, line.pop()))()
    elif step == "numpy":
        if value:
            board.board[row] = np.array(new)
        else:
            board.board = np.array([new] * size)
    elif step == "odd":
        if value == 0:
            del board.board[row]
        elif value == 1:
            del board.board[row][col]
        elif value == 2:
            board.board.append(new[:])
        elif value == 7:
            board.board[row] = tuple(new)
        else:
            board.board[row] = iter(new[:col])


def test_the_lists_are_plain_ones_in_every_use():
    board = HexBoard(2)
    board.place_piece(0, 1, 2)

    assert type(board.board) is list and type(board.board[0]) is list
    assert board.board == [[0, 2], [0, 0]]
    assert json.dumps(board.board) == str(board.board) == "[[0, 2], [0, 0]]"
    assert np.array(board.board).tolist() == copy.deepcopy(board.board) == board.board


def test_a_stone_placed_where_another_was_taken_back_unnoticed_is_there():
    board = HexBoard(2)
    board.board[1][1] = 2
    assert board.player_positions[2] == {(1, 1)}
    board.board[1][1] = 0
    board.place_piece(1, 1, 2)

    assert board.player_positions[2] == {(1, 1)}


def test_a_stone_discarded_before_it_is_taken_back_does_not_return():
    board = HexBoard(2)
    board.place_piece(0, 0, 1)
    board.player_positions[1].discard((0, 0))
    board.board[0][0] = 0

    assert board.player_positions == {1: set(), 2: set()}


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda board: pickle.loads(pickle.dumps(board))])
def test_a_large_board_can_be_copied_after_many_stones(duplicate):
    board = HexBoard(26)
    for at, (row, col) in enumerate(board.get_possible_moves()):
        board.place_piece(row, col, at % 2 + 1)

    assert duplicate(board).board == board.board
