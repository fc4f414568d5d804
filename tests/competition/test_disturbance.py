"""How much a competition was disturbed, from its records, and how that is worded."""

from dataclasses import replace

import pytest

from grader.competition.disturbance import Disturbance, find_disturbance
from grader.language import language
from grader.records import Charge, Turn
from grader.reports.system_load import system_load
from tests.competition.test_tournament_schedule import Foreseen, alphabetical, played

QUIET = Disturbance(waited_share=0.004, replayed=0, replayed_after_errors=0, fewest=None)


def found_with(tmp_path, *, cpu: float = 1.76, **changes):
    """The disturbance of a tournament in which players waited 12 % of their time, and the first game has these changes."""
    charge = Charge(wall=2.0, cpu=cpu, waited=0.24, charged=1.76)

    def waited(first, second, seed):
        game = alphabetical(first, second, seed)
        game = replace(game, turns=[Turn(move=turn.move, charge=charge) for turn in game.turns])
        return replace(game, **changes) if (first, second) == ("a", "b") else game

    return find_disturbance(played(tmp_path, Foreseen(waited), *"abc"))


def test_the_waits_of_all_moves_and_the_games_that_were_played_again_are_counted(tmp_path):
    found = found_with(tmp_path, attempts=("Too busy.", "It was killed."), busy_attempts=1)

    assert found.waited_share == pytest.approx(0.12)
    assert (found.replayed, found.replayed_after_errors, found.fewest) == (1, 0, 1), "waits are a reason to play fewer"


def test_a_game_that_was_played_again_for_another_reason_is_counted_separately(tmp_path):
    found = found_with(tmp_path, attempts=("It was killed.",))

    assert (found.replayed, found.replayed_after_errors) == (0, 1)


def test_the_share_is_not_known_where_waits_are_not_measured(tmp_path):
    assert found_with(tmp_path, cpu=0.0).waited_share is None


@pytest.mark.parametrize(
    ("changes", "english", "spanish"),
    [
        pytest.param(
            {},
            "Players waited less than 1 % of their time for a core.",
            "Los jugadores pasaron menos del 1 % de su tiempo esperando un núcleo.",
            id="quiet",
        ),
        pytest.param(
            {"waited_share": 0.12, "fewest": 1},
            "The machine was busy: players waited 12 % of their time for a core. At times, only 1 game was played at a time.",
            "La máquina estaba ocupada: los jugadores pasaron el 12 % de su tiempo esperando un núcleo. A ratos solo se jugó 1 "
            "partida a la vez.",
            id="busy",
        ),
        pytest.param(
            {"replayed": 5},
            "The machine was busy: 5 games were played again. In the games that count, players waited less than 1 % of their "
            "time for a core.",
            "La máquina estaba ocupada: se repitieron 5 partidas. En las partidas que cuentan, los jugadores pasaron menos del "
            "1 % de su tiempo esperando un núcleo.",
            id="games were played again",
        ),
        pytest.param(
            {"waited_share": None, "replayed_after_errors": 1},
            "1 game was played again because of a grader error.",
            "Se repitió 1 partida por un error de grader.",
            id="waits are not measured",
        ),
        pytest.param({"waited_share": None}, "", "", id="nothing is known"),
    ],
)
def test_it_is_said_in_a_few_sentences(changes, english, spanish):
    assert system_load(replace(QUIET, **changes), language("en")) == english
    assert system_load(replace(QUIET, **changes), language("es")) == spanish
