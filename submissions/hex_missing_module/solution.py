"""A file that imports a package which is not there: it ends by `load_error`."""

import a_package_that_is_not_installed

from player import Player


class SmartPlayer(Player):
    def play(self, board):
        return a_package_that_is_not_installed.best_move(board)
