"""Every known attack by a player, carried out in real processes at each level that claims to stop it."""

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.engine import match
from grader.engine.match import run_match
from grader.records import Ending
from grader.sandbox.isolation import Level
from grader.sandbox.limits import TimeLimits
from grader.sandbox.threats import THREATS
from tests.sandbox.seats import (
    GAME,
    HONEST,
    PATIENT,
    PLAYERS,
    QUICK,
    QUICK_TO_LOAD,
    against_honest,
    levels,
    limits,
    nothing_left_behind,
    seating,
    write_file,
)

NATURAL = ("connected",)


@dataclass(frozen=True)
class Case:
    """A player that attacks, and how its match may end."""

    player: str
    numbers: tuple[int, ...]
    """The numbers of its attacks in the list of known attacks."""
    endings: tuple[str, ...]
    spreads: bool = False
    """It affects other processes: an honest match is played after it."""
    scratch_mb: int = 0
    """The size of its scratch folder, if it has one."""
    time: TimeLimits = PATIENT
    """Its time limits: short ones only if it uses them up."""


CASES = (
    Case("exit_on_import", (1,), (Ending.LOAD_ERROR,)),
    Case("exit_in_play", (2,), (Ending.EXITED,)),
    Case("raises_base_exception", (3,), (Ending.CRASH,)),
    Case("raises_keyboard_interrupt", (3,), (Ending.CRASH,)),
    Case("raises_system_exit", (3,), (Ending.EXITED,)),
    Case("kills_parent", (4,), NATURAL, spreads=True),
    Case("kills_itself", (2,), (Ending.EXITED,)),
    Case("stops_itself", (5,), (Ending.TIMEOUT,), time=QUICK),
    Case("ignores_signals", (6,), (Ending.TIMEOUT,), time=QUICK),
    Case("segfault", (7,), (Ending.EXITED,)),
    Case("endless_recursion", (8,), (Ending.CRASH,)),
    Case("atexit_writes", (9,), NATURAL),
    Case("hangs_at_shutdown", (10,), NATURAL),
    Case("endless_import", (11,), (Ending.LOAD_ERROR,), time=QUICK_TO_LOAD),
    Case("endless_constructor", (12,), (Ending.LOAD_ERROR,), time=QUICK_TO_LOAD),
    Case("prints_a_result", (13,), NATURAL),
    Case("writes_everywhere", (14,), (Ending.BAD_REPLY,)),
    Case("second_reply", (15,), (Ending.BAD_REPLY,)),
    Case("future_moves", (16,), (Ending.BAD_REPLY,)),
    Case("gigabyte_frame", (17,), (Ending.BAD_REPLY,)),
    Case("closes_its_pipes", (14, 43), (Ending.BAD_REPLY, Ending.TIMEOUT), time=QUICK),
    Case("walks_the_stack", (25, 26), NATURAL),
    Case("imports_reference", (27,), NATURAL),
    Case("reads_what_is_hidden", (50,), NATURAL),
    Case("patches_random_and_time", (28,), NATURAL),
    Case("patches_the_board", (29,), NATURAL),
    Case("changes_the_board", (30,), NATURAL),
    Case("replaces_modules", (31,), NATURAL),
    Case("hijacks_classes", (33,), NATURAL),
    Case("trace_hooks", (34,), NATURAL),
    Case("reads_environment", (35,), NATURAL),
    Case("notices_grading", (36,), NATURAL),
    Case("fork_bomb", (37,), (Ending.CRASH,), spreads=True),
    Case("thread_bomb", (38,), (Ending.CRASH, Ending.MEMORY), spreads=True),
    Case("memory_balloon", (39,), (Ending.MEMORY,), spreads=True),
    Case("fills_the_disk", (40,), (Ending.CRASH,), spreads=True),
    Case("fills_the_inodes", (41,), (Ending.CRASH,), spreads=True),
    Case("floods_output", (42,), NATURAL),
    Case("uses_up_descriptors", (43,), (Ending.CRASH, *NATURAL)),
    Case("sleeps", (44,), (Ending.TIMEOUT,), time=QUICK),
    Case("spins", (44,), (Ending.TIMEOUT,), time=QUICK),
    Case("c_call", (45,), (Ending.TIMEOUT,), time=QUICK),
    Case("thinks_in_background", (46,), NATURAL),
    Case("resumes_itself", (89,), NATURAL),
    Case("thinks_in_a_helper", (84,), (Ending.LOAD_ERROR,), spreads=True),
    Case("daemon", (47,), (Ending.CRASH,), spreads=True),
    Case("uses_all_cores", (48, 49), (Ending.TIMEOUT,), spreads=True, time=QUICK),
    Case("calls_out", (54, 55), NATURAL),
    Case("meddles_with_processes", (56, 57), NATURAL, spreads=True),
    Case("runs_a_binary", (58,), (Ending.CRASH,)),
    Case("installs_on_import", (59,), (Ending.LOAD_ERROR,)),
    Case("leaves_messages", (76, 77, 78, 79), NATURAL),
    Case("litters_its_scratch", (80,), NATURAL, scratch_mb=1),
    Case("fills_its_scratch", (81,), (Ending.CRASH,), spreads=True, scratch_mb=1),
)
TESTED_SEPARATELY = {17, 18, 19, 20, 32, 67, 88}
"""Tested below, because they have many variants or files that pytest must not import, or in `test_templates.py`."""
TESTED_WITH_COMMANDS = {51, 52, 53, 82}
"""Attacks on other submissions, results and the terminal, which are tested with real commands."""


