"""How many different games an opponent can play, and how many of a class's games repeated earlier ones."""

from collections.abc import Iterable

from grader.assignment import Assignment, Opponent
from grader.inspection.reference_catalogue import reference_players
from grader.language import Language, Message, say
from grader.records import Ending
from grader.scoring.points import Grade, Part


def variety_lines(grades: Iterable[tuple[Grade, Assignment]], speak: Language) -> list[str]:
    """A sentence for each opponent against which games were played."""
    met: dict[tuple[str, str], tuple[Assignment, Opponent, list[Part]]] = {}
    for grade, assignment in grades:
        if Ending.LOAD_ERROR in grade.endings:  # lost without being played
            continue
        opponents = {opponent.name: opponent for opponent in assignment.opponents}
        for part in grade.parts:
            known = assignment, opponents[part.opponent], list[Part]()
            met.setdefault((assignment.title, part.opponent), known)[2].append(part)
    return [
        speak.say(
            "{opponent}: {possible}; {repeats} of {n} game was a repeat.",
            "{opponent}: {possible}; {repeats} of {n} games were repeats.",
            opponent=opponent.name,
            possible=_possible_games(assignment, opponent),
            repeats=sum(part.repeats for part in parts),
            n=games,
        )
        for assignment, opponent, parts in met.values()
        if (games := sum(part.games for part in parts))
    ]


def _possible_games(assignment: Assignment, opponent: Opponent) -> Message:
    """How many different games there can be, against a player that leaves nothing to chance."""
    if opponent.options.get("variety") == "none" or "seed" in opponent.options:
        return say("always plays the same game against a player without randomness")
    number = 0
    if not opponent.is_own and assignment.rules == type(assignment.rules)():  # on the board on which it was measured
        found = [one for one in reference_players() if one.name == opponent.player and one.plays(assignment.rules)]
        number = found[0].different if found else 0
    if not number:
        return say("the number of different games was not measured for this opponent and board")
    return say("at least {number} different games as each player", number=number)
