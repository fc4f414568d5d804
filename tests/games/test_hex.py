"""The Hex board behaves like a plain board of lists, whatever a student does with it."""

import copy
import pickle
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games.hex import Hex, HexBoard
from grader.games.hex.grid import ADJACENCIES
from grader.records import Outcome
from tests.bench.plain_board import PlainBoard
from tests.kit.kits import module

both_adjacencies = pytest.mark.parametrize("adjacency", ADJACENCIES)
adjacencies = st.sampled_from(ADJACENCIES)


@st.composite
def filled(draw, largest: int = 14):
    """A fast and a plain board with the same stones."""
    size = draw(st.integers(1, largest))
    adjacency = draw(adjacencies)
    rng = random.Random(draw(st.integers(0, 2**32)))
    share = draw(st.floats(0, 1))
    fast, plain = HexBoard(size, adjacency), PlainBoard(size, adjacency)
    for row, col in product(range(size), repeat=2):
        if rng.random() < share:
            player = rng.choice((1, 2))
            assert fast.place_piece(row, col, player) is plain.place_piece(row, col, player) is True
    return fast, plain


def agree(fast: HexBoard, plain: PlainBoard) -> bool:
    return (
        [fast.check_connection(player) for player in (1, 2)] == [plain.check_connection(player) for player in (1, 2)]
        and fast.get_possible_moves() == plain.get_possible_moves()
        and fast.board == plain.board
        and fast.player_positions == plain.player_positions
    )


@given(filled())
def test_the_fast_board_agrees_with_a_plain_one(boards):
    assert agree(*boards)


@given(filled(6), st.data())
def test_the_boards_agree_after_clones_placements_and_direct_writes_in_any_order(boards, data):
    kept = [boards]
    cells = st.integers(0, boards[0].size - 1)
    for step in data.draw(
        st.lists(st.sampled_from(["place", "write", "clone", "read", "replace", "ask"]), max_size=12)
    ):
        fast, plain = data.draw(st.sampled_from(kept))
        row, col, player = data.draw(cells), data.draw(cells), data.draw(st.sampled_from([1, 2]))
        if step == "place":
            assert fast.place_piece(row, col, player) is plain.place_piece(row, col, player)
        elif step == "write":
            value = data.draw(st.sampled_from([0, 1, 2]))
            fast.board[row][col] = value
            plain.board[row][col] = value
            for owner, held in plain.player_positions.items():
                (held.add if owner == value else held.discard)((row, col))
        elif step == "clone":
            kept.append((fast.clone(), plain.clone()))
        elif step == "read":
            assert fast.board == plain.board
        elif step == "replace":
            fast.board = copy.deepcopy(plain.board)
        else:
            assert agree(fast, plain)
    assert all(agree(fast, plain) for fast, plain in kept)


@both_adjacencies
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_full_small_board_has_exactly_one_winner(size, adjacency):
    game = Hex(size, adjacency)
    bits = [bit for row in game.grid.bits for bit in row]
    for subset in range(2 ** len(bits)):
        one = sum(bit for at, bit in enumerate(bits) if subset >> at & 1)
        two = game.grid.full & ~one
        assert game.grid.connects(one, 1) is not game.grid.connects(two, 2)


@given(st.integers(5, 26), adjacencies, st.integers(0, 2**32), st.floats(0, 1))
def test_every_full_board_has_exactly_one_winner(size, adjacency, seed, share):
    rng = random.Random(seed)
    grid = Hex(size, adjacency).grid
    one = sum(bit for row in grid.bits for bit in row if rng.random() < share)

    assert grid.connects(one, 1) is not grid.connects(grid.full & ~one, 2)


def neighbours(board: HexBoard, row: int, col: int) -> set[tuple[int, int]]:
    """The neighbours of a cell."""
    grid = Hex(board.size, board.adjacency).grid
    near = grid.spread(grid.bits[row][col]) & grid.full & ~grid.bits[row][col]
    return set(grid.list_cells(near))


