"""`grader match --games`: the score of several games between two players."""

from collections.abc import Sequence

from grader.fixtures import move_line
from grader.games import Game
from grader.games.endings import result_sentence
from grader.language import Language
from grader.records import MatchRecord
from grader.reports.labels import percent_range
from grader.scoring.points import wilson_interval


def render_game(record: MatchRecord, game: Game, number: int, games: int, speak: Language) -> str:
    """One game in a line."""
    return speak.say(
        "Game {number} of {games}, {first} first: {result}",
        number=number,
        games=games,
        first=record.seats[0].name,
        result=result_sentence(record, game),
    )


def render(records: Sequence[MatchRecord], names: tuple[str, str], speak: Language) -> str:
    """The score of the first player: in total with its interval, and by whether it moved first.

    The players alternate: the first player moves first in the games with an even index.
    """
    if not records:
        return speak.say("No game was finished.")
    first, second = names
    points = [_points(record, at % 2) for at, record in enumerate(records)]
    # Games that repeat another one move for move show nothing new.
    different = len({(at % 2, *move_line(record)) for at, record in enumerate(records)})
    total, share = sum(points), sum(points) / len(records)
    lines = [
        speak.say(
            "{first} {total:g}, {second} {other:g} after {n} game.",
            "{first} {total:g}, {second} {other:g} after {n} games.",
            n=len(records),
            first=first,
            second=second,
            total=total,
            other=len(records) - total,
        ),
        speak.say(
            "Win rate of {first}: {share:.0%} (95 % CI {interval}).",
            first=first,
            share=share,
            interval=percent_range(wilson_interval(total, len(records), different), speak),
        ),
        "  " + speak.say("moving first: {points:g} of {games}", points=sum(points[::2]), games=len(points[::2])),
        "  " + speak.say("moving second: {points:g} of {games}", points=sum(points[1::2]), games=len(points[1::2])),
    ]
    if different < len(records):
        lines.append(
            speak.say(
                "All of these games are the same, so the interval counts {n} game.",
                "Only {n} of these games are different; repeats do not narrow the interval.",
                n=different,
            )
        )
    return "\n".join(lines)


def _points(record: MatchRecord, seat: int) -> float:
    return 0.5 if record.winner is None else float(record.winner == seat)
