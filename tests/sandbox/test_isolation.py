"""The steps of isolation: what each one prevents, and that a missing step lowers the level."""

import json
import subprocess
import sys
import textwrap
from itertools import pairwise
from pathlib import Path

import pytest

from grader.errors import IsolationError
from grader.sandbox.file_access import ROOT, allowed_files
from grader.sandbox.isolation import STEPS, Level, achieved_level
from grader.sandbox.limits import Limits
from grader.sandbox.machine import reached_level
from grader.sandbox.process import PlayerProcess
from tests.sandbox.seats import GAME, HONEST, levels, limits, nothing_left_behind, seating

linux = pytest.mark.skipif(sys.platform != "linux", reason="isolation requires Linux")


def in_a_process(code: str, *arguments: str) -> dict[str, str]:
    """Run code that isolates itself, and return its report of what it can still do."""
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    report: dict[str, str] = json.loads(done.stdout)
    return report


ATTEMPT = """
    import json, os, sys
    report = {}
    def attempt(name, act):
        try:
            report[name] = "done" if act() != -1 else "failed"
        except OSError as error:
            report[name] = type(error).__name__
"""


@pytest.mark.parametrize("level", levels())
def test_a_worker_reports_every_step_of_its_level(level):
    with nothing_left_behind():
        assert reached_level(level) is level


@pytest.mark.parametrize("level", list(Level))
def test_a_missing_step_lowers_the_level(level):
    assert achieved_level(list(STEPS[level])) is level
    for step in STEPS[level]:
        assert achieved_level([done for done in STEPS[level] if done != step]) < level
    assert achieved_level([]) is Level.NONE
    assert achieved_level(["something else"]) is Level.NONE


def test_every_level_includes_the_steps_of_the_level_below():
    for lower, higher in pairwise(Level):
        assert set(STEPS[lower]) < set(STEPS[higher])


@linux
@pytest.mark.parametrize(
    ("broken", "level"),
    [
        pytest.param("landlock.version = lambda libc: 0", Level.BASIC, id="a kernel without Landlock"),
        pytest.param("seccomp.is_supported = lambda: False", Level.BASIC, id="an unknown architecture"),
        pytest.param(
            "def failing(): raise OSError\nisolation.drop_capabilities = failing",
            Level.NONE,
            id="capabilities that cannot be dropped",
        ),
    ],
)
def test_steps_that_the_machine_cannot_do_are_not_reported(broken, level):
    code = f"""
import json
from grader.sandbox import isolation, landlock, seccomp
{broken}
limits = {{"memory": 1 << 30, "descriptors": 64, "file_size": 0}}
order = {{"level": 2, "limits": limits, "core": None, "readable": ["/"], "listable": [], "writable": [], "scratch": None}}
print(json.dumps({{"steps": isolation.isolate_process(order)}}))
"""
    assert achieved_level(list(in_a_process(code)["steps"])) is level


def test_a_level_below_the_required_one_is_refused():
    with nothing_left_behind(), pytest.raises(IsolationError, match="basic is required"):
        PlayerProcess(seating(HONEST), GAME, Limits(isolation=Level.NONE, required=Level.BASIC))


