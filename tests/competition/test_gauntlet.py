"""The games of a run are planned before anything is played."""

from grader.competition.gauntlet import units_of
from grader.fixtures import RULES, content_key
from tests.matches import assignment, entrant, planned


def test_sides_alternate_and_both_get_the_same_openings():
    games = planned(assignment({"player": "random", "points": 1, "games": 6}))

    assert [(game.seat, game.opening) for game in games] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert len({game.seeds[1 - game.seat] for game in games}) == 1
    assert len({game.seed for game in games}) == 6


def test_two_students_get_the_same_openings_and_seeds():
    one, two = (planned(assignment(), name) for name in ("one", "two"))

    assert [(game.seeds, game.opening) for game in one] == [(game.seeds, game.opening) for game in two]
    assert not {game.key for game in one} & {game.key for game in two}


def test_everything_that_can_change_a_game_changes_its_key():
    base = planned(assignment())
    changed = [
        planned(assignment(options={"size": 4})),
        planned(assignment(seed=7)),
        planned(assignment(time={"move": 2})),
        planned(assignment(overrun="random-move")),
        planned(assignment(limits={"memory_mb": 512})),
        planned(assignment(lifetime="pairing")),
        planned(assignment({"player": "random", "options": {"style": "x"}, "points": 10, "games": 4})),
    ]

    assert all(other[0].key != base[0].key for other in changed)
    assert len({game.key for game in base}) == len(base)


def test_changing_points_or_titles_replays_nothing():
    base = planned(assignment())
    other = planned(assignment({"player": "random", "points": 50, "games": 4}, title="Another"))

    assert [game.key for game in base] == [game.key for game in other]


def test_with_learning_all_games_on_one_side_are_one_unit():
    course = assignment({"player": "random", "points": 1, "games": 6}, lifetime="pairing")
    series = units_of(entrant(course), planned(course))

    assert [[game.seat for game in unit] for unit in series] == [[0, 0, 0], [1, 1, 1]]
    assert [len(unit) for unit in units_of(entrant(assignment()), planned(assignment()))] == [1, 1, 1, 1]


def test_a_students_seeds_reveal_neither_the_secret_nor_the_opponent():
    opponents = ({"player": "random", "points": 1, "games": 6}, {"player": "minimax", "points": 1, "games": 4})
    one, two = (planned(assignment(*opponents, seed=seed)) for seed in (5, 2**128 - 1))

    def seeds_against(opponent: str) -> set[int]:
        return {game.seeds[game.seat] for game in one if game.opponent == opponent}

    assert [game.seeds[game.seat] for game in one] == [game.seeds[game.seat] for game in two]
    assert seeds_against("random") == seeds_against("minimax")
    assert len(seeds_against("random")) == 4
    others = [{game.seed for game in games} | {game.seeds[1 - game.seat] for game in games} for games in (one, two)]
    assert not others[0] & others[1]
    assert min(others[0] | others[1]) > 2**96, "long enough that nobody can try all of them"


def test_a_game_of_older_rules_has_another_key():
    older, newer = ({"content": "abc", "rules": rules} for rules in (1, RULES))

    assert content_key(assignment(), newer) != content_key(assignment(), older)


def test_the_reference_speed_is_part_of_the_key_and_the_speed_of_a_machine_is_not():
    def key(**time: float) -> str:
        return content_key(assignment(time={"move": 5, **time}), {})

    assert key() == key(machine_speed=0.5)
    assert len({key(), key(reference_speed=1.0), key(reference_speed=2.0)}) == 3
