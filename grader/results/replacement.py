"""Whether a run or tournament would replace the results of another assignment or class."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path

from grader.assignment import Assignment, player_label
from grader.competition.records import Competition
from grader.errors import GraderError
from grader.games.known_games import UnknownGame
from grader.language import Message, say
from grader.results import saved
from grader.store import FILE, Store


def replaced_results(
    folder: Path,
    assignments: Sequence[Assignment],
    ids: Collection[str] = (),
    *,
    only: bool = False,
    tournament: bool = False,
) -> Message | None:
    """What would be replaced by results for these assignments and submissions; None if the folder is new or theirs.

    An edited assignment is still the same one, unless the options of its game differ or an opponent is gone. A class is the
    same one if any submission has the same id. With `only`, the results of the other submissions stay. A folder of the other
    kind, with a tournament or without, is refused when it is opened.
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
    if before is None or (before.pairing is not None) is not tournament:
        return None
    values: dict[str, str | int] = {"folder": str(folder), "results": _summary(before, folder)}
    pairs = [(old, new) for old in before.setup.assignments for new in assignments if _is_same_title(old, new)]
    if not any(tournament or _has_common_opponent(old, new) for old, new in pairs):
        return say("{folder} holds the results of another assignment: {results}.", **values)
    if only:
        return None
    if not any(_has_same_rules(old, new) and (tournament or _has_all_opponents(old, new)) for old, new in pairs):
        return say(
            "{folder} holds the results of an assignment with the same title, but other options or opponents: {results}.",
            **values,
        )
    if ids and before.setup.entrants and not _folded(ids) & _folded(entrant.id for entrant in before.setup.entrants):
        return say("{folder} holds the results of other submissions: {results}.", **values)
    return None


def _summary(before: Competition, folder: Path) -> Message:
    """The title of the saved results, their size and date."""
    changed = datetime.fromtimestamp((folder / FILE).stat().st_mtime, timezone.utc).astimezone()
    return say(
        "“{title}” ({submissions}, {games}, {date})",
        title="; ".join(old.title for old in before.setup.assignments),
        submissions=say("{n} submission", "{n} submissions", n=len(before.setup.entrants)),
        games=say("{n} game", "{n} games", n=before.game_counts[0]),
        date=f"{changed:%Y-%m-%d %H:%M}",
    )


def _is_same_title(old: Assignment, new: Assignment) -> bool:
    return (old.rules.name, old.title) == (new.rules.name, new.title)


def _has_common_opponent(old: Assignment, new: Assignment) -> bool:
    """Whether two assignments have an opponent in common: built-in titles occur often."""
    players = [{opponent.player for opponent in each.opponents} for each in (old, new)]
    return bool(players[0] & players[1])


def _has_same_rules(old: Assignment, new: Assignment) -> bool:
    return old.rules.options() == new.rules.options()


def _has_all_opponents(old: Assignment, new: Assignment) -> bool:
    """Whether all opponents of the old assignment are in the new one, with the same options."""
    players = [{player_label(opponent.player, opponent.options) for opponent in each.opponents} for each in (old, new)]
    return players[0] <= players[1]


def _folded(ids: Iterable[str]) -> set[str]:
    return {id_.casefold() for id_ in ids}
