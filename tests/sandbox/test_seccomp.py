"""The filter's decisions on both architectures, tested with a simulator of the instructions that it uses."""

import errno
import struct

import pytest

from grader.sandbox import seccomp
from grader.sandbox.seccomp import ALLOWED, ARCHITECTURES, Instruction, program

PID = 4321
PERMITTED, KILLED = "permitted", "killed"
WHICH = {"x86_64": 0, "aarch64": 1}
CALLS = {
    "read": (0, 63), "write": (1, 64), "mmap": (9, 222), "futex": (202, 98), "clone": (56, 220), "clone3": (435, 435),
    "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261), "prctl": (157, 167), "socketpair": (53, 199),
    "openat": (257, 56), "openat2": (437, 437), "fcntl": (72, 25), "ioctl": (16, 29), "getrandom": (318, 278),
    "exit_group": (231, 94), "exit": (60, 93), "setrlimit": (160, 164), "rt_sigreturn": (15, 139), "munmap": (11, 215),
    "mbind": (237, 235), "madvise": (28, 233), "fsync": (74, 82), "fdatasync": (75, 83), "msync": (26, 227),
}  # fmt: skip
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
    # page-cache bits, locks and messages, which would carry state from one game or player to another
    "mincore": (27, 232), "cachestat": (451, 451), "fadvise64": (221, 223), "readahead": (187, 213), "flock": (73, 32),
    "sync_file_range": (277, 84), "msgctl": (71, 187), "msgrcv": (70, 188), "msgsnd": (69, 189), "semctl": (66, 191),
    "semop": (65, 193), "shmctl": (31, 195), "mq_unlink": (241, 181), "mq_timedsend": (242, 182),
    "mlock": (149, 228), "vmsplice": (278, 75), "splice": (275, 76), "sendmsg": (46, 211), "recvmsg": (47, 212),
}  # fmt: skip
"""Calls that a player must never get through, whatever else changes: the list is not what the filter is made from."""
THREAD = 0x3D0F00
"""The flags that glibc passes to clone for a thread."""
FORK = 0x1200011
"""The flags that glibc passes to clone for a fork."""


def run(machine: str, call: int, *arguments: int, architecture: int | None = None) -> str:
    """What the filter says to a call: permitted, done (without effect), killed, or the name of an error."""
    shown = struct.pack("<iIQ6Q", call, architecture or ARCHITECTURES[machine][0], 0, *(*arguments, *[0] * 6)[:6])
    verdict = simulate(program(machine, PID), shown)
    if verdict == 0x7FFF0000:
        return PERMITTED
    if verdict == 0x00050000:
        return "done"
    return KILLED if verdict == 0x80000000 else errno.errorcode[verdict & 0xFFFF]


def simulate(steps: list[Instruction], data: bytes) -> int:
    accumulator, at = 0, 0
    while True:
        operation, if_true, if_false, constant = steps[at]
        at += 1
        if operation == 0x06:
            return constant
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, constant)
        elif operation == 0x54:
            accumulator &= constant
        else:
            tests = {0x15: accumulator == constant, 0x25: accumulator > constant, 0x45: bool(accumulator & constant)}
            at += if_true if tests[operation] else if_false


@pytest.fixture(params=sorted(ARCHITECTURES))
def filtered(request):
    def ask(call: str, *arguments: int) -> str:
        return run(request.param, CALLS[call][WHICH[request.param]], *arguments)

    return ask


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_every_call_on_the_list_is_denied(machine):
    for name, numbers in DENIED.items():
        number = numbers[WHICH[machine]]
        assert number is None or run(machine, number) in ("EPERM", "ENOSYS"), name


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_a_call_is_allowed_only_if_it_is_on_the_list(machine):
    which = WHICH[machine]
    allowed = {numbers[which] for numbers in ALLOWED.values()}
    by_argument = {numbers[which] for numbers in CALLS.values()} | ({2} if which == 0 else set())

    for number in set(range(500)) - allowed - by_argument:
        assert run(machine, number) == ("ENOSYS" if number > 434 else "EPERM"), number


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_no_number_stands_for_two_calls(machine):
    numbers = [
        pair[WHICH[machine]] for pair in (*DENIED.values(), *ALLOWED.values()) if pair[WHICH[machine]] is not None
    ]

    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("call", ["read", "write", "mmap", "munmap", "getrandom", "exit_group", "rt_sigreturn"])
def test_what_python_lives_on_is_allowed(filtered, call):
    assert filtered(call, 1, 2, 3) == PERMITTED


def test_threads_may_start_and_processes_may_not(filtered):
    assert filtered("clone", THREAD) == PERMITTED
    assert filtered("clone", FORK) == "EPERM"
    assert filtered("clone", 0) == "EPERM"
    assert filtered("clone3", 0) == "ENOSYS"  # so that glibc falls back to clone


def test_a_thread_shares_the_open_files_of_its_process(filtered):
    """Otherwise each thread could open as many as the process may, with kernel memory that no limit counts."""
    for shared in (0x100, 0x200, 0x400, 0x800, 0x10000):
        assert filtered("clone", THREAD & ~shared) == "EPERM"


PRIVATE, REALTIME = 128, 256


