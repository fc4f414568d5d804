"""Bridges, symmetry and distances from the centre are right with both adjacencies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games.hex import HexBoard
from grader.games.hex.grid import ADJACENCIES, each_bit
from reference_players.search.bridges import new_bridges, remaining_bridges, standing_bridges
from reference_players.search.geometry import geometry, place
from reference_players.search.zobrist import zobrist
from tests.reference_players.positions import hex_board, undecided

both_adjacencies = pytest.mark.parametrize("adjacency", ADJACENCIES)


def test_with_axial_adjacency_a_cell_has_the_six_known_bridges():
    shape = geometry(HexBoard(11))
    far = {shape.cell(bit) for bit, _ in shape.bridges[place(shape.grid.bits[5][5])]}

    assert far == {(5 + down, 5 + right) for down, right in [(1, 1), (-1, -1), (2, -1), (-2, 1), (1, -2), (-1, 2)]}


def test_with_even_r_adjacency_a_cell_has_six_bridges_too():
    shape = geometry(HexBoard(11, "even-r"))
    far = {shape.cell(bit) for bit, _ in shape.bridges[place(shape.grid.bits[4][5])]}

    assert far == {(2, 5), (6, 5), (3, 4), (3, 7), (5, 4), (5, 7)}


def test_a_stone_on_the_second_row_bridges_to_its_own_edge_only():
    shape = geometry(HexBoard(11))
    second_row, second_column = (place(shape.grid.bits[row][col]) for row, col in [(1, 5), (5, 1)])

    assert [shape.grid.list_cells(pair) for _, pair in shape.edge_bridges[2][second_row]] == [[(0, 5), (0, 6)]]
    assert [shape.grid.list_cells(pair) for _, pair in shape.edge_bridges[1][second_column]] == [[(5, 0), (6, 0)]]
    assert shape.edge_bridges[1][second_row] == shape.edge_bridges[2][second_column] == ()


@given(undecided(), st.sampled_from([1, 2]), st.data())
def test_updated_bridges_are_the_same_as_newly_computed_ones(board, player, data):
    shape = geometry(board)
    mine, theirs = board.stones(player), board.stones(3 - player)
    stone = data.draw(st.sampled_from(list(each_bit(shape.grid.full & ~(mine | theirs)))))
    before = standing_bridges(shape, mine, theirs, player)
    kept = remaining_bridges(before, stone)

    assert sorted(kept) == sorted(standing_bridges(shape, mine, theirs | stone, player))
    new = new_bridges(shape, mine, mine | theirs | stone, stone, player)
    assert sorted(kept + new) == sorted(standing_bridges(shape, mine | stone, theirs, player))


@both_adjacencies
@pytest.mark.parametrize("size", [1, 2, 5, 6, 11])
def test_the_image_preserves_neighbours_and_edges(size, adjacency):
    shape = geometry(HexBoard(size, adjacency))
    keys = zobrist(shape)

    def images(cells: int) -> int:
        return sum(keys.image(bit) for bit in each_bit(cells))

    for bit in each_bit(shape.grid.full):
        assert images(shape.neighbours[place(bit)]) == shape.neighbours[place(keys.image(bit))]
        assert keys.image(keys.image(bit)) == bit
    for player in (1, 2):
        assert {images(edge) for edge in shape.grid.sides(player)} == set(shape.grid.sides(player))


@given(undecided())
def test_a_position_and_its_image_have_the_same_key_and_keys_can_be_updated(board):
    shape = geometry(board)
    keys = zobrist(shape)
    one, two = board.stones(1), board.stones(2)
    turned = [sum(keys.image(bit) for bit in each_bit(stones)) for stones in (one, two)]
    stone = next(each_bit(shape.grid.full & ~(one | two)))

    assert keys.canonical_key(one, two).key == keys.canonical_key(*turned).key
    assert keys.key_after(keys.key(one, two), stone, 2) == keys.key(one, two | stone)


def test_distances_from_the_centre_are_steps_between_neighbours():
    shape = geometry(HexBoard(5))
    board = hex_board("...../...../...../...../.....")
    steps = {cell: shape.from_centre[cell[0] * 6 + cell[1]] for cell in board.get_possible_moves()}

    assert [steps[cell] for cell in [(2, 2), (1, 3), (1, 1), (0, 0), (0, 4), (2, 4)]] == [0, 1, 2, 4, 2, 2]
