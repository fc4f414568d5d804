"""Tournaments on an engine that plays no games but knows how they end, in whatever order it likes."""

import random
from dataclasses import replace

import pytest

from grader.competition.records import Entrant, Pairing, Prepared, Request
from grader.competition.seating import unit_job
from grader.competition.tournament import Tournament, play_tournament, rate, tournament_matches
from grader.engine.base import WorkersLost
from grader.engine.jobs import Trial, UnitJob, UnitResult
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
    """Ends each game as `outcome` says, which is told who plays it and its seed; several at a time, in a shuffled order."""

    workers = 3

    def __init__(self, outcome, shuffle: int = 0) -> None:
        self._outcome, self._random = outcome, random.Random(shuffle)
        self.games: list[tuple[str, str]] = []

    def weakest(self):
        return "this machine", Level.NONE

    def run(self, _play, next_job, done):
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
) -> tuple[Prepared, Pairing]:
    """Of submissions of these names: `same` have the same content, `certain` leave nothing to chance and `risky` something."""
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
    prepared = Prepared(request=request, entrants=entrants, opponents={}, level=Level.NONE, reference_digest="")
    return prepared, Pairing(games=games, rounds=rounds)


def trials(prepared: Prepared) -> dict[str, Trial]:
    return {entrant.id: Trial(fault=None, seconds=0.1) for entrant in prepared.entrants}


def played(tmp_path, engine, *names: str, watch=lambda _: None, announce=lambda _: None, **terms):
    """A tournament of these, played as far as it was not before."""
    prepared, pairing = tournament(tmp_path, *names, **terms)
    with Store(tmp_path / "out") as store:
        return play_tournament(prepared, pairing, trials(prepared), engine, store, watch, announce)


def held(tmp_path, engine, *names: str, **terms):
    """What a tournament of these came to."""
    (standings,) = rate(played(tmp_path, engine, *names, **terms))
    return standings


def announced(tmp_path, *names: str, **terms) -> int:
    """How many games a tournament of these is announced to play."""
    told: list[int] = []
    played(tmp_path, Idle(), *names, announce=lambda whole: told.append(whole.games), **terms)
    return told[0]


class Idle(Foreseen):
    """Plays nothing."""

    def __init__(self) -> None:
        super().__init__(None)

    def run(self, _play, _next_job, _done):
        pass


def alphabetical(first, second, seed):
    """Who sorts first always wins, and every game goes another way."""
    return record(0 if first < second else 1, moves=f"a1 s{seed}")


def deterministic(first, second, _seed):
    return record(0 if first < second else 1, moves=f"a1 {first}{second}")


def ever_the_same(_first, _second, _seed):
    return record(0, moves="a1 b1")


def points(standings) -> dict[str, float]:
    return {row.competitor.id: row.points for row in standings.rows}


def test_all_play_all_with_both_colours(tmp_path):
    engine = Foreseen(alphabetical)
    found = held(tmp_path, engine, *"abc", games=4)

    assert sorted(engine.games) == sorted([(x, y) for x in "abc" for y in "abc" if x != y] * 2)
    assert points(found) == {"a": 8, "b": 4, "c": 0}
    assert [row.competitor.id for row in found.rows] == ["a", "b", "c"]
    assert found.rows[0].repeats == 0


def test_two_that_repeat_themselves_do_not_play_on_and_it_narrows_nothing(tmp_path):
    few, many = Foreseen(deterministic), Foreseen(deterministic)
    short = held(tmp_path / "short", few, *"abc", games=2)
    long = held(tmp_path / "long", many, *"abc", games=10)

    assert len(many.games) == 2 * len(few.games)  # once more in each order, to see that they repeat themselves
    assert points(long) == {"a": 20, "b": 10, "c": 0}
    assert long.rows[0].repeats == 16
    for row, other in zip(short.rows, long.rows, strict=True):
        assert row.rating is not None and other.rating is not None
        assert other.rating.value == pytest.approx(row.rating.value)
        assert other.rating.low == pytest.approx(row.rating.low)


@pytest.mark.parametrize("terms", [{"games": 10}, {"games": 2, "rounds": 5}], ids=["all against all", "Swiss"])
def test_two_that_leave_nothing_to_chance_play_a_game_once_in_each_order(tmp_path, terms):
    engine = Foreseen(deterministic)
    found = held(tmp_path, engine, *"ab", certain="ab", **terms)

    assert sorted(engine.games) == [("a", "b"), ("b", "a")]
    assert points(found) == {"a": 10, "b": 0}
    assert (found.spared, found.rows[0].repeats) == (8, 8)
    again = held(tmp_path, rest := Foreseen(deterministic), *"ab", certain="ab", **terms)
    assert (again, rest.games) == (found, [])


def test_the_estimate_counts_no_game_that_is_known_to_repeat_another(tmp_path):
    foreseen = announced(tmp_path, *"abc", "d", same=("c", "d"), certain="ab", games=10)

    # Of a and b one in each order, of them against c, which is d as well, all, and of c against itself one order.
    assert foreseen == 2 + 2 * 10 + 5


