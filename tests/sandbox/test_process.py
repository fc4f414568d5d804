"""A player in its process: time limits, unfair machines, memory, output, and libraries that must keep working."""

import os
import signal
import time
from dataclasses import replace
from threading import Timer
from typing import Any

import pytest

from grader.engine import match
from grader.engine.match import TRIES, run_match
from grader.errors import GraderFault
from grader.records import Charge, Ending, MatchRecord, SeatReport, Turn
from grader.sandbox import process
from grader.sandbox.isolation import Level
from grader.sandbox.limits import TimeLimits
from grader.sandbox.machine import best_level
from grader.sandbox.process import PlayerProcess
from tests.sandbox.seats import (
    GAME,
    HONEST,
    PLAYERS,
    QUICK,
    against_honest,
    levels,
    limits,
    nothing_left_behind,
    seating,
    write_file,
)

LENIENT = TimeLimits(move=1.0, load=60.0, grace=0.1, overrun="random-move")
SLOW_ONCE = """
class SmartPlayer:
    def __init__(self, player_id):
        self.asked = 0

    def play(self, board):
        self.asked += 1
        while self.asked == 2:
            pass
        print("asked", self.asked)
        return board.get_possible_moves()[0]
"""
SWALLOWS = """
class SmartPlayer:
    def __init__(self, player_id):
        pass

    def play(self, board):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
"""


@pytest.mark.parametrize("level", levels(Level.GOOD))
@pytest.mark.parametrize("when", ["while it thinks", "while it is frozen"])
def test_a_player_that_is_killed_from_outside_is_a_grader_fault(tmp_path, level, when):
    naps = "import time\n" + SLOW_ONCE.replace("while self.asked == 2:\n            pass", "time.sleep(60)")
    with nothing_left_behind(), PlayerProcess(seating(write_file(tmp_path, naps)), GAME, limits(level)) as player:
        assert player.load() is None
        assert player._launched is not None
        pid = player._launched.pid
        if when == "while it is frozen":
            os.kill(pid, signal.SIGKILL)
        else:
            Timer(0.1, os.kill, (pid, signal.SIGKILL)).start()
        with pytest.raises(GraderFault, match="killed from outside"):
            player.choose(GAME.start())


LEARNS = """
import time

class SmartPlayer:
    def __init__(self, player_id):
        print("built")

    def play(self, board):
        return board.get_possible_moves()[0]

    def learn_from_game(self, result):
        time.sleep(60)
"""


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_a_game_counts_even_if_a_player_is_killed_when_it_is_told_that_it_has_lost(tmp_path, level):
    file = write_file(tmp_path, LEARNS)
    with nothing_left_behind(), PlayerProcess(seating(file), GAME, limits(level), lasting=True) as player:
        assert player.load() is None
        Timer(0.1, os.kill, (player.pid, signal.SIGKILL)).start()
        assert player.learn(-1) is None

        assert player.load() is None, "it plays the next game in a new process"
        assert player.choose(GAME.start()).fault is None


@pytest.mark.parametrize("level", levels())
def test_with_random_moves_a_late_player_continues_and_each_late_move_is_recorded(tmp_path, level):
    with nothing_left_behind():
        record = against_honest(write_file(tmp_path, SLOW_ONCE), limits(level, LENIENT))

    assert record.ending == "connected"
    assert [at for at, turn in enumerate(record.turns) if turn.late] == [2]
    assert record.turns[2].charge.charged > LENIENT.move
    assert "asked 3" in record.seats[0].output  # the same object continues
    assert "asked 2" not in record.seats[0].output


def test_the_random_move_is_the_same_for_the_same_seed(tmp_path):
    file = write_file(tmp_path, SLOW_ONCE)
    moves = [against_honest(file, limits(best_level(), LENIENT)).turns[2].move for _ in range(2)]

    assert moves[0] == moves[1]


NAPS_ONCE = """
import time

print("built")

class SmartPlayer:
    def __init__(self, player_id):
        pass

    def play(self, board):
        if len(board.get_possible_moves()) == board.size ** 2 - 2:
            time.sleep(60)
        return board.get_possible_moves()[0]
"""


