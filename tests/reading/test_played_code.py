"""What an exam sees of a player's code comes from the limited process, and only if it is asked for."""

from grader.games.exam import MethodCall
from grader.reading.tasks import read_code
from tests.intake.folders import make

CODE = """
STEPS = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1)]

class SmartPlayer:
    def play(self, board):
        board.place_piece(0, 1, 0x{large})
        return [(dr, dc) for dr, dc in STEPS][0]
"""


def test_the_lists_and_calls_of_a_player_are_read_even_if_a_number_in_it_is_too_large_to_write(tmp_path):
    folder = make(tmp_path, {"solution.py": CODE.format(large="f" * 20_000)})

    (plain,), (inspection,) = read_code([folder]), read_code([folder], with_played=True)

    assert plain.entry is not None and plain.played is None
    assert inspection.played is not None
    assert [len(steps.even) for steps in inspection.played.steps] == [6]
    call = MethodCall(where="solution.py:6", method="place_piece", arguments=(0, 1, None))
    assert inspection.played.calls == (call,)