def test_the_neighbours_are_those_of_the_rules():
    axial, even_r = HexBoard(5), HexBoard(5, "even-r")

    assert neighbours(axial, 2, 2) == {(1, 2), (3, 2), (2, 1), (2, 3), (1, 3), (3, 1)}
    assert neighbours(even_r, 2, 2) == {(2, 1), (2, 3), (1, 2), (3, 2), (1, 3), (3, 3)}
    assert neighbours(even_r, 1, 2) == {(1, 1), (1, 3), (0, 2), (2, 2), (0, 1), (2, 1)}
    assert neighbours(axial, 0, 4) == {(0, 3), (1, 4), (1, 3)}
    assert neighbours(even_r, 0, 4) == {(0, 3), (1, 4)}
    assert neighbours(even_r, 1, 0) == {(1, 1), (0, 0), (2, 0)}


@pytest.mark.parametrize(
    ("stones", "axial", "even_r"),
    [
        pytest.param([(0, 0), (1, 1), (1, 2)], False, True, id="down to the right from an even row"),
        pytest.param([(2, 0), (1, 1), (0, 2)], True, False, id="up to the right all the way"),
        pytest.param([(1, 0), (1, 1), (0, 2)], True, False, id="up to the right from an odd row"),
    ],
)
def test_the_adjacency_decides_who_is_connected(stones, axial, even_r):
    for adjacency, connected in (("axial", axial), ("even-r", even_r)):
        board = HexBoard(3, adjacency)
        for row, col in stones:
            board.place_piece(row, col, 1)

        assert board.check_connection(1) is connected


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (3, 0), (0, 3), (10**30, 0), (1, 1)])
def test_a_stone_on_a_taken_cell_or_outside_the_board_is_refused_and_changes_nothing(cell):
    board = HexBoard(3)
    board.place_piece(1, 1, 2)
    before = copy.deepcopy(board.board)

    assert board.place_piece(cell[0], cell[1], 1) is False
    assert board.board == before
    assert len(board.get_possible_moves()) == 8


@pytest.mark.parametrize("player", [0, 3, -1, None, "1", 1.5, pytest.param(10**5000, id="huge")])
@pytest.mark.parametrize("board_class", [HexBoard, module("hex", "board").HexBoard], ids=["board", "handout"])
def test_a_player_id_other_than_1_or_2_is_refused_and_changes_nothing(player, board_class):
    board = board_class(3)
    board.place_piece(1, 1, 1)
    rows = copy.deepcopy(board.board)

    assert board.place_piece(0, 0, player) is False
    assert board.place_piece(1, 1, player) is False, "a stone cannot be taken back"
    assert board.check_connection(player) is False
    assert board.board == rows and len(board.get_possible_moves()) == 8


@pytest.mark.parametrize("size", [0, -1, 27, pytest.param(10**5000, id="huge"), 2.0, "3", None, True, int])
def test_a_size_outside_1_to_26_is_refused(size):
    with pytest.raises(ValueError, match="must be from 1 to 26"):
        HexBoard(size)


def test_an_unknown_adjacency_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="'axial' or 'even-r', not 'odd-r'"):
        HexBoard(3, "odd-r")


def test_numpy_integers_are_accepted_as_cells_and_sizes():
    board = HexBoard(np.int64(11))

    assert board.place_piece(np.int64(10), np.int8(10), np.int64(2))
    assert board.player_positions[2] == {(10, 10)}
    assert board.board[10][10] == 2
    assert type(board.board[10][10]) is int
    assert all(type(part) is int for cell in board.player_positions[2] for part in cell)


def test_a_list_that_a_student_keeps_is_still_that_of_the_board():
    board = HexBoard(2)
    rows = board.board
    board.place_piece(0, 0, 1)
    rows[0][1] = 1

    assert rows is board.board
    assert rows[0] == [1, 1]
    assert board.check_connection(1)


