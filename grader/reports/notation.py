"""A match in the notations of other programs: SGF and HexWorld for Hex, a string of columns for Desconecta-4.

Both Hex programs let the first player connect top and bottom, and ours connects left and right. On the rhombus the two are
mirror images: what is written here is the board with its rows and columns exchanged. A board of the kind `even-r` has no
such notation.
"""

from grader import __version__
from grader.errors import OptionError
from grader.games.hex import Hex
from grader.games.hex.grid import LETTERS
from grader.intake.names import shown
from grader.language import Language, say
from grader.records import Ending
from grader.reports.endings import result
from grader.reports.replay import Replay

MOST_SGF = 19
"""Cells along a side that HexGui can show."""


def sgf(replay: Replay, speak: Language) -> str:
    """The match as HexGui and other programs read it. Raises `OptionError` for a board that has no SGF."""
    game = _rhombus(replay, "SGF")
    if game.size > MOST_SGF:
        raise OptionError(
            say(
                "SGF for Hex goes up to {most}×{most}, and this board is {size}×{size}: take --hexworld or --moves.",
                most=MOST_SGF,
                size=game.size,
            )
        )
    record = replay.record
    comment = " ".join(
        [
            speak.say("Black is player 1. Rows and columns are exchanged: Black connects top and bottom here."),
            speak(result(record)),
            *([speak(record.fault.text)] if record.fault else []),
            *([speak(replay.problem)] if replay.problem else []),
        ]
    )
    root = f"FF[4]GM[11]CA[UTF-8]SZ[{game.size}]AP[grader:{__version__}]"
    names = f"PB[{_value(record.seats[0].name)}]PW[{_value(record.seats[1].name)}]"
    moves = "".join(f";{'BW'[ply % 2]}[{cell}]" for ply, cell in enumerate(_mirrored(game, replay)))
    return f"(;{root}{names}RE[{_result(replay)}]C[{_value(comment)}]\n{moves})\n"


def hexworld(replay: Replay) -> str:
    """A link that shows the match on hexworld.org. Raises `OptionError` for a board that it cannot show."""
    game = _rhombus(replay, "HexWorld")
    return f"https://hexworld.org/board/#{game.size}c1,{''.join(_mirrored(game, replay))}"


def columns(replay: Replay) -> str:
    """The columns of a Desconecta-4 match from 1 on, and B for BOOM, in one string."""
    if replay.game.name != "desconecta4":
        raise OptionError(
            say("a string of columns is for Desconecta-4, and this is {game}: take --moves.", game=replay.game.title)
        )
    return "".join(replay.moves)


def _rhombus(replay: Replay, what: str) -> Hex:
    """The game, if it is Hex on the board that other programs know."""
    game = replay.game
    if not isinstance(game, Hex):
        raise OptionError(say("{what} is for Hex, and this is {game}: take --moves.", what=what, game=game.title))
    if game.adjacency != "axial":
        raise OptionError(
            say(
                "{what} knows only the rhombus (adjacency axial), and this match was played on {adjacency}, where other "
                "cells are neighbours: take --moves.",
                what=what,
                adjacency=game.adjacency,
            )
        )
    return game


def _mirrored(game: Hex, replay: Replay) -> list[str]:
    """The moves with rows and columns exchanged."""
    cells = [game.parse_move(move) for move in replay.moves]
    return [f"{LETTERS[row]}{col + 1}" for row, col in cells]


def _result(replay: Replay) -> str:
    record = replay.record
    if record.winner is None:
        return "0"
    how = "" if record.fault is None else "T" if record.ending is Ending.TIMEOUT else "F"
    return f"{'BW'[record.winner]}+{how}"


def _value(text: str) -> str:
    """A text inside brackets. HexGui garbles what is escaped, so nothing that would have to be is left."""
    return shown(text.replace("]", ")").replace("[", "(").replace("\\", "/"))
