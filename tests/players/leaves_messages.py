"""Cases 76 to 79: tries the calls that could leave something for its next game or for another player.

With these arguments none of them does anything, even where it is not stopped.
"""

import ctypes
import errno
import os
import platform

LIBC = ctypes.CDLL(None, use_errno=True)
WHICH = 0 if platform.machine() == "x86_64" else 1
NUMBERS = {
    # the page cache
    "mincore": (27, 232), "fadvise64": (221, 223), "readahead": (187, 213), "cachestat": (451, 451),
    "preadv2": (327, 286), "sync_file_range": (277, 84),
    # locks, notices and attributes of a file
    "flock": (73, 32), "inotify_init1": (294, 26), "fanotify_init": (300, 262), "fsetxattr": (190, 7),
    "fchmod": (91, 52), "utimensat": (280, 88), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    # messages, semaphores, shared memory and keys of the same user
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "semget": (64, 190),
    "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192), "shmget": (29, 194), "shmat": (30, 196),
    "shmctl": (31, 195), "shmdt": (67, 197), "mq_open": (240, 180), "mq_unlink": (241, 181), "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183), "mq_notify": (244, 184), "mq_getsetattr": (245, 185), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "memfd_create": (319, 279),
}  # fmt: skip
SETTINGS = {"F_SETLK": 6, "F_OFD_SETLK": 37, "F_SETLEASE": 1024, "F_GETLEASE": 1025, "F_NOTIFY": 1026, "F_SETOWN": 8}
REQUESTS = {"FS_IOC_GETFLAGS": 0x80086601, "FS_IOC_SETFLAGS": 0x40086602, "FS_IOC_FSSETXATTR": 0x401C5820}
REFUSED = (errno.EPERM, errno.ENOSYS, errno.EACCES)


def attempt(what, call, *arguments):
    ctypes.set_errno(0)
    if LIBC.syscall(call[WHICH], *arguments) != -1 or ctypes.get_errno() not in REFUSED:
        print("SUCCEEDED", what, os.strerror(ctypes.get_errno()))


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for name, call in NUMBERS.items():
            attempt(name, call, -1, None, 0, 0, 0, 0)
        for name, command in SETTINGS.items():
            attempt(name, (72, 25), -1, command, None)
        for name, request in REQUESTS.items():
            attempt(name, (16, 29), -1, request, None)
        for name in ("/dev/shm", "/dev/mqueue", "/proc/self/pagemap", "/proc/self/smaps", "/proc/locks"):
            try:
                os.listdir(name) if name.startswith("/dev") else open(name).close()
                print("SUCCEEDED", name)
            except OSError as error:
                print(error)
        return board.get_possible_moves()[0]
