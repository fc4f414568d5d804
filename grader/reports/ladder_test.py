"""`grader ladder-test`: how the opponents of an assignment play against each other."""

from collections.abc import Iterator

from grader.competition.ladder_test import Ladder, LadderStep
from grader.language import Language, Message, say
from grader.reports.labels import percent_range
from grader.reports.table import Column, Report, make_table


def render(test: Ladder, speak: Language) -> Report:
    """The cross table of win rates, and a sentence for each step."""
    names = [opponent.name for opponent in test.assignment.opponents]
    rows = [
        [name, *(_cell(test.steps.get((row, column)), speak) for column in range(len(names)))]
        for row, name in enumerate(names)
    ]
    table = make_table([Column("", wraps=True), *(Column(name, wraps=True) for name in names)], rows)
    steps = "\n".join(speak(sentence) for sentence in _step_sentences(test))
    note = speak.say("Win rate of the row against the column (95 % CI); a draw is half a win.")
    return [test.assignment.title, table, note, steps]


def _cell(step: LadderStep | None, speak: Language) -> str:
    if step is None:
        return "·"
    return f"{speak.number(step.share, '.0%')} ({percent_range(step.interval, speak)})" if step.games else "–"


def _step_sentences(test: Ladder) -> Iterator[Message]:
    names = [opponent.name for opponent in test.assignment.opponents]
    for at in range(1, len(names)):
        step = test.steps[at, at - 1]
        pair = {"name": names[at], "last": names[at - 1]}
        if not step.games:
            yield say("– {name} and {last} could not play each other.", **pair)
        elif step.is_clear:
            yield say(
                "✓ {name} is clearly stronger than {last}: it won {share:.0%} of {n} game.",
                "✓ {name} is clearly stronger than {last}: it won {share:.0%} of {n} games.",
                n=step.games,
                share=step.share,
                **pair,
            )
        elif step.interval[1] > 0.5:
            yield say(
                "! {name} won {share:.0%} of {n} game against {last}: too few different games to tell which is stronger.",
                "! {name} won {share:.0%} of {n} games against {last}: too few different games to tell which is stronger.",
                n=step.games,
                share=step.share,
                **pair,
            )
        else:
            yield say(
                "✗ {name} is not stronger than {last}: it won {share:.0%} of {n} game.",
                "✗ {name} is not stronger than {last}: it won {share:.0%} of {n} games.",
                n=step.games,
                share=step.share,
                **pair,
            )
