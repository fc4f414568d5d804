"""Players to check, and small assignments that make a check quick."""

from pathlib import Path

PLAYERS = Path(__file__).parent / "players"

SMALL = """
title: A small board
game: hex
options: {size: 5}
time: {move: 0.6, load: 3}
opponents:
  - {player: random, points: 10, games: 2}
"""
DESCONECTA4 = """
title: A few moves
game: desconecta4
options: {ply_limit: 12}
time: {move: 0.6, load: 3}
opponents:
  - {player: random, points: 10, games: 2}
"""


def assignment(folder: Path, text: str = SMALL) -> Path:
    """The assignment as a file with a name that is not found automatically."""
    file = folder / "course.yaml"
    file.write_text(text, encoding="utf-8")
    return file
