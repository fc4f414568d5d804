"""How fast a core of this machine is, as a factor: 1.0 is one core of a cloud machine of 2026 (AMD EPYC, Zen 4) with Python 3.11.

It is measured for about two seconds by a process in which no student's code runs (`benchmark`), with the clock that charges players. So
waiting for a core that other processes use makes no difference, but a core that the machine gives only a part of the time is as
slow as it is for a player.

A figure is remembered for a day in the user's cache folder, for each kind of core of each machine, and measured again after a change of Python or
numpy. The environment variable GRADER_SPEED replaces the measurement.
"""

import hashlib
import json
import math
import os
import platform
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import Distribution
from pathlib import Path

from grader.errors import GraderFault, OptionError
from grader.language import say
from grader.sandbox.benchmark import REFERENCE_SECONDS, VERSION
from grader.sandbox.clock import clock_for
from grader.sandbox.file_access import ROOT, interpreter, packages, program
from grader.sandbox.isolation import Level
from grader.sandbox.limits import Limits
from grader.sandbox.spawn import spawn

GIVEN = "GRADER_SPEED"
"""The environment variable with the speed of this machine, which is then not measured."""
SLOWEST, FASTEST = 0.01, 100.0
"""No machine is slower or faster: any other figure is an error."""
REMEMBERED = 24 * 3600.0
"""Seconds for which a measured figure is used."""
_PATIENCE = 120.0
"""Seconds that a measurement may take, on a very slow machine."""
_LONGEST_TURN = 20.0
"""Seconds to wait while another process measures."""
_LAST_WAIT = 2.0
"""Seconds that a run waits for the measurement when everything else is done."""
_LEAST_IMPORTANT = 19
_LARGEST_FILE = 1000
_NEARLY_ALL = 0.97
"""A process that gets this share of a core has it for itself: the rest is how precisely that can be measured."""


def core_speed(core: int | None, *, remembered: bool = True) -> float:
    """The speed of a core, or of any core if it is None; measured if it is not known.

    With `remembered=False` the cache folder is not used, because players that are not isolated could write to it.
    Raises `GraderFault` if it cannot be measured.
    """
    if not remembered:
        known = _environment_speed() or _measured_here().get(core)
        return measure_speed(core, remember=False) if known is None else known
    if (known := known_speed(core)) is None:
        with _one_at_a_time(_file(core)):  # so that players on equal cores have equal limits
            known = known_speed(core)
            return measure_speed(core) if known is None else known
    return known


def known_speed(core: int | None = None) -> float | None:
    """The speed of a core, if it is known without measuring it."""
    known = _environment_speed() or _measured_here().get(core)
    if known is None and (known := _read(_file(core))) is not None:
        _measured_here()[core] = known
    return known


def limits_on(core: int | None, limits: Limits) -> Limits:
    """A player's limits on a core, with its speed if it is known; it is measured if the time limits depend on it."""
    if limits.time.reference_speed is None:
        speed = known_speed(core) or known_speed()
    else:
        speed = core_speed(core, remembered=limits.isolation is None or limits.isolation >= Level.GOOD)
    return replace(limits, core=core, speed=speed)


def measure_speed(core: int | None = None, *, remember: bool = True) -> float:
    """Measure the speed of a core now, whatever is known about it, unless GRADER_SPEED gives it."""
    if (given := _environment_speed()) is not None:
        return given
    return _keep(core, _measure(core), remember=remember)


@dataclass(frozen=True, slots=True)
class SpeedMeasurement:
    """The speed of this machine, which is being measured while the grader does something else."""

    _process: subprocess.Popen[bytes] | None

    @classmethod
    def start(cls, *, needed_anyway: bool = False) -> "SpeedMeasurement":
        """Start measuring, unless the speed is known, or will be because the time limits depend on it."""
        if needed_anyway or known_speed() is not None:
            return cls(None)
        try:
            # A process of its own reads the clock, because what the grader computes meanwhile would count as the player's.
            return cls(
                spawn(
                    [*interpreter(), "-c", program("speed"), str(ROOT)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                )
            )
        except GraderFault:
            return cls(None)

    def __enter__(self) -> "SpeedMeasurement":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def finish(self) -> float | None:
        """The speed; None if it could not be measured, or not in time because the machine is busy."""
        if self._process is None:
            return known_speed()
        try:
            output, _ = self._process.communicate(timeout=_LAST_WAIT)
        except subprocess.TimeoutExpired:
            return None
        with suppress(ValueError):
            return _keep(None, _valid(json.loads(output)), remember=True)
        return None


def main() -> None:
    """Measure the speed of any core and print it, without getting in the way of the grader: mostly while a core is idle."""
    if hasattr(os, "nice"):
        os.nice(_LEAST_IMPORTANT)
    os.write(1, f"{_measure(None, yields=True)}\n".encode("ascii"))


def _yield_to_others(pid: int) -> None:
    """Make the session of a process as unimportant as one can be: where sessions compete, its own priority is not enough."""
    with suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(_LEAST_IMPORTANT), encoding="ascii")


def _environment_speed() -> float | None:
    """The speed in the environment. Raises `OptionError` if it is not valid."""
    text = os.environ.get(GIVEN)
    if not text:
        return None
    try:
        return _valid(float(text))
    except ValueError:
        raise OptionError(
            say(
                "{name} must be a number from {low} to {high}, not {value}",
                name=GIVEN,
                low=SLOWEST,
                high=FASTEST,
                value=repr(text),
            )
        ) from None


@cache
def _measured_here() -> dict[int | None, float]:
    """What this process has measured, by core."""
    return {}


