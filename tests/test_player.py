"""The base class that a submission imports."""

import pytest

from grader.player import Player


class Unfinished(Player):
    """A student's class before its `play` is written."""


def test_a_player_knows_its_number_and_must_say_how_it_plays():
    player = Unfinished(2)

    assert player.player_id == 2
    with pytest.raises(NotImplementedError, match=r"Unfinished has no play\(self, board\) method: write one"):
        player.play(None)
