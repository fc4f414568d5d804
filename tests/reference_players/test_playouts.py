"""Random fills are uniform, and the winner of each is the player that connects."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.games.hex.grid import ADJACENCIES, each_bit, hex_grid
from reference_players.search.geometry import geometry, place
from reference_players.search.percolation import Noise, Percolation
from reference_players.search.playouts import first_player_connects, random_fill
from tests.reference_players.positions import scattered, undecided


@given(st.integers(1, 14), st.sampled_from(ADJACENCIES), st.floats(0, 1), st.integers(0, 2**32))
def test_the_fast_flood_fill_agrees_with_the_grid(size, adjacency, share, seed):
    grid = hex_grid(size, adjacency)
    rng = random.Random(seed)
    stones = sum(bit for row in grid.bits for bit in row if rng.random() < share)

    assert first_player_connects(grid, stones) is grid.connects(stones, 1)


@given(undecided(smallest=1), st.floats(0, 1), st.integers(0, 2**32))
def test_a_fill_takes_the_right_number_of_empty_cells(board, share, seed):
    empty = geometry(board).grid.full & ~(board.stones(1) | board.stones(2))
    count = round(empty.bit_count() * share)
    filled = random_fill(empty, count, random.Random(seed))

    assert filled & ~empty == 0
    assert filled.bit_count() == count


@pytest.mark.parametrize("count", [1, 3, 5])
def test_all_fills_are_equally_probable(count):
    empty, rng, draws = 0b1101101, random.Random(3), 6000
    seen = Counter(random_fill(empty, count, rng) for _ in range(draws))
    possible = {1: 5, 3: 10, 5: 1}[count]

    assert len(seen) == possible
    assert max(seen.values()) - min(seen.values()) < 6 * (draws / possible) ** 0.5


@given(undecided(), st.integers(0, 2**32))
def test_one_flood_gives_the_same_winners_as_separate_floods(board, seed):
    shape = geometry(board)
    fills = Percolation(Noise(shape, 40, random.Random(seed)), board.stones(1), board.stones(2))
    for at in range(40):
        stones = sum(1 << cell for cell in shape.places if fills.cells[cell] >> at & 1)
        assert stones & board.stones(1) == board.stones(1)
        assert not stones & board.stones(2)
        assert first_player_connects(shape.grid, stones) is bool(fills.wins(1) >> at & 1)
        assert fills.wins(1) ^ fills.wins(2) == 2**40 - 1


def test_odds_are_the_share_of_wins_among_the_fills_in_which_the_player_gets_the_cell():
    board = scattered(5, 6, seed=1)
    shape = geometry(board)
    fills = Percolation(Noise(shape, 500, random.Random(1)), board.stones(1), board.stones(2))
    bit = next(each_bit(fills.empty))
    theirs = [at for at in range(500) if not fills.cells[place(bit)] >> at & 1]

    assert fills.odds(2)[bit] == sum(fills.wins(2) >> at & 1 for at in theirs) / len(theirs)


def test_each_player_gets_one_cell_of_a_pair():
    board = scattered(5, 6, seed=1)
    shape = geometry(board)
    first, second, third = list(each_bit(shape.grid.full & ~(board.stones(1) | board.stones(2))))[:3]
    noise = Noise(shape, 64, random.Random(1))
    fills = Percolation(noise, board.stones(1), board.stones(2), (first | second, second | third))

    assert fills.cells[place(first)] ^ fills.cells[place(second)] == 2**64 - 1
    assert fills.cells[place(second)] ^ fills.cells[place(third)] != 2**64 - 1


def test_positions_with_the_same_noise_differ_only_in_their_stones():
    board = scattered(5, 6, seed=1)
    shape = geometry(board)
    noise = Noise(shape, 64, random.Random(1))
    before = Percolation(noise, board.stones(1), board.stones(2))
    bit = next(each_bit(before.empty))
    after = Percolation(noise, board.stones(1), board.stones(2) | bit)

    assert [at for at in shape.places if before.cells[at] != after.cells[at]] == [place(bit)]
    assert after.cells[place(bit)] == 0
    assert not after.empty & bit
