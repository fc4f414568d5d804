"""The two built-in assignments, and six real courses."""

import pickle
from pathlib import Path

import pytest
from pydantic import ValidationError

from grader.assignment import Assignment, builtin_assignment, load_assignments, read_assignments, render_assignment
from grader.games import installed_games

COURSES = Path(__file__).parent / "data"


def course(name: str) -> Assignment:
    (assignment,) = load_assignments(COURSES / f"{name}.yaml")
    return assignment


def listed(assignment: Assignment) -> list[tuple[str, float, int]]:
    return [(opponent.name, opponent.points, opponent.games) for opponent in assignment.opponents]


def test_the_built_in_hex_is_11_by_11_with_five_opponents():
    hexagons = builtin_assignment("hex")

    assert hexagons.options == {"size": 11, "adjacency": "axial"}
    assert (hexagons.time.move, hexagons.time.load, hexagons.time.grace) == (9, 30, 0.25)
    assert (hexagons.overrun, hexagons.scoring, hexagons.isolation, hexagons.lifetime) == (
        "forfeit",
        "by-opponent",
        "good",
        "game",
    )
    assert listed(hexagons) == [
        ("random", 10, 2),
        ("minimax", 20, 4),
        ("coolcow", 25, 4),
        ("mcts(simulations=300)", 20, 4),
        ("mcts", 10, 4),
        ("ultrapro(fills=256)", 10, 4),
        ("ultrapro", 5, 4),
    ]


def test_the_built_in_desconecta4_has_four_opponents_of_rising_depth():
    boom = builtin_assignment("desconecta4")

    assert boom.options == {"repetitions": 3, "ply_limit": 200}
    assert (boom.time, boom.limits) == (builtin_assignment("hex").time, builtin_assignment("hex").limits)
    assert listed(boom) == [
        ("random", 10, 2),
        ("alphabeta(depth=2)", 20, 4),
        ("alphabeta(depth=4)", 30, 4),
        ("alphabeta(depth=8)", 40, 4),
    ]


@pytest.mark.parametrize("game", installed_games())
def test_every_game_has_a_built_in_assignment_of_100_points(game):
    assert sum(opponent.points for opponent in builtin_assignment(game).opponents) == 100


def test_havana_2026_plays_on_offset_rows_and_disqualifies_slow_players():
    havana = course("havana-2026")

    assert havana.options == {"size": 11, "adjacency": "even-r"}
    assert (havana.time.move, havana.overrun) == (5, "disqualify")
    assert (havana.entry, havana.forbidden) == ("solution.py:SmartPlayer", ("files", "network"))
    assert [opponent.disqualify_on_loss for opponent in havana.opponents] == [True, False, False]


def test_havana_2025_plays_on_the_rhombus_with_9_seconds():
    havana = course("havana-2025")

    assert (havana.options["adjacency"], havana.time.move, havana.entry) == ("axial", 9, "player.py")
    assert havana.opponents == builtin_assignment("hex").opponents


def test_granada_is_a_ladder_of_three_levels_in_both_colours():
    granada = course("granada")

    assert (granada.game, granada.scoring) == ("desconecta4", "ladder")
    assert [opponent.options for opponent in granada.opponents] == [{"depth": 2}, {"depth": 4}, {"depth": 8}]
    assert [opponent.games for opponent in granada.opponents] == [2, 2, 2]


def test_prague_gives_2_5_points_for_4_wins_of_6():
    prague = course("prague")

    assert [(bot.threshold, bot.games, bot.points) for bot in prague.opponents] == [(4, 6, 2.5)] * 4
    assert prague.time.move == 10


def test_alberta_hides_two_of_four_opponents():
    alberta = course("alberta")

    assert [opponent.hidden for opponent in alberta.opponents] == [False, False, True, True]
    assert alberta.time.move == 30


def test_manchester_gives_five_minutes_per_game_and_a_quarter_for_speed():
    manchester = course("manchester")

    assert (manchester.time.bank, manchester.time.move, manchester.time.increment) == (300, None, 0)
    assert (manchester.options["size"], manchester.speed_share) == (11, 0.25)
    assert [opponent.linear for opponent in manchester.opponents] == [(0, 1), (0, 1)]


@pytest.mark.parametrize("file", sorted(COURSES.glob("*.yaml")), ids=lambda file: file.stem)
def test_a_course_can_be_written_and_read_back(file):
    assignments = load_assignments(file)

    assert read_assignments("---\n".join(map(render_assignment, assignments)).encode(), "again") == assignments
    assert pickle.loads(pickle.dumps(assignments)) == assignments


def test_there_are_six_courses():
    assert len(list(COURSES.glob("*.yaml"))) == 6


def test_an_assignment_does_not_change():
    with pytest.raises(ValidationError, match="frozen"):
        builtin_assignment("hex").seed = 5
