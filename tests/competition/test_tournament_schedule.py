"""Schedules of tournaments, on an engine that invents the results and returns them in any order."""

import random
from dataclasses import replace

import pytest

from grader.competition.patience import PATIENT
from grader.competition.records import Entrant, Pairing, Request, Setup
from grader.competition.seating import unit_job
from grader.competition.tournament import Tournament, play_tournament, rate, tournament_matches
from grader.engine.base import WorkersLost
from grader.engine.jobs import Trial, UnitJob, UnitResult
from grader.engine.match import TRIES
from grader.inspection.chance import Chance
from grader.inspection.entry import find_entry
from grader.intake.collect import Submission
from grader.records import Ending, Fault
from grader.reports.standings import remarks
from grader.sandbox.isolation import Level
from grader.scoring.standings import weigh
from grader.store import Store
from tests.matches import assignment, record
from tests.workflow.folders import FIRST


class Foreseen:
    """Takes each result from `outcome(first, second, seed)`, with several games at a time in shuffled order."""

    workers = 3

    def __init__(self, outcome, shuffle: int = 0) -> None:
        self._outcome, self._random = outcome, random.Random(shuffle)
        self.games: list[tuple[str, str]] = []

    def weakest(self):
        return "this machine", Level.NONE

    def idle_cores(self):
        return None

    def run(self, _play, next_job, done, _observer):
        playing: list[UnitJob] = []
        while True:
            while len(playing) < self.workers and (job := next_job()) is not None:
                playing.append(job)
            if not playing:
                return
            job = playing.pop(self._random.randrange(len(playing)))
            names = [(first.name, second.name) for first, second in job.seatings]
            self.games += names
            ends = [self._outcome(*pair, seed) for pair, seed in zip(names, job.seeds, strict=True)]
            wrong = next((end for end in ends if isinstance(end, UnitResult | WorkersLost)), None)
            done(job, wrong or UnitResult(records=tuple(ends)))


def tournament(
    tmp_path, *names: str, same=(), certain=(), risky=(), rounds=None, games=2, **changes
) -> tuple[Setup, Pairing]:
    """A tournament of submissions with these names: `same` have equal content, `certain` use no chance, `risky` do."""
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "solution.py").write_text(FIRST, encoding="utf-8")
    entry, _ = find_entry(tmp_path)
    course = assignment(**changes).model_copy(update={"opponents": ()})
    entrants = tuple(
        Entrant(
            submission=Submission(
                id=name, name=name, folder=tmp_path, digest=name, contents="same" if name in same else name
            ),
            assignment=course,
            entry=entry,
            findings=(),
            identity={"content": "same" if name in same else name, "entry": None},
            chance=Chance.NONE if name in certain else Chance.SOME if name in risky else Chance.UNKNOWN,
        )
        for name in names
    )
    request = Request(path=tmp_path, results=tmp_path, assignments=(course,))
    setup = Setup(request=request, entrants=entrants, opponents={}, level=Level.NONE, reference_digest="")
    return setup, Pairing(games=games, rounds=rounds)


def trials(setup: Setup) -> dict[str, Trial]:
    return {entrant.id: Trial(fault=None, seconds=0.1) for entrant in setup.entrants}


def played(tmp_path, engine, *names: str, watch=lambda _: None, announce=lambda _: None, patience=PATIENT, **terms):
    """Play a tournament of these submissions, except for games that were played before."""
    setup, pairing = tournament(tmp_path, *names, **terms)
    with Store(tmp_path / "out") as store:
        return play_tournament(setup, pairing, trials(setup), engine, store, watch, announce, patience)


def rated(tmp_path, engine, *names: str, **terms):
    """The result of a tournament of these submissions."""
    (standings,) = rate(played(tmp_path, engine, *names, **terms))
    return standings


def announced(tmp_path, *names: str, **terms) -> int:
    """The number of games that a tournament of these submissions announces."""
    counts: list[int] = []
    played(tmp_path, Idle(), *names, announce=lambda estimate: counts.append(estimate.games), **terms)
    return counts[0]


class Idle(Foreseen):
    """Plays nothing."""

    def __init__(self) -> None:
        super().__init__(None)

    def run(self, _play, _next_job, _done, _observer):
        pass


def alphabetical(first, second, seed):
    """The player whose name sorts first always wins, and all games differ."""
    return record(0 if first < second else 1, moves=f"a1 s{seed}")