def stopped_from(numbers: tuple[int, ...]) -> Level:
    return max(threat.stopped_from for threat in THREATS if set(numbers) & set(threat.cases))


def at_each_level() -> list[Any]:
    return [
        pytest.param(case, *level.values, id=f"{case.player}-{level.id}", marks=level.marks)
        for case in CASES
        for level in levels(stopped_from(case.numbers))
    ]


@pytest.mark.parametrize(("case", "level"), at_each_level())
def test_an_attack_ends_as_expected_and_leaves_nothing_behind(case, level):
    restricted = limits(level, case.time, memory_mb=512, scratch_mb=case.scratch_mb)
    os.environ["GRADER_SECRET"] = "the opponent's openings"

    with nothing_left_behind():
        record = against_honest(PLAYERS / f"{case.player}.py", restricted)

    assert record.ending in case.endings, (record.fault, record.seats[0].output)
    assert record.seats[0].isolation == str(level)
    assert (record.at_fault, record.winner) in (((None, 0), (None, 1)) if record.ending in NATURAL else ((0, 1),))
    assert "SUCCEEDED" not in record.seats[0].output
    assert "GRADER_SECRET" not in record.seats[0].output
    assert len(record.seats[0].output) <= restricted.output_kb * 1024 + 1
    if case.spreads:
        assert moves_of_honest_players(level) == HONEST_GAME


HONEST_GAME = ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3", "a4", "b4"]


def moves_of_honest_players(level: Level) -> list[str]:
    record = run_match(GAME, (seating(HONEST, 1), seating(HONEST, 2)), limits(level), seed=7)
    return [turn.move for turn in record.turns]


def test_every_known_attack_is_tested():
    tested = {number for case in CASES for number in case.numbers} | TESTED_SEPARATELY
    claimed = {number for threat in THREATS for number in threat.cases}

    assert claimed - TESTED_WITH_COMMANDS == tested
    assert {path.stem for path in PLAYERS.glob("*.py")} - {"__init__", "honest"} == {
        *(case.player for case in CASES),
        *("odd_frame", "strange_move", "lying_move", "changes_priority", "dies_oddly", "counts_by_the_clock"),
    }


def variants(player: str) -> range:
    """The indices of the variants that the player lists."""
    names: dict[str, Any] = {"__name__": player}
    exec((PLAYERS / f"{player}.py").read_text(encoding="utf-8"), names)
    return range(len(names.get("FRAMES") or names.get("DEATHS") or names["VALUES"]))


@pytest.mark.parametrize("level", levels())
@pytest.mark.parametrize(
    ("player", "endings"),
    [
        pytest.param("odd_frame", {Ending.BAD_REPLY, Ending.ILLEGAL_MOVE, Ending.CRASH}, id="odd frames"),
        pytest.param("strange_move", {Ending.ILLEGAL_MOVE}, id="strange moves"),
        pytest.param("lying_move", {Ending.ILLEGAL_MOVE, Ending.EXITED, Ending.CRASH}, id="lying moves"),
    ],
)
def test_an_invalid_answer_loses_the_game_and_does_no_other_harm(player, endings, level):
    chosen = (
        variants(player) if level is Level.NONE else variants(player)[::6]
    )  # the protocol is the same at all levels

    with nothing_left_behind():
        for seed in chosen:
            record = against_honest(PLAYERS / f"{player}.py", limits(level), seed=seed)

            assert record.ending in endings, (seed, record.fault)
            assert record.winner == 1
            assert record.fault is not None and len(record.fault.text) < 1000