def test_threads_wait_for_threads_of_the_same_process_only(filtered):
    for command in range(14):
        assert filtered("futex", 0, command | PRIVATE) == PERMITTED
        assert filtered("futex", 0, command | PRIVATE | REALTIME) == PERMITTED
    for wait in (0, 9, 9 | REALTIME):  # as if the memory had just changed, so that a thread can be joined
        assert filtered("futex", 0, wait) == "EAGAIN"
    for wake in (1, 10):
        assert filtered("futex", 0, wake) == "done"
    for other in (2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 11 | REALTIME, 127):
        assert filtered("futex", 0, other) == "EPERM"


@pytest.mark.parametrize("call", ["kill", "tgkill"])
def test_signals_go_to_itself_alone(filtered, call):
    assert filtered(call, PID, PID, 15) == PERMITTED
    for other in (0, 1, PID + 1, 2**32 - 1):
        assert filtered(call, other, PID, 15) == "EPERM"


def test_a_process_cannot_kill_itself_or_appear_to_be_killed(filtered):
    assert filtered("kill", PID, 9) == "EPERM"
    assert filtered("kill", PID, 15) == PERMITTED
    assert filtered("tgkill", PID, PID, 9) == "EPERM"
    for limit in (0, 15):  # RLIMIT_CPU, RLIMIT_RTTIME
        assert filtered("prlimit64", 0, limit) == "EPERM"
        assert filtered("setrlimit", limit) == "EPERM"
    assert filtered("setrlimit", 3) == PERMITTED
    for call in ("exit", "exit_group"):
        assert filtered(call, 137) == filtered(call, 256 + 137) == "EPERM"
        assert filtered(call, 0) == filtered(call, 1) == filtered(call, 136) == PERMITTED


def test_limits_are_its_own_alone(filtered):
    assert filtered("prlimit64", 0, 3) == PERMITTED
    assert filtered("prlimit64", PID, 3) == PERMITTED
    assert filtered("prlimit64", PID - 1, 3) == "EPERM"


def test_a_descriptor_cannot_be_made_to_send_signals_to_others(filtered):
    for command in (8, 10, 15, 1024, 1026):  # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY
        assert filtered("fcntl", 3, command, 1) == "EPERM"
    for request in (0x8901, 0x8902):  # FIOSETOWN, SIOCSPGRP
        assert filtered("ioctl", 3, request) == "EPERM"
    for command in (0, 1, 2, 3, 4, 1030):  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
        assert filtered("fcntl", 3, command) == PERMITTED
    assert filtered("ioctl", 1, 0x5401) == PERMITTED  # is it a terminal?


def test_files_have_no_locks_flags_or_advice_that_others_could_see(filtered):
    for command in (5, 6, 7, 36, 37, 38):  # record locks, of a process or of an open file
        assert filtered("fcntl", 3, command) == "EPERM"
    for request in (0x40086602, 0x401C5820, 0x40049409):  # inode flags, extended flags, clone
        assert filtered("ioctl", 3, request) == "EPERM"
    for advice in (12, 20, 21, 22, 23):  # merge with equal pages of other processes, cold, page out, populate
        assert filtered("madvise", 0, 4096, advice) == "EPERM"
    assert filtered("madvise", 0, 4096, 4) == PERMITTED  # as free() does
    for flags in (1, 2, 4):  # check or move the pages of a file that others find there
        assert filtered("mbind", 0, 4096, 2, 0, 0, flags) == "EPERM"
    assert filtered("mbind", 0, 4096, 2, 0, 0, 0) == PERMITTED


@pytest.mark.parametrize("call", ["fsync", "fdatasync", "msync"])
def test_writing_to_the_disk_at_once_succeeds_without_effect(filtered, call):
    assert filtered(call, 3) == "done"


def test_a_file_cannot_be_truncated_by_opening_it_read_only(filtered):
    assert filtered("openat", 0, 0, 0o1000) == "EPERM"  # O_RDONLY | O_TRUNC
    assert filtered("openat", 0, 0, 0o1003) == "EPERM"  # neither read nor write | O_TRUNC
    assert filtered("openat2") == "ENOSYS"
    for flags in (0, 0o1, 0o2, 0o1001, 0o1101, 0o1102, 0o2000000):  # Landlock decides on those that write
        assert filtered("openat", 0, 0, flags) == PERMITTED


def test_prctl_is_limited_to_harmless_options(filtered):
    for option in (1, 4, 35, 36, 62, 0x59616D61):
        assert filtered("prctl", option) == "EPERM"
    assert filtered("prctl", 15) == PERMITTED  # its name
    assert filtered("prctl", 0x53564D41) == PERMITTED  # the name of a piece of memory, as malloc gives it


def test_a_pair_of_sockets_is_a_stream_or_nothing(filtered):
    assert filtered("socketpair", 1, 1 | 0o2000000) == PERMITTED
    assert filtered("socketpair", 1, 2) == "EPERM"


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_calls_of_another_architecture_kill_and_unknown_calls_fail(machine):
    i386 = 0x40000003

    assert run(machine, 1, architecture=i386) == KILLED
    assert run(machine, 463) == "ENOSYS"
    assert run(machine, 0x40000000 + 59) == "ENOSYS"  # execve as an x32 call


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_the_program_is_valid_for_the_kernel(machine):
    steps = program(machine, PID)

    assert len(steps) <= 4096
    for at, (operation, if_true, if_false, _) in enumerate(steps):
        assert operation == seccomp._RETURN or at + 1 + max(if_true, if_false) < len(steps)
        assert 0 <= if_true < 256 and 0 <= if_false < 256
    assert steps[-1][0] == seccomp._RETURN
