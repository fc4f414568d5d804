"""What a student can take home from a game on a page: other programs' notations, and the lost position as Python code."""

from contextlib import suppress

from grader.errors import GraderError
from grader.fixtures import Match
from grader.language import Language
from grader.reports import position_python
from grader.reports.replay import notated_match

FILE, LINK, TEXT, PYTHON = "file", "link", "text", "python"
"""The kinds of exports: how a page offers them."""


def game_exports(match: Match, entry: str, speak: Language) -> list[list[str]]:
    """The exports of a game, each with its kind, label, text and extension. `exports.js` offers them, and JSON."""
    moves = [turn.move for turn in match.record.turns]
    notated = notated_match(match.record, match.game, moves)
    found: list[list[str]] = []
    for notation in match.game.notations():
        try:
            text = notation.write(notated, speak)
        except (GraderError, ValueError):  # a board that it does not support, or results that have been modified
            continue
        kind = LINK if text.startswith("https://") else FILE if notation.to_file else TEXT
        found.append([kind, speak(notation.label), text, notation.name])
    with suppress(GraderError, ValueError):
        found.append([PYTHON, "Python", _python(match, moves, entry, speak), "py"])
    return found


def _python(match: Match, moves: list[str], entry: str, speak: Language) -> str:
    """The program for the answer with which the player failed, or else its last one."""
    ply = position_python.key_ply(match.record, match.seat)
    title = speak.say("Game {game} against {opponent}", game=match.fixture.number + 1, opponent=match.opponent)
    return position_python.render(match.game, moves[:ply], match.seat, speak, entry=entry, title=title)