def deterministic(first, second, _seed):
    return record(0 if first < second else 1, moves=f"a1 {first}{second}")


def ever_the_same(_first, _second, _seed):
    return record(0, moves="a1 b1")


def points(standings) -> dict[str, float]:
    return {row.competitor.id: row.points for row in standings.rows}


def test_all_players_meet_on_both_sides(tmp_path):
    engine = Foreseen(alphabetical)
    found = rated(tmp_path, engine, *"abc", games=4)

    assert sorted(engine.games) == sorted([(x, y) for x in "abc" for y in "abc" if x != y] * 2)
    assert points(found) == {"a": 8, "b": 4, "c": 0}
    assert [row.competitor.id for row in found.rows] == ["a", "b", "c"]
    assert found.rows[0].repeats == 0


def test_repeated_games_are_skipped_and_do_not_narrow_intervals(tmp_path):
    few, many = Foreseen(deterministic), Foreseen(deterministic)
    short = rated(tmp_path / "short", few, *"abc", games=2)
    long = rated(tmp_path / "long", many, *"abc", games=10)

    assert len(many.games) == 2 * len(few.games)  # once more in each order, to see that they repeat
    assert points(long) == {"a": 20, "b": 10, "c": 0}
    assert long.rows[0].repeats == 16
    for row, other in zip(short.rows, long.rows, strict=True):
        assert row.rating is not None and other.rating is not None
        assert other.rating.value == pytest.approx(row.rating.value)
        assert other.rating.low == pytest.approx(row.rating.low)


@pytest.mark.parametrize("terms", [{"games": 10}, {"games": 2, "rounds": 5}], ids=["all against all", "Swiss"])
def test_players_without_chance_play_once_in_each_order(tmp_path, terms):
    engine = Foreseen(deterministic)
    found = rated(tmp_path, engine, *"ab", certain="ab", **terms)

    assert sorted(engine.games) == [("a", "b"), ("b", "a")]
    assert points(found) == {"a": 10, "b": 0}
    assert (found.skipped, found.rows[0].repeats) == (8, 8)
    again = rated(tmp_path, rest := Foreseen(deterministic), *"ab", certain="ab", **terms)
    assert (again, rest.games) == (found, [])


def test_the_estimate_does_not_count_known_repeats(tmp_path):
    foreseen = announced(tmp_path, *"abc", "d", same=("c", "d"), certain="ab", games=10)

    # a and b: one game in each order; both against c, which is also d: all games; c against itself: one order.
    assert foreseen == 2 + 2 * 10 + 5


def test_the_estimate_of_a_swiss_tournament_does_not_count_earlier_games(tmp_path):
    rated(tmp_path, Foreseen(alphabetical), *"abcde", rounds=3)

    assert [announced(tmp_path, *"abcde", rounds=rounds) for rounds in (3, 5)] == [0, 2 * 2 * 2]


@pytest.mark.parametrize("outcome", [alphabetical, deterministic])
def test_the_announced_total_does_not_change_and_is_reached(tmp_path, outcome):
    steps: list[tuple[int, int]] = []
    whole: list[int] = []
    played(
        tmp_path,
        Foreseen(outcome),
        *"abcd",
        same="cd",
        certain="ab",
        games=10,
        watch=lambda progress: steps.append((progress.done, progress.total)),
        announce=lambda estimate: whole.append(estimate.games),
    )

    assert {total for _, total in steps} == {*whole}
    assert steps == sorted(steps)
    assert steps[-1][0] == whole[0]


def test_a_player_that_may_use_chance_has_to_repeat_a_game_first(tmp_path):
    engine = Foreseen(deterministic)
    rated(tmp_path, engine, *"abc", certain="ab", games=10)

    assert {pair: engine.games.count(pair) for pair in engine.games} == {
        **dict.fromkeys([("a", "b"), ("b", "a")], 1),
        **dict.fromkeys([("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")], 2),
    }


def test_a_player_with_random_numbers_never_skips_games_and_repeats_add_no_evidence(tmp_path):
    engine = Foreseen(deterministic)
    found = rated(tmp_path, engine, *"ab", certain="a", risky="b", games=10)

    assert len(engine.games) == 10
    assert (found.skipped, found.repeats) == (0, 8)


