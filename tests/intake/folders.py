"""Create submissions for tests, from files by path."""

from collections.abc import Mapping
from pathlib import Path

Files = Mapping[str, str | bytes]

FIRST_MOVE = "return board.get_possible_moves()[0]"

PLAYER = f"""
from player import Player

class SmartPlayer(Player):
    def play(self, board):
        {FIRST_MOVE}
"""
"""The shortest player that follows the handout."""


def player(name: str = "SmartPlayer", base: str = "", body: str = FIRST_MOVE) -> str:
    """A class that can play and imports nothing."""
    return f"class {name}({base}):\n    def play(self, board):\n        {body}\n"


def plays(
    body: str = FIRST_MOVE, *, before: str = "from player import Player\n", build: str = "", takes: str = "board"
) -> str:
    """A class that derives from `Player`, with these lines before it, this constructor and this body of `play`."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return f"{before}\nclass SmartPlayer(Player):\n{build}\n    def play(self, {takes}):\n{lines}\n"


def make(folder: Path, files: Files, name: str = "Ejemplo_Peña_Ríos") -> Path:
    """A submission with these files, in a folder of its own."""
    root = folder / name
    root.mkdir(parents=True)
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return root
