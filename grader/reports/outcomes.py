"""How the games of a submission ended, in one line, and why a score is zero, in a word or two."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.games import Game
from grader.games.endings import ending_label
from grader.language import Language, Message, say
from grader.records import Ending
from grader.reports.labels import finding_label, split_reason, status_label
from grader.scoring.points import Grade

_FAULTS = frozenset(str(ending) for ending in Ending)


@dataclass(frozen=True, slots=True)
class ZeroReason:
    """Why a score is zero."""

    tone: str
    """fault (something does not work), lost (it played by the rules) or absent (there is nothing to grade)."""
    label: str


def results_label(grade: Grade, game: Game, speak: Language) -> str:
    """The games by result and ending: `3 won: connected; 8 lost: 7 illegal move, 1 connected`."""
    return "; ".join(result_lines(grade, game, speak))


def result_lines(grade: Grade, game: Game, speak: Language) -> list[str]:
    """The same, with a line for each result."""
    if _is_unloadable(grade):
        return [speak.say("not played: could not be loaded")]
    return [
        speak.say(
            "{result}: {endings}",
            result=_result(result, sum(own.values())),
            endings=_endings(own, game, speak, won=result == "won"),
        )
        for result, own in grade.endings_by_result.items()
    ]


def zero_reason(grade: Grade, game: Game) -> ZeroReason | None:
    """Why the score of a submission is zero; None for any other score, or if the status explains that there is none."""
    if grade.score != 0:
        return None
    if grade.status == "missing":
        return ZeroReason("absent", say("not submitted"))
    if grade.status != "graded":
        return ZeroReason("fault", status_label(grade.status))
    if _is_unloadable(grade):
        reason, _ = split_reason(grade)
        return ZeroReason("fault", finding_label("load_error" if reason is None else reason.code))
    if grade.endings_by_result.keys() == {"lost"}:
        return _lost_everything(grade.endings_by_result["lost"], game)
    if grade.penalty:
        return ZeroReason("absent", say("late submission"))
    return ZeroReason("lost", say("too few wins")) if grade.endings_by_result else None


def _is_unloadable(grade: Grade) -> bool:
    return not grade.endings_by_result and grade.endings.keys() == {str(Ending.LOAD_ERROR)}


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


def _lost_everything(counts: Mapping[str, int], game: Game) -> ZeroReason:
    if not _FAULTS.issuperset(counts):
        return ZeroReason("lost", say("lost every game"))
    if len(counts) == 1:
        return ZeroReason("fault", ending_label(next(iter(counts)), game))
    return ZeroReason("fault", say("errors in every game"))