@pytest.mark.parametrize("level", levels())
def test_with_random_moves_a_player_that_cannot_be_stopped_continues_in_a_new_process(tmp_path, level):
    with nothing_left_behind():
        record = against_honest(write_file(tmp_path, NAPS_ONCE), limits(level, LENIENT))

    assert record.ending == "connected"
    assert [at for at, turn in enumerate(record.turns) if turn.late] == [2]
    assert record.seats[0].output == "built\nbuilt\n"


@pytest.mark.parametrize("level", [Level.NONE, best_level()], ids=str)
@pytest.mark.parametrize("attack", ["a call into C", "an except that hides the stop"])
def test_with_random_moves_no_player_can_prevent_being_stopped(tmp_path, level, attack):
    file = PLAYERS / "c_call.py" if attack == "a call into C" else write_file(tmp_path, SWALLOWS)
    with nothing_left_behind(), PlayerProcess(seating(file), GAME, limits(level, LENIENT)) as player:
        assert player.load() is None
        for _ in range(2):
            answer = player.choose(GAME.start())
            assert answer.late and answer.value is None and answer.fault is None


def test_a_late_player_that_cannot_be_restarted_loses_by_timeout(tmp_path):
    file = write_file(tmp_path, SWALLOWS)
    with nothing_left_behind(), PlayerProcess(seating(file), GAME, limits(best_level(), LENIENT)) as player:
        assert player.load() is None
        file.write_text("raise RuntimeError")
        answer = player.choose(GAME.start())

    assert answer.fault is not None and answer.fault.ending is Ending.TIMEOUT and not answer.late
    assert "It was restarted and failed: While loading, the player raised RuntimeError" in answer.fault.text


def test_a_player_with_an_empty_bank_continues_with_random_moves(tmp_path):
    thinks = "end = time.thread_time() + 0.75\n        while time.thread_time() < end:"
    slow = "import time\n" + SLOW_ONCE.replace("while self.asked == 2:", thinks)
    bank = TimeLimits(bank=1.0, load=60.0, grace=0.2, overrun="random-move")
    record = against_honest(write_file(tmp_path, slow), limits(best_level(), bank))

    assert record.ending == "connected"
    assert [turn.late for turn in record.turns[::2]] == [False, *[True] * (len(record.turns[::2]) - 1)]


def test_with_random_moves_an_honest_player_plays_the_same_moves():
    plain = against_honest(HONEST, limits(best_level()))
    lenient = against_honest(HONEST, limits(best_level(), LENIENT))

    assert [turn.move for turn in lenient.turns] == [turn.move for turn in plain.turns]
    assert not any(turn.late for turn in lenient.turns)


@pytest.mark.parametrize("policy", ["forfeit", "disqualify"])
@pytest.mark.parametrize("player", ["sleeps", "spins"])
def test_sleeping_and_thinking_players_are_ended_soon_after_their_limit(policy, player):
    time = replace(QUICK, overrun=policy)
    record = against_honest(PLAYERS / f"{player}.py", limits(best_level(), time))

    assert (record.ending, record.winner) == (Ending.TIMEOUT, 1)
    assert record.last_charge is not None
    assert time.move + time.grace < record.last_charge.charged < time.move + time.grace + 2.0


def test_the_cpu_time_of_a_replaced_process_is_not_taken_for_that_of_other_programs(tmp_path):
    with PlayerProcess(seating(write_file(tmp_path, SWALLOWS)), GAME, limits(best_level(), LENIENT)) as seat:
        assert seat.load() is None
        first = seat.pid
        charge = seat.choose(GAME.start()).charge

        assert seat.pid != first
        assert seat.cpu() >= charge.cpu > 0


@pytest.mark.parametrize(("waited", "fair"), [(0.05, True), (0.5, False)])
def test_a_player_that_was_stopped_counts_as_late_unless_the_machine_was_busy(tmp_path, waited, fair):
    charge = Charge(wall=1.0, cpu=0.2, waited=waited, charged=0.3)
    with PlayerProcess(seating(write_file(tmp_path, SLOW_ONCE)), GAME, limits(best_level(), LENIENT)) as seat:
        seat.isolation, seat._stop_sent = Level.GOOD, True
        if fair:
            assert seat._interpret({"late": True}, charge, 0.4).late
        else:
            with pytest.raises(GraderFault, match="stopped too early"):
                seat._interpret({"late": True}, charge, 0.4)


