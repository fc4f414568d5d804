"""Properties of all games: the installed ones, one that overrides all formats, and one that uses the defaults."""

import copy
import json
import pickle
import random
from collections import UserDict
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import IllegalMove
from grader.games import Game, installed_games, make_game
from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex
from tests.games.takeaway import TakeAway
from tests.games.tictactoe import TicTacToe

CASES: list[Game] = [
    Hex(),
    Hex(size=1),
    Hex(size=4, adjacency="even-r"),
    Hex(size=26),
    Desconecta4(),
    Desconecta4(repetitions=2, ply_limit=15),
    TicTacToe(),
]
"""Games that define themselves what a move is. Add new games here."""
PLAIN: list[Game] = [TakeAway()]
"""Games that use the defaults."""

every_game = pytest.mark.parametrize("game", [*CASES, *PLAIN], ids=repr)
seeds = st.integers(0, 2**32)


def walk(game: Game, seed: int) -> Iterator[Any]:
    """The positions of one random game, including the final one."""
    rng = random.Random(seed)
    position = game.start()
    yield position
    while moves := game.legal_moves(position):
        position = game.play(position, rng.choice(moves))
        yield position


def sample(game: Game, seed: int) -> list[Any]:
    """A few positions of one random game, including the first and the last."""
    positions = list(walk(game, seed))
    return [*random.Random(seed).sample(positions, min(3, len(positions))), positions[0], positions[-1]]


def test_all_installed_games_are_tested_here():
    assert set(installed_games()) <= {game.name for game in CASES}


@every_game
def test_a_game_can_be_compared_and_pickled(game):
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(game) == hash(copy.copy(game))


@every_game
@given(seeds)
def test_there_are_legal_moves_until_the_game_is_over(game, seed):
    positions = list(walk(game, seed))

    assert {game.turn(position) for position in positions} <= {0, 1}
    assert [game.outcome(position) is None for position in positions] == [True] * (len(positions) - 1) + [False]


@every_game
@given(seeds)
def test_a_finished_game_allows_no_move(game, seed):
    *_, before, last = walk(game, seed)

    assert list(game.legal_moves(last)) == []
    with pytest.raises(IllegalMove):
        game.apply(last, game.moves(before)[0])


@every_game
@given(seeds)
def test_playing_does_not_modify_the_position_and_only_listed_moves_can_be_played(game, seed):
    for position in sample(game, seed):
        written = json.dumps(game.position_json(position))
        for move in candidates():
            if game.read_move(move) is None or game.read_move(move) not in game.legal_moves(position):
                with pytest.raises(IllegalMove):
                    game.apply(position, move)
        for move in game.legal_moves(position)[:3]:
            game.play(position, move)

        assert json.dumps(game.position_json(position)) == written


@every_game
@given(seeds)
def test_moves_are_unchanged_by_text_and_json(game, seed):
    for position in sample(game, seed):
        for move in game.legal_moves(position):
            assert game.parse_move(game.move_text(move)) == move
            assert game.read_move(json.loads(json.dumps(game.move_json(move)))) == move
            assert " " not in game.move_text(move)


@every_game
@given(seeds)
def test_positions_are_unchanged_by_json_and_by_the_players_board(game, seed):
    for position in sample(game, seed):
        assert game.read_position(json.loads(json.dumps(game.position_json(position)))) == position
        assert game.position_of(game.board(position)) == position


@every_game
@given(seeds)
def test_a_players_board_is_its_own_copy(game, seed):
    for position in sample(game, seed):
        first, second = game.board(position), game.board(position)

        assert first is not second
        assert game.position_of(copy.deepcopy(first)) == position
        assert game.position_of(pickle.loads(pickle.dumps(first))) == position


@every_game
@given(seeds)
def test_different_positions_are_drawn_differently(game, seed):
    positions = list(walk(game, seed))

    for before, after in pairwise(positions):
        assert game.draw(before) != game.draw(after)


