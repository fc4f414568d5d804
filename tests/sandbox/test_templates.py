"""Players are forked from templates: nothing gets from one player to the next, and no template outlives its use."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from grader.engine.match import prepare_match, run_match
from grader.errors import GraderFault
from grader.inspection.players import named_player
from grader.records import MatchRecord
from grader.sandbox import templates
from grader.sandbox.isolation import Level
from grader.sandbox.process import PlayerProcess
from grader.sandbox.templates import MOST_IDLE, Template, TemplateKind, borrow, close_idle
from tests.sandbox.seats import (
    GAME,
    HONEST,
    PATIENT,
    PLAYERS,
    QUICK,
    against_honest,
    levels,
    limits,
    nothing_left_behind,
    our_processes,
    seating,
    write_file,
)
from tests.waiting import wait_until

LEAVES_MARKS = """
import builtins, gc, json, os, random, signal, sys
from grader.games.hex import board as boards
from grader.sandbox import adapter, seccomp, worker

PLACES = (builtins, json, os, random, sys, boards, boards.HexBoard, adapter, seccomp, worker)

class SmartPlayer:
    def __init__(self, player_id):
        gc.unfreeze()
        objects = gc.get_objects()
        if any(hasattr(place, "mark") for place in PLACES) or "MARK" in os.environ or "mark" in sys.modules:
            print("SUCCEEDED in leaving a mark")
        if any(type(one) is dict and one.get("mark") == 1 for one in objects):
            print("SUCCEEDED in leaving an object")
        if signal.getsignal(signal.SIGUSR1) != signal.SIG_DFL or "mark" in sys.path or linger in gc.callbacks:
            print("SUCCEEDED in leaving a handler")
        print(os.path.isabs(os.getcwd()), sys.path[1:], random.random())

    def play(self, board):
        for place in PLACES:
            place.mark = {"mark": 1}
        sys.modules["mark"] = sys
        os.environ["MARK"] = "1"
        sys.path.insert(0, "mark")
        signal.signal(signal.SIGUSR1, linger)
        gc.callbacks.append(linger)
        return board.get_possible_moves()[0]

def linger(*_):
    pass
"""
LOOKS_AROUND = """
import errno, gc, os, signal, stat, sys

class SmartPlayer:
    def __init__(self, player_id):
        for pid in (os.getppid(), 1, *range(2, 40), -1):
            if pid != os.getpid():
                try:
                    os.kill(pid, 0)
                    print("SUCCEEDED in signalling", pid)
                except OSError:
                    pass
        for descriptor in range(200):
            try:
                if stat.S_ISSOCK(os.fstat(descriptor).st_mode) or descriptor > 4:
                    print("SUCCEEDED in finding descriptor", descriptor)
            except OSError:
                pass
        for path in ("/proc/1/cmdline", f"/proc/{os.getppid()}/maps", "/proc/self/fd"):
            try:
                os.listdir(path) if path.endswith("fd") else open(path).close()
                print("SUCCEEDED in reading", path)
            except OSError:
                pass
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG)
            print("SUCCEEDED in waiting for a process")
        except OSError:
            pass
        gc.unfreeze()
        names = {type(one).__name__ for one in gc.get_objects()}
        names &= {"Template", "ForkedProcess", "PlayerProcess", "Seating", "Limits", "MatchRecord", "Pool"}
        secrets = [name for name in sys.modules if name.startswith(("reference_players", "grader.engine", "grader.store"))]
        if names or secrets:
            print("SUCCEEDED in finding", names, secrets)

    def play(self, board):
        return board.get_possible_moves()[0]
"""
LOOKS_AT_LINKS = """
import os, time

LINKS = ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd", "/dev/core", "/dev/ptmx"]

class SmartPlayer:
    def __init__(self, player_id):
        print([os.lstat(path).st_atime_ns - os.lstat(path).st_mtime_ns for path in LINKS])

    def play(self, board):
        for path in LINKS:
            os.readlink(path)
        return board.get_possible_moves()[0]
"""
FINDS_NUMPY = """
import sys
print("loaded before" if "numpy" in sys.modules else "not loaded before")
import numpy

class SmartPlayer:
    def __init__(self, player_id):
        print(numpy.random.random())

    def play(self, board):
        return board.get_possible_moves()[int(numpy.argmax([1, 0]))]
