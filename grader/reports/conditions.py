"""The conditions of a run or tournament, for the top of its page: when, where and by which rules it was played."""

from datetime import datetime

from grader.assignment import Assignment, Opponent
from grader.language import Language, Message, say
from grader.reports.labels import time_limit_label


def format_date(moment: str) -> str:
    """A moment in ISO 8601 in this machine's time zone: `2026-11-18 15:04 (UTC+01:00)`; empty if there is none."""
    if not moment:
        return ""
    local = datetime.fromisoformat(moment).astimezone()
    offset = local.isoformat()[-6:]
    return f"{local:%Y-%m-%d %H:%M} (UTC{'' if offset == '+00:00' else offset.replace('-', '−')})"


def board_label(assignment: Assignment, speak: Language) -> str:
    """The game, its options and the time limit, e.g. `…, size 11, 3 s per move`."""
    names = assignment.rules.option_names()
    options = [f"{speak(names.get(name, name))} {value}" for name, value in assignment.options.items()]
    return ", ".join([assignment.rules.title, *options, speak(time_limit_label(assignment.time))])


def opponents_label(assignment: Assignment, speak: Language) -> str:
    """The opponents with their games and points: `random (2 games, 10 points), minimax (4 games, 20 points)`."""
    return ", ".join(speak(_opponent(opponent)) for opponent in assignment.opponents)


def score_label(assignment: Assignment, speak: Language) -> str:
    """How games become a score: `points in proportion to the win rate, rounded to 0.1, pass mark 5`."""
    if assignment.scoring == "ladder":
        parts = [say("a ladder, in which each opponent must be beaten before the next one counts")]
    elif any(opponent.threshold is not None for opponent in assignment.opponents):
        parts = [say("points for a number of wins")]
    else:
        parts = [say("points in proportion to the win rate")]
    if assignment.maximum is not None:
        parts.append(say("scaled to {maximum:g}", maximum=assignment.maximum))
    if assignment.round_to is not None:
        parts.append(say("rounded to {step:g}", step=assignment.round_to))
    if assignment.pass_mark is not None:
        parts.append(say("pass mark {mark:g}", mark=assignment.pass_mark))
    return ", ".join(map(speak, parts))


def _opponent(opponent: Opponent) -> Message:
    games, points = opponent.games, opponent.points
    return say(
        "{name} ({games}, {points})",
        name=opponent.name,
        games=say("{n} game", "{n} games", n=games),
        points=say("{n} point", "{n} points", n=int(points))
        if points == int(points)
        else say("{points:g} points", points=points),
    )
