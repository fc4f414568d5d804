"""What a check asks of a player's process that no run does."""

import time

import pytest

from grader.errors import OutOfTime
from grader.games.hex import Hex
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.process import PlayerProcess
from tests.checks.folders import PLAYERS
from tests.sandbox.seats import seating, written

GAME = Hex(4)
COUNTS = """
class SmartPlayer:
    built = 0
    def __init__(self, player_id):
        if self.built == 3:
            raise ValueError("enough of them")
        SmartPlayer.built += 1
        self.player_id = player_id
    def play(self, board):
        return self.player_id, self.built
"""


def test_another_object_is_built_in_the_same_process_as_either_player(tmp_path):
    with PlayerProcess(seating(written(tmp_path, COUNTS)), GAME, Limits()) as player:
        assert player.load() is None
        assert player.choose(GAME.start()).value == [1, 1]
        assert player.rebuild(2) is None
        assert player.choose(GAME.start()).value == [2, 2]
        assert player.rebuild(1) is None
        assert player.choose(GAME.start()).value == [1, 3]


def test_a_constructor_that_fails_the_next_time_is_told_and_the_old_object_stays(tmp_path):
    with PlayerProcess(seating(written(tmp_path, COUNTS)), GAME, Limits()) as player:
        assert player.load() is None
        assert player.rebuild(2) is None and player.rebuild(2) is None
        fault = player.rebuild(1)
        assert fault is not None and "enough of them" in fault.text
        assert player.choose(GAME.start()).value == [2, 3]


@pytest.mark.parametrize(("file", "changed"), [("changes_the_board", True), ("good", False)])
def test_a_changed_board_is_told_where_it_is_asked_for_and_nowhere_else(file, changed):
    with PlayerProcess(seating(PLAYERS / f"{file}.py"), GAME, Limits()) as player:
        assert player.load() is None
        assert player.choose(GAME.start(), watched=True).changed is changed
        assert player.choose(GAME.start()).changed is False


def test_a_board_that_is_no_board_any_more_counts_as_changed(tmp_path):
    code = "class SmartPlayer:\n    def play(self, board):\n        del board._one\n        return 0, 0\n"
    with PlayerProcess(seating(written(tmp_path, code)), GAME, Limits()) as player:
        assert player.load() is None
        reply = player.choose(GAME.start(), watched=True)
        assert reply.changed and reply.value == [0, 0]


def test_nobody_waits_longer_than_there_is_time_and_it_is_no_fault_of_the_player(tmp_path):
    code = "import time\nclass SmartPlayer:\n    def play(self, board):\n        time.sleep(60)\n"
    limits = Limits(time=TimeLimits(move=60), until=time.monotonic() + 1)
    with PlayerProcess(seating(written(tmp_path, code)), GAME, limits) as player:
        assert player.load() is None
        with pytest.raises(OutOfTime):
            player.choose(GAME.start())
