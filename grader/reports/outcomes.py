"""How the games of a submission ended, in one line."""

from collections.abc import Mapping

from grader.games import Game
from grader.games.endings import ending_label
from grader.language import Language, Message, say
from grader.records import Ending
from grader.reports.labels import not_played_label
from grader.scoring.points import Grade

_FAULTS = frozenset(str(ending) for ending in Ending)


def results_label(grade: Grade, game: Game, speak: Language) -> str:
    """The games by result and ending: `3 won: connected; 8 lost: 7 illegal move, 1 connected`."""
    return "; ".join(result_lines(grade, game, speak))


def result_lines(grade: Grade, game: Game, speak: Language) -> list[str]:
    """The same, with a line for each result."""
    if (not_played := not_played_label(grade)) is not None:
        return [speak(not_played)]
    return [
        speak.say(
            "{result}: {endings}",
            result=_result(result, sum(own.values())),
            endings=_endings(own, game, speak, won=result == "won"),
        )
        for result, own in grade.endings_by_result.items()
    ]


def _result(result: str, count: int) -> Message:
    if result == "won":
        return say("{n} won", "{n} won", n=count)
    return say("{n} lost", "{n} lost", n=count) if result == "lost" else say("{n} drawn", "{n} drawn", n=count)


def _endings(counts: Mapping[str, int], game: Game, speak: Language, *, won: bool) -> str:
    """The endings with their counts, or only the ending if all games ended the same way."""
    labels = {
        ending: speak.say("{ending} (opponent)", ending=ending_label(ending, game))
        if won and ending in _FAULTS
        else speak(ending_label(ending, game))
        for ending in counts
    }
    if len(labels) == 1:
        return next(iter(labels.values()))
    return ", ".join(f"{count} {labels[ending]}" for ending, count in counts.items())
