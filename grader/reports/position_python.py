"""A position of a recorded game as a short Python program that calls the student's player: `grader replay --python`."""

import keyword
from collections.abc import Sequence
from pathlib import PurePosixPath

from grader.games import Game
from grader.language import Language
from grader.records import MatchRecord

DEFAULT_ENTRY = "solution.py:SmartPlayer"
"""The file and class in the handout, which are used if those of the submission are not known."""


def render(game: Game, moves: Sequence[str], seat: int, speak: Language, *, entry: str = "", title: str = "") -> str:
    """The program for the position after these moves, with the player in `seat` to move.

    It needs the submission and the files that the course handed out in the same folder. `title` names the game.
    """
    code = game.position_code([game.parse_move(move) for move in moves])
    ply = len(moves) + 1
    heading = speak.say("Before move {ply}: player {number} is to move.", ply=ply, number=seat + 1)
    comments = [f"# {' '.join(text.split())}" for text in (title, heading) if text]
    imports, player = _player(entry or DEFAULT_ENTRY)
    if player is None:
        call = [f"# {speak.say('Call your function here with this position.')}"]
    else:
        call = [f"player = {player}({seat + 1})", f"print(player.play({code.board}))"]
    rebuild = ["", *code.lines, "", f"print({code.board})"]
    return "\n".join([*comments, code.imports, *imports, *rebuild, *call, ""])


def key_ply(record: MatchRecord, seat: int) -> int:
    """The number of moves before the answer of a player to look at: the one that was its fault, or its last one."""
    if record.at_fault == seat:
        return len(record.turns)
    own = [ply for ply in range(len(record.turns)) if record.mover(ply) == seat]
    return own[-1] if own else 0


def _player(entry: str) -> tuple[list[str], str | None]:
    """The lines that import a player, and the name of its class; None instead of the name if it is a function."""
    place, _, name = entry.rpartition(":")
    file = PurePosixPath(place.replace("\\", "/"))
    if not name.isidentifier() or keyword.iskeyword(name) or not file.stem:
        return _player(DEFAULT_ENTRY)
    lines = []
    if file.parent.parts:
        lines += ["import sys", "", f"sys.path.insert(0, {str(file.parent)!r})"]
    if file.stem.isidentifier() and not keyword.iskeyword(file.stem):
        lines.append(f"from {file.stem} import {name}")
    else:
        lines += ["from importlib import import_module", "", f"{name} = import_module({file.stem!r}).{name}"]
    return lines, name if name[:1].isupper() else None
