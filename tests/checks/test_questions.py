"""What a check asks of a player's process and a run does not."""

import time

import pytest

from grader.errors import OutOfTime
from grader.games.hex import Hex
from grader.sandbox.limits import Limits, TimeLimits
from grader.sandbox.process import PlayerProcess
from tests.checks.folders import PLAYERS
from tests.sandbox.seats import seating, write_file

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


def test_another_instance_is_created_in_the_same_process_as_either_player(tmp_path):
    with PlayerProcess(seating(write_file(tmp_path, COUNTS)), GAME, Limits()) as player:
        assert player.load() is None
        assert player.choose(GAME.start()).value == [1, 1]
        assert player.rebuild(2) is None
        assert player.choose(GAME.start()).value == [2, 2]
        assert player.rebuild(1) is None
        assert player.choose(GAME.start()).value == [1, 3]


def test_a_constructor_that_fails_later_is_a_fault_and_the_old_instance_stays(tmp_path):
    with PlayerProcess(seating(write_file(tmp_path, COUNTS)), GAME, Limits()) as player:
        assert player.load() is None
        assert player.rebuild(2) is None and player.rebuild(2) is None
        fault = player.rebuild(1)
        assert fault is not None and "enough of them" in fault.text
        assert player.choose(GAME.start()).value == [2, 3]


@pytest.mark.parametrize(("file", "changed"), [("changes_the_board", True), ("good", False)])
def test_a_modified_board_is_detected_only_if_the_board_is_watched(file, changed):
    with PlayerProcess(seating(PLAYERS / f"{file}.py"), GAME, Limits()) as player:
        assert player.load() is None
        assert player.choose(GAME.start(), watched=True).changed is changed
        assert player.choose(GAME.start()).changed is False


def test_a_broken_board_counts_as_modified(tmp_path):
    code = "class SmartPlayer:\n    def play(self, board):\n        del board._one\n        return 0, 0\n"
    with PlayerProcess(seating(write_file(tmp_path, code)), GAME, Limits()) as player:
        assert player.load() is None
        reply = player.choose(GAME.start(), watched=True)
        assert reply.changed and reply.value == [0, 0]


def test_when_the_time_of_the_check_runs_out_it_is_not_a_fault_of_the_player(tmp_path):
    code = "import time\nclass SmartPlayer:\n    def play(self, board):\n        time.sleep(60)\n"
    limits = Limits(time=TimeLimits(move=60), until=time.monotonic() + 1)
    with PlayerProcess(seating(write_file(tmp_path, code)), GAME, limits) as player:
        assert player.load() is None
        with pytest.raises(OutOfTime):
            player.choose(GAME.start())
