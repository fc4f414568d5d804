"""ultrapro learns from its games and stays within its budget."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from grader.games.hex import HexBoard
from reference_players import ultrapro
from reference_players.search.alpha_beta import Transpositions, best_move
from reference_players.search.geometry import geometry
from reference_players.search.zobrist import zobrist
from reference_players.ultrapro import HISTORY_LIMIT, Hybrid, UltraProNode, UltraProPlayer
from tests.reference_players.positions import scattered


def quick(player_id: int) -> UltraProPlayer:
    return UltraProPlayer(player_id, fills=128, floods=50)


def test_a_move_that_lost_is_not_played_again_and_one_that_won_is():
    board = scattered(7, 10, seed=1)
    loser, winner = quick(1), quick(1)
    usual = loser.play(board)
    for _ in range(12):
        loser.learn_from_game(-1)
        avoided = loser.play(board)
    assert avoided != usual

    assert winner.play(board) == usual
    winner.learn_from_game(1)
    assert winner.play(board) == usual


def test_a_drawn_game_teaches_nothing():
    board = scattered(7, 10, seed=1)
    player = quick(1)
    usual = player.play(board)
    player.learn_from_game(0)

    assert player.play(board) == usual


def test_what_was_learnt_about_a_position_applies_to_its_image():
    board = scattered(7, 2, seed=5)
    shape = geometry(board)
    keys = zobrist(shape)
    turned = HexBoard(7)
    for player in (1, 2):
        for row, col in board.player_positions[player]:
            image = shape.cell(keys.image(shape.grid.bits[row][col]))
            turned.place_piece(image[0], image[1], player)
    learner = quick(1)
    row, col = learner.play(board)
    learner.learn_from_game(1)

    assert learner.play(turned) == shape.cell(keys.image(shape.grid.bits[row][col]))


def test_a_game_counts_once_and_the_history_is_limited():
    board = scattered(5, 4, seed=1)
    player = quick(1)
    for _ in range(HISTORY_LIMIT + 10):
        player.play(board)
    player.learn_from_game(1)
    (count,) = player._learnt.values()
    player.learn_from_game(1)

    assert count == HISTORY_LIMIT
    assert list(player._learnt.values()) == [count]


def searched(monkeypatch: pytest.MonkeyPatch, player: UltraProPlayer, board: HexBoard) -> tuple[int, list[int]]:
    """The number of root moves that a search considers, and the number of floods at the start of each."""
    began: list[int] = []
    flooded = [0]
    fills = Hybrid._fills

    def counted(self: Hybrid, *given: Any) -> Any:
        flooded[0] += 1
        return fills(self, *given)

    def spy(
        rules: Hybrid, moves: Iterable[tuple[int, UltraProNode]], depth: int, table: Transpositions[UltraProNode]
    ) -> tuple[int, float]:
        def seen() -> Iterator[tuple[int, UltraProNode]]:
            for pair in moves:
                began.append(flooded[0])
                yield pair

        return best_move(rules, seen(), depth, table)

    with monkeypatch.context() as patch:
        patch.setattr(Hybrid, "_fills", counted)
        patch.setattr(ultrapro, "best_move", spy)
        player.play(board)
    return flooded[0], began


@pytest.mark.parametrize("style", [{"style": "documented"}, {"fills": 16, "floods": 10**9}])
def test_twelve_root_moves_are_searched_within_the_budget(style, monkeypatch):
    board = scattered(9, 30, seed=2)

    assert len(searched(monkeypatch, UltraProPlayer(1, **style), board)[1]) == 12


def test_no_root_move_is_started_once_the_budget_of_floods_is_used_up(monkeypatch):
    board = scattered(9, 30, seed=2)
    total, began = searched(monkeypatch, UltraProPlayer(1, fills=16, floods=10**9), board)
    assert len(began) == 12

    for floods in (1, began[1], began[5] - 1, began[5], total):
        within = [flooded for flooded in began if flooded <= floods]
        flooded, begun = searched(monkeypatch, UltraProPlayer(1, fills=16, floods=floods), board)
        assert begun == within
        # It exceeds the budget only by the rest of the last root move.
        assert flooded == ([*began, total][len(within)])


@pytest.mark.parametrize(("entries", "emptied"), [(200_000, False), (200_001, True)])
def test_the_documented_table_is_cleared_above_200_000_entries(entries, emptied):
    board = scattered(6, 12, seed=1)
    player = UltraProPlayer(1, style="documented")
    for at in range(entries):
        player._table.bounds[(-1, at), 0] = (0.0, 0.0)
    player.play(board)

    assert len(player._table.bounds) > (0 if emptied else entries)
    assert (((-1, 0), 0) in player._table.bounds) is not emptied
    assert len(player._table.bounds) < entries or not emptied


def test_the_table_is_cleared_before_each_move_because_values_depend_on_the_fills():
    player = quick(1)
    player._table.bounds[(-1, 0), 0] = (0.0, 0.0)
    player.play(scattered(6, 12, seed=1))

    assert player._table.bounds
    assert ((-1, 0), 0) not in player._table.bounds


def test_a_smaller_budget_still_gives_a_move():
    board = scattered(9, 30, seed=2)

    assert UltraProPlayer(1, fills=1, floods=1).play(board) in board.get_possible_moves()
