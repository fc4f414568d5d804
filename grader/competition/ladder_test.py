"""Let the opponents of an assignment play one another, to see whether each is a clear step above the last."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from grader.assignment import Assignment
from grader.competition.field import REFERENCE, Encounter, Field
from grader.competition.play import Results
from grader.competition.prepare import opponents_of, try_opponents
from grader.competition.run import Progress, Watch
from grader.competition.tournament_play import play
from grader.engine.base import Engine
from grader.errors import OptionError
from grader.fixtures import rival_key
from grader.inspection.players import reference_digest
from grader.language import say
from grader.scoring.opponent_ladder import Ladder, Step
from grader.scoring.points import wilson
from grader.store import Store


def ladder_test(
    assignment: Assignment, games: int, staging: Path, engine: Engine, store: Store, watch: Watch = lambda _: None
) -> Ladder:
    """Play so many games between each two opponents of an assignment, half of them with each colour."""
    if len(assignment.opponents) < 2:
        raise OptionError(say("{title} has only one opponent: nothing to compare.", title=assignment.title))
    level = engine.weakest()[1]
    rivals = opponents_of([assignment], staging)
    try_opponents([assignment], rivals, level)
    field = Field(
        assignment=assignment,
        level=level,
        submissions={},
        references={REFERENCE + one.name: rivals[rival_key(assignment, one)] for one in assignment.opponents},
        reference_digest=reference_digest(),
        chance={},
    )
    ids = list(field.references)
    pairs = list(combinations(range(len(ids)), 2))
    encounters = [one for low, high in pairs for one in field.encounters((ids[low], ids[high]), games)]
    progress = Progress()
    results = play(field, encounters, {}, engine, store, progress, watch, say("Playing"))
    steps = {}
    for low, high in pairs:
        own = [one for one in encounters if {one.first, one.second} == {ids[low], ids[high]} and one.key in results]
        for player, other in ((low, high), (high, low)):
            steps[player, other] = _step(ids[player], own, results)
    return Ladder(assignment=assignment, steps=steps, faults=tuple(progress.faults))


def _step(id_: str, encounters: Sequence[Encounter], results: Results) -> Step:
    points = 0.0
    seen: set[tuple[int, tuple[str, ...]]] = set()
    for encounter in encounters:
        record = results[encounter.key]
        seat = encounter.order.index(id_)
        points += 0.5 if record.winner is None else float(record.winner == seat)
        seen.add((seat, tuple(turn.move for turn in record.turns)))
    games = len(encounters)
    return Step(
        points=points,
        games=games,
        interval=wilson(points, games, max(1, len(seen))) if games else (0.0, 1.0),
    )