def test_all_pairs_have_different_seeds(tmp_path):
    setup, pairing = tournament(tmp_path, *"abcde", "f", same=("e", "f"), games=4)
    (course,) = setup.assignments
    drawn = {
        (fixture.players, seed)
        for fixture in Tournament(setup, course, "abcdef", pairing, {}).fixtures
        for seed in [fixture.seed, *(seating.seed for seating in unit_job(setup, (fixture,)).seatings[0])]
    }
    seeds = [seed for order, seed in drawn if "f" not in order]

    assert len(set(seeds)) == len(seeds) == 10 * 4 * 3
    assert {seed for order, seed in drawn if order == ("a", "e")} == {
        seed for order, seed in drawn if order == ("a", "f")
    }


def late(first, second, seed):
    """A game with a late move that was replaced by a random one."""
    one = deterministic(first, second, seed)
    return replace(one, turns=[replace(turn, late=True) for turn in one.turns])


def out_of_time(_first, _second, _seed):
    fault = Fault(ending=Ending.TIMEOUT, text="It thought too long.", help="Think less.")
    return record(1, moves="a1", fault=fault, at_fault=0)


@pytest.mark.parametrize("outcome", [late, out_of_time])
def test_a_game_decided_by_the_clock_is_played_again_before_repeats_are_skipped(tmp_path, outcome):
    engine = Foreseen(outcome)
    found = rated(tmp_path, engine, *"ab", certain="ab", games=10)

    assert sorted(engine.games) == sorted([("a", "b"), ("b", "a")] * 2)
    assert found.skipped == 6


def test_players_that_can_learn_play_all_games(tmp_path):
    engine = Foreseen(deterministic)
    rated(tmp_path, engine, *"ab", certain="ab", games=8, lifetime="pairing")

    assert len(engine.games) == 8


def test_one_different_game_means_that_all_are_played(tmp_path):
    def once_otherwise(first, second, seed):
        return (
            alphabetical(first, second, seed) if (first, second) == ("a", "b") else deterministic(first, second, seed)
        )

    engine = Foreseen(once_otherwise)
    rated(tmp_path, engine, *"abc", games=10)

    assert engine.games.count(("a", "b")) == 5
    assert engine.games.count(("b", "a")) == 2


@pytest.mark.parametrize("terms", [{"games": 6}, {"rounds": 3, "games": 4}], ids=["all against all", "Swiss"])
def test_the_order_in_which_games_end_does_not_matter(tmp_path, terms):
    def mixed(first, second, seed):
        if "a" in (first, second):
            return deterministic(first, second, seed)
        return record((None, 0, 1)[seed % 3], moves=f"a1 s{seed}")

    one, *others = (
        rated(tmp_path / str(shuffle), Foreseen(mixed, shuffle), *"abcdefg", **terms) for shuffle in range(4)
    )

    assert all(other == one for other in others)


@pytest.mark.parametrize("trouble", [UnitResult(fault="Too busy."), WorkersLost("it died")], ids=["unfair", "lost"])
def test_games_that_cannot_be_played_are_reported_and_count_for_neither_player(tmp_path, trouble):
    def troubled(first, second, seed):
        return trouble if (first, second) == ("a", "b") else alphabetical(first, second, seed)

    found = rated(tmp_path, Foreseen(troubled), *"abc")

    assert len(found.unplayed) == 1
    assert found.unplayed[0].startswith("a against b: ")
    assert points(found) == {"a": 3, "b": 2, "c": 0}
    again = rated(tmp_path, engine := Foreseen(alphabetical), *"abc")
    assert engine.games == [("a", "b")]
    assert points(again) == {"a": 4, "b": 2, "c": 0}


def test_a_game_that_was_not_fair_is_played_again_when_no_other_is_left_to_start(tmp_path):
    def busy_at_first(first, second, seed):
        unfair = (first, second) == ("a", "b") and engine.games.count(("a", "b")) == 1
        return UnitResult(fault="Too busy.") if unfair else alphabetical(first, second, seed)

    engine = Foreseen(busy_at_first)
    found = rated(tmp_path, engine, *"abc")

    assert ("a", "b") in engine.games[-engine.workers :] and engine.games.count(("a", "b")) == 2
    assert found.unplayed == ()


