"""Export a Hex match as SGF or as a HexWorld link, and encode its moves for HTML reports.

In both formats the first player connects top and bottom; ours connects left and right. With axial adjacency the two are
mirror images, so the exported board has its rows and columns swapped. Neither format supports `even-r` adjacency.
"""

from collections.abc import Sequence

from grader import __version__
from grader.errors import OptionError, RecordError
from grader.games.hex.grid import LETTERS
from grader.games.hex.rules import Hex
from grader.games.notation import NotatedMatch, Notation
from grader.games.packed_numbers import pack_numbers
from grader.language import Language, say
from grader.records import Ending, MatchRecord

MOST_SGF = 19
"""The largest board size that HexGui supports."""


def sgf(match: NotatedMatch, speak: Language) -> str:
    """The match as SGF, for HexGui and other programs. Raises `OptionError` for a board that SGF does not support."""
    game, record = _rhombus_game(match, "SGF"), match.record
    if game.size > MOST_SGF:
        raise OptionError(
            say(
                "SGF supports Hex boards up to {most}×{most}, but this one is {size}×{size}: use --hexworld or --moves.",
                most=MOST_SGF,
                size=game.size,
            )
        )
    comment = " ".join(
        [
            speak.say("Black is player 1. Rows and columns are swapped: here Black connects top and bottom."),
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


def pack_moves(game: Hex, moves: Sequence[str]) -> str:
    """The cells as numbers, row by row, as one text. Raises `RecordError` for a move that is not a cell of the board."""
    return pack_numbers(_cell_number(game, move) for move in moves)


NOTATIONS = (
    Notation(
        name="sgf",
        label="SGF",
        help="Write a Hex match as SGF, e.g. for HexGui (- prints it).",
        to_file=True,
        write=sgf,
    ),
    Notation(
        name="hexworld",
        label="HexWorld",
        help="Print a link that shows a Hex match on hexworld.org.",
        to_file=False,
        write=hexworld,
    ),
)


def _rhombus_game(match: NotatedMatch, what: str) -> Hex:
    """The game, if it has the adjacency that other programs use."""
    game = match.game
    assert isinstance(game, Hex)
    if game.adjacency != "axial":
        raise OptionError(
            say(
                "{what} supports only axial adjacency, but this match was played with {adjacency}: use --moves.",
                what=what,
                adjacency=game.adjacency,
            )
        )
    return game


def _mirror(game: Hex, moves: Sequence[str]) -> list[str]:
    """The moves with rows and columns swapped."""
    return [f"{LETTERS[row]}{col + 1}" for row, col in map(game.parse_move, moves)]


def _result(record: MatchRecord) -> str:
    if record.winner is None:
        return "0"
    how = "" if record.fault is None else "T" if record.ending == Ending.TIMEOUT else "F"
    return f"{'BW'[record.winner]}+{how}"


def _escape(text: str) -> str:
    """A text without the characters that SGF would require to be escaped, because HexGui shows escapes incorrectly."""
    plain = text.replace("]", ")").replace("[", "(").replace("\\", "/")
    return "".join(sign if sign.isprintable() else " " for sign in plain)


def _cell_number(game: Hex, move: str) -> int:
    try:
        row, col = game.parse_move(move)
    except ValueError as error:
        raise RecordError(
            say(
                "A game in the results has an invalid move: {move}. Run `grader verify` on the results.",
                move=repr(move)[:80],
            )
        ) from error
    return row * game.size + col
