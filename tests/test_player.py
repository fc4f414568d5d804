"""The base class of players."""

import pytest

from grader.player import Player


class Unfinished(Player):
    """A student's class without a `play` method."""


def test_a_player_knows_its_number_and_must_define_play():
    player = Unfinished(2)

    assert player.player_id == 2
    with pytest.raises(NotImplementedError, match=r"Unfinished has no play\(self, board\) method: write one"):
        player.play(None)
