"""Cases 48 and 49: keeps every core busy with threads that release the interpreter lock."""

import hashlib
import threading


class SmartPlayer:
    def __init__(self, player_id):
        self.player_id = player_id

    def play(self, board):
        threads = [threading.Thread(target=self.burn, daemon=True) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def burn(self):
        hashlib.pbkdf2_hmac("sha256", b"", b"", 30_000_000)