class Overloaded:
    """A clock that reports that a player was waiting for a core all the time."""

    def __init__(self, *_: int | None) -> None:
        self.wall = 0.0

    def start(self) -> None:
        pass

    def charge(self) -> Charge:
        self.wall += 1.0
        return Charge(wall=self.wall, cpu=0.01, waited=self.wall - 0.01, charged=0.01)

    def pending(self) -> float:
        return 0.0

    def cpu(self) -> float:
        return 0.01

    def threads(self) -> int:
        return 1

    def close(self) -> None:
        pass


def test_an_overloaded_machine_is_a_grader_fault_after_three_attempts(monkeypatch):
    monkeypatch.setattr(process, "clock_for", Overloaded)
    reasons: list[str] = []
    seats = (seating(PLAYERS / "spins.py"), seating(HONEST, 2))

    with nothing_left_behind(), pytest.raises(GraderFault, match=f"in {TRIES} attempts"):
        run_match(GAME, seats, limits(best_level(), QUICK), seed=7, again=reasons.append, pause=0.01)

    assert len(reasons) == TRIES - 1
    assert all("overloaded" in why for why in reasons)


def test_a_starved_game_is_played_again_until_it_is_fair(monkeypatch):
    games = iter([_waited(500.0), _waited(0.0)])
    monkeypatch.setattr(match, "play_match", lambda *_, **__: next(games))
    reasons: list[str] = []

    seats, began = (seating(HONEST), seating(HONEST, 2)), time.monotonic()
    record = run_match(GAME, seats, limits(Level.NONE), seed=7, again=reasons.append, pause=0.3)

    assert time.monotonic() - began > 0.3, "the machine gets time to become less busy"
    assert record.turns[1].charge.waited == 0
    assert (len(record.attempts), record.busy_attempts) == (1, 1)
    assert len(reasons) == 1 and "spent 500.0 s waiting for a CPU core" in reasons[0]


@pytest.mark.parametrize("late", [False, True])
def test_waiting_does_not_hurt_a_player_that_cannot_read_a_clock_unless_it_was_late(late):
    waiting = _waited(500.0)
    record = replace(waiting, turns=[waiting.turns[0], replace(waiting.turns[1], late=late)])
    seats = (seating(HONEST), replace(seating(HONEST, 2), may_read_clock=False))

    assert (match.starvation(record, seats, limits(Level.GOOD).time, others=None) is not None) == late


def test_a_game_that_is_always_starved_is_abandoned_after_three_attempts(monkeypatch):
    played: list[MatchRecord] = []

    def play(*_: Any, **__: Any) -> MatchRecord:
        played.append(_waited(500.0))
        return played[-1]

    monkeypatch.setattr(match, "play_match", play)
    with pytest.raises(GraderFault):
        run_match(GAME, (seating(HONEST), seating(HONEST, 2)), limits(Level.NONE), seed=7, pause=0.01)

    assert len(played) == TRIES


def _waited(seconds: float) -> MatchRecord:
    charge = Charge(wall=1000.0, cpu=1000.0 - seconds, waited=seconds, charged=1000.0 - seconds)
    seat = SeatReport(name="any", isolation="good")
    turns = (Turn(move="a1", charge=charge), Turn(move="b1", charge=charge))
    ending = "connected"
    return MatchRecord(game="hex", options={}, seed=7, seats=(seat, seat), turns=turns, ending=ending, winner=0)


def test_a_failing_reference_player_is_a_grader_fault_and_not_a_win_for_the_other():
    seats = (seating(PLAYERS / "exit_in_play.py", reference=True), seating(HONEST, 2))
    reasons: list[str] = []

    with pytest.raises(GraderFault, match="The course's opponent exit_in_play failed"):
        run_match(GAME, seats, limits(Level.NONE), seed=7, again=reasons.append)

    assert len(reasons) == TRIES - 1


