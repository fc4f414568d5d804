"""The filter's decisions on both architectures, by a simulator of the few instructions that it uses."""

import errno
import struct

import pytest

from grader.sandbox import seccomp
from grader.sandbox.seccomp import ARCHITECTURES, DENIED, Instruction, program

PID = 4321
ALLOWED, KILLED = "allowed", "killed"
WHICH = {"x86_64": 0, "aarch64": 1}
CALLS = {
    "read": (0, 63), "write": (1, 64), "mmap": (9, 222), "futex": (202, 98), "clone": (56, 220), "clone3": (435, 435),
    "kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261), "prctl": (157, 167), "socketpair": (53, 199),
    "openat": (257, 56), "openat2": (437, 437), "fcntl": (72, 25), "ioctl": (16, 29), "getrandom": (318, 278),
    "exit_group": (231, 94), "exit": (60, 93), "setrlimit": (160, 164), "rt_sigreturn": (15, 139), "munmap": (11, 215),
}  # fmt: skip
THREAD = 0x3D0F00
"""What glibc passes to clone for a thread."""
FORK = 0x1200011
"""And for a fork."""


def run(machine: str, call: int, *arguments: int, architecture: int | None = None) -> str:
    """What the filter says to a call: allowed, killed, or the name of an error."""
    shown = struct.pack("<iIQ6Q", call, architecture or ARCHITECTURES[machine][0], 0, *(*arguments, *[0] * 6)[:6])
    verdict = interpreted(program(machine, PID), shown)
    if verdict == 0x7FFF0000:
        return ALLOWED
    return KILLED if verdict == 0x80000000 else errno.errorcode[verdict & 0xFFFF]


def interpreted(steps: list[Instruction], shown: bytes) -> int:
    accumulator, at = 0, 0
    while True:
        operation, if_true, if_false, constant = steps[at]
        at += 1
        if operation == 0x06:
            return constant
        if operation == 0x20:
            (accumulator,) = struct.unpack_from("<I", shown, constant)
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
        assert number is None or run(machine, number) == "EPERM", name


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_no_number_stands_for_two_calls(machine):
    numbers = [pair[WHICH[machine]] for pair in (*DENIED.values(), *CALLS.values()) if pair[WHICH[machine]] is not None]

    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize(
    "call", ["read", "write", "mmap", "munmap", "futex", "getrandom", "exit_group", "rt_sigreturn"]
)
def test_what_python_lives_on_is_allowed(filtered, call):
    assert filtered(call, 1, 2, 3) == ALLOWED


def test_threads_may_start_and_processes_may_not(filtered):
    assert filtered("clone", THREAD) == ALLOWED
    assert filtered("clone", FORK) == "EPERM"
    assert filtered("clone", 0) == "EPERM"
    assert filtered("clone3", 0) == "ENOSYS"  # so that glibc falls back to clone


@pytest.mark.parametrize("call", ["kill", "tgkill"])
def test_signals_go_to_itself_alone(filtered, call):
    assert filtered(call, PID, PID, 15) == ALLOWED
    for other in (0, 1, PID + 1, 2**32 - 1):
        assert filtered(call, other, PID, 15) == "EPERM"


def test_nobody_kills_itself_or_looks_as_if_somebody_had(filtered):
    assert filtered("kill", PID, 9) == "EPERM"
    assert filtered("kill", PID, 15) == ALLOWED
    assert filtered("tgkill", PID, PID, 9) == "EPERM"
    for limit in (0, 15):  # RLIMIT_CPU, RLIMIT_RTTIME
        assert filtered("prlimit64", 0, limit) == "EPERM"
        assert filtered("setrlimit", limit) == "EPERM"
    assert filtered("setrlimit", 3) == ALLOWED
    for call in ("exit", "exit_group"):
        assert filtered(call, 137) == filtered(call, 256 + 137) == "EPERM"
        assert filtered(call, 0) == filtered(call, 1) == filtered(call, 136) == ALLOWED


def test_limits_are_its_own_alone(filtered):
    assert filtered("prlimit64", 0, 3) == ALLOWED
    assert filtered("prlimit64", PID, 3) == ALLOWED
    assert filtered("prlimit64", PID - 1, 3) == "EPERM"


def test_a_descriptor_cannot_be_made_to_send_signals_to_others(filtered):
    for command in (8, 10, 15, 1024):  # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE
        assert filtered("fcntl", 3, command, 1) == "EPERM"
    for request in (0x8901, 0x8902):  # FIOSETOWN, SIOCSPGRP
        assert filtered("ioctl", 3, request) == "EPERM"
    for command in (0, 1, 2, 3, 4, 1030):  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
        assert filtered("fcntl", 3, command) == ALLOWED
    assert filtered("ioctl", 1, 0x5401) == ALLOWED  # is it a terminal?


def test_a_file_is_not_emptied_by_opening_it(filtered):
    assert filtered("openat", 0, 0, 0o1000) == "EPERM"  # O_RDONLY | O_TRUNC
    assert filtered("openat", 0, 0, 0o1003) == "EPERM"  # neither read nor write | O_TRUNC
    assert filtered("openat2") == "ENOSYS"
    for flags in (0, 0o1, 0o2, 0o1001, 0o1101, 0o1102, 0o2000000):  # Landlock decides on those that write
        assert filtered("openat", 0, 0, flags) == ALLOWED


def test_only_the_processs_own_affairs_can_be_changed_by_prctl(filtered):
    for option in (1, 4, 35, 36, 62, 0x59616D61):
        assert filtered("prctl", option) == "EPERM"
    assert filtered("prctl", 15) == ALLOWED  # its name
    assert filtered("prctl", 0x53564D41) == ALLOWED  # the name of a piece of memory, as malloc gives it


def test_a_pair_of_sockets_is_a_stream_or_nothing(filtered):
    assert filtered("socketpair", 1, 1 | 0o2000000) == ALLOWED
    assert filtered("socketpair", 1, 2) == "EPERM"


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_calls_of_another_architecture_kill_and_unknown_ones_do_not_exist(machine):
    i386 = 0x40000003

    assert run(machine, 1, architecture=i386) == KILLED
    assert run(machine, 463) == "ENOSYS"
    assert run(machine, 0x40000000 + 59) == "ENOSYS"  # the x32 door to execve


@pytest.mark.parametrize("machine", sorted(ARCHITECTURES))
def test_the_kernel_would_take_the_program(machine):
    steps = program(machine, PID)

    assert len(steps) <= 4096
    for at, (operation, if_true, if_false, _) in enumerate(steps):
        assert operation == seccomp._RETURN or at + 1 + max(if_true, if_false) < len(steps)
        assert 0 <= if_true < 256 and 0 <= if_false < 256
    assert steps[-1][0] == seccomp._RETURN