def _keep(core: int | None, speed: float, *, remember: bool) -> float:
    """Keep a figure, or the one that was remembered if that is higher: disturbances only make a core look slower."""
    if remember:
        speed = max(speed, _read(_file(core)) or 0.0)
        _write(_file(core), speed)
    _measured_here()[core] = speed
    return speed


@contextmanager
def _one_at_a_time(file: Path | None) -> Iterator[None]:
    """Wait while another process of this user measures, but not for long: a player that is not isolated could pretend to."""
    if file is None or sys.platform == "win32":
        yield
        return
    import fcntl

    with ExitStack() as opened:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
            opened.callback(os.close, folder)
            deadline = time.monotonic() + _LONGEST_TURN
            while time.monotonic() < deadline:
                with suppress(BlockingIOError):
                    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                time.sleep(0.05)
        yield


def _measure(core: int | None, *, yields: bool = False) -> float:
    core = _pinned(core)
    command = [*interpreter(), "-c", program("benchmark"), str(ROOT), "" if core is None else str(core), *packages()]
    process = spawn(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout and process.stderr
    if yields:
        _yield_to_others(os.getpid())
        _yield_to_others(process.pid)
    guard = threading.Timer(_PATIENCE, process.kill)
    guard.daemon = True
    guard.start()
    try:
        process.stdout.readline()
        with closing(clock_for(process.pid, core)) as clock:
            clock.start()
            process.stdin.write(b"\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            charge = clock.charge()
        best = json.loads(answer)
        factors = [seconds / best[part] for part, seconds in REFERENCE_SECONDS.items()]
        share = charge.cpu / charge.charged if charge.cpu else 1.0  # where CPU time is not known, neither is the share
        return _valid(math.prod(factors) ** (1 / len(factors)) * (1.0 if share > _NEARLY_ALL else share))
    except (OSError, ValueError, LookupError, TypeError, ZeroDivisionError) as error:
        process.kill()
        problem = process.stderr.read().decode("utf-8", "replace").strip()[-200:] or repr(error)
        raise GraderFault(say("The speed of this machine could not be measured: {problem}", problem=problem)) from error
    finally:
        guard.cancel()
        process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):
                pipe.close()
        process.wait()


def _pinned(core: int | None) -> int | None:
    """The core to measure. Only if it runs on one core is it known how long others used that one."""
    if core is None and hasattr(os, "sched_getaffinity"):
        return min(os.sched_getaffinity(0))
    return core


def _valid(speed: float) -> float:
    """A speed with three digits, which is as precise as it is. Raises `ValueError` if it cannot be one."""
    if type(speed) not in (int, float) or not SLOWEST <= speed <= FASTEST:
        raise ValueError(f"not a speed: {speed!r}")
    return float(f"{speed:.3g}")


@cache
def _file(core: int | None) -> Path | None:
    """Where the speed of a core is remembered; None if it must not be.

    With a quota, how fast a core is depends on how many others are in use.
    """
    if _has_quota():
        return None
    numpy = next(iter(Distribution.discover(name="numpy", path=list(packages()))), None)
    key = [
        VERSION,
        socket.gethostname(),
        _boot(),
        _core_model(core),
        sys.version,
        platform.machine(),
        numpy and numpy.version,
    ]
    try:
        return _cache_folder() / f"{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:32]}.json"
    except RuntimeError:  # a user without a home folder
        return None


def _cache_folder() -> Path:
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library/Caches"
    else:
        chosen = os.environ.get("XDG_CACHE_HOME", "")
        base = Path(chosen) if os.path.isabs(chosen) else Path.home() / ".cache"
    return base / "grader" / "speed"


def _read(file: Path | None) -> float | None:
    """The speed in a file, if it is the user's own, recent and valid."""
    if file is None:
        return None
    with suppress(OSError, ValueError, LookupError, TypeError):
        descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as opened:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or (
                hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022)
            ):
                return None
            content = json.loads(opened.read(_LARGEST_FILE))
        if 0 <= time.time() - content["measured"] < REMEMBERED:
            return _valid(content["speed"])
    return None


def _write(file: Path | None, speed: float) -> None:
    """Remember a speed, if the folder is writable."""
    if file is None:
        return
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = file.with_suffix(f".{os.getpid()}")
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            json.dump({"speed": speed, "measured": time.time()}, opened)
        new.replace(file)


def _boot() -> str:
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def _core_model(core: int | None) -> list[str]:
    """What distinguishes a core from others: its model, how fast it may run, and its place among cores of several kinds."""
    number = _pinned(core)
    found = [platform.processor()]
    with suppress(OSError):
        blocks = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split("\n\n")
        own = next((block for block in blocks if f"\nprocessor\t: {number}\n" in f"\n{block}\n"), blocks[0])
        found += [
            line.partition(":")[2].strip() for line in own.splitlines() if line.startswith(("model name", "CPU part"))
        ]
    for name in ("cpufreq/cpuinfo_max_freq", "cpu_capacity"):
        with suppress(OSError):
            found.append(Path(f"/sys/devices/system/cpu/cpu{number}/{name}").read_text(encoding="ascii").strip())
    return found


def _has_quota() -> bool:
    """Whether this process's control group, or one around it, limits the share of the cores that it may use."""
    try:
        groups = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    for line in groups:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        root = Path("/sys/fs/cgroup/cpu" if controllers else "/sys/fs/cgroup")
        own = root / path.lstrip("/")
        for folder in (own, *own.parents):
            if folder != root and root not in folder.parents:
                break
            for name in ("cpu.max", "cpu.cfs_quota_us"):
                with suppress(OSError, ValueError):
                    if (folder / name).read_text(encoding="ascii").split()[0] not in ("max", "-1"):
                        return True
    return False
