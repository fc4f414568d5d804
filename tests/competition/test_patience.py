"""Games for which the machine was too busy: when they are played again, and when they are given up."""

import math
import time
from dataclasses import replace

import pytest

from grader.competition.patience import PATIENT, Backoff, Patience, wait_for_calm
from grader.engine.base import WorkersLost
from grader.engine.jobs import UnitJob, UnitResult
from grader.engine.match import TRIES
from tests.competition.test_tournament_schedule import Foreseen, alphabetical, played, points, rated

QUICK = Patience(first_pause=0.02, longest_pause=0.05, total=0.3)
BUSY = UnitResult(fault="Too busy.", busy=True)


class BusyAtFirst(Foreseen):
    """Every game that is played while others are, or before `calm_after` games were played, is disturbed."""

    def __init__(self, calm_after: float, at_once: int = 1) -> None:
        super().__init__(None)
        self.calm_after, self.at_once = calm_after, at_once
        self.most: list[int] = []
        """How many games were in progress whenever one ended."""
        self.runs = 0

    def run(self, _play, next_job, done, _observer):
        self.runs += 1
        playing: list[UnitJob] = []
        while True:
            while len(playing) < self.workers and (job := next_job()) is not None:
                playing.append(job)
            if not playing:
                return
            self.most.append(len(playing))
            is_busy = len(playing) > self.at_once or len(self.games) < self.calm_after
            job = playing.pop(0)
            ((first, second),) = ((one.name, other.name) for one, other in job.seatings)
            self.games.append((first, second))
            done(job, BUSY if is_busy else UnitResult(records=(alphabetical(first, second, job.seeds[0]),)))


def test_games_for_which_the_machine_was_too_busy_are_played_again_alone_until_they_are_fair(tmp_path):
    engine = BusyAtFirst(calm_after=20)
    found = rated(tmp_path, engine, *"abc", patience=replace(QUICK, total=60.0))

    assert points(found) == {"a": 4, "b": 2, "c": 0}
    assert found.unplayed == ()
    assert engine.most[0] == 3 and set(engine.most[6:22]) == {1}, "alone, as soon as all others have been tried"
    assert len(engine.games) <= 20 + 6 + 2, "each of the six is fair once; two at a time are still too many"


def test_more_games_are_played_at_a_time_again_once_the_machine_is_calm(tmp_path):
    engine = BusyAtFirst(calm_after=10, at_once=3)
    found = played(tmp_path, engine, *"abcdef", patience=replace(QUICK, total=60.0))

    assert found.unplayed == () and found.fewest == 1
    assert max(engine.most[10:]) == engine.workers


def test_games_are_given_up_only_after_the_whole_patience(tmp_path):
    engine, began = BusyAtFirst(calm_after=math.inf), time.monotonic()
    found = played(tmp_path, engine, *"abc", patience=QUICK)
    took = time.monotonic() - began

    assert len(found.unplayed) == 6 and found.results == {}
    assert 0.3 <= took < 5
    assert len(engine.games) >= 6 + TRIES
    counts = [int(game.text.partition("fairly in ")[2].split()[0]) for game in found.unplayed]
    assert sum(counts) == len(engine.games), "each message says how many attempts there were"


def test_after_a_deadline_only_the_remaining_attempts_are_made(tmp_path):
    engine = BusyAtFirst(calm_after=math.inf)
    patience = Patience(until=time.monotonic())
    found = played(tmp_path, engine, *"ab", patience=patience)

    assert len(found.unplayed) == 2
    assert len(engine.games) == 2 + TRIES


@pytest.mark.parametrize("trouble", [UnitResult(fault="The reference player failed."), WorkersLost("it died")])
def test_nothing_waits_if_something_else_than_the_machine_was_the_cause(tmp_path, trouble):
    engine = Foreseen(lambda *_: trouble)
    began = time.monotonic()
    found = played(tmp_path, engine, *"ab")

    assert len(found.unplayed) == 2
    assert time.monotonic() - began < PATIENT.first_pause


