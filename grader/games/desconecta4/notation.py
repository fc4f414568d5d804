"""Export a Desconecta-4 match as a string of columns."""

from grader.games.notation import NotatedMatch, Notation
from grader.language import Language, say


def columns(match: NotatedMatch, _: Language) -> str:
    """The moves in one string: columns from 1 to 7, and B for BOOM."""
    return "".join(match.moves)


NOTATIONS = (
    Notation(
        name="columns",
        label=say("string of columns"),
        help="Print a Desconecta-4 match as a string of columns, with B for BOOM.",
        to_file=False,
        write=columns,
    ),
)