NUMPY = """
import threading
import numpy as np

class SmartPlayer:
    def __init__(self, player_id):
        self.done = []

    def play(self, board):
        threads = [threading.Thread(target=self.work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        values = np.linalg.inv(np.eye(60) * len(self.done)) @ np.random.rand(60, 60)
        moves = np.array(board.get_possible_moves())
        return moves[int(np.argmin(values.sum() * 0 + np.arange(len(moves))))]

    def work(self):
        self.done.append(float((np.random.rand(50, 50) @ np.random.rand(50, 50)).sum()))
"""


@pytest.mark.parametrize("level", levels())
def test_numpy_and_threads_work(tmp_path, level):
    pytest.importorskip("numpy")
    record = against_honest(write_file(tmp_path, NUMPY), limits(level))

    assert record.ending == "connected", record.fault


@pytest.mark.parametrize("level", levels(Level.BASIC))
def test_exceeding_the_memory_limit_with_numpy_ends_as_memory(tmp_path, level):
    pytest.importorskip("numpy")
    code = NUMPY.replace("threads = [", "np.ones((1 << 30,)); threads = [")
    record = against_honest(write_file(tmp_path, code), limits(level))

    assert record.ending is Ending.MEMORY
    assert record.fault is not None and record.fault.where == "solution.py:10"


@pytest.mark.parametrize("level", levels())
def test_output_beyond_the_cap_is_discarded(level):
    record = against_honest(PLAYERS / "floods_output.py", limits(level))

    assert record.ending == "connected"
    assert len(record.seats[0].output) == 64 * 1024
    assert record.seats[0].output.startswith("xxxx")


def test_a_player_that_learns_is_told_its_own_result(tmp_path):
    learner = (
        HONEST.read_text(encoding="utf-8")
        + "\n    def learn_from_game(self, result):\n        print('learnt', result)\n"
    )
    file = write_file(tmp_path, learner)
    record = run_match(GAME, (seating(file), seating(file, 2)), limits(best_level()), seed=7)

    assert record.winner == 1
    assert [seat.output for seat in record.seats] == ["learnt -1\n", "learnt 1\n"]


def test_a_forged_reply_while_loading_is_a_load_error(tmp_path):
    code = (
        "import os\nfor n in range(3, 9):\n    try:\n        os.write(n, b'{}\\n')\n    except OSError:\n        pass\n"
    )
    with PlayerProcess(seating(write_file(tmp_path, code)), GAME, limits(best_level())) as seat:
        fault = seat.load()

    assert fault is not None and fault.ending is Ending.LOAD_ERROR
    assert "reply to another request" in fault.text


def test_a_player_that_does_not_read_its_orders_is_charged_for_it(tmp_path):
    code = HONEST.read_text(encoding="utf-8").replace("return", "__import__('os').read(3, 1); return")
    with PlayerProcess(seating(write_file(tmp_path, code)), GAME, limits(best_level(), QUICK)) as seat:
        assert seat.load() is None
        reply = seat.choose(GAME.start())

    assert reply.fault is not None and reply.fault.ending is Ending.TIMEOUT


LEAVES_A_CHILD = """
import os, time

class SmartPlayer:
    def __init__(self, player_id):
        pass

    def play(self, board):
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
"""


@pytest.mark.parametrize("level", [level for level in levels() if level.values[0] < Level.GOOD])
def test_at_levels_that_allow_child_processes_they_are_ended_with_the_player(tmp_path, level):
    with nothing_left_behind():
        record = against_honest(write_file(tmp_path, LEAVES_A_CHILD), limits(level))

    assert record.ending is Ending.EXITED


LIFTS_ITS_LIMITS = """
import resource

for kind in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
    try:
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print("SUCCEEDED", kind)
    except (ValueError, OSError):
        pass
"""


@pytest.mark.parametrize("level", levels(Level.BASIC))
def test_limits_cannot_be_raised_again_even_by_root(tmp_path, level):
    file = write_file(tmp_path, LIFTS_ITS_LIMITS + HONEST.read_text(encoding="utf-8"))
    record = against_honest(file, limits(level))

    assert record.ending == "connected"
    assert "SUCCEEDED" not in record.seats[0].output
