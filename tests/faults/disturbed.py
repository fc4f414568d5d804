"""A competition that is played while its processes are killed, until it is over."""

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
from tests.waiting import comes
from tests.workflow.folders import CRASHES, FIRST, LAST, folder

ASSIGNMENT = """
title: Disturbed
game: hex
options: {size: 5}
time: {move: 5, load: 20}
opponents:
  - {player: random, points: 10, games: 2}
  - {player: minimax, points: 10, games: 2}
"""
GAMES = 4 * 4
"""Of a run: four submissions, all of which can be loaded."""
MOST_RUNS = 20
KNOWN = frozenset({"submissions", "results", "log.txt", "lab", *(f"lab{number}" for number in range(MOST_RUNS))})
"""What a test has put there itself."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A command that plays a competition."""

    words: tuple[str, ...]
    file: str
    """What it comes to."""
    games: int


RUN = Kind(("run", "--yes"), "results.json", GAMES)
ROUND_ROBIN = Kind(("tournament", "--anchor", "random", "--games", "2"), "standings.json", 5 * 4)
SWISS = Kind(("tournament", "--anchor", "random", "--swiss", "3", "--games", "2"), "standings.json", 3 * 2 * 2)

Victims = Callable[[int], Sequence[int]]
"""From the grader's process to those of its processes that may be killed."""

Options = Callable[[], Sequence[str]]
"""More words for the command."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What a disturbed class came to."""

    kills: int
    runs: int
    """How often the command had to be given."""
    results: bytes
    games: int
    left: frozenset[int]
    """Processes that outlived the command."""
    scratch: frozenset[str]
    """What else the last command has left where it keeps its temporary files."""


def class_in(at: Path) -> Path:
    """Four submissions whose games are the same every time, one of which fails in each."""
    return folder(at, ASSIGNMENT, ana=FIRST, berta=LAST, carla=FIRST.replace("[0]", "[1]"), dora=CRASHES)


def spoil(submissions: Path) -> None:
    """Write something else into every file."""
    for file in submissions.rglob("*.py"):
        file.write_text("raise SystemExit\n", encoding="utf-8")
    (submissions / "assignment.yaml").write_text("nothing: here\n", encoding="utf-8")


def undisturbed(at: Path, kind: Kind = RUN) -> bytes:
    """The results when nobody interferes."""
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
    """Grade the class, killing one of the victims at a random moment, so often; then let it come to its end.

    `options` are asked for before each command: what they name may have been killed. Unless the command is `alone`, other
    machines stay switched on, and what outlives it cannot be told yet.
    """
    results, before = at / "results", our_processes()
    done = runs = 0
    while runs < MOST_RUNS:
        runs += 1
        process = started(at / "submissions", results, options(), kind=kind, tmp=at)
        while done < kills and process.poll() is None:
            time.sleep(chance.uniform(0.05, 1.5))
            done += _killed_one(victims(process.pid), chance)
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
    """The processes in which students' code or a reference player runs: those with nobody below them."""
    family = children_of(grader)
    return [pid for pid in family if pid not in family.values() and b"gc.disable()" in _words(pid)]


def pool_workers(grader: int) -> Sequence[int]:
    """The processes that the fork server has made."""
    family = children_of(grader)
    servers = [pid for pid in family if b"forkserver import main" in _words(pid)]
    return [pid for pid, parent in family.items() if parent in servers]


def itself(grader: int) -> Sequence[int]:
    """Only the command, unless it has just ended by itself: to kill what is over would prove nothing."""
    return [grader] if grader in our_processes() else []


def children_of(ancestor: int) -> Mapping[int, int]:
    """All living processes below one, with their parents."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
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
    """How many games are kept."""
    if not (results / "results.sqlite").exists():
        return 0
    connection = sqlite3.connect(results / "results.sqlite")
    try:
        (count,) = connection.execute("SELECT COUNT(*) FROM matches").fetchone()
    except sqlite3.OperationalError:  # not even the table is there yet
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
    """The command, with its temporary files in a folder of its own; `before` are words to put in front of it."""
    command = [*before, sys.executable, "-m", "grader", *kind.words, str(submissions), "-o", str(results), *options]
    with (tmp / "log.txt").open("ab") as log:
        return subprocess.Popen(
            command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(tmp)}
        )


def outliving(before: set[int]) -> set[int]:
    """Processes of ours that are still there when all that belonged to a run should be gone."""
    comes(lambda: our_processes() <= before)
    return our_processes() - before


def _killed_one(victims: Sequence[int], chance: random.Random) -> int:
    """Kill one of them, if there is one. Returns how many were killed."""
    if not victims:
        return 0
    try:
        os.kill(chance.choice(sorted(victims)), signal.SIGKILL)
    except ProcessLookupError:
        return 0
    return 1


def _words(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
