"""`--full`: all games of the assignment, played and scored by the official run's own code, kept nowhere."""

from pathlib import Path

from grader.checks.checking import Checking
from grader.checks.observations import CheckedGame
from grader.competition.grades import grades
from grader.competition.play import Progress, Watch, play_all
from grader.competition.prepare import Prepared, Request
from grader.engine.local import Local
from grader.fixtures import Fixture
from grader.records import MatchRecord
from grader.store import Store


def play_everything(checking: Checking, folder: Path, *, workers: int, watch: Watch) -> None:
    """Play everything and note it, with the grade that it would come to; if interrupted, what was played by then."""
    subject = checking.subject
    prepared = Prepared(
        request=Request(path=folder, results=folder, workers=workers),
        assignments=(subject.assignment,),
        candidates=(subject.candidate,),
        rivals=subject.rivals,
        level=subject.level,
    )
    progress = Progress()
    with Store(folder) as store:
        try:
            results = play_all(prepared, Local(workers), {}, store, progress, watch)
            (checking.seen.grade,) = grades(prepared, {}, results, progress.faults).grades
        finally:
            for fixture in subject.candidate.planned:
                record = store.get(fixture.key)
                if record is not None:
                    checking.played(_game(checking, fixture, record))
            checking.seen.skipped += progress.faults


def _game(checking: Checking, fixture: Fixture, record: MatchRecord) -> CheckedGame:
    opponent = checking.subject.assignment.opponents[fixture.opponent].name
    charges = [turn.charge for turn in record.turns_of(fixture.seat)]
    if record.at_fault == fixture.seat and record.last_charge is not None:
        charges.append(record.last_charge)
    return CheckedGame(fixture=fixture, opponent=opponent, record=record, charges=tuple(charges))
