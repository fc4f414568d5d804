"""ultrapro learns from its games and keeps to its budget."""

from grader.games.hex import HexBoard
from reference_players.search.geometry import geometry
from reference_players.search.zobrist import zobrist
from reference_players.ultrapro import HISTORY_LIMIT, UltraProPlayer
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


def test_what_was_learnt_of_a_position_holds_for_its_image():
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


def test_a_game_counts_once_and_its_history_has_an_end():
    board = scattered(5, 4, seed=1)
    player = quick(1)
    for _ in range(HISTORY_LIMIT + 10):
        player.play(board)
    player.learn_from_game(1)
    (count,) = player._learnt.values()
    player.learn_from_game(1)

    assert count == HISTORY_LIMIT
    assert list(player._learnt.values()) == [count]


def test_a_smaller_budget_still_gives_a_move():
    board = scattered(9, 30, seed=2)

    assert UltraProPlayer(1, fills=1, floods=1).play(board) in board.get_possible_moves()
