"""Landlock: restrict a process to the files it is allowed to use. Needs no privileges; Linux 5.13 and newer."""

import ctypes
import os
from collections.abc import Sequence

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_READ_FILE, _READ_DIR, _TRUNCATE = 1 << 2, 1 << 3, 1 << 14
_WRITE_FILE = 1 << 1
_ALL_BY_VERSION = ((1, (1 << 13) - 1), (2, 1 << 13), (3, _TRUNCATE), (5, 1 << 15))
"""The file rights that each version of Landlock added."""
_ALL_NET = 0b11
_ALL_SCOPES = 0b11
_PATH_BENEATH = 1


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"  # the name of this layout, required from Python 3.14 on
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def version(libc: ctypes.CDLL) -> int:
    """The kernel's version of Landlock; 0 if it has none."""
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)))


def restrict(libc: ctypes.CDLL, readable: Sequence[str], listable: Sequence[str], writable: Sequence[str]) -> None:
    """Restrict this process permanently to `readable` files and folders, listing `listable` folders, and `writable` paths.

    TCP, and signals and abstract sockets to other processes, are denied too if the kernel supports it. Raises `OSError`.
    """
    have = version(libc)
    if not have:
        raise OSError("the kernel has no Landlock")
    everything = sum(rights for since, rights in _ALL_BY_VERSION if have >= since)
    rules = _Ruleset(everything, _ALL_NET if have >= 4 else 0, _ALL_SCOPES if have >= 6 else 0)
    size = 24 if have >= 6 else 16 if have >= 4 else 8
    ruleset = _check_result(libc.syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0))
    try:
        for path in readable:
            _grant(libc, ruleset, path, _READ_FILE | _READ_DIR)
        for path in listable:
            _grant(libc, ruleset, path, _READ_DIR)
        for path in writable:
            _grant(libc, ruleset, path, everything & ~1)  # everything but execution
        _check_result(libc.syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _grant(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it does not exist, or we may not read it: neither may the player
        return
    try:
        if not os.path.isdir(path):
            rights &= _READ_FILE | _WRITE_FILE | _TRUNCATE
        if rights:
            rule = _PathBeneath(rights, descriptor)
            _check_result(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0))
    finally:
        os.close(descriptor)


def _check_result(result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
