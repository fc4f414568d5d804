"""Distances computed by waves are those of a plain Dijkstra search, with both adjacencies."""

from hypothesis import given
from hypothesis import strategies as st

from grader.games.hex.grid import ADJACENCIES, each_bit, hex_grid
from reference_players.search.connection import CUT_OFF, paths, shortest_connection
from reference_players.search.geometry import geometry
from tests.bench.plain_connection import plain_connection
from tests.reference_players.positions import hex_board, plain, undecided

players = st.sampled_from([1, 2])


@given(undecided(smallest=1, largest=14), players)
def test_the_shortest_connection_is_that_of_a_plain_dijkstra(board, player):
    mine, theirs = board.stones(player), board.stones(3 - player)

    assert shortest_connection(geometry(board).grid, mine, theirs, player) == plain_connection(plain(board), player)


@given(st.integers(1, 9), st.sampled_from(ADJACENCIES), players, st.data())
def test_on_a_full_board_the_winners_distance_is_0_and_the_loser_is_cut_off(size, adjacency, player, data):
    grid = hex_grid(size, adjacency)
    mine = data.draw(st.integers(0, grid.full)) & grid.full
    expected = 0 if grid.connects(mine, player) else CUT_OFF

    assert shortest_connection(grid, mine, grid.full & ~mine, player) == expected


@given(undecided(), players, st.integers(0, 4))
def test_a_path_through_a_cell_costs_one_more_than_with_a_stone_there(board, player, slack):
    shape = geometry(board)
    mine, theirs = board.stones(player), board.stones(3 - player)
    ways = paths(shape.grid, mine, theirs, player, slack)

    assert ways.distance == shortest_connection(shape.grid, mine, theirs, player)
    for bit in each_bit(ways.through[ways.distance]):
        assert shortest_connection(shape.grid, mine | bit, theirs, player) == ways.distance - 1
    for cells in ways.through[ways.distance + 1 :]:
        for bit in each_bit(cells):
            assert shortest_connection(shape.grid, mine | bit, theirs, player) == ways.distance


@given(undecided(), players)
def test_the_needed_cells_are_those_that_lengthen_the_connection_when_lost(board, player):
    shape = geometry(board)
    mine, theirs = board.stones(player), board.stones(3 - player)
    ways = paths(shape.grid, mine, theirs, player, slack=0)

    for bit in each_bit(shape.grid.full & ~(mine | theirs)):
        longer = shortest_connection(shape.grid, mine, theirs | bit, player) > ways.distance
        assert longer is bool(bit & ways.needed)


def test_own_stones_cost_nothing_and_the_opponents_cannot_be_passed():
    board = hex_board("...../11.11/...../..2../.....")
    board_with_wall = hex_board("..2../11211/..2../.2.../.....")

    assert shortest_connection(geometry(board).grid, board.stones(1), board.stones(2), 1) == 1
    assert shortest_connection(geometry(board).grid, board_with_wall.stones(1), board_with_wall.stones(2), 1) == 4