def test_the_estimate_of_a_swiss_tournament_counts_no_game_that_was_played_before(tmp_path):
    held(tmp_path, Foreseen(alphabetical), *"abcde", rounds=3)

    assert [announced(tmp_path, *"abcde", rounds=rounds) for rounds in (3, 5)] == [0, 2 * 2 * 2]


@pytest.mark.parametrize("outcome", [alphabetical, deterministic])
def test_the_total_stays_as_it_was_announced_and_all_of_it_is_done_in_the_end(tmp_path, outcome):
    told: list[tuple[int, int]] = []
    whole: list[int] = []
    played(
        tmp_path,
        Foreseen(outcome),
        *"abcd",
        same="cd",
        certain="ab",
        games=10,
        watch=lambda progress: told.append((progress.done, progress.total)),
        announce=lambda estimate: whole.append(estimate.games),
    )

    assert {total for _, total in told} == {*whole}
    assert told == sorted(told)
    assert told[-1][0] == whole[0]


def test_one_that_leaves_something_to_chance_has_to_be_seen_to_repeat_itself(tmp_path):
    engine = Foreseen(deterministic)
    held(tmp_path, engine, *"abc", certain="ab", games=10)

    assert {pair: engine.games.count(pair) for pair in engine.games} == {
        **dict.fromkeys([("a", "b"), ("b", "a")], 1),
        **dict.fromkeys([("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")], 2),
    }


def test_one_that_uses_random_numbers_is_never_said_to_repeat_itself_and_what_it_repeats_is_no_evidence(tmp_path):
    engine = Foreseen(deterministic)
    found = held(tmp_path, engine, *"ab", certain="a", risky="b", games=10)

    assert len(engine.games) == 10
    assert (found.spared, found.repeats) == (0, 8)


def test_no_two_pairs_have_the_same_luck(tmp_path):
    prepared, pairing = tournament(tmp_path, *"abcde", "f", same=("e", "f"), games=4)
    (course,) = prepared.assignments
    drawn = {
        (fixture.players, seed)
        for fixture in Tournament(prepared, course, "abcdef", pairing, {}).fixtures
        for seed in [fixture.seed, *(seating.seed for seating in unit_job(prepared, (fixture,)).seatings[0])]
    }
    seeds = [seed for order, seed in drawn if "f" not in order]

    assert len(set(seeds)) == len(seeds) == 10 * 4 * 3
    assert {seed for order, seed in drawn if order == ("a", "e")} == {
        seed for order, seed in drawn if order == ("a", "f")
    }


def late(first, second, seed):
    """A game in which a move came too late, and was chosen by the seed."""
    one = deterministic(first, second, seed)
    return replace(one, turns=[replace(turn, late=True) for turn in one.turns])


def out_of_time(_first, _second, _seed):
    fault = Fault(ending=Ending.TIMEOUT, text="It thought too long.", help="Think less.")
    return record(1, moves="a1", fault=fault, at_fault=0)


@pytest.mark.parametrize("outcome", [late, out_of_time])
def test_a_game_that_the_clock_has_decided_is_played_again_to_see_whether_it_repeats(tmp_path, outcome):
    engine = Foreseen(outcome)
    found = held(tmp_path, engine, *"ab", certain="ab", games=10)

    assert sorted(engine.games) == sorted([("a", "b"), ("b", "a")] * 2)
    assert found.spared == 6


def test_players_that_may_learn_are_never_certain(tmp_path):
    engine = Foreseen(deterministic)
    held(tmp_path, engine, *"ab", certain="ab", games=8, lifetime="pairing")

    assert len(engine.games) == 8


def test_one_game_that_differs_lets_all_be_played(tmp_path):
    def once_otherwise(first, second, seed):
        return (
            alphabetical(first, second, seed) if (first, second) == ("a", "b") else deterministic(first, second, seed)
        )

    engine = Foreseen(once_otherwise)
    held(tmp_path, engine, *"abc", games=10)

    assert engine.games.count(("a", "b")) == 5
    assert engine.games.count(("b", "a")) == 2


@pytest.mark.parametrize("terms", [{"games": 6}, {"rounds": 3, "games": 4}], ids=["all against all", "Swiss"])
def test_which_game_ends_first_changes_nothing(tmp_path, terms):
    def mixed(first, second, seed):
        if "a" in (first, second):
            return deterministic(first, second, seed)
        return record((None, 0, 1)[seed % 3], moves=f"a1 s{seed}")

    one, *others = (
        held(tmp_path / str(shuffle), Foreseen(mixed, shuffle), *"abcdefg", **terms) for shuffle in range(4)
    )

    assert all(other == one for other in others)


