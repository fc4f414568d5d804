"""Whether a run or tournament would replace the results of another assignment."""

from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.records import Competition
from grader.errors import GraderError
from grader.games.known_games import UnknownGame
from grader.language import Message, say
from grader.results import saved
from grader.store import FILE, Store


def replaced_results(folder: Path, assignments: Sequence[Assignment]) -> Message | None:
    """What would be replaced by results for these assignments; None if the folder is new or belongs to one of them.

    An assignment whose points, times or opponents were edited is still the same one.
    """
    if not (folder / FILE).is_file():
        return None
    with Store.open_read_only(folder) as store:
        try:
            before = saved.load(store) if saved.is_finished(store) else saved.load_plan(store)
        except UnknownGame:  # it belongs to another course, whose game is not at hand
            return say("{folder} holds the results of an assignment for another game.", folder=str(folder))
        except GraderError:  # reported when it is opened
            return None
    if before is None:
        return None
    is_same = _is_same_title if before.pairing is not None else _is_same
    if any(is_same(old, new) for old in before.setup.assignments for new in assignments):
        return None
    changed = datetime.fromtimestamp((folder / FILE).stat().st_mtime, timezone.utc).astimezone()
    return say(
        "{folder} holds the results of another assignment: “{title}” ({submissions}, {games}, {date}).",
        folder=str(folder),
        title="; ".join(old.title for old in before.setup.assignments),
        submissions=say("{n} submission", "{n} submissions", n=len(before.setup.entrants)),
        games=say("{n} game", "{n} games", n=_played(before)),
        date=f"{changed:%Y-%m-%d %H:%M}",
    )


def _is_same_title(old: Assignment, new: Assignment) -> bool:
    return (old.rules.name, old.title) == (new.rules.name, new.title)


def _is_same(old: Assignment, new: Assignment) -> bool:
    """Whether two assignments have the same game and title, and an opponent in common: built-in titles occur often."""
    players = [{opponent.player for opponent in each.opponents} for each in (old, new)]
    return _is_same_title(old, new) and bool(players[0] & players[1])


def _played(competition: Competition) -> int:
    return competition.game_counts[0]
