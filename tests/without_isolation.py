"""Run a command as on a machine without Landlock, seccomp and bubblewrap: `python tests/without_isolation.py COMMAND …`.

A filter answers the system calls of Landlock and seccomp as a kernel does that has neither, and `PATH` has no `bwrap`. So
the best isolation level is basic.
"""

import ctypes
import errno
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _RETURN, _JUMP_EQUAL, _JUMP_AT_LEAST = 0x20, 0x06, 0x15, 0x35
_NR, _FIRST_ARGUMENT = 0, 16
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2
_LANDLOCK = range(444, 447)
_CALLS = {"x86_64": (157, 317), "aarch64": (167, 277)}
"""The numbers of `prctl` and `seccomp`."""


def is_supported() -> bool:
    """Whether this machine can pretend to have neither."""
    return sys.platform == "linux" and platform.machine() in _CALLS


LAUNCHER = (sys.executable, str(Path(__file__).resolve()))
"""The start of a command line that runs the rest of it this way."""


def _filter() -> bytes:
    prctl, seccomp = _CALLS[platform.machine()]
    steps = [
        (_LOAD, 0, 0, _NR),
        (_JUMP_EQUAL, 0, 3, prctl),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_JUMP_EQUAL, 3, 0, _PR_SET_SECCOMP),
        (_RETURN, 0, 0, _ALLOW),
        (_JUMP_EQUAL, 2, 0, seccomp),
        (_JUMP_AT_LEAST, 0, 2, _LANDLOCK.start),
        (_JUMP_AT_LEAST, 1, 0, _LANDLOCK.stop),
        (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _deny() -> None:
    """Deny the calls to this process and those that it starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = _filter()
    program = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(buffer := ctypes.create_string_buffer(code)))
    failed = libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, program, 0, 0)
    if failed and ctypes.get_errno() not in (errno.ENOSYS, errno.EINVAL):  # these mean that there is no seccomp anyway
        raise OSError(ctypes.get_errno(), "prctl")
    del buffer


def _without_bubblewrap(folder: Path) -> str:
    """A `PATH` with everything except bubblewrap."""
    if shutil.which("bwrap") is None:
        return os.environ["PATH"]
    for place in os.get_exec_path():
        for file in Path(place).glob("*"):
            link = folder / file.name
            if file.name != "bwrap" and not link.is_symlink():
                link.symlink_to(file)
    return str(folder)


def main(arguments: list[str]) -> int:
    """Run a command, and return its exit status."""
    _deny()
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PATH": _without_bubblewrap(Path(folder))}
        return subprocess.run(arguments, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
