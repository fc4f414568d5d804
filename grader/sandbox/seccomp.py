"""seccomp: allow a process only the system calls that Python and numerical libraries need.

The filter is set before any student's code runs, and for good.

Whatever is not on the list fails with an error: starting processes, the network, other processes, other users' memory and
messages, file locks and page-cache questions (both would carry state from one game to another), priorities, and every call
that a future kernel may add. Threads, numpy, scipy, numba, timers and reading files work.
"""

import ctypes
import errno
import os
import struct
from functools import cache

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NR, _ARCH, _ARGS = 0, 4, 16  # offsets of the call's number, architecture and arguments in a filter's input

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_JUMP_EQUAL, _JUMP_GREATER, _JUMP_SET = 0x15, 0x25, 0x45

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's number for each architecture, and the index of its call numbers in the pairs below."""

_RECENT = 434
"""Calls with higher numbers are young. They are denied as if the kernel did not have them, so that libraries do without."""

ALLOWED = {
    # memory
    "brk": (12, 214), "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216),
    "get_mempolicy": (239, 236), "membarrier": (324, 283),
    # files
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "lseek": (8, 62), "close": (3, 57),
    "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "pipe": (22, None),
    "pipe2": (293, 59), "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "stat": (4, None),
    "fstat": (5, 80), "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291), "statfs": (137, 43),
    "fstatfs": (138, 44), "readlink": (89, None), "readlinkat": (267, 78), "getdents": (78, None),
    "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "umask": (95, 166),
    "ftruncate": (77, 46), "fallocate": (285, 47), "sendfile": (40, 71), "copy_file_range": (326, 285),
    "mkdir": (83, None), "mkdirat": (258, 34), "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "link": (86, None), "linkat": (265, 37),
    "symlink": (88, None), "symlinkat": (266, 36),
    # waiting
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "eventfd2": (290, 19), "nanosleep": (35, 101), "clock_nanosleep": (230, 115),
    "sched_yield": (24, 124), "pause": (34, None), "alarm": (37, None), "setitimer": (38, 103),
    "getitimer": (36, 102), "restart_syscall": (219, 128), "wait4": (61, 260), "waitid": (247, 95),
    # a socket pair
    "getsockname": (51, 204), "getsockopt": (55, 209), "sendto": (44, 206), "recvfrom": (45, 207),
    "shutdown": (48, 210),
    # signals
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132),
    # threads and itself
    "arch_prctl": (158, None), "set_tid_address": (218, 96), "set_robust_list": (273, 99),
    "get_robust_list": (274, 100), "rseq": (334, 293), "getpid": (39, 172), "getppid": (110, 173),
    "gettid": (186, 178), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getgroups": (115, 158), "getresuid": (118, 148), "getresgid": (120, 150), "getpgrp": (111, None),
    "uname": (63, 160), "sysinfo": (99, 179), "getcpu": (309, 168), "getrlimit": (97, 163), "getrusage": (98, 165),
    "times": (100, 153), "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "sched_getaffinity": (204, 123), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
    "getrandom": (318, 278),
}  # fmt: skip
"""Calls that are allowed with any arguments: their numbers on x86_64 and on aarch64."""

_CLONE, _KILL_CALL, _TGKILL = (56, 220), (62, 129), (234, 131)
_PRLIMIT, _SETRLIMIT, _PRCTL, _SOCKETPAIR = (302, 261), (160, 164), (157, 167), (53, 199)
_EXIT, _EXIT_GROUP = (60, 93), (231, 94)
_OPEN, _OPENAT, _FCNTL, _IOCTL = (2, None), (257, 56), (72, 25), (16, 29)
_FUTEX, _MBIND = (202, 98), (237, 235)
_MADVISE, _FSYNC, _FDATASYNC, _MSYNC = (28, 233), (74, 82), (75, 83), (26, 227)
_THREAD = 0x10F00
"""What a thread shares with its process. With open files of its own, each thread could have as many as the process may."""
_FUTEX_PRIVATE, _FUTEX_COMMAND, _FUTEX_WAITS, _FUTEX_WAKES = 0x80, 0x7F, (0, 9), (1, 10)
_SOCK_STREAM, _SOCK_TYPE = 1, 0xF
_TRUNCATING, _O_TRUNC = 0x203, 0x200