def test_a_stone_removed_by_hand_is_gone_everywhere():
    board = HexBoard(3)
    positions = board.player_positions
    board.place_piece(0, 0, 1)
    board.board[0][0] = 0
    board.player_positions[1].remove((0, 0))

    assert positions is board.player_positions
    assert repr(positions) == "{1: set(), 2: set()}"
    assert (0, 0) in board.get_possible_moves()


def test_direct_writes_do_not_break_a_loop_over_a_players_cells():
    board = HexBoard(3)
    board.place_piece(1, 1, 1)
    board.place_piece(2, 2, 1)
    for _, col in board.player_positions[1]:
        board.board[0][col] = 1
        assert len(board.player_positions[1]) == 3
        board.board[0][col] = 0

    assert board.player_positions[1] == {(1, 1), (2, 2)}


def test_a_board_copied_by_hand_is_correct():
    board, twin = HexBoard(3), HexBoard(3)
    board.place_piece(1, 1, 1)
    twin.board = [row[:] for row in board.board]
    twin.player_positions = {player: set(cells) for player, cells in board.player_positions.items()}

    assert agree_on_everything(board, twin)
    assert twin.place_piece(0, 0, 2)
    assert board.board[0][0] == 0


def test_a_shallow_copy_is_independent():
    board = HexBoard(3)
    board.place_piece(0, 0, 1)
    assert board.player_positions[1] == {(0, 0)}
    twin = copy.copy(board)
    twin.place_piece(1, 1, 1)

    assert board.player_positions[1] == {(0, 0)}
    assert board.board[1][1] == 0


def test_rows_of_any_type_and_length_are_accepted():
    board = HexBoard(3)
    board.board[0] = np.array([1, 0, 0])  # type: ignore[call-overload]
    board.board[1] = (2, 0)  # type: ignore[call-overload]
    del board.board[2]

    assert board.get_possible_moves() == [(0, 1), (0, 2), (1, 1)]
    assert board.place_piece(1, 1, 1)
    assert not board.place_piece(2, 0, 1)
    assert board.player_positions == {1: {(0, 0), (1, 1)}, 2: {(1, 0)}}


def test_direct_writes_appear_in_the_drawing_and_in_the_position():
    board = HexBoard(2)
    board.board[0][0] = 1
    board.board[0][1] = 7

    assert str(board).splitlines()[1] == "1 1 ?"
    assert Hex(2).position_of(board) == Hex(2).read_position({"rows": ["1.", ".."], "turn": 2})


def test_a_list_that_a_student_assigns_is_used_as_it_is():
    board, rows = HexBoard(2), [[0, 0], [0, 0]]
    board.board = rows
    rows[1][1] = 2
    board.place_piece(0, 1, 2)

    assert board.check_connection(2)
    assert rows == [[0, 2], [0, 2]]


def test_a_cell_with_another_value_is_neither_empty_nor_a_stone():
    board = HexBoard(2)
    board.board[0][0] = 7
    twin = board.clone()

    assert (0, 0) not in twin.get_possible_moves()
    assert twin.place_piece(0, 0, 1) is False
    assert twin.player_positions == {1: set(), 2: set()}
    assert twin.board[0][0] == 7


def test_an_array_assigned_as_the_board_is_read_as_lists():
    board = HexBoard(2)
    board.board = np.array([[1, 1], [0, 0]])  # type: ignore[assignment]

    assert board.check_connection(1)
    assert board.get_possible_moves() == [(1, 0), (1, 1)]


def test_a_clone_shares_nothing_with_its_original():
    board = HexBoard(3)
    board.board[0][0] = 1
    twin = board.clone()
    twin.place_piece(1, 1, 2)
    twin.board[2][2] = 1
    board.player_positions[1].clear()

    assert board.board == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert twin.board == [[1, 0, 0], [0, 2, 0], [0, 0, 1]]
    assert twin.player_positions == {1: {(0, 0), (2, 2)}, 2: {(1, 1)}}


