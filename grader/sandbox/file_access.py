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
BOOTSTRAP = (
    "import gc, sys; gc.disable(); sys.path[0] = sys.argv[1]; "  # nothing to collect while modules are loaded
    "from grader.sandbox.worker import main; gc.enable(); main()"
)
"""The program of a player's process, for `python -c`."""

OWN_SCRATCH = "/scratch"
"""The scratch folder of a player inside namespaces, which no other process sees."""

_WORKER_FILES = (
    *("__init__.py", "errors.py", "records.py", "player.py", "language", "games"),
    *(
        f"sandbox/{name}.py"
        for name in ("__init__", "adapter", "course", "isolation", "landlock", "protocol", "seccomp", "worker")
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
    hidden: tuple[str, ...]
    """Paths inside a readable or listable folder that are hidden anyway."""


def allowed_files(own: tuple[str, ...], scratch: str | None) -> FileAccess:
    """The paths that a player may use: its `own` files, the interpreter and the installed packages."""
    readable: list[str] = []
    listable: list[str] = []
    hide = tuple(os.path.realpath(path) for path in _always_hidden())
    for path in (*_interpreter(), *SYSTEM, *_DEVICES_TO_READ):
        _grant(os.path.realpath(path), hide, readable, listable)
    readable += [str(ROOT / "grader" / name) for name in _WORKER_FILES]
    readable += [os.path.realpath(path) for path in own]
    writable = (*_DEVICES_TO_WRITE, *((scratch,) if scratch else ()))
    return FileAccess(tuple(dict.fromkeys(readable)), tuple(dict.fromkeys(listable)), writable, hide)


def packages() -> list[str]:
    """The folders of installed packages for a player's `sys.path`."""
    known = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    return [path for path in sys.path if path in known] or sorted(path for path in known if os.path.isdir(path))


def interpreter() -> str:
    """The real executable, not a virtual environment's link to it: the player's packages are given by path."""
    return os.path.realpath(sys.executable)


def bubblewrap(info: int, access: FileAccess, own: tuple[str, ...], scratch_mb: int, command: list[str]) -> list[str]:
    """The command that runs `command` in its own namespaces, with only the allowed files."""
    arguments = [shutil.which("bwrap") or "bwrap", "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net"]
    arguments += ["--unshare-uts", "--hostname", "player", "--unshare-cgroup-try", "--cap-drop", "ALL"]
    if scratch_mb:  # to mount its scratch folder; it drops this before any student's code runs
        arguments += ["--cap-add", "CAP_SYS_ADMIN", "--dir", OWN_SCRATCH]
    arguments += ["--disable-userns", "--die-with-parent", "--info-fd", str(info)]
    arguments += ["--size", str(1 << 20), "--tmpfs", "/tmp", "--dev", "/dev"]
    folders = {*_outermost(["/usr", *_interpreter(), *SYSTEM, os.path.dirname(interpreter())]), str(ROOT / "grader")}
    for path in sorted(path for path in folders if os.path.exists(path)):
        arguments += ["--ro-bind", path, path]
    for path in access.hidden:
        if os.path.isdir(path) and path != str(ROOT / "grader") and any(_inside(path, folder) for folder in folders):
            arguments += ["--tmpfs", path]
    for path in own:
        arguments += ["--ro-bind", path, path]
    return [*arguments, "--", *command]


@cache
def _interpreter() -> tuple[str, ...]:
    libraries = [str(path) for path in Path(sys.base_prefix, "lib").glob("*.so*")] if sys.base_prefix != "/usr" else []
    return (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *packages(), *libraries)


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
