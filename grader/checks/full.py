"""`--full`: all games of the assignment, played and scored as the official run does, and kept nowhere."""

from pathlib import Path

from grader.checks.checking import Checking
from grader.checks.observations import CheckedGame
from grader.competition.grades import grade
from grader.competition.play import Watch
from grader.engine.local import LocalEngine
from grader.fixtures import Fixture
from grader.records import MatchRecord
from grader.store import Store
from grader.workflow import play_gauntlet


def play_everything(checking: Checking, folder: Path, *, workers: int, watch: Watch) -> None:
    """Play everything and note it, with the grade that it would come to; if interrupted, what was played by then."""
    subject = checking.subject
    with Store(folder) as store:
        try:
            competition = play_gauntlet(subject.prepared, {}, LocalEngine(workers), store, watch)
            (checking.seen.grade,) = grade(competition)
            checking.seen.skipped += [one.text for one in competition.unplayed]
        finally:
            for fixture in subject.fixtures:
                record = store.get(fixture.key)
                if record is not None:
                    checking.played(_game(fixture, record))


def _game(fixture: Fixture, record: MatchRecord) -> CheckedGame:
    charges = [turn.charge for turn in record.turns_of(fixture.seat)]
    if record.at_fault == fixture.seat and record.last_charge is not None:
        charges.append(record.last_charge)
    return CheckedGame(fixture=fixture, record=record, charges=tuple(charges))