@linux
@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_under_landlock_a_process_can_use_only_the_allowed_files(tmp_path, level):
    assert level >= Level.GOOD
    for name in ("open", "listed", "closed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("text", encoding="utf-8")
    code = (
        ATTEMPT
        + """
    import ctypes
    from grader.sandbox import landlock
    folder = sys.argv[1]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)
    landlock.restrict(libc, [folder + "/open", folder + "/missing"], [folder + "/listed"], ["/dev/null"])
    for name in ("open", "listed", "closed"):
        attempt("read " + name, lambda: open(f"{folder}/{name}/file").close())
        attempt("list " + name, lambda: os.listdir(f"{folder}/{name}"))
        attempt("write " + name, lambda: open(f"{folder}/{name}/new", "w").close())
        attempt("empty " + name, lambda: os.truncate(f"{folder}/{name}/file", 0))
        attempt("remove " + name, lambda: os.unlink(f"{folder}/{name}/file"))
        attempt("link " + name, lambda: os.symlink("/", f"{folder}/{name}/link"))
    attempt("null", lambda: open("/dev/null", "w").close())
    attempt("process", lambda: open("/proc/self/status").close())
    print(json.dumps(report))
    """
    )
    report = in_a_process(code, str(tmp_path))

    allowed = {what for what, how in report.items() if how == "done"}
    assert allowed == {"read open", "list open", "list listed", "null"}
    assert set(report.values()) == {"done", "PermissionError"}
    assert (tmp_path / "closed" / "file").read_text(encoding="utf-8") == "text"


@linux
@pytest.mark.parametrize("level", levels(Level.GOOD))
def test_under_seccomp_denied_calls_fail_and_threads_work(level):
    assert level >= Level.GOOD
    code = (
        ATTEMPT
        + """
    import ctypes, fcntl, mmap, resource, select, signal, socket, threading
    from grader.sandbox import seccomp
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)
    seccomp.restrict(libc)
    parent = os.getppid()
    attempt("fork", os.fork)
    attempt("exec", lambda: os.execv("/bin/true", ["true"]))
    attempt("socket", socket.socket)
    attempt("owner", lambda: fcntl.fcntl(0, fcntl.F_SETOWN, parent))
    attempt("signal", lambda: os.kill(parent, 0))
    attempt("limit", lambda: resource.prlimit(parent, resource.RLIMIT_CORE))
    attempt("session", os.setsid)
    attempt("priority", lambda: os.nice(1))
    attempt("memory file", lambda: os.memfd_create("x"))
    attempt("io_uring", lambda: libc.syscall(425, 8, None))
    attempt("death", lambda: libc.prctl(1, 0, 0, 0, 0))
    attempt("truncate", lambda: os.close(os.open("/dev/null", os.O_RDONLY | os.O_TRUNC)))
    attempt("own signal", lambda: os.kill(os.getpid(), 0))
    attempt("own limit", lambda: resource.getrlimit(resource.RLIMIT_AS))
    attempt("pair", lambda: socket.socketpair() and None)
    attempt("map", lambda: mmap.mmap(-1, 4096) and None)
    def start():
        thread = threading.Thread(target=lambda: None)
        thread.start()
        thread.join()
    attempt("thread", start)
    print(json.dumps(report))
    """
    )
    report = in_a_process(code)

    assert {what for what, how in report.items() if how == "done"} == {
        "own signal",
        "own limit",
        "pair",
        "map",
        "thread",
    }


def test_the_reference_players_and_the_rest_of_the_grader_are_not_readable(tmp_path):
    access = allowed_files((str(tmp_path),), None)

    assert str(tmp_path) in access.readable
    for path in ("reference_players/random.py", "grader/referee.py", "grader/sandbox/process.py", "grader/intake"):
        assert not _is_readable(access.readable, ROOT / path), path
    for path in ("grader/games/hex/rules.py", "grader/sandbox/worker.py"):
        assert _is_readable(access.readable, ROOT / path), path
    assert access.writable == ("/dev/null",)


def _is_readable(readable: tuple[str, ...], path: Path) -> bool:
    return any(str(folder) in readable for folder in (path, *path.parents))


@pytest.mark.parametrize("level", levels())
def test_a_player_has_no_open_descriptors_except_its_own_pipes(tmp_path, level):
    file = tmp_path / "solution.py"
    file.write_text(
        textwrap.dedent(
            """
            import os

            class SmartPlayer:
                def __init__(self, player_id):
                    kinds = {}
                    for number in range(64):
                        try:
                            kinds[number] = oct(os.fstat(number).st_mode >> 12)
                        except OSError:
                            pass
                    print(kinds)

                def play(self, board):
                    return board.get_possible_moves()[0]
            """
        ),
        encoding="utf-8",
    )
    with (tmp_path / "secret").open("w") as secret:  # a file of ours that is open while the player starts
        assert secret.fileno() > 2
        with PlayerProcess(seating(file), GAME, limits(level)) as seat:
            assert seat.load() is None
            kinds = eval(seat.report().output)

    assert kinds.pop(0) == "0o2"  # /dev/null
    assert list(kinds.values()) == ["0o1"] * 4, kinds  # two for its output, one for orders and one for replies
