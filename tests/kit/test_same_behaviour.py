"""The kit's classes behave like those that a player receives when it is graded."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.games.desconecta4.environment import Environment
from grader.games.hex.board import HexBoard
from grader.player import Player
from tests.kit.kits import module

KIT_BOARD = module("hex", "board").HexBoard
KIT_ENVIRONMENT = module("desconecta4", "environment").Environment

INTERNAL_MEMBERS = {"from_stones", "stones", "from_state", "state"}
"""Members of our classes for bitboards, which are not part of any handout."""


def members(thing: Any) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")} - INTERNAL_MEMBERS


def test_both_have_the_same_members():
    assert members(KIT_BOARD(3)) == members(HexBoard(3))
    assert members(KIT_ENVIRONMENT()) == members(Environment())
    for game in ("hex", "desconecta4"):
        assert members(module(game, "player").Player(1)) == members(Player(1))


adjacencies = st.sampled_from(["axial", "even-r"])


def board_values(board: Any) -> Any:
    return (
        *(board.size, board.adjacency, board.board, board.player_positions, board.get_possible_moves()),
        *(board.check_connection(1), board.check_connection(2), str(board), repr(board)),
    )


@given(st.integers(1, 12), adjacencies, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_boards_agree_throughout_a_game(size, adjacency, choose):
    ours, theirs = HexBoard(size, adjacency), KIT_BOARD(size, adjacency)
    cells = ours.get_possible_moves()
    choose.shuffle(cells)
    for ply, (row, col) in enumerate(cells):
        assert board_values(ours) == board_values(theirs)
        assert ours.place_piece(row, col, ply % 2 + 1) is theirs.place_piece(row, col, ply % 2 + 1) is True
        assert ours.place_piece(row, col, 1) is theirs.place_piece(row, col, 1) is False
    assert board_values(ours) == board_values(theirs)
    assert ours.check_connection(1) != ours.check_connection(2)


@given(
    adjacencies,
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0, 1, 2, 3, -1])), max_size=20),
)
@settings(deadline=None)
def test_the_boards_agree_when_a_student_writes_to_the_cells(adjacency, writes):
    ours, theirs = HexBoard(4, adjacency), KIT_BOARD(4, adjacency)
    for row, col, value in writes:
        for board in (ours, theirs):
            board.board[row][col] = value
        assert board_values(ours) == board_values(theirs)


@pytest.mark.parametrize("board", [HexBoard(3, "even-r"), KIT_BOARD(3, "even-r")], ids=["ours", "the kit's"])
@pytest.mark.parametrize(
    "copied", [lambda board: board.clone(), copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))]
)
def test_a_copy_of_a_board_is_independent(board, copied):
    twin = copied(board)
    twin.place_piece(0, 0, 1)

    assert (twin.board[0][0], board.board[0][0], twin.adjacency) == (1, 0, "even-r")


@pytest.mark.parametrize("kind", [HexBoard, KIT_BOARD], ids=["ours", "the kit's"])
def test_cloning_a_students_subclass_keeps_its_type_and_attributes(kind):
    class Own(kind):  # type: ignore[misc, valid-type]
        note = "mine"

    board = Own(3)
    board.extra = 5

    assert (type(board.clone()), board.clone().extra) == (Own, 5)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda kind: kind(0), id="size 0"),
        pytest.param(lambda kind: kind(27), id="size 27"),
        pytest.param(lambda kind: kind("11"), id="size as text"),
        pytest.param(lambda kind: kind(True), id="size as bool"),
        pytest.param(lambda kind: kind(11, "square"), id="adjacency"),
    ],
)
def test_the_boards_raise_the_same_errors(wrong):
    texts = []
    for kind in (HexBoard, KIT_BOARD):
        with pytest.raises(ValueError, match=" not ") as error:
            wrong(kind)
        texts.append(str(error.value))
    assert texts[0] == texts[1]


@pytest.mark.parametrize(("row", "col"), [(-1, 0), (0, -1), (3, 0), (0, 3)])
def test_no_stone_can_be_placed_outside_the_board(row, col):
    assert HexBoard(3).place_piece(row, col, 1) is KIT_BOARD(3).place_piece(row, col, 1) is False


def environment_values(environment: Any) -> Any:
    return (
        *(environment.active_player, environment.round, environment.cells, environment.free_cells),
        *(environment.possible_actions(), environment.winner(), environment.is_over()),
        *(value(player) for value in (environment.has_bomb, environment.last_action) for player in (0, 1, 2, 3, None)),
        *(str(environment), repr(environment)),
    )


@given(st.randoms(use_true_random=False), st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_the_environments_agree_throughout_a_game_and_after_its_end(choose, fondness):
    ours, theirs = Environment(), KIT_ENVIRONMENT()
    for _ in range(60):
        assert environment_values(ours) == environment_values(theirs)
        actions = ours.possible_actions()
        if not actions:
            break
        action = 7 if 7 in actions and choose.random() < fondness else choose.choice(actions)
        ours.apply(action)
        theirs.apply(action)
    assert [environment_values(one) for one in ours.generate_all_moves()] == [
        environment_values(one) for one in theirs.generate_all_moves()
    ]
    row, col = choose.randrange(7), choose.randrange(7)
    assert ours.see_cell(row, col) == theirs.see_cell(row, col)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        pytest.param(lambda kind: kind().apply(8), ValueError, id="action 8"),
        pytest.param(lambda kind: kind().apply(-1), ValueError, id="action -1"),
        pytest.param(lambda kind: kind().apply(True), ValueError, id="action True"),
        pytest.param(lambda kind: kind().apply("3"), ValueError, id="action as text"),
        pytest.param(lambda kind: kind().apply(None), ValueError, id="no action"),
        pytest.param(lambda kind: kind().apply(7), ValueError, id="BOOM without a bomb"),
        pytest.param(lambda kind: [(one := kind()), *(one.apply(0) for _ in range(8))], ValueError, id="full column"),
        pytest.param(lambda kind: kind().see_cell(7, 0), IndexError, id="cell outside"),
    ],
)
def test_the_environments_raise_the_same_errors(wrong, error):
    texts = []
    for kind in (Environment, KIT_ENVIRONMENT):
        with pytest.raises(error) as raised:
            wrong(kind)
        texts.append(str(raised.value))
    assert texts[0] == texts[1]


def test_a_copy_of_an_environment_is_independent():
    environment = KIT_ENVIRONMENT()
    twin = environment.clone()
    twin.apply(0)

    assert (environment.free_cells, environment.last_action(1), twin.last_action(1)) == (49, None, 0)
