"""The main program of a template: a clean process from which players' processes are forked, so that each starts at once.

A template has loaded what every player needs. It holds no secrets and never runs a student's code: that is loaded in the forked
process, after it has isolated itself. Inside namespaces, each player gets a process namespace of its own.
"""

import ctypes
import gc
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

from grader.games import game_class
from grader.sandbox import isolation, seccomp, worker

PIPES = 4
"""A player's orders, replies and output, and the pipe on which its exit status is reported."""
READY, RESTRICTED, PLAYER = b"ready", b"restricted", b"player"
"""What a template says when it can fork, the second if it is restricted to some files; and what each player says, so that the
grader learns its number."""
LoadingOrder = dict[str, Any]
"""`namespaces`: whether each player gets a process namespace; the name of the `game` or ''; the folders of installed `packages`;
the `modules` to import; and the `files` to which to restrict the process, as for `landlock.restrict`, or None."""

_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE_NEWPID = 0x20000000
_PLAYER_IN_NAMESPACE = 2
"""The number of a player in its process namespace, after its keeper."""
_MOST_OPEN = 64
"""More descriptors than a template ever has."""
_ONLY_HERE = ("array", "select", "selectors", "signal", "socket")
"""What a template needs and a player's process does not: a submission may have modules of these names."""


def main() -> None:
    """Fork a player whenever the grader sends its pipes, until the grader closes the connection.

    Arguments: the folder of the grader, and the connection's descriptor.
    """
    control = socket.socket(fileno=int(sys.argv[2]))
    isolation.die_with_parent()
    order: LoadingOrder = json.loads(control.recv(1 << 20))
    _load(order)
    control.send(RESTRICTED if _restrict(order) else READY)
    while True:
        message, pipes, *_ = socket.recv_fds(control, len(PLAYER), PIPES)
        if not message:
            return
        try:
            keeper = _fork_into_namespace() if order["namespaces"] else os.fork()
        except OSError as error:
            control.send(str(error).encode())
        else:
            if keeper == 0:
                _keep_player(control, pipes)
                for name in _ONLY_HERE:
                    sys.modules.pop(name, None)
                gc.collect()  # so that a player cannot count how many came before it
                worker.main()  # in the player's process only
                return
        for pipe in pipes:
            os.close(pipe)


def _load(order: LoadingOrder) -> None:
    """Import what a player will need: the rules of its game, and the libraries that its code imports, or a reference player."""
    if order["game"]:
        game_class(order["game"])().interface()
    path = list(sys.path)
    sys.path += order["packages"]
    for name in order["modules"]:
        with suppress(Exception):  # the player will meet the same problem, and it is reported then
            import_module(name)
    sys.path[:] = path
    sys.path_importer_cache.clear()
    if order["namespaces"] and seccomp.is_supported():
        seccomp.encoded_program(os.uname().machine, _PLAYER_IN_NAMESPACE)
    gc.collect()
    gc.freeze()  # so that collecting garbage in a player does not copy the template's memory
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing waits for a keeper


def _restrict(order: LoadingOrder) -> bool:
    """Restrict this process, and so all players, to the files that any of them may use. Returns whether this was done."""
    if order["files"] is None:
        return False
    try:
        isolation.restrict_files(*order["files"])
    except (OSError, AttributeError):  # not available: so will the player's own restriction be
        return False
    return True


def _fork_into_namespace() -> int:
    """Fork a process that is the first of a new process namespace. Returns as `os.fork` does.

    `unshare` would do this only once. The new process must not start threads, whose numbers the C library would confuse.
    """
    clone = ctypes.PyDLL(None, use_errno=True).syscall
    pid: int = clone(_CLONE[os.uname().machine], _CLONE_NEWPID | signal.SIGCHLD, 0, 0, 0, 0)
    if pid < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return pid


def _keep_player(control: socket.socket, pipes: list[int]) -> None:
    """Fork the player and return in its process. In this one, wait for its end and report its exit status.

    The player is not the first process of its namespace: such a process ignores signals that it sends to itself.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    isolation.die_with_parent()
    player = os.fork()
    if player == 0:
        control.send(PLAYER)
        for target, pipe in enumerate(pipes[:3]):
            os.dup2(pipe, target)
        os.closerange(3, _MOST_OPEN)
        return
    status = pipes[3]
    os.closerange(0, status)
    os.closerange(status + 1, _MOST_OPEN)
    isolation.drop_capabilities()
    _, ended = os.waitpid(player, 0)
    os.write(status, b"%d" % os.waitstatus_to_exitcode(ended))
    os._exit(0)
