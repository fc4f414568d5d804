"""Case 4: kills the process that started it, directly and as the owner of a descriptor that sends signals."""

import fcntl
import os
import signal


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for attack in (self.kill, self.own):
            try:
                attack(os.getppid())
                print("SUCCEEDED")
            except OSError as error:
                print(error)
        return board.get_possible_moves()[0]

    def kill(self, parent):
        os.kill(parent, signal.SIGKILL)

    def own(self, parent):
        read, write = os.pipe()
        fcntl.fcntl(read, fcntl.F_SETOWN, parent)
        fcntl.fcntl(read, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC)
        os.write(write, b"x")
