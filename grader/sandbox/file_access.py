"""The files that a player's process may use, and the bubblewrap command that hides all others."""

import os
import shutil
import site
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder that holds the package `grader`."""
_BOOTSTRAP = "import gc, sys; gc.disable(); sys.path[0] = sys.argv[1]; "  # nothing to collect while modules are loaded

OWN_SCRATCH = "/scratch"
"""The scratch folder of a player inside namespaces, which no other process sees."""

_WORKER_FILES = (
    *("__init__.py", "errors.py", "records.py", "player.py", "language", "games"),
    *(
        f"sandbox/{name}.py"
        for name in (
            *("__init__", "adapter", "course", "fork_server", "isolation", "landlock", "protocol", "seccomp", "worker"),
        )
    ),
)
"""The part of the grader that runs in a player's process."""
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime")
_DEVICES_TO_READ = ("/dev/zero", "/dev/random", "/dev/urandom", "/sys/devices/system/cpu")
_DEVICES_TO_WRITE = ("/dev/null",)


@dataclass(frozen=True, slots=True)
class FileAccess:
    """The paths that a player may use; all others are hidden from it."""

    readable: tuple[str, ...]
    """Files, and folders with everything in them."""
    listable: tuple[str, ...]
    """Folders that may be listed, but whose files may not be read."""
    writable: tuple[str, ...]


def allowed_files(own: tuple[str, ...], scratch: str | None = None) -> FileAccess:
    """The paths that a player may use: its `own` files, the interpreter and the installed packages."""
    readable, listable = _common_files()
    writable = (*_DEVICES_TO_WRITE, *((scratch,) if scratch else ()))
    return FileAccess((*readable, *map(os.path.realpath, own)), listable, writable)


def allowed_folders(own: tuple[str, ...]) -> FileAccess:
    """The same without the details, for a process that is already restricted to `allowed_files`: only that is allowed by both.

    It is set for every player, and each path takes time.
    """
    return FileAccess((*_common_folders(), *map(os.path.realpath, own)), (), _DEVICES_TO_WRITE)


@cache
def packages() -> tuple[str, ...]:
    """The folders of installed packages for a player's `sys.path`."""
    known = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    found = [path for path in sys.path if path in known]
    return tuple(found or sorted(path for path in known if os.path.isdir(path)))


def interpreter() -> list[str]:
    """The command that starts Python for a player: without site packages, which are given by path, and writing no bytecode."""
    return [_executable(), "-S", "-s", "-B"]


def program(module: str) -> str:
    """The program of a player's process or of a template, for `python -c`: the `main` of a module of the sandbox."""
    return f"{_BOOTSTRAP}from grader.sandbox.{module} import main; gc.enable(); main()"


def is_our_command(command: bytes) -> bool:
    """Whether a command line is that of a player's process or a template."""
    return _BOOTSTRAP.encode() in command


def bubblewrap(own: tuple[str, ...], command: list[str], *, scratch: bool) -> list[str]:
    """The command that runs `command` in its own namespaces, with its `own` files and what every player may use.

    It keeps the capability to create process namespaces and to mount a scratch folder, which each player drops before any student's
    code runs.
    """
    arguments = [shutil.which("bwrap") or "bwrap", "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net"]
    arguments += ["--unshare-uts", "--hostname", "player", "--unshare-cgroup-try", "--cap-drop", "ALL"]
    arguments += ["--cap-add", "CAP_SYS_ADMIN", "--disable-userns", "--die-with-parent"]
    if scratch:
        arguments += ["--dir", OWN_SCRATCH]
    arguments += ["--size", str(1 << 20), "--tmpfs", "/tmp", "--dev", "/dev"]
    folders = {*_outermost(["/usr", *_interpreter(), *SYSTEM, os.path.dirname(_executable())]), str(ROOT / "grader")}
    for path in sorted(path for path in folders if os.path.exists(path)):
        arguments += ["--ro-bind", path, path]
    hidden = [
        path
        for path in map(os.path.realpath, _always_hidden())
        if os.path.isdir(path) and path != str(ROOT / "grader") and any(_inside(path, folder) for folder in folders)
    ]
    for path in hidden:
        arguments += ["--tmpfs", path]
    for path in own:
        arguments += ["--ro-bind", path, path]
    # Otherwise following a link in /dev changes its access time, which the next player from the same template could see.
    for path in (*hidden, "/dev", "/tmp", "/"):
        arguments += ["--remount-ro", path]
    return [*arguments, "--", *command]


def _executable() -> str:
    """The real executable, not a virtual environment's link to it."""
    return os.path.realpath(sys.executable)


@cache
def _interpreter() -> tuple[str, ...]:
    libraries = [str(path) for path in Path(sys.base_prefix, "lib").glob("*.so*")] if sys.base_prefix != "/usr" else []
    return (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *packages(), *libraries)


@cache
def _common_folders() -> tuple[str, ...]:
    folders = [*_interpreter(), *SYSTEM, *_DEVICES_TO_READ, str(ROOT / "grader")]
    return tuple(dict.fromkeys(_outermost([os.path.realpath(path) for path in folders if os.path.exists(path)])))


@cache
def _common_files() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What every player may read, and what it may list."""
    readable: list[str] = []
    listable: list[str] = []
    hidden = tuple(os.path.realpath(path) for path in _always_hidden())
    for path in (*_interpreter(), *SYSTEM, *_DEVICES_TO_READ):
        _grant(os.path.realpath(path), hidden, readable, listable)
    readable += [str(ROOT / "grader" / name) for name in _WORKER_FILES]
    return tuple(dict.fromkeys(readable)), tuple(dict.fromkeys(listable))


def _always_hidden() -> tuple[str, ...]:
    """The reference players, the rest of the grader, and packages that are not on the player's path."""
    stdlib = sysconfig.get_path("stdlib")
    others = [os.path.join(stdlib, name) for name in ("site-packages", "dist-packages")]
    unused = [path for path in others if os.path.isdir(path) and path not in packages()]
    return (str(ROOT / "reference_players"), str(ROOT / "grader"), *unused)


def _grant(path: str, hidden: tuple[str, ...], readable: list[str], listable: list[str]) -> None:
    """Add a path to `readable`; if it contains something hidden, add everything else in it instead."""
    if path in hidden or not os.path.exists(path):
        return
    if not any(_inside(other, path) for other in hidden):
        readable.append(path)
        return
    listable.append(path)
    for name in sorted(os.listdir(path)):
        _grant(os.path.realpath(os.path.join(path, name)), hidden, readable, listable)


def _outermost(paths: list[str]) -> list[str]:
    return [path for path in paths if not any(_inside(path, other) for other in paths if other != path)]


def _inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
