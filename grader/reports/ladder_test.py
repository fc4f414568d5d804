"""How the opponents of an assignment fare against one another, for the terminal."""

from collections.abc import Iterator

from tabulate import tabulate

from grader.competition.ladder_test import Ladder, LadderStep
from grader.language import Language, Message, say


def render(test: Ladder, speak: Language) -> str:
    """The cross table, with the share that the row won against the column, and a sentence for each step."""
    names = [opponent.name for opponent in test.assignment.opponents]
    rows = [
        [name, *(_cell(test.steps.get((row, column))) for column in range(len(names)))]
        for row, name in enumerate(names)
    ]
    table = tabulate(rows, ["", *names], disable_numparse=True)
    steps = "\n".join(speak(sentence) for sentence in _step_sentences(test))
    note = speak.say("Share of games won by the row against the column (95 % CI); a draw is half a win.")
    return f"{test.assignment.title}\n\n{table}\n\n{note}\n\n{steps}"


def _cell(step: LadderStep | None) -> str:
    if step is None:
        return "·"
    low, high = step.interval
    return f"{step.share:.0%} ({low:.0%}–{high:.0%})" if step.games else "–"


def _step_sentences(test: Ladder) -> Iterator[Message]:
    names = [opponent.name for opponent in test.assignment.opponents]
    for at in range(1, len(names)):
        step = test.steps[at, at - 1]
        values: dict[str, str | float | int] = {
            "name": names[at],
            "last": names[at - 1],
            "share": step.share,
            "games": step.games,
        }
        if not step.games:
            yield say("– {name} and {last} could not play each other.", **values)
        elif step.is_clear:
            yield say("✓ {name} is a clear step above {last}: it won {share:.0%} of {games} games.", **values)
        elif step.interval[1] > 0.5:
            yield say(
                "! {name} won {share:.0%} of {games} games against {last}: too few different games to tell which is stronger.",
                **values,
            )
        else:
            yield say("✗ {name} is not above {last}: it won {share:.0%} of {games} games.", **values)