@both_adjacencies
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda board: pickle.loads(pickle.dumps(board))])
@pytest.mark.parametrize("touched", [False, True])
def test_a_board_can_be_copied_and_pickled_in_any_state(adjacency, duplicate, touched):
    board = HexBoard(4, adjacency)
    board.place_piece(1, 2, 1)
    if touched:
        board.board[3][3] = 2
        assert board.player_positions[2] == {(3, 3)}
    twin = duplicate(board)

    assert twin.adjacency == adjacency
    assert agree_on_everything(board, twin)


def agree_on_everything(first: HexBoard, second: HexBoard) -> bool:
    return (first.board, first.get_possible_moves(), first.player_positions) == (
        second.board,
        second.get_possible_moves(),
        second.player_positions,
    )


class OwnBoard(HexBoard):
    """A subclass as a student may write it, without a call of our constructor."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.board = [[0] * size for _ in range(size)]
        self.player_positions = {1: set(), 2: set()}


def test_a_students_subclass_works_without_calling_our_constructor():
    board = OwnBoard(2)
    board.place_piece(0, 0, 1)
    twin = board.clone()
    twin.place_piece(0, 1, 1)

    assert twin.check_connection(1)
    assert not board.check_connection(1)
    assert board.player_positions == {1: {(0, 0)}, 2: set()}


class HistoryBoard(HexBoard):
    """A subclass as a student may write it."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.history: list[tuple[int, int]] = []

    def place_piece(self, row: int, col: int, player_id: int) -> bool:
        self.history = [*self.history, (row, col)]
        return super().place_piece(row, col, player_id)


def test_cloning_a_students_subclass_keeps_its_additions():
    board = HistoryBoard(3)
    board.place_piece(0, 0, 1)
    twin = board.clone()
    assert isinstance(twin, HistoryBoard)
    assert board.board[1][1] == 0
    later = board.clone()
    twin.place_piece(1, 1, 2)
    later.board[2][2] = 1

    assert twin.history == [(0, 0), (1, 1)]
    assert board.history == [(0, 0)]
    assert board.board == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert repr(twin).startswith("<HistoryBoard 3×3 axial>")


def test_rows_are_drawn_shifted_according_to_the_adjacency():
    axial, even_r = HexBoard(3), HexBoard(3, "even-r")
    for board in (axial, even_r):
        board.place_piece(0, 2, 1)
        board.place_piece(1, 0, 2)

    assert str(axial).splitlines() == ["  a b c", "1 . . 1", " 2 2 . .", "  3 . . ."]
    assert str(even_r).splitlines() == ["   a b c", " 1 . . 1", "2 2 . .", " 3 . . ."]
    assert repr(even_r) == f"<HexBoard 3×3 even-r>\n{even_r}"


def test_a_game_is_won_by_the_player_that_connects():
    game = Hex(2)
    position = game.start()
    for move in [(0, 0), (1, 0), (0, 1)]:
        assert game.outcome(position) is None
        position = game.play(position, move)

    assert game.outcome(position) == Outcome("connected", 0)
    assert game.outcome(game.read_position({"rows": ["2.", "2."], "turn": 1})) == Outcome("connected", 1)


def test_a_numpy_size_gives_the_same_grid():
    assert Hex(np.int64(11)).grid is Hex(11).grid
    assert type(Hex(np.int64(11)).size) is int


def test_the_turn_of_a_position_must_match_its_stones():
    with pytest.raises(ValueError, match="it cannot be player 2's turn"):
        Hex(2).read_position({"rows": ["12", ".."], "turn": 2})


def test_moves_are_written_as_column_letter_and_row_number():
    game = Hex()

    assert game.move_text((9, 0)) == "a10"
    assert game.parse_move(" F6 ") == (5, 5)