"""


@pytest.fixture(autouse=True)
def _own_templates() -> Iterator[None]:
    """Each test starts its own templates."""
    close_idle()
    yield
    close_idle()


def idle() -> list[Template]:
    return templates._IDLE.templates


def template_pids() -> set[int]:
    return {template._process.pid for template in idle()}


def play_honest(level: Level) -> MatchRecord:
    return run_match(GAME, (seating(HONEST, 1), seating(HONEST, 2)), limits(level), seed=7)


def first_template(level: Level) -> Template:
    """The template of a player that has just played alone."""
    close_idle()
    with PlayerProcess(seating(HONEST), GAME, limits(level)) as player:
        assert player.load() is None
    (template,) = idle()
    return template


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_nothing_that_a_player_changes_reaches_the_next_one(tmp_path, level):
    file = write_file(tmp_path, LEAVES_MARKS)

    with nothing_left_behind():
        first = against_honest(file, limits(level))
        before = template_pids()
        second = against_honest(file, limits(level))
        assert template_pids() == before, "the second game must use the same templates"

    assert first.fault is None and second.fault is None
    assert "SUCCEEDED" not in first.seats[0].output + second.seats[0].output
    assert first.seats[0].output == second.seats[0].output, "its surroundings were the same"


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_a_player_finds_neither_its_template_nor_what_belongs_to_other_players(tmp_path, level):
    minimax = named_player("minimax")
    _, (_, opponent) = prepare_match((minimax, minimax), "hex", {"size": 4}, 1)
    student = seating(write_file(tmp_path, LOOKS_AROUND))

    with nothing_left_behind():
        records = [run_match(GAME, (student, opponent), limits(level), seed=seed) for seed in (1, 2)]

    assert [(record.fault, record.seats[0].output) for record in records] == [(None, "")] * 2


@pytest.mark.parametrize("level", levels(Level.GOOD))
@pytest.mark.parametrize(
    "attack", ["memory_balloon", "thread_bomb", "uses_up_descriptors", "kills_itself", "stops_itself"]
)
def test_a_template_serves_the_next_player_after_an_attack_on_its_resources(level, attack):
    with nothing_left_behind():
        template = first_template(level)
        limited = limits(level, QUICK if attack == "stops_itself" else PATIENT, memory_mb=256)
        with PlayerProcess(seating(PLAYERS / f"{attack}.py"), GAME, limited) as player:
            if player.load() is None:
                player.choose(GAME.start())
        assert [one._process.pid for one in idle()] == [template._process.pid]
        assert play_honest(level).fault is None


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_two_players_of_a_match_come_from_different_templates(level):
    with nothing_left_behind(), ExitStack() as stack:
        players = [
            stack.enter_context(PlayerProcess(seating(HONEST, number), GAME, limits(level))) for number in (1, 2)
        ]
        spaces = [
            tuple(Path(f"/proc/{player.pid}/ns/{kind}").readlink() for kind in ("pid", "mnt", "user", "ipc", "net"))
            for player in players
        ]

    different = [one != other for one, other in zip(*spaces, strict=True)]
    assert different == [level is Level.STRONG] * 5


@pytest.mark.parametrize("level", levels(Level.GOOD))
@pytest.mark.parametrize("lost", ["the template", "the process that keeps the player"])
def test_a_player_ends_with_what_it_was_forked_from_and_that_is_a_grader_fault(level, lost):
    with nothing_left_behind():
        with PlayerProcess(seating(HONEST), GAME, limits(level)) as player:
            assert player.load() is None
            keeper = parent_of(player.pid)
            os.kill(parent_of(keeper) if lost == "the template" else keeper, signal.SIGKILL)
            wait_until(lambda: player.pid not in our_processes())
            with pytest.raises(GraderFault, match="killed"):
                player.choose(GAME.start())
        assert play_honest(level).fault is None


@pytest.mark.parametrize("level", levels(Level.STRONG))
def test_a_player_cannot_leave_a_time_at_a_link(tmp_path, level):
    file = write_file(tmp_path, LOOKS_AT_LINKS)
    first, second = (against_honest(file, limits(level)) for _ in range(2))

    assert first.fault is None and second.fault is None
    assert first.seats[0].output == second.seats[0].output


@pytest.mark.parametrize("level", levels(Level.GOOD))
@pytest.mark.parametrize("module", ["array", "select", "selectors", "signal", "socket"])
def test_a_module_of_the_submission_is_not_hidden_by_one_that_only_the_template_needs(tmp_path, level, module):
    write_file(tmp_path, "first = 0\n", f"{module}.py")
    code = HONEST.read_text(encoding="utf-8")
    file = write_file(tmp_path, f"from {module} import first\n{code}")
    with PlayerProcess(seating(file, readable=(tmp_path,)), GAME, limits(level)) as player:
        assert player.load() is None


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_a_template_that_was_killed_while_no_player_used_it_is_replaced(level):
    with nothing_left_behind():
        template = first_template(level)
        os.kill(template._process.pid, signal.SIGKILL)
        wait_until(lambda: not template.is_alive())

        assert play_honest(level).fault is None


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_the_private_copy_of_a_game_is_gone_before_the_next_game(level):
    template = first_template(level)

    assert not list(Path(template.folder).iterdir())


@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_a_library_that_was_loaded_before_the_player_behaves_as_if_the_player_had_loaded_it(tmp_path, level):
    file = write_file(tmp_path, FINDS_NUMPY)
    found = [
        run_match(GAME, (seat, seating(HONEST, 2)), limits(level, memory_mb=2048), seed=7)
        for seat in (seating(file), seating(file, preload=("numpy",)), seating(file, preload=("numpy",)))
    ]

    assert [record.fault for record in found] == [None] * 3
    assert len({record.turns[0].move for record in found}) == 1
    loaded, numbers = zip(*(record.seats[0].output.splitlines() for record in found), strict=True)
    assert loaded == ("not loaded before", "loaded before", "loaded before")
    assert len(set(numbers)) == 1, "numpy's random numbers are seeded from the match"


def test_a_library_that_cannot_be_loaded_is_left_to_the_player():
    with (
        nothing_left_behind(),
        PlayerProcess(seating(HONEST, preload=("no_such_library",)), GAME, limits(Level.GOOD)) as player,
    ):
        assert player.load() is None


def test_only_a_few_templates_are_kept():
    before = our_processes()
    for number in range(MOST_IDLE + 2):
        with borrow(TemplateKind(level=Level.GOOD, modules=(f"no_such_library_{number}",))):
            pass

    assert len(idle()) == MOST_IDLE
    assert len(our_processes() - before) == MOST_IDLE
