"""Case 67, by death: ends its own process in ways that might look like the machine's fault, so that a lost game is replayed."""

import ctypes
import mmap
import os
import platform
import resource
import signal
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
SIGQUEUEINFO, TGSIGQUEUEINFO, TKILL, SECCOMP, EXIT, EXIT_GROUP = (
    (129, 297, 200, 317, 60, 231) if X86 else (138, 240, 130, 277, 93, 94)
)
PIDFD_OPEN, PIDFD_SEND_SIGNAL = 434, 424


def by_queue():
    info = (ctypes.c_int * 32)(signal.SIGKILL, 0, -1)
    LIBC.syscall(SIGQUEUEINFO, os.getpid(), signal.SIGKILL, info)
    LIBC.syscall(TGSIGQUEUEINFO, os.getpid(), threading.get_native_id(), signal.SIGKILL, info)
    LIBC.syscall(TKILL, threading.get_native_id(), signal.SIGKILL)


def by_descriptor():
    own = LIBC.syscall(PIDFD_OPEN, os.getpid(), 0)
    LIBC.syscall(PIDFD_SEND_SIGNAL, own, signal.SIGKILL, None, 0)


def by_number_with_high_bits():
    LIBC.syscall(62 if X86 else 129, ctypes.c_long(os.getpid() | 1 << 40), ctypes.c_long(signal.SIGKILL | 1 << 33))


def by_strict_mode():
    LIBC.prctl(22, 1, 0, 0, 0)
    LIBC.syscall(SECCOMP, 0, 0, None)


def by_old_system_call():
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x25\x00\x00\x00\xbb" + os.getpid().to_bytes(4, "little") + b"\xb9\x09\x00\x00\x00\xcd\x80\xc3")
    if X86:
        ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


def by_exit_of_the_main_thread():
    threading.Thread(target=time.sleep, args=(0.2,)).start()
    for status in (128 + signal.SIGKILL, 256 + 128 + signal.SIGKILL, -signal.SIGKILL, signal.SIGKILL):
        LIBC.syscall(EXIT, status)


def by_exit_status():
    for status in (128 + signal.SIGKILL, 256 + 128 + signal.SIGKILL, -signal.SIGKILL):
        LIBC.syscall(EXIT_GROUP, status)


def by_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (8192, 8192))
    signal.signal(signal.SIGUSR1, lambda *_: None)
    LIBC.sigaltstack((ctypes.c_long * 3)(1, 0, 1 << 20), None)
    ctypes.string_at(0)


def by_memory():
    held = []
    while True:
        held.append(mmap.mmap(-1, 1 << 24))
        held[-1].write(b"x" * (1 << 24))


def by_no_memory_at_all():
    resource.setrlimit(resource.RLIMIT_AS, (1, 1))
    bytearray(1 << 24)


def by_losing_its_memory():
    maps = LIBC.munmap
    maps(ctypes.c_void_p(id(maps) & ~0xFFFFFF), ctypes.c_size_t(1 << 25))


def by_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGXFSZ)


def by_a_signal_while_frozen():
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    time.sleep(5)


def by_stopping_between_signals():
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)


def by_closing_everything():
    os.closerange(0, 64)
    time.sleep(5)


def by_filling_its_pipe():
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"x" * (1 << 16))
        except OSError:
            pass
    time.sleep(5)


DEATHS = [
    by_queue,
    by_descriptor,
    by_number_with_high_bits,
    by_strict_mode,
    by_old_system_call,
    by_exit_of_the_main_thread,
    by_exit_status,
    by_stack,
    by_memory,
    by_no_memory_at_all,
    by_losing_its_memory,
    by_file_size,
    by_a_signal_while_frozen,
    by_stopping_between_signals,
    by_closing_everything,
    by_filling_its_pipe,
]


class SmartPlayer:
    def __init__(self, player_id, seed):
        self.end = DEATHS[seed]

    def play(self, board):
        self.end()
        raise RuntimeError("it lives")
