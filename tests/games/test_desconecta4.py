"""Desconecta-4 BOOM behaves like the course's own environment, as recorded in tests/games/data/desconecta4."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.errors import IllegalMove
from grader.games.desconecta4 import Desconecta4, Environment, bits
from grader.records import Outcome

DATA = Path(__file__).parent / "data" / "desconecta4"


def lines_of(name: str) -> list[Any]:
    opened = gzip.open if name.endswith(".gz") else open
    with opened(DATA / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def played(actions: str) -> Environment:
    environment = Environment()
    for action in actions:
        environment.apply(int(action))
    return environment


def perft(state: bits.BitState, depth: int) -> tuple[int, int]:
    """The number of leaves of the move tree, and of finished games among them."""
    if bits.result_of(state) is not None:
        return 1, 1
    if depth == 0:
        return 1, 0
    counts = [perft(after, depth - 1) for _, after in bits.successors(state)]
    return sum(leaves for leaves, _ in counts), sum(over for _, over in counts)


ORACLE_GAMES = lines_of("games.jsonl.gz")
PERFT = json.loads((DATA / "perft.json").read_text(encoding="utf-8"))["perft"]
DEEP = 8
"""From this depth on, a count takes up to several minutes."""


def seen(environment: Environment) -> list[Any]:
    """An environment in the notation of the course's records."""
    return [
        "".join(map(str, environment.cells)),
        environment.active_player,
        environment.round,
        int(environment.has_bomb(1)),
        int(environment.has_bomb(2)),
        "".join(map(str, environment.possible_actions())),
        environment.winner(),
        int(environment.is_over()),
        environment.free_cells,
    ]


@pytest.mark.parametrize("game", ORACLE_GAMES, ids=lambda game: f"{game['id']}-{game['end']}")
def test_the_courses_games_have_the_same_states(game):
    environment = Environment()
    assert seen(environment) == game["s"][0]
    for action, expected in zip(game["actions"], game["s"][1:], strict=True):
        children = dict(zip(environment.possible_actions(), environment.generate_all_moves(), strict=True))
        environment.apply(int(action))

        assert seen(environment) == seen(children[int(action)]) == expected
        assert [environment.last_action(player) for player in (1, 2)] == [
            children[int(action)].last_action(player) for player in (1, 2)
        ]


def test_all_of_the_courses_games_are_recorded():
    assert len(ORACLE_GAMES) == 150
    assert len({game["end"] for game in ORACLE_GAMES}) > 5


@pytest.mark.parametrize(
    ("actions", "depth", "leaves", "terminal"),
    [
        pytest.param(
            row["actions"],
            int(depth),
            row["leaves"][depth],
            row["terminal"][depth],
            id=f"{row['actions'] or 'start'}-{depth}",
            marks=[pytest.mark.slow] if int(depth) >= DEEP else [],
        )
        for row in PERFT
        for depth in row["leaves"]
    ],
)
def test_the_move_tree_has_the_courses_number_of_leaves(actions, depth, leaves, terminal):
    assert perft(played(actions).state, depth) == (leaves, terminal)


@pytest.mark.parametrize("row", lines_of("heuristic.jsonl"), ids=lambda row: row["actions"])
def test_twos_and_threes_are_counted_as_the_course_counts_them(row):
    state = played(row["actions"]).state
    mine, theirs = bits.twos_and_threes(state[0]), bits.twos_and_threes(state[1])
    one, two = (mine, theirs) if bits.player_to_move(state) == 1 else (theirs, mine)

    assert (*one, *two) == (row["twos1"], row["threes1"], row["twos2"], row["threes2"])


@pytest.mark.parametrize("action", [None, -1, 8, pytest.param(10**5000, id="huge"), 0.0, "0", True, [0], object()])
def test_an_invalid_action_is_refused_and_changes_nothing(action):
    environment = played("33")
    before = seen(environment)

    with pytest.raises(IllegalMove, match="is not an action: 0 to 6 drop a piece into that column, 7 is BOOM"):
        environment.apply(action)
    assert seen(environment) == before


def test_a_full_column_and_a_boom_without_a_bomb_are_refused_with_the_reason():
    with pytest.raises(ValueError, match="BOOM is legal only while"):
        Environment().apply(7)
    with pytest.raises(ValueError, match="column 0 is full"):
        played("00000000")


def test_each_player_has_its_own_bomb_and_last_action():
    environment = played("012345601")  # player 1 drops a bomb in round 5

    assert (environment.has_bomb(1), environment.has_bomb(2)) == (True, False)
    assert (environment.last_action(1), environment.last_action(2)) == (1, 0)
    assert environment.see_cell(1, 1) == 4
    assert environment.see_cell(0, 1) == 2
    assert Environment().last_action(2) is None


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (7, 0), (0, 7)])
def test_a_cell_outside_the_board_is_refused(cell):
    with pytest.raises(IndexError, match="row and column must be from 0 to 6"):
        Environment().see_cell(*cell)


