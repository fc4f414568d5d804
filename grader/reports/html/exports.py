"""What a student can take home from a game on a page: other programs' notations, and the lost position as Python code."""

from typing import Any

from grader.competition.replay import replay_record
from grader.errors import GraderError, OptionError
from grader.fixtures import Match
from grader.language import Language
from grader.reports import position_python
from grader.reports.replay import notation_input

FILE, LINK, TEXT, PYTHON = "file", "link", "text", "python"
"""The kinds of exports: how a page offers them."""


def game_exports(match: Match, entry: str, speak: Language) -> list[list[str]]:
    """The exports of a game, each with its kind, label or extension, and text. `exports.js` offers them, and JSON."""
    try:
        replay = replay_record(match.record)
    except GraderError:  # e.g. a course's own game that is no longer known
        return []
    found: list[list[str]] = []
    for notation in match.game.notations():
        try:
            text = notation.write(notation_input(replay), speak)
        except OptionError:  # a board that this notation does not support
            continue
        kind = LINK if text.startswith("https://") else FILE if notation.to_file else TEXT
        found.append([kind, speak(notation.label), text, notation.name])
    if replay.problem is None:
        found.append([PYTHON, "Python", _python(match, replay.moves, entry, speak), "py"])
    return found


def _python(match: Match, moves: Any, entry: str, speak: Language) -> str:
    """The program for the answer with which the player failed, or else its last one."""
    ply = position_python.key_ply(match.record, match.seat)
    title = speak.say("Game {game} against {opponent}", game=match.fixture.number + 1, opponent=match.opponent)
    return position_python.render(match.game, moves[:ply], match.seat, speak, entry=entry, title=title)
