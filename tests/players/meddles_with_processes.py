"""Cases 56 and 57: traces, reads, limits and signals its parent, as harmlessly as possible."""

import ctypes
import os
import resource
import signal

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206
PIDFD_OPEN = 434


def trace(pid):
    return LIBC.ptrace(PTRACE_SEIZE, pid, None, None)


def read_memory(pid):
    return open(f"/proc/{pid}/mem", "rb").fileno()


def copy_memory(pid):
    vector = (ctypes.c_size_t * 2)()
    return LIBC.process_vm_readv(pid, vector, 1, vector, 1, 0)


def limit(pid):
    resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))


def slow_down(pid):
    os.setpriority(os.PRIO_PROCESS, pid, 1)


def bind(pid):
    os.sched_setaffinity(pid, os.sched_getaffinity(pid))


def probe(pid):
    os.kill(pid, 0)


def probe_thread(pid):
    return LIBC.tgkill(pid, pid, 0)


def hold(pid):
    return LIBC.syscall(PIDFD_OPEN, pid, 0)


def probe_group(pid):
    os.killpg(os.getpgid(pid), signal.SIGCONT)


ATTACKS = (trace, read_memory, copy_memory, limit, slow_down, bind, probe, probe_thread, hold, probe_group)


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for attack in ATTACKS:
            try:
                if attack(os.getppid()) != -1:
                    print("SUCCEEDED", attack.__name__)
            except OSError as error:
                print(error)
        return board.get_possible_moves()[0]