@pytest.mark.parametrize("player", [0, 3, None, "1"])
def test_a_player_other_than_1_or_2_has_no_bomb_and_no_last_action(player):
    environment = Environment()
    environment.apply(3)

    assert environment.has_bomb(player) is False and environment.last_action(player) is None


def test_a_clone_is_independent():
    environment = played("3")
    twin = environment.clone()
    twin.apply(3)

    assert environment.cells != twin.cells
    assert environment.active_player == 2
    assert environment.last_action(2) is None


class NamedEnvironment(Environment):
    """A subclass as a student may write it."""

    label = "none"


def test_cloning_a_students_subclass_keeps_its_attributes():
    environment = NamedEnvironment()
    environment.label = "mine"
    children = environment.generate_all_moves()

    assert {type(child) for child in (*children, environment.clone())} == {NamedEnvironment}
    assert {getattr(child, "label", None) for child in children} == {"mine"}


CIRCLING = (
    "414613630025650667207345662144746744405222750722105674614556177426422227642070054602076005714203515710517015551176"
    "176513002255714772035314147610576402761057460274015714267201571426721057"
)
"""A game between two searching players that repeat positions at the end."""


def test_the_third_time_a_position_occurs_the_game_is_drawn():
    game = Desconecta4()
    positions = [game.start()]
    for action in CIRCLING:
        assert game.outcome(positions[-1]) is None
        positions.append(game.play(positions[-1], int(action)))
    last = game.board(positions[-1])
    again = [
        board
        for board in map(game.board, positions)
        if (board.cells, board.active_player, board.round % 5) == (last.cells, last.active_player, last.round % 5)
    ]

    assert game.outcome(positions[-1]) == Outcome("repetition", None)
    assert len(again) == 3
    assert not last.is_over()


def test_an_undecided_game_is_a_draw_at_the_move_limit():
    game = Desconecta4(ply_limit=3)
    position = game.start()
    for action in (0, 1, 2):
        assert game.outcome(position) is None
        position = game.play(position, action)

    assert game.outcome(position) == Outcome("ply_limit", None)


def test_a_line_on_the_last_ply_is_a_loss_and_not_a_draw():
    game = Desconecta4(ply_limit=7)
    position = game.start()
    for action in (0, 1, 0, 1, 0, 1, 0):
        position = game.play(position, action)

    assert game.outcome(position) == Outcome("line", 1)


def test_a_board_is_drawn_with_row_0_at_the_bottom():
    assert str(played("012345601")).splitlines() == [
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        "2 4 . . . . .",
        "1 2 1 2 1 2 1",
        "1 2 3 4 5 6 7",
    ]
    assert repr(Environment()).startswith("<Environment round 1, player 1 to move>\n")


def position(cells: str, round_number: int) -> dict[str, object]:
    """A position as JSON: the cells from the bottom row, with player 1 to move."""
    return {"cells": [int(cell) for cell in cells.ljust(49, "0")], "turn": 1, "round": round_number, "last": [0, 1]}


@pytest.mark.parametrize(
    ("bottom", "above", "round_number", "reason"),
    [
        pytest.param("4400000", "0000000", 6, "player 1 has 2 bombs", id="two bombs"),
        pytest.param(
            "0000000", "2000000", 2, "the cell below the piece in row 1, column 0 is empty", id="a floating piece"
        ),
    ],
)
def test_an_impossible_position_is_refused(bottom, above, round_number, reason):
    with pytest.raises(ValueError, match=reason):
        Desconecta4().read_position(position(bottom + above, round_number))


@pytest.mark.parametrize(
    "change", [{"turn": 9}, {"round": -3}, {"cells": [0] * 48}, {"cells": [3] * 49}, {"last": [9, None]}]
)
def test_invalid_json_is_refused(change):
    game = Desconecta4()
    with pytest.raises(ValueError, match="must be"):
        game.read_position({**game.position_json(game.start()), **change})


@pytest.mark.parametrize(("round_number", "drawn"), [(3, False), (7, True), (12, True)])
def test_a_position_repeats_only_in_the_same_round_modulo_5(round_number, drawn):
    game = Desconecta4(repetitions=2)
    before, again = (game.read_position(position("12", number)) for number in (2, round_number))
    led_here = game.play(before, 3).earlier

    assert (game.outcome(replace(again, earlier=led_here)) == Outcome("repetition", None)) is drawn


def test_an_environment_can_be_played_beyond_the_end_of_the_game():
    environment = played("0101010")
    assert environment.winner() == 2
    environment.apply(2)
    environment.apply(3)

    assert environment.winner() == 2
    assert environment.is_over()
