"""The style `fixed` was called `mended` before, and assignments may still say so."""

from dataclasses import replace

import pytest

from grader.assignment import read_assignments
from grader.assignment.model import AssignmentOrigin
from grader.assignment.opponents import Opponent
from grader.competition.assignments import with_anchors
from grader.fixtures import opponent_text
from grader.inspection.players import reference_player
from reference_players.coolcow import CoolcowPlayer
from reference_players.mcts import MctsPlayer
from reference_players.minimax import MinimaxPlayer
from reference_players.ultrapro import UltraProPlayer
from tests.reference_players.positions import scattered, to_move

ASSIGNMENT = b"game: hex\nopponents: [{player: minimax, options: {style: %s}, points: 10}]\n"


@pytest.mark.parametrize("player", [MinimaxPlayer, CoolcowPlayer, MctsPlayer, UltraProPlayer])
def test_the_old_name_means_the_same_player_and_the_default(player):
    board = scattered(7, 12, seed=1)
    old, new, default = (
        player(to_move(board), seed=3, **options) for options in ({"style": "mended"}, {"style": "fixed"}, {})
    )

    assert old.style == new.style == default.style == "fixed"
    assert old.play(board.clone()) == new.play(board.clone()) == default.play(board.clone())


def test_an_assignment_with_the_old_name_is_the_same_assignment():
    (old,), (new,) = (read_assignments(ASSIGNMENT % word, "test") for word in (b"mended", b"fixed"))

    assert old == new
    assert opponent_text(old.opponents[0]) == old.opponents[0].name == "minimax(style='fixed')", (
        "so are the keys of games"
    )


def test_an_anchor_with_the_old_name_is_the_same_anchor():
    assignments = read_assignments(ASSIGNMENT % b"fixed", "test")
    old, new = (with_anchors(assignments, (f"minimax(style={word!r})",)) for word in ("mended", "fixed"))

    assert old == new
    assert reference_player("minimax(style='mended')").entry == reference_player("minimax(style='fixed')").entry


def test_results_keep_the_name_under_which_their_games_were_played():
    (recorded,) = read_assignments(ASSIGNMENT % b"mended", "test", origin=replace(AssignmentOrigin(), recorded=True))

    assert recorded.opponents[0].name == opponent_text(recorded.opponents[0]) == "minimax(style='mended')"


def test_the_options_of_a_courses_own_opponent_are_not_renamed():
    own = Opponent.model_validate({"player": "./ninja.py", "options": {"style": "mended"}, "points": 1})

    assert own.options == {"style": "mended"}