def test_what_a_wait_is_for_is_shown_and_ctrl_c_ends_it_with_all_games_saved(tmp_path):
    shown: list[str] = []

    class Interrupting:
        def __call__(self, progress):
            shown.append(progress.waiting)

        def refresh(self, progress):
            shown.append(progress.waiting)
            raise KeyboardInterrupt

    def one_is_busy(first, second, seed):
        return BUSY if (first, second) == ("a", "b") else alphabetical(first, second, seed)

    with pytest.raises(KeyboardInterrupt):
        played(tmp_path, Foreseen(one_is_busy), *"abc", watch=Interrupting())
    rest = Foreseen(alphabetical)
    played(tmp_path, rest, *"abc")

    assert shown[-1] == "Waiting for the machine to become less busy: 1 game to play again"
    assert rest.games == [("a", "b")]


def test_attempts_are_recorded_with_their_reasons(tmp_path):
    def busy_twice(first, second, seed):
        return BUSY if engine.games.count(("a", "b")) < 3 and first == "a" else alphabetical(first, second, seed)

    jobs = []

    class Noting(Foreseen):
        def run(self, play, next_job, done, observer):
            def note(job, outcome):
                jobs.append(job)
                done(job, outcome)

            super().run(play, next_job, note, observer)

    engine = Noting(busy_twice)
    played(tmp_path, engine, *"ab", patience=replace(QUICK, total=60.0))

    assert (jobs[-1].attempts, jobs[-1].busy_attempts) == (("Too busy.", "Too busy."), 2)


def test_pauses_grow_while_the_machine_stays_busy():
    backoff, pauses = Backoff(Patience()), []
    for _ in range(6):
        backoff.note_busy(0.0)
        pauses.append(backoff.pause())
    backoff.note_fair(0.0)

    assert pauses == [5, 10, 20, 40, 60, 60]
    assert backoff.pause() == 0


def test_what_happened_before_the_last_part_counts_for_one_pause():
    backoff = Backoff(Patience())
    for _ in range(30):
        backoff.note_busy(100.0)
    backoff.begin(102.0)

    assert backoff.end_of_pause() == 105
    assert not backoff.should_give_up(102 + 600), "there was no attempt since then"


def test_a_fair_game_renews_the_patience():
    backoff = Backoff(Patience())
    backoff.begin(0.0)
    for at in (10.0, 20.0, 590.0):
        backoff.note_busy(at)
    assert not backoff.should_give_up(599.0) and backoff.should_give_up(600.0)
    backoff.note_fair(600.0)
    for at in (610.0, 620.0, 630.0):
        backoff.note_busy(at)

    assert not backoff.should_give_up(1199.0) and backoff.should_give_up(1200.0)


class Scripted:
    """Returns these numbers of idle cores, the last one again and again."""

    def __init__(self, *idle: float | None) -> None:
        self._idle = list(idle)

    def since_last(self):
        return self._idle.pop(0) if len(self._idle) > 1 else self._idle[0]


@pytest.mark.parametrize(
    ("idle", "least", "most"),
    [
        pytest.param(None, 1.0, 1.3, id="not known"),
        pytest.param(Scripted(0.1), 1.0, 1.3, id="busy all the time"),
        pytest.param(Scripted(None), 1.0, 1.3, id="not reported by the system"),
        pytest.param(Scripted(1.5), 0.2, 0.5, id="calm"),
        pytest.param(Scripted(0.1, 0.1, 1.5), 0.6, 0.9, id="busy at first"),
    ],
)
def test_a_pause_ends_early_if_a_core_is_idle(idle, least, most):
    patience = Patience(first_pause=1.0)
    backoff = Backoff(patience)
    backoff.note_busy(began := time.monotonic())

    wait_for_calm(backoff, patience, idle, lambda: None)

    assert least <= time.monotonic() - began < most + 1, "other tests may keep this one waiting"
    assert time.monotonic() >= backoff.end_of_pause()