@pytest.mark.parametrize("level", levels(Level.BASIC))
def test_however_a_player_ends_its_process_it_loses_and_the_game_is_not_replayed(level):
    """Case 67. Only from level good on could it look like the machine's fault."""
    for seed in variants("dies_oddly") if level >= Level.GOOD else variants("dies_oddly")[::5]:
        with nothing_left_behind():
            record = against_honest(PLAYERS / "dies_oddly.py", limits(level, QUICK, memory_mb=256), seed=seed)

        assert (record.winner, record.at_fault, record.attempts) == (1, 0, ()), (seed, record.fault)


HELPERS = """
import os, time

class SmartPlayer:
    def __init__(self, player_id):
        for _ in range(2):
            if os.fork() == 0:
                end = time.monotonic() + 5
                while time.monotonic() < end:
                    pass
                os._exit(0)

    def play(self, board):
        end = time.thread_time() + 0.11
        while time.thread_time() < end:
            pass
        return board.get_possible_moves()[0]
"""


def test_a_player_that_makes_itself_wait_by_its_own_processes_is_not_replayed(tmp_path, monkeypatch):
    """Case 67, below the level at which players cannot start processes."""
    monkeypatch.setattr(match, "STARVED_SECONDS", 0.05)
    one_core = limits(Level.BASIC, TimeLimits(move=0.4, load=5), core=min(os.sched_getaffinity(0)))

    record = against_honest(write_file(tmp_path, HELPERS), one_core)

    waits = [turn.charge.waited for turn in record.turns_of(0)]
    assert sum(waits) > 0.1, "it did wait"
    assert (record.winner, record.attempts) == (1, ())


@pytest.mark.parametrize("level", levels())
def test_files_named_like_the_graders_modules_affect_only_the_player(tmp_path, level):
    """Case 32."""
    evil = "raise SystemExit('SUCCEEDED')\n"
    for name in ("json", "sitecustomize", "usercustomize", "conftest", "select", "func_timeout", "grader", "enum"):
        write_file(tmp_path, evil, f"{name}.py")
    write_file(tmp_path, "import os; os._exit(1)\n", "evil.pth")
    write_file(tmp_path, "def random():\n    return 'their own'\n", "random.py")
    file = write_file(tmp_path, HONEST.read_text(encoding="utf-8"))

    with nothing_left_behind():
        record = against_honest(file, limits(level), readable=(tmp_path,))

    assert record.ending == "connected"


@pytest.mark.parametrize("level", levels())
def test_hiding_time_by_a_lower_priority_is_prevented_or_detected(level):
    record = against_honest(PLAYERS / "changes_priority.py", limits(level))

    if level >= Level.GOOD:
        assert record.ending == "connected"
        assert "SUCCEEDED" not in record.seats[0].output
    else:
        assert record.ending is Ending.BAD_REPLY
        assert record.fault is not None and "scheduled" in record.fault.text


@pytest.mark.parametrize("level", levels())
def test_a_background_thread_is_frozen_while_the_other_side_thinks(level):
    slow = run_match(GAME, (seating(PLAYERS / "thinks_in_background.py"), seating(_slow(), 2)), limits(level), seed=7)

    thoughts = [int(line) for line in slow.seats[0].output.splitlines()[1:]]
    assert slow.ending == "connected"
    assert len(thoughts) > 3
    assert max(thoughts) < 30, "the thread ran during the 0.1 s of the other side's move"


def _slow() -> Path:
    folder = Path(tempfile.mkdtemp())
    return write_file(
        folder, HONEST.read_text(encoding="utf-8").replace("return", "__import__('time').sleep(0.1); return")
    )


@pytest.mark.parametrize("level", levels())
def test_no_code_of_a_player_runs_after_its_game(level):
    """Cases 9 and 10."""
    began = time.monotonic()

    against_honest(PLAYERS / "atexit_writes.py", limits(level))
    against_honest(PLAYERS / "hangs_at_shutdown.py", limits(level))

    assert not list(Path(tempfile.gettempdir()).glob("grader-attack-*"))
    assert time.monotonic() - began < 30
