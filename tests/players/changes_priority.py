"""Hides its time by a lower priority and by another scheduling policy."""

import os


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        for attack in (lambda: os.nice(5), lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))):
            try:
                attack()
                print("SUCCEEDED")
            except OSError as error:
                print(error)
        return board.get_possible_moves()[0]