_BY_ARGUMENT = (
    # Not the locks and leases, which others see, nor the owner of a descriptor, who may be any process and is sent signals.
    (_FCNTL, 1, (0, 1, 2, 3, 4, 1030)),  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
    # Is it a terminal, how wide is it, how much can be read, do not block, close on exec. Not the flags of a file.
    (_IOCTL, 1, (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    # Not the advice that drops a file's pages from the cache that all processes share, or shares equal pages with others.
    (_MADVISE, 2, (0, 1, 2, 3, 4, 8, 10, 11, 13, 14, 15, 16, 17)),
    # Not moving a file's pages to another node, where the next process would find them.
    (_MBIND, 5, (0,)),
    # Names of threads and of memory, and questions.
    (_PRCTL, 0, (3, 15, 16, 21, 23, 39, 0x53564D41)),
)
"""Calls that are allowed with some values of one argument: the argument's index, and the values."""

_WITHOUT_EFFECT = (_FSYNC, _FDATASYNC, _MSYNC)
"""Calls that succeed without doing anything: writing to the disk at once would slow others down."""

_SIGKILL, _SIGCONT = 9, 18
_LOOKS_KILLED = 128 + _SIGKILL
"""The exit status with which bubblewrap reports that a process was killed."""
_KILLING_LIMITS = (0, 15)
"""CPU time and real-time: the kernel kills a process that exceeds them."""

Instruction = tuple[int, int, int, int]
"""Operation, jump offset if true, jump offset if false, and a constant."""


def is_supported() -> bool:
    """Whether there is a filter for this machine's architecture."""
    return os.uname().machine in ARCHITECTURES


def restrict(libc: ctypes.CDLL) -> None:
    """Allow this thread, and all that it starts, only the calls on the list. Raises `OSError`."""
    code = encoded_program(os.uname().machine, os.getpid())
    steps = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("HP", len(code) // 8, ctypes.addressof(steps))
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.create_string_buffer(filter_, len(filter_)), 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


@cache
def encoded_program(machine: str, pid: int) -> bytes:
    """The filter program as the kernel reads it. A template keeps the one for its players, which all have the same number."""
    return b"".join(struct.pack("HBBI", *step) for step in program(machine, pid))


def program(machine: str, pid: int) -> list[Instruction]:
    """The filter program for the process with this id."""
    architecture, which = ARCHITECTURES[machine]
    steps: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NR),
    ]
    steps += _deny_shared_futexes(_FUTEX[which])  # first, because it is called most
    for numbers in ALLOWED.values():
        if (number := numbers[which]) is not None:
            steps += _when((_JUMP_EQUAL, 0, 0, number), [(_RETURN, 0, 0, _ALLOW)])
    steps += _deny_self_kill(which)
    steps += _allow_if(_CLONE[which], 0, [(_AND, 0, 0, _THREAD), (_JUMP_EQUAL, 1, 0, _THREAD)])
    steps += _allow_if(_KILL_CALL[which], 0, [(_JUMP_EQUAL, 1, 0, pid)])
    steps += _allow_if(_TGKILL[which], 0, [(_JUMP_EQUAL, 1, 0, pid)])
    steps += _allow_if(_PRLIMIT[which], 0, [(_JUMP_EQUAL, 2, 0, 0), (_JUMP_EQUAL, 1, 0, pid)])
    steps += _allow_if(_SOCKETPAIR[which], 1, [(_AND, 0, 0, _SOCK_TYPE), (_JUMP_EQUAL, 1, 0, _SOCK_STREAM)])
    for opening, argument in ((_OPEN, 1), (_OPENAT, 2)):
        if (number := opening[which]) is not None:
            steps += _deny_truncating_open(number, argument)
    for call, argument, values in _BY_ARGUMENT:
        tests = [(_JUMP_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
        steps += _allow_if(call[which], argument, tests)
    for call in _WITHOUT_EFFECT:
        steps += _when((_JUMP_EQUAL, 0, 0, call[which]), [_deny(0)])
    # glibc starts threads by clone where clone3 is missing, and a filter cannot read the flags of either clone3 or openat2.
    return [*steps, *_when((_JUMP_GREATER, 0, 0, _RECENT), [_deny(errno.ENOSYS)]), _deny(errno.EPERM)]


def _deny_self_kill(which: int) -> list[Instruction]:
    """Keep a process from killing itself with SIGKILL, or appearing to, so that SIGKILL always comes from outside.

    Nor may it send itself SIGCONT, which cancels a SIGSTOP that has not taken effect yet: it would not be frozen.
    """
    steps = []
    for number in (_SIGKILL, _SIGCONT):
        steps += _deny_argument(_KILL_CALL[which], 1, number) + _deny_argument(_TGKILL[which], 2, number)
    for limit in _KILLING_LIMITS:
        steps += _deny_argument(_PRLIMIT[which], 1, limit) + _deny_argument(_SETRLIMIT[which], 0, limit)
    steps += _when((_JUMP_EQUAL, 0, 0, _SETRLIMIT[which]), [(_RETURN, 0, 0, _ALLOW)])
    for leaving in (_EXIT, _EXIT_GROUP):
        block = [
            (_LOAD, 0, 0, _ARGS),
            (_AND, 0, 0, 0xFF),
            (_JUMP_EQUAL, 0, 1, _LOOKS_KILLED),
            _deny(errno.EPERM),
            (_RETURN, 0, 0, _ALLOW),
        ]
        steps += _when((_JUMP_EQUAL, 0, 0, leaving[which]), block)
    return steps


def _deny_shared_futexes(number: int) -> list[Instruction]:
    """Allow waiting for threads of the same process only: in a file that both can read, players could wake each other.

    Joining a thread waits for memory that could be shared. It is told to look again, as if the memory had just changed.
    """
    answers = [(_JUMP_EQUAL, 0, 1, value) for value in (*_FUTEX_WAITS, *_FUTEX_WAKES)]
    errors = [errno.EAGAIN] * len(_FUTEX_WAITS) + [0] * len(_FUTEX_WAKES)
    block = [
        (_LOAD, 0, 0, _ARGS + 8),
        (_JUMP_SET, 0, 1, _FUTEX_PRIVATE),
        (_RETURN, 0, 0, _ALLOW),
        (_AND, 0, 0, _FUTEX_COMMAND),
        *(step for test, error in zip(answers, errors, strict=True) for step in (test, _deny(error))),
        _deny(errno.EPERM),
    ]
    return _when((_JUMP_EQUAL, 0, 0, number), block)


def _deny(error: int) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | error)


def _when(test: Instruction, block: list[Instruction]) -> list[Instruction]:
    """A block that runs only if a test is true."""
    operation, _, _, constant = test
    return [(operation, 0, len(block), constant), *block]


def _allow_if(number: int, argument: int, tests: list[Instruction]) -> list[Instruction]:
    """Allow a call if one of the tests on its argument jumps over the denial."""
    block = [(_LOAD, 0, 0, _ARGS + 8 * argument), *tests, _deny(errno.EPERM), (_RETURN, 0, 0, _ALLOW)]
    return _when((_JUMP_EQUAL, 0, 0, number), block)


def _deny_truncating_open(number: int, argument: int) -> list[Instruction]:
    """Deny truncating a file by opening it read-only, which Landlock before Linux 6.2 allows."""
    block = [
        (_LOAD, 0, 0, _ARGS + 8 * argument),
        (_AND, 0, 0, _TRUNCATING),
        (_JUMP_EQUAL, 1, 0, _O_TRUNC),
        (_JUMP_EQUAL, 0, 1, _TRUNCATING),
        _deny(errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return _when((_JUMP_EQUAL, 0, 0, number), block)


def _deny_argument(number: int, argument: int, value: int) -> list[Instruction]:
    """Deny a call if one of its arguments has this value; else continue with the call's number loaded again."""
    block = [
        (_LOAD, 0, 0, _ARGS + 8 * argument),
        (_JUMP_EQUAL, 0, 1, value),
        _deny(errno.EPERM),
        (_LOAD, 0, 0, _NR),
    ]
    return _when((_JUMP_EQUAL, 0, 0, number), block)
