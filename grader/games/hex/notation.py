"""A match of Hex in the notations of other programs: SGF and HexWorld; and in short, for the pages.

Both programs let the first player connect top and bottom, and ours connects left and right. On the rhombus the two are
mirror images: what is written here is the board with its rows and columns exchanged. A board with the adjacency `even-r`
has no such notation.
"""

import re
from collections.abc import Sequence

from grader import __version__
from grader.errors import OptionError, RecordError
from grader.games.hex.grid import LETTERS
from grader.games.hex.rules import Hex
from grader.games.notation import NotatedMatch, Notation
from grader.language import Language, say
from grader.records import Ending, MatchRecord

MOST_SGF = 19
"""Cells along a side that HexGui can show."""
_MOVE = re.compile(r"[a-z][1-9][0-9]?")


def sgf(match: NotatedMatch, speak: Language) -> str:
    """The match as HexGui and other programs read it. Raises `OptionError` for a board that has no SGF."""
    game, record = _rhombus_game(match, "SGF"), match.record
    if game.size > MOST_SGF:
        raise OptionError(
            say(
                "SGF for Hex goes up to {most}×{most}, and this board is {size}×{size}: use --hexworld or --moves.",
                most=MOST_SGF,
                size=game.size,
            )
        )
    comment = " ".join(
        [
            speak.say("Black is player 1. Rows and columns are exchanged: Black connects top and bottom here."),
            *map(speak, match.remarks),
        ]
    )
    root = f"FF[4]GM[11]CA[UTF-8]SZ[{game.size}]AP[grader:{__version__}]"
    names = f"PB[{_escape(record.seats[0].name)}]PW[{_escape(record.seats[1].name)}]"
    moves = "".join(f";{'BW'[ply % 2]}[{cell}]" for ply, cell in enumerate(_mirror(game, match.moves)))
    return f"(;{root}{names}RE[{_result(record)}]C[{_escape(comment)}]\n{moves})\n"


def hexworld(match: NotatedMatch, _: Language) -> str:
    """A link that shows the match on hexworld.org. Raises `OptionError` for a board that it cannot show."""
    game = _rhombus_game(match, "HexWorld")
    return f"https://hexworld.org/board/#{game.size}c1,{''.join(_mirror(game, match.moves))}"


def pack_moves(moves: Sequence[str]) -> str:
    """The moves in two letters each, column and row. Raises `RecordError` for one that is not a cell."""
    return "".join(_cell(move) for move in moves)


NOTATIONS = (
    Notation(name="sgf", help="Write Hex as SGF, for example for HexGui; - prints it.", to_file=True, write=sgf),
    Notation(name="hexworld", help="Print a link that shows Hex on hexworld.org.", to_file=False, write=hexworld),
)


def _rhombus_game(match: NotatedMatch, what: str) -> Hex:
    """The game, if it is on the board that other programs know."""
    game = match.game
    assert isinstance(game, Hex)
    if game.adjacency != "axial":
        raise OptionError(
            say(
                "{what} knows only the rhombus (adjacency axial), and this match was played on {adjacency}, where other "
                "cells are neighbours: use --moves.",
                what=what,
                adjacency=game.adjacency,
            )
        )
    return game


def _mirror(game: Hex, moves: Sequence[str]) -> list[str]:
    """The moves with rows and columns exchanged."""
    return [f"{LETTERS[row]}{col + 1}" for row, col in map(game.parse_move, moves)]


def _result(record: MatchRecord) -> str:
    if record.winner is None:
        return "0"
    how = "" if record.fault is None else "T" if record.ending == Ending.TIMEOUT else "F"
    return f"{'BW'[record.winner]}+{how}"


def _escape(text: str) -> str:
    """A text inside brackets. HexGui garbles what is escaped, so nothing that would have to be is left."""
    plain = text.replace("]", ")").replace("[", "(").replace("\\", "/")
    return "".join(sign if sign.isprintable() else " " for sign in plain)


def _cell(move: str) -> str:
    if not _MOVE.fullmatch(move):
        raise RecordError(
            say(
                "A game in the results has an invalid move: {move}. Run `grader verify` on the results.",
                move=repr(move)[:80],
            )
        )
    return move[0] + chr(ord("a") + int(move[1:]) - 1)