def test_a_swiss_tournament_stops_after_an_incomplete_round(tmp_path):
    def troubled(first, second, seed):
        return UnitResult(fault="Too busy.") if "c" in (first, second) else alphabetical(first, second, seed)

    engine = Foreseen(troubled)
    found = rated(tmp_path, engine, *"abcd", rounds=3)
    again = rated(tmp_path, rest := Foreseen(alphabetical), *"abcd", rounds=3)

    assert len(engine.games) == 2 + 2 * TRIES
    assert len(found.unplayed) == 2
    assert len(rest.games) == 2 + 8  # the missing games and the other rounds
    assert sum(points(again).values()) == 12
    assert again.unplayed == ()


def test_a_bye_counts_as_a_win_and_does_not_affect_ratings(tmp_path):
    found = rated(tmp_path, Foreseen(alphabetical), *"abc", rounds=1)
    by_bye = next(row for row in found.rows if row.byes)

    assert by_bye.points == 2
    assert by_bye.games == 0
    assert by_bye.rating is None
    assert sum(points(found).values()) == 4


def test_a_rematch_in_a_swiss_tournament_is_a_new_game(tmp_path):
    engine = Foreseen(alphabetical)
    found = rated(tmp_path, engine, *"ab", rounds=2)

    assert len(engine.games) == 4
    assert points(found) == {"a": 4, "b": 0}
    assert found.rows[0].repeats == 0


def test_identical_submissions_share_their_games_and_that_is_reported(tmp_path):
    engine = Foreseen(lambda first, _second, seed: record(0 if first == "z" else 1, moves=f"a1 s{seed}"))
    found = rated(tmp_path, engine, "a", "b", "z", same=("a", "b"))

    assert len(engine.games) == 2 + 1  # against z on both sides, and against itself
    assert points(found)["z"] == 4
    assert points(found)["a"] == points(found)["b"] == 1
    assert (found.repeats, found.skipped) == (3, 3)
    assert {row.competitor.id: row.repeats for row in found.rows} == {"a": 1, "b": 1, "z": 2}
    assert any("3 of the repeated games" in remark and "identical submissions" in remark for remark in remarks(found))


@pytest.mark.parametrize(
    ("outcome", "tells"),
    [pytest.param(alphabetical, None, id="varying"), pytest.param(ever_the_same, 3, id="repeating")],
)
@pytest.mark.parametrize("terms", [{"games": 6}, {"games": 4, "rounds": 6}], ids=["all against all", "Swiss"])
def test_a_game_shared_by_identical_submissions_is_played_once_and_weighs_as_one(tmp_path, terms, outcome, tells):
    engine = Foreseen(outcome)
    counted = tournament_matches(played(tmp_path, engine, *"abcz", same="abc", **terms))

    assert sum(match.played for match in counted) == len(engine.games) < len(counted)
    assert sum(result.weight for result in weigh(counted)) == pytest.approx(tells or len(engine.games))


def test_players_that_can_learn_keep_their_process_for_all_games_on_one_side(tmp_path):
    engine = Foreseen(deterministic)
    found = rated(tmp_path, engine, *"ab", games=8, lifetime="pairing")

    assert engine.games == [*[engine.games[0]] * 4, *[engine.games[-1]] * 4]
    assert found.rows[0].repeats == 6


def test_a_fault_is_a_loss_and_is_counted(tmp_path):
    crash = Fault(ending=Ending.CRASH, text="It crashed.", help="Fix it.")

    def crashing(first, second, seed):
        at = (first, second).index("b") if "b" in (first, second) else None
        return alphabetical(first, second, seed) if at is None else record(1 - at, fault=crash, at_fault=at)

    found = {row.competitor.id: row for row in rated(tmp_path, Foreseen(crashing), *"abc").rows}

    assert found["b"].faults == found["b"].lost == 4
    assert found["a"].faults == 0
    assert found["c"].won == 2


def test_players_with_overlapping_intervals_share_ranks(tmp_path):
    def mostly(first, second, seed):
        return record(None, moves=f"s{seed}") if seed % 2 else alphabetical(first, second, seed)

    few = rated(tmp_path / "few", Foreseen(alphabetical), *"abcd")
    many = rated(tmp_path / "many", Foreseen(mostly), *"ab", games=80)

    assert [row.ranks for row in few.rows][1] == (1, 4)
    assert [row.ranks for row in many.rows] == [(1, 1), (2, 2)]