@pytest.mark.parametrize("game", CASES, ids=repr)
def test_a_value_that_is_not_a_move_is_detected_without_an_exception(game):
    for value in not_moves():
        assert game.read_move(value) is None


@every_game
def test_a_move_may_be_a_list_or_numpy_numbers(game):
    move = game.moves(game.start())[0]
    if isinstance(move, str):
        pytest.skip("its moves are words")
    as_numpy = np.array(move) if isinstance(move, tuple) else np.int8(move)

    assert game.read_move(as_numpy) == move
    if isinstance(move, tuple):
        assert game.read_move(list(move)) == move
        assert game.read_move(tuple(map(np.int64, move))) == move
        assert all(type(part) is int for part in game.read_move(as_numpy))
    else:
        assert type(game.read_move(as_numpy)) is int


@pytest.mark.parametrize("game", CASES, ids=repr)
@pytest.mark.parametrize("text", ["", " ", "0", "z99", "a0", "-1", "٣", "1 1", "9" * 5000, "BOOM!", "\x00"])
def test_text_that_is_not_a_move_raises_an_explanation(game, text):
    with pytest.raises(ValueError, match="write"):
        game.parse_move(text)


@pytest.mark.parametrize("name", [None, 5, ["hex"]])
def test_an_invalid_name_is_refused_with_the_known_games(name):
    with pytest.raises(ValueError, match=r"unknown game .*: choose from hex, "):
        make_game(name)
    with pytest.raises(ValueError, match="hex has no option 5"):
        make_game("hex", {5: 1})  # type: ignore[dict-item]


def test_an_unknown_game_or_option_is_refused_with_a_suggestion():
    with pytest.raises(ValueError, match=r"unknown game 'hexx': did you mean 'hex'\? Choose from hex, "):
        make_game("hexx")
    with pytest.raises(ValueError, match=r"hex has no option 'sise': did you mean 'size'\?"):
        make_game("hex", {"sise": 5})


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hex", {"size": 0}),
        ("hex", {"size": 27}),
        ("hex", {"size": "11"}),
        ("hex", {"size": True}),
        pytest.param("hex", {"size": 10**5000}, id="a huge size"),
        ("hex", {"adjacency": "odd-r"}),
        ("desconecta4", {"repetitions": 1}),
        ("desconecta4", {"ply_limit": 0}),
        ("desconecta4", {"ply_limit": None}),
    ],
)
def test_an_option_out_of_range_is_refused_with_the_allowed_range(name, options):
    (option,) = options
    with pytest.raises(ValueError, match=f"{name}: {option} must be"):
        make_game(name, options)


def candidates() -> list[Any]:
    return [*range(-2, 12), *((row, col) for row in range(4) for col in range(-1, 4)), *not_moves()]


class Liar:
    """An object all of whose methods raise an exception."""

    def __index__(self):
        raise RuntimeError("no")

    __iter__ = __len__ = __eq__ = __bool__ = __index__  # type: ignore[assignment]
    __repr__ = __index__
    __hash__ = None  # type: ignore[assignment]
    __class__ = property(__index__)


class NotAnInt:
    def __index__(self):
        return "7"


def not_moves() -> list[Any]:
    return [
        *(None, True, False, np.True_, 0.0, 1.5, float("nan"), float("inf"), Decimal(1), 1j, "0", b"0", 10**400),
        *(-1, -(10**30), 99, Liar(), NotAnInt(), object(), int, ..., np.float64(0), np.array(0.0)),
        *((), (0,), (0, 0, 0), [0, 0, 1], (None, 0), (0, True), (0.0, 0), ("0", "0"), (-1, 0), (0, 10**400)),
        *([[0, 0]], ((0, 0), (0, 0)), (Liar(), 0), (0, NotAnInt()), "00", b"\0\0", {0: 0, 1: 1}, {0, 1}, np.zeros(2)),
        *(UserDict({0: 0, 1: 1}), {0: 0, 1: 1}.keys(), iter((0, 0)), 10**5000),
    ]
