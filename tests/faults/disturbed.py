"""Play a competition while its processes are killed, and repeat the command until it is finished."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.sandbox.seats import our_processes
from tests.waiting import becomes_true
from tests.workflow.folders import CRASHES, FIRST, LAST, folder

ASSIGNMENT = """
title: Disturbed
game: hex
seed: 0
options: {size: 5}
time: {move: 5, load: 20}
opponents:
  - {player: random, points: 10, games: 2}
  - {player: minimax, points: 10, games: 2}
"""
GAMES = 4 * 4
"""The number of games of a run: all four submissions can be loaded."""
MOST_RUNS = 20
KNOWN = frozenset({"submissions", "results", "log.txt", "lab", *(f"lab{number}" for number in range(MOST_RUNS))})
"""The names that a test itself creates in its folder."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A command that plays a competition."""

    words: tuple[str, ...]
    file: str
    """The file with its results."""
    games: int


RUN = Kind(("run", "--yes"), "results.json", GAMES)
ROUND_ROBIN = Kind(("tournament", "--anchor", "random", "--games", "2"), "standings.json", 5 * 4)
SWISS = Kind(("tournament", "--anchor", "random", "--swiss", "3", "--games", "2"), "standings.json", 3 * 2 * 2)

Victims = Callable[[int], Sequence[int]]
"""Returns those descendants of the grader's process that may be killed."""

Options = Callable[[], Sequence[str]]
"""Returns more arguments for the command."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of grading a class while processes were killed."""

    kills: int
    runs: int
    """How many times the command had to be run."""
    results: bytes
    games: int
    left: frozenset[int]
    """Processes that outlived the command."""
    scratch: frozenset[str]
    """Other files that the commands left in the folder for temporary files."""


def class_in(at: Path) -> Path:
    """Write four submissions whose games are the same every time. One of them fails in each game."""
    return folder(at, ASSIGNMENT, ana=FIRST, berta=LAST, carla=FIRST.replace("[0]", "[1]"), dora=CRASHES)


def spoil(submissions: Path) -> None:
    """Overwrite every file with something else."""
    for file in submissions.rglob("*.py"):
        file.write_text("raise SystemExit\n", encoding="utf-8")
    (submissions / "assignment.yaml").write_text("nothing: here\n", encoding="utf-8")


def undisturbed(at: Path, kind: Kind = RUN) -> bytes:
    """The results without any disturbance."""
    done = started(class_in(at / "submissions"), at / "calm", kind=kind, tmp=at).wait(timeout=300)
    assert done == 0
    return (at / "calm" / kind.file).read_bytes()


def graded_while_killing(
    at: Path,
    victims: Victims,
    chance: random.Random,
    *,
    kills: int,
    kind: Kind = RUN,
    options: Options = tuple,
    alone: bool = True,
) -> Ending:
    """Grade the class, killing one of the victims at random moments, `kills` times; then let it finish.

    `options` is called before each command, because what it refers to may have been killed. Unless the command is `alone`,
    other processes keep running, and it cannot be determined yet which processes outlive it.
    """
    results, before = at / "results", our_processes()
    done = runs = 0
    while runs < MOST_RUNS:
        runs += 1
        process = started(at / "submissions", results, options(), kind=kind, tmp=at)
        while done < kills and process.poll() is None:
            time.sleep(chance.uniform(0.05, 1.5))
            while not (found := victims(process.pid)) and process.poll() is None:
                time.sleep(0.01)  # a player of fast games is gone again soon
            done += _kill_one(found, chance)
        if process.wait(timeout=300) == 0:
            break
    else:
        raise AssertionError(f"not graded after {MOST_RUNS} runs")
    return Ending(
        kills=done,
        runs=runs,
        results=(results / kind.file).read_bytes(),
        games=games_in(results),
        left=frozenset(outliving(before)) if alone else frozenset(),
        scratch=frozenset(path.name for path in at.iterdir()) - KNOWN,
    )


def players(grader: int) -> Sequence[int]:
    """The processes in which students' code or a reference player runs: those without children."""
    family, forked_from = children_of(grader), set(templates(grader))
    leaves = set(family) - set(family.values()) - forked_from
    return [pid for pid in leaves if b"gc.disable()" in _command_line(pid)]


def templates(grader: int) -> Sequence[int]:
    """The processes from which players are forked, in use or not."""
    family = children_of(grader)
    return [pid for pid in family if _is_forking(pid) and not _is_forking(family[pid])]


def keepers(grader: int) -> Sequence[int]:
    """The processes between templates and players."""
    family, parents = children_of(grader), set(templates(grader))
    return [pid for pid, parent in family.items() if parent in parents and _is_forking(pid)]


def _is_forking(pid: int) -> bool:
    command = _command_line(pid)
    return b"fork_server import main" in command and b"bwrap" not in command


def pool_workers(grader: int) -> Sequence[int]:
    """The processes that the fork server has started."""
    family = children_of(grader)
    servers = [pid for pid in family if b"forkserver import main" in _command_line(pid)]
    return [pid for pid, parent in family.items() if parent in servers]


def itself(grader: int) -> Sequence[int]:
    """Only the command itself, unless it has just ended: killing it then would prove nothing."""
    return [grader] if grader in our_processes() else []


def children_of(ancestor: int) -> Mapping[int, int]:
    """All living descendants of a process, with their parents."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                state, parent = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
                if state not in "ZX":
                    parents[int(entry.name)] = int(parent)
    found: dict[int, int] = {}
    new = {ancestor}
    while new:
        below = {child: parent for child, parent in parents.items() if parent in new}
        found.update(below)
        new = set(below)
    return found


def games_in(results: Path) -> int:
    """The number of stored games."""
    if not (results / "results.sqlite").exists():
        return 0
    connection = sqlite3.connect(results / "results.sqlite")
    try:
        (count,) = connection.execute("SELECT COUNT(*) FROM matches").fetchone()
    except sqlite3.OperationalError:  # the table has not been created yet
        return 0
    finally:
        connection.close()
    assert isinstance(count, int)
    return count


def started(
    submissions: Path,
    results: Path,
    options: Sequence[str] = (),
    *,
    tmp: Path,
    kind: Kind = RUN,
    before: Sequence[str] = (),
) -> "subprocess.Popen[bytes]":
    """Start the command, with its temporary files in `tmp`. `before` is put in front of the command line."""
    command = [*before, sys.executable, "-m", "grader", *kind.words, str(submissions), "-o", str(results), *options]
    with (tmp / "log.txt").open("ab") as log:
        return subprocess.Popen(
            command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(tmp)}
        )


def outliving(before: set[int]) -> set[int]:
    """Our processes that are still running when all processes of a run should have ended."""
    becomes_true(lambda: our_processes() <= before)
    return our_processes() - before


def _kill_one(victims: Sequence[int], chance: random.Random) -> int:
    """Kill one of the victims, if there is any. Returns the number of killed processes."""
    if not victims:
        return 0
    try:
        os.kill(chance.choice(sorted(victims)), signal.SIGKILL)
    except ProcessLookupError:
        return 0
    return 1


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
