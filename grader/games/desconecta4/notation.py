"""A match of Desconecta-4 as a string of columns."""

from grader.games.notation import NotatedMatch, Notation
from grader.language import Language


def columns(match: NotatedMatch, _: Language) -> str:
    """The columns from 1 on, and B for BOOM, in one string."""
    return "".join(match.moves)


NOTATIONS = (
    Notation(
        name="columns",
        help="Print Desconecta-4 as a string of columns, with B for BOOM.",
        to_file=False,
        write=columns,
    ),
)