@pytest.mark.parametrize("trouble", [UnitResult(fault="Too busy."), WorkersLost("it died")], ids=["unfair", "lost"])
def test_what_we_cannot_play_is_told_and_counts_for_nobody(tmp_path, trouble):
    def troubled(first, second, seed):
        return trouble if (first, second) == ("a", "b") else alphabetical(first, second, seed)

    found = held(tmp_path, Foreseen(troubled), *"abc")

    assert len(found.unplayed) == 1
    assert found.unplayed[0].startswith("a against b: ")
    assert points(found) == {"a": 3, "b": 2, "c": 0}
    again = held(tmp_path, engine := Foreseen(alphabetical), *"abc")
    assert engine.games == [("a", "b")]
    assert points(again) == {"a": 4, "b": 2, "c": 0}


def test_a_swiss_tournament_stops_after_a_round_that_is_not_complete(tmp_path):
    def troubled(first, second, seed):
        return UnitResult(fault="Too busy.") if "c" in (first, second) else alphabetical(first, second, seed)

    engine = Foreseen(troubled)
    found = held(tmp_path, engine, *"abcd", rounds=3)
    again = held(tmp_path, rest := Foreseen(alphabetical), *"abcd", rounds=3)

    assert len(engine.games) == 4
    assert len(found.unplayed) == 2
    assert len(rest.games) == 2 + 8  # what was missing, and the other rounds
    assert sum(points(again).values()) == 12
    assert again.unplayed == ()


def test_a_bye_counts_as_won_and_tells_nothing_about_strength(tmp_path):
    found = held(tmp_path, Foreseen(alphabetical), *"abc", rounds=1)
    by_bye = next(row for row in found.rows if row.byes)

    assert by_bye.points == 2
    assert by_bye.games == 0
    assert by_bye.rating is None
    assert sum(points(found).values()) == 4


def test_a_rematch_of_a_swiss_tournament_is_another_game(tmp_path):
    engine = Foreseen(alphabetical)
    found = held(tmp_path, engine, *"ab", rounds=2)

    assert len(engine.games) == 4
    assert points(found) == {"a": 4, "b": 0}
    assert found.rows[0].repeats == 0


def test_identical_submissions_share_their_games_and_that_is_told(tmp_path):
    engine = Foreseen(lambda first, _second, seed: record(0 if first == "z" else 1, moves=f"a1 s{seed}"))
    found = held(tmp_path, engine, "a", "b", "z", same=("a", "b"))

    assert len(engine.games) == 2 + 1  # against z with both colours, and against itself
    assert points(found)["z"] == 4
    assert points(found)["a"] == points(found)["b"] == 1
    assert (found.repeats, found.spared) == (3, 3)
    assert {row.competitor.id: row.repeats for row in found.rows} == {"a": 1, "b": 1, "z": 2}
    assert any("3 were not played" in said and "identical submissions" in said for said in remarks(found))


@pytest.mark.parametrize(
    ("outcome", "tells"),
    [pytest.param(alphabetical, None, id="varying"), pytest.param(ever_the_same, 3, id="repeating")],
)
@pytest.mark.parametrize("terms", [{"games": 6}, {"games": 4, "rounds": 6}], ids=["all against all", "Swiss"])
def test_a_game_that_identical_submissions_share_is_played_once_and_tells_as_much_as_one(
    tmp_path, terms, outcome, tells
):
    engine = Foreseen(outcome)
    counted = tournament_matches(played(tmp_path, engine, *"abcz", same="abc", **terms))

    assert sum(match.played for match in counted) == len(engine.games) < len(counted)
    assert sum(result.weight for result in weigh(counted)) == pytest.approx(tells or len(engine.games))


def test_players_that_may_learn_stay_alive_through_an_order_and_play_all_of_it(tmp_path):
    engine = Foreseen(deterministic)
    found = held(tmp_path, engine, *"ab", games=8, lifetime="pairing")

    assert engine.games == [*[engine.games[0]] * 4, *[engine.games[-1]] * 4]
    assert found.rows[0].repeats == 6


def test_a_fault_is_the_loss_of_whose_it_is_and_is_counted(tmp_path):
    crash = Fault(ending=Ending.CRASH, text="It crashed.", help="Mend it.")

    def crashing(first, second, seed):
        at = (first, second).index("b") if "b" in (first, second) else None
        return alphabetical(first, second, seed) if at is None else record(1 - at, fault=crash, at_fault=at)

    found = {row.competitor.id: row for row in held(tmp_path, Foreseen(crashing), *"abc").rows}

    assert found["b"].faults == found["b"].lost == 4
    assert found["a"].faults == 0
    assert found["c"].won == 2


def test_ranks_are_shared_where_intervals_overlap(tmp_path):
    def mostly(first, second, seed):
        return record(None, moves=f"s{seed}") if seed % 2 else alphabetical(first, second, seed)

    few = held(tmp_path / "few", Foreseen(alphabetical), *"abcd")
    many = held(tmp_path / "many", Foreseen(mostly), *"ab", games=80)

    assert [row.ranks for row in few.rows][1] == (1, 4)
    assert [row.ranks for row in many.rows] == [(1, 1), (2, 2)]
