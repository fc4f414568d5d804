"""How many different games an opponent can play, and how many of a class's games repeated earlier ones."""

from collections.abc import Iterable, Sequence

from grader.assignment import Assignment, Opponent
from grader.inspection.reference_catalogue import reference_players
from grader.language import Language, Message, say
from grader.records import Ending
from grader.scoring.points import Grade, Part


def variety_lines(grades: Iterable[tuple[Grade, Assignment]], speak: Language) -> list[str]:
    """A sentence for each opponent about which something is known, and whether no game was repeated."""
    met: dict[tuple[str, str], tuple[Assignment, Opponent, list[Part]]] = {}
    for grade, assignment in grades:
        if Ending.LOAD_ERROR in grade.endings:  # lost without being played
            continue
        opponents = {opponent.name: opponent for opponent in assignment.opponents}
        for part in grade.parts:
            known = assignment, opponents[part.opponent], list[Part]()
            met.setdefault((assignment.title, part.opponent), known)[2].append(part)
    lines: list[Message] = []
    for assignment, opponent, parts in met.values():
        if any(part.games for part in parts):
            lines += _opponent_lines(opponent.name, _possible_games(assignment, opponent), parts)
    parts = [part for _, _, all_parts in met.values() for part in all_parts if part.games]
    if parts and not any(part.repeats for part in parts):
        lines.append(say("No game was repeated."))
    return [speak(line) for line in lines]


def _opponent_lines(name: str, possible: Message | None, parts: Sequence[Part]) -> list[Message]:
    """What is known about one opponent: how many different games there can be, and the repeats, if there were any."""
    games, repeats = sum(part.games for part in parts), sum(part.repeats for part in parts)
    if not repeats:
        return [] if possible is None else [say("{opponent}: {possible}.", opponent=name, possible=possible)]
    counted = say("{repeats} of {n} game was a repeat", "{repeats} of {n} games were repeats", repeats=repeats, n=games)
    if possible is None:
        return [say("{opponent}: {repeated}.", opponent=name, repeated=counted)]
    return [say("{opponent}: {possible}; {repeated}.", opponent=name, possible=possible, repeated=counted)]


def _possible_games(assignment: Assignment, opponent: Opponent) -> Message | None:
    """How many different games there can be, against a player that leaves nothing to chance; None if it was not measured."""
    if opponent.options.get("variety") == "none" or "seed" in opponent.options:
        return say("always plays the same game against a player without randomness")
    number = 0
    if not opponent.is_own and assignment.rules == type(assignment.rules)():  # on the board on which it was measured
        found = [one for one in reference_players() if one.name == opponent.player and one.plays(assignment.rules)]
        number = found[0].different if found else 0
    if not number:
        return None
    return say("can play at least {number} different games, both as player 1 and as player 2", number=number)
