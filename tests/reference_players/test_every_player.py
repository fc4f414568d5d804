"""Properties of all reference players: legal moves in all positions, reproducible moves, and games that differ."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reference_players
from grader.games.desconecta4 import Environment
from grader.games.hex import HexBoard
from grader.games.hex.grid import ADJACENCIES
from grader.player import Player
from reference_players.alphabeta import AlphaBetaPlayer
from reference_players.coolcow import CoolcowPlayer
from reference_players.mcts import MctsPlayer
from reference_players.minimax import MinimaxPlayer
from reference_players.random import RandomPlayer
from reference_players.search.first_moves import sound_moves
from reference_players.ultrapro import UltraProPlayer
from tests.reference_players.positions import hex_board, scattered, to_move

HEX: dict[str, Callable[..., Any]] = {
    "random": RandomPlayer,
    "minimax": MinimaxPlayer,
    "coolcow": CoolcowPlayer,
    "mcts": MctsPlayer,
    "ultrapro": UltraProPlayer,
}
QUICK: dict[str, dict[str, Any]] = {"mcts": {"simulations": 60}, "ultrapro": {"fills": 64, "floods": 60}}
"""Smaller budgets, for tests with many moves."""
DOCUMENTED: dict[str, dict[str, Any]] = {
    "minimax": {},
    "coolcow": {"depth": 2},
    "mcts": {"simulations": 5},
    "ultrapro": {},
}
THINKING = [name for name in HEX if name != "random"]

every_hex_player = pytest.mark.parametrize("name", HEX)
both_adjacencies = pytest.mark.parametrize("adjacency", ADJACENCIES)


def quick(name: str, player_id: int, **more: Any) -> Any:
    return HEX[name](player_id, **QUICK.get(name, {}), **more)


def test_each_file_has_one_player_and_a_one_line_summary():
    folder = Path(reference_players.__file__).parent
    for path in sorted(folder.glob("[a-z]*.py")):
        module = __import__(f"reference_players.{path.stem}", fromlist=["*"])
        players = [
            thing
            for thing in vars(module).values()
            if isinstance(thing, type) and issubclass(thing, Player) and thing.__module__ == module.__name__
        ]
        assert len(players) == 1, path.name
        assert module.__doc__, path.name
        first, blank, *_ = module.__doc__.splitlines()
        assert first.endswith("."), path.name
        assert not blank, path.name


@every_hex_player
@both_adjacencies
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 13, 19])
def test_every_board_size_is_supported(name, adjacency, size):
    for stones in (0, 1, size, size * size // 3):
        if stones < max(size, 1) * size // 2 or stones == 0:
            board = scattered(size, stones, seed=size, adjacency=adjacency)
            player = to_move(board)
            for options in ({}, {"seed": 5, "opening": 3}):
                assert quick(name, player, **options).play(board) in board.get_possible_moves()


@pytest.mark.slow
@every_hex_player
@both_adjacencies
def test_the_largest_board_is_supported(name, adjacency):
    board = scattered(26, 100, seed=1, adjacency=adjacency)

    assert quick(name, 1).play(board) in board.get_possible_moves()


@every_hex_player
@both_adjacencies
@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_an_almost_full_board_is_supported(name, adjacency, size):
    board = almost_full(size, adjacency)
    while not (board.check_connection(1) or board.check_connection(2)):
        player = to_move(board)
        move = quick(name, player).play(board.clone())
        assert board.place_piece(move[0], move[1], player)


def almost_full(size: int, adjacency: str) -> HexBoard:
    """A board that the players have filled as far as possible without winning."""
    board = HexBoard(size, adjacency)
    passed = 0
    while passed < 2:
        player = to_move(board) if passed == 0 else 3 - to_move(board)
        for row, col in board.get_possible_moves():
            after = board.clone()
            after.place_piece(row, col, player)
            if not after.check_connection(player):
                board, passed = after, 0
                break
        else:
            passed += 1
    return board


@pytest.mark.parametrize("name", DOCUMENTED)
@both_adjacencies
def test_the_documented_style_plays_legal_moves(name, adjacency):
    for size, stones in [(1, 0), (2, 1), (5, 0), (5, 5), (6, 12)]:
        board = scattered(size, stones, seed=2, adjacency=adjacency)
        player = HEX[name](to_move(board), style="documented", **DOCUMENTED[name])
        assert player.play(board) in board.get_possible_moves()


WIN_IN_ONE = [
    pytest.param("...../.2.2./11.11/.2.../..2..", 1, (2, 2), "axial", id="across"),
    pytest.param(".12../.12../.1.1./.12../.12..", 2, (2, 2), "axial", id="down"),
    pytest.param("..2../...../11.11/..2../2....", 1, (2, 2), "even-r", id="across even-r"),
]
"""A board, the player that can win, and the winning cell, which the other player must block."""


@pytest.mark.parametrize("name", THINKING)
@pytest.mark.parametrize(("text", "player", "cell", "adjacency"), WIN_IN_ONE)
def test_a_win_in_one_is_played(name, text, player, cell, adjacency):
    board = hex_board(text, adjacency)

    assert quick(name, player).play(board) == cell


@pytest.mark.parametrize(("text", "player", "cell", "adjacency"), WIN_IN_ONE)
@pytest.mark.parametrize("depth", [1, 3, 4])
@pytest.mark.parametrize("kind", [MinimaxPlayer, CoolcowPlayer])
def test_a_win_in_one_is_played_at_any_depth(kind, depth, text, player, cell, adjacency):
    assert kind(player, depth=depth).play(hex_board(text, adjacency)) == cell


@pytest.mark.parametrize(("stones", "seed"), [(8, 7), (8, 10), (9, 11), (9, 13), (9, 14), (10, 5)])
def test_minimax_plays_the_earlier_of_two_wins(stones, seed):
    board = scattered(4, stones, seed)  # here the first winning move considered wins only two plies later
    player = to_move(board)
    row, col = MinimaxPlayer(player, depth=3).play(board)
    board.place_piece(row, col, player)

    assert board.check_connection(player)


@pytest.mark.parametrize("name", THINKING)
@pytest.mark.parametrize(("text", "player", "cell", "adjacency"), WIN_IN_ONE)
def test_a_loss_in_one_is_blocked(name, text, player, cell, adjacency):
    board = hex_board(text, adjacency)

    assert quick(name, 3 - player).play(board) == cell


@every_hex_player
@both_adjacencies
def test_players_do_not_modify_the_board_they_are_given(name, adjacency):
    board = scattered(6, 8, seed=4, adjacency=adjacency)
    before = [row[:] for row in board.board]
    quick(name, 1).play(board)

    assert board.board == before


@every_hex_player
@both_adjacencies
@pytest.mark.parametrize("reply_to", [None, (5, 5), (0, 0), (4, 6)])
def test_there_are_eight_first_moves_and_replies_on_11_by_11(name, adjacency, reply_to):
    board = HexBoard(11, adjacency)
    if reply_to:
        board.place_piece(reply_to[0], reply_to[1], 1)
    player = to_move(board)
    moves = [quick(name, player, seed=9, opening=opening).play(board) for opening in range(8)]

    assert len(set(moves)) == 8
    assert set(moves) <= set(board.get_possible_moves())
    assert moves == [quick(name, player, seed=9, opening=opening).play(board) for opening in range(8)]
    assert moves != [quick(name, player, seed=10, opening=opening).play(board) for opening in range(8)]


@pytest.mark.parametrize("depth", [2, 4])
@pytest.mark.parametrize("reply_to", [[], [3]])
def test_alphabeta_has_five_first_moves_and_replies(depth, reply_to):
    environment = Environment()
    for action in reply_to:
        environment.apply(action)
    moves = [AlphaBetaPlayer(1, seed=9, opening=opening, depth=depth).play(environment) for opening in range(5)]

    assert len(set(moves)) == 5
    assert moves == [AlphaBetaPlayer(1, seed=9, opening=at, depth=depth).play(environment) for at in range(5, 10)]


@both_adjacencies
@pytest.mark.parametrize("size", [*range(3, 13), 19])
def test_the_list_of_first_moves_is_complete_from_7_by_7_and_shorter_below(size, adjacency):
    empty = HexBoard(size, adjacency)
    expected = 8 if size >= 7 else size * size // 6
    opened = sound_moves(empty, 1)
    assert len(set(opened)) == expected

    for cell in opened[:3]:
        replied = HexBoard(size, adjacency)
        replied.place_piece(*cell, 1)
        answers = sound_moves(replied, 2)
        assert len(set(answers)) == expected
        assert set(answers) <= set(replied.get_possible_moves())


def test_boards_on_which_one_move_decides_have_no_list_of_first_moves():
    assert sound_moves(HexBoard(1), 1) == sound_moves(HexBoard(2), 1) == []


@pytest.mark.parametrize("name", THINKING)
def test_first_moves_and_replies_are_near_the_centre(name):
    empty, replied = HexBoard(11), HexBoard(11)
    replied.place_piece(5, 4, 1)
    for player, board in ((1, empty), (2, replied)):
        for opening in range(8):
            row, col = quick(name, player, seed=1, opening=opening).play(board)
            assert max(abs(row - 5), abs(col - 5), abs(row + col - 10)) <= 2


def moves_of_a_game(seats: dict[int, Any]) -> list[tuple[int, int]]:
    board, moves = HexBoard(6), []
    while not (board.check_connection(1) or board.check_connection(2)):
        player = to_move(board)
        moves.append(seats[player].play(board.clone()))
        board.place_piece(moves[-1][0], moves[-1][1], player)
    return moves


@every_hex_player
def test_games_of_one_pairing_differ_and_the_same_seed_gives_the_same_games(name):
    def games(seed: int) -> list[list[tuple[int, int]]]:
        found = []
        for number in range(4):
            seat = 1 + number % 2
            reference = quick(name, seat, seed=seed, opening=number // 2)
            found.append(moves_of_a_game({seat: reference, 3 - seat: MinimaxPlayer(3 - seat)}))
        return found

    once = games(3)
    assert once == games(3)
    assert len({tuple(moves) for moves in once}) == 4


@every_hex_player
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 1.5}, "seed must be a whole number or None, not 1.5"),
        ({"opening": -1}, "opening must be a whole number of at least 0, not -1"),
        ({"opening": True}, "opening must be a whole number of at least 0, not True"),
    ],
)
def test_an_invalid_seed_or_opening_is_reported(name, options, message):
    with pytest.raises(ValueError, match=message):
        HEX[name](1, **options)


@pytest.mark.parametrize(
    ("player", "options", "message"),
    [
        (MinimaxPlayer, {"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        (MinimaxPlayer, {"style": "new"}, "style must be 'fixed' or 'documented', not 'new'"),
        (CoolcowPlayer, {"depth": 2.0}, "depth must be a whole number of at least 1, not 2.0"),
        (CoolcowPlayer, {"width": 0}, "width must be a whole number of at least 1, not 0"),
        (CoolcowPlayer, {"style": None}, "style must be 'fixed' or 'documented', not None"),
        (MctsPlayer, {"simulations": 0}, "simulations must be a whole number of at least 1, not 0"),
        (MctsPlayer, {"exploration": 0}, "exploration must be a number greater than 0, not 0"),
        (MctsPlayer, {"seconds": "9"}, "seconds must be a number greater than 0, not '9'"),
        (CoolcowPlayer, {"style": "documented", "width": 9}, "width has no effect with style='documented'"),
        (MctsPlayer, {"style": "documented", "fills": 3}, "fills has no effect with style='documented'"),
        (MctsPlayer, {"seconds": 1, "simulations": 50}, "simulations has no effect with seconds"),
        (UltraProPlayer, {"style": "documented", "fills": 64}, "fills has no effect with style='documented'"),
        (UltraProPlayer, {"style": "documented", "floods": 9}, "floods has no effect with style='documented'"),
        (UltraProPlayer, {"fills": 0}, "fills must be a whole number of at least 1, not 0"),
        (UltraProPlayer, {"floods": -1}, "floods must be a whole number of at least 1, not -1"),
        (AlphaBetaPlayer, {"depth": "8"}, "depth must be a whole number of at least 1, not '8'"),
    ],
)
def test_an_invalid_option_is_reported(player, options, message):
    with pytest.raises(ValueError, match=message):
        player(1, **options)
