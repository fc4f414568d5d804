"""seccomp: deny system calls to a process permanently, before any student's code runs in it.

Denied are calls that could start another process, reach the network or another process, change files' owners, modes or
times, hide time from the clock, or use memory that no limit counts. Threads, numpy and reading files still work.
"""

import ctypes
import errno
import os
import struct

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NR, _ARCH, _ARGS = 0, 4, 16  # offsets of the call's number, architecture and arguments in a filter's input

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_JUMP_EQUAL, _JUMP_GREATER, _JUMP_SET = 0x15, 0x25, 0x45

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""The kernel's number for each architecture, and the index of its call numbers in the pairs below."""

_NEWEST = 462
"""Calls with higher numbers are not known here, and denied."""

DENIED = {
    # processes
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "setsid": (112, 157),
    "setpgid": (109, 154), "unshare": (272, 97), "setns": (308, 268), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "process_madvise": (440, 440), "kcmp": (312, 272),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "timer_create": (222, 107),
    # time that the clock would not see, or that others lose
    "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "sched_setattr": (314, 274), "sched_setaffinity": (203, 122), "sync": (162, 81), "syncfs": (306, 267),
    "migrate_pages": (256, 238), "move_pages": (279, 239),
    # the network
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202),
    "accept4": (288, 242),
    # files: what Landlock does not cover
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "utimensat": (280, 88), "futimesat": (261, None), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "mknod": (133, None),
    "mknodat": (259, 33), "truncate": (76, 45), "inotify_add_watch": (254, 27), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # memory that no limit counts
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196),
    "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    # the machine
    "mount": (165, 40), "umount2": (166, 39), "move_mount": (429, 429), "open_tree": (428, 428), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "chroot": (161, 51), "pivot_root": (155, 41), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "syslog": (103, 116), "acct": (163, 89), "quotactl": (179, 60), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171), "sethostname": (170, 161),
    "setdomainname": (171, 162), "personality": (135, 92), "fanotify_init": (300, 262), "iopl": (172, None),
    "ioperm": (173, None),
}  # fmt: skip
"""Denied calls: their numbers on x86_64 and on aarch64."""

_CLONE, _CLONE3, _KILL_CALL, _TGKILL = (56, 220), (435, 435), (62, 129), (234, 131)
_PRLIMIT, _SETRLIMIT, _PRCTL, _SOCKETPAIR = (302, 261), (160, 164), (157, 167), (53, 199)
_EXIT, _EXIT_GROUP = (60, 93), (231, 94)
_OPEN, _OPENAT, _OPENAT2, _FCNTL, _IOCTL = (2, None), (257, 56), (437, 437), (72, 25), (16, 29)
_CLONE_THREAD = 0x10000
_SOCK_STREAM, _SOCK_TYPE = 1, 0xF
_TRUNCATING, _O_TRUNC = 0x203, 0x200
_DENIED_PRCTL = (1, 4, 35, 36, 62, 0x59616D61)
"""Death signal, dumpable, memory map, subreaper, core scheduling, tracer."""
_DENIED_FCNTL = (8, 10, 15, 1024)
"""Owner, signal, owner by kind, lease: a descriptor can send its owner, which may be any process, any signal."""
_DENIED_IOCTL = (0x8901, 0x8902)
"""Owner, for sockets."""

_SIGKILL = 9
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
    """Deny the calls to this thread and all that it starts. Raises `OSError`."""
    code = b"".join(struct.pack("HBBI", *step) for step in program(os.uname().machine, os.getpid()))
    steps = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("HP", len(code) // 8, ctypes.addressof(steps))
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.create_string_buffer(filter_, len(filter_)), 0, 0):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def program(machine: str, pid: int) -> list[Instruction]:
    """The filter program for the process with this id."""
    architecture, which = ARCHITECTURES[machine]
    steps: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NR),
        *_when((_JUMP_GREATER, 0, 0, _NEWEST), [_deny(errno.ENOSYS)]),
        *_when((_JUMP_EQUAL, 0, 0, _CLONE3[which]), [_deny(errno.ENOSYS)]),  # glibc then uses clone to start threads
        *_when((_JUMP_EQUAL, 0, 0, _OPENAT2[which]), [_deny(errno.ENOSYS)]),  # a filter cannot read its flags
        *_deny_self_kill(which),
        *_deny_unless(_CLONE[which], 0, [(_JUMP_SET, 1, 0, _CLONE_THREAD)]),
        *_deny_unless(_KILL_CALL[which], 0, [(_JUMP_EQUAL, 1, 0, pid)]),
        *_deny_unless(_TGKILL[which], 0, [(_JUMP_EQUAL, 1, 0, pid)]),
        *_deny_unless(_PRLIMIT[which], 0, [(_JUMP_EQUAL, 2, 0, 0), (_JUMP_EQUAL, 1, 0, pid)]),
        *_deny_unless(_SOCKETPAIR[which], 1, [(_AND, 0, 0, _SOCK_TYPE), (_JUMP_EQUAL, 1, 0, _SOCK_STREAM)]),
    ]
    for opening, argument in ((_OPEN, 1), (_OPENAT, 2)):
        if (number := opening[which]) is not None:
            steps += _deny_truncating_open(number, argument)
    for call, argument, values in (
        (_SETRLIMIT, 0, _KILLING_LIMITS),
        (_PRCTL, 0, _DENIED_PRCTL),
        (_FCNTL, 1, _DENIED_FCNTL),
        (_IOCTL, 1, _DENIED_IOCTL),
    ):
        for value in values:
            steps += _deny_argument(call[which], argument, value)
    for numbers in DENIED.values():
        if (number := numbers[which]) is not None:
            steps += _when((_JUMP_EQUAL, 0, 0, number), [_deny(errno.EPERM)])
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _deny_self_kill(which: int) -> list[Instruction]:
    """Deny a process to kill itself with SIGKILL, or to look as if it had, so that a killed process was killed from outside."""
    steps = _deny_argument(_KILL_CALL[which], 1, _SIGKILL) + _deny_argument(_TGKILL[which], 2, _SIGKILL)
    for limit in _KILLING_LIMITS:
        steps += _deny_argument(_PRLIMIT[which], 1, limit)
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


def _deny(error: int) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | error)


def _when(test: Instruction, block: list[Instruction]) -> list[Instruction]:
    """Run a block if a test is true, else skip it."""
    operation, _, _, constant = test
    return [(operation, 0, len(block), constant), *block]


def _deny_unless(number: int, argument: int, tests: list[Instruction]) -> list[Instruction]:
    """Deny a call unless one of the tests on its argument jumps over the denial."""
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
