"""Case 2, by force: has its own process killed, or tries to make it look as if it was killed from outside."""

import ctypes
import os
import resource
import signal


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for attempt in (self.by_kill, self.by_thread, self.by_limit, self.by_timer):
            try:
                attempt()
            except (OSError, ValueError):
                pass
        os._exit(128 + signal.SIGKILL)

    def by_kill(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def by_thread(self):
        signal.pthread_kill(__import__("threading").get_ident(), signal.SIGKILL)

    def by_limit(self):
        resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
        while True:
            pass

    def by_timer(self):
        event = (ctypes.c_int * 16)(0, 0, signal.SIGKILL, 0)
        timer = ctypes.c_void_p()
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.timer_create(0, event, ctypes.byref(timer)) == 0:
            libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1), None)
            while True:
                pass
