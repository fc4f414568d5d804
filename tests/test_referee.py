"""The referee with scripted seats: every way in which a match can end, and what each seat learns."""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex
from grader.records import Answer, Charge, Ending, Fault, SeatReport, as_json, read_record
from grader.referee import play_match
from tests.games.takeaway import TakeAway
from tests.games.tictactoe import TicTacToe

QUICK = Charge(wall=0.2, cpu=0.1, waited=0.0, charged=0.2)


Reply = partial(Answer, charge=QUICK)
"""An answer of a scripted seat."""


def failed(ending: Ending) -> Answer:
    return Reply(fault=Fault(ending=ending, text="It failed.", help="Fix it."))


LATE = Reply(late=True)


@dataclass
class Scripted:
    """A seat that answers from a list, and records how it was called."""

    answers: list[Any]
    load_fault: Fault | None = None
    calls: list[Any] = field(default_factory=list)

    def load(self) -> Fault | None:
        self.calls.append("load")
        return self.load_fault

    def choose(self, position: Any) -> Answer:
        self.calls.append(position)
        answer = self.answers.pop(0)
        return answer if isinstance(answer, Answer) else Reply(value=answer)

    def learn(self, result: int) -> None:
        self.calls.append(("learn", result))

    def report(self) -> SeatReport:
        self.calls.append("report")
        return SeatReport(name="scripted", isolation="none")


def results_learned(seat: Scripted) -> list[int]:
    return [call[1] for call in seat.calls if isinstance(call, tuple)]


def test_the_player_that_wins_the_game_wins_the_match():
    one, two = Scripted([0, 1, 2]), Scripted([3, 4])
    seen: list[str] = []

    record = play_match(TicTacToe(), (one, two), seed=5, watch=lambda position, move: seen.append(f"{move} {position}"))

    assert (record.ending, record.winner, record.fault, record.at_fault) == ("line", 0, None, None)
    assert [turn.move for turn in record.turns] == ["1", "4", "2", "5", "3"]
    assert (record.game, record.options, record.seed) == ("tictactoe", {}, 5)
    assert all(turn.charge == QUICK and not turn.late for turn in record.turns)
    assert seen[0] == "1 1........" and seen[-1] == "3 11122...."
    assert (results_learned(one), results_learned(two)) == ([1], [-1])


def test_a_draw_has_no_winner_and_both_players_learn_it():
    one, two = Scripted([0, 2, 3, 7, 8]), Scripted([1, 4, 5, 6])

    record = play_match(TicTacToe(), (one, two), seed=0)

    assert (record.ending, record.winner) == ("full_board", None)
    assert (results_learned(one), results_learned(two)) == ([0], [0])


@pytest.mark.parametrize(
    "ending", [Ending.TIMEOUT, Ending.CRASH, Ending.MEMORY, Ending.EXITED, Ending.BAD_REPLY, Ending.ILLEGAL_MOVE]
)
@pytest.mark.parametrize("side", [0, 1])
def test_a_fault_gives_the_match_to_the_other_seat(ending, side):
    seats = (Scripted([failed(ending)] if side == 0 else [0]), Scripted([failed(ending)]))

    record = play_match(TicTacToe(), seats, seed=0)

    assert (record.ending, record.winner, record.at_fault) == (ending, 1 - side, side)
    assert record.fault is not None and record.fault.text == "It failed."
    assert record.last_charge is QUICK
    assert len(record.turns) == side
    assert (results_learned(seats[side]), results_learned(seats[1 - side])) == ([], [1])
    assert all(seat.calls[-1] == "report" for seat in seats)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param(None, "returned None, which is not a move", id="None"),
        pytest.param([0, 0, 1], "returned [0, 0, 1], which is not a move", id="three numbers"),
        pytest.param([0, 9], "which is not a move", id="outside the board"),
        pytest.param([True, False], "which is not a move", id="bools"),
        pytest.param([0.0, 1.0], "which is not a move", id="floats"),
        pytest.param(float("nan"), "which is not a move", id="not a number"),
        pytest.param("a1", "which is not a move", id="text"),
        pytest.param({"row": 0}, "which is not a move", id="an object"),
        pytest.param(
            [0, 0],
            "returned (0, 0) = a1, which is not a legal move here: (0, 0) is already taken",
            id="a cell that is taken",
        ),
        pytest.param(
            Reply(value_text="<Move a1>"), "returned <Move a1>, which is not a move", id="the player's own repr"
        ),
        pytest.param("x" * 60_000, "which is not a move", id="very long"),
    ],
)
def test_an_illegal_value_loses_and_is_quoted(answer, words):
    record = play_match(Hex(3), (Scripted([[0, 0]]), Scripted([answer])), seed=0)

    assert (record.ending, record.winner, record.at_fault) == (Ending.ILLEGAL_MOVE, 0, 1)
    assert record.fault is not None and words in record.fault.text
    assert len(record.fault.text) < 400


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param([0, 0], "Always return one of the legal moves", id="taken"),
        pytest.param([3, 1], "That is outside the board: rows and columns are counted from 0.", id="outside the board"),
        pytest.param(Reply(value_text="(-1, 2)"), "That is outside the board", id="a tuple outside the board"),
        pytest.param([1.0, 2.0], "A move consists of whole numbers", id="floats"),
        pytest.param(None, "play() ended without returning a move", id="None"),
        pytest.param([0, 0, 1], "A move is (row, column), without a third number.", id="three numbers"),
        pytest.param("a1", "Always return one of the legal moves", id="text"),
    ],
)
def test_the_advice_about_an_illegal_value_fits_its_form(answer, words):
    record = play_match(Hex(3), (Scripted([[0, 0]]), Scripted([answer])), seed=0)

    assert record.fault is not None and record.fault.help.startswith(words)


def test_the_reason_of_the_game_for_an_illegal_move_is_reported():
    record = play_match(Desconecta4(), (Scripted([7]), Scripted([])), seed=0)

    assert (
        record.fault is not None and "BOOM is legal only while the player has a bomb on the board." in record.fault.text
    )


@pytest.mark.parametrize(
    ("game", "answers", "move"),
    [
        pytest.param(Hex(3), ([0, 0], [0, 0]), "a1", id="a cell that is taken"),
        pytest.param(Hex(3), ([0, 0], [0, 9]), "", id="outside the board"),
        pytest.param(Desconecta4(), (3, 7), "B", id="without a bomb"),
        pytest.param(TakeAway(), (1, 9), "9", id="a game that only lists its moves"),
        pytest.param(TakeAway(), (1, "x" * 190 + '"' * 9), "", id="longer than a move"),
    ],
)
def test_a_refused_move_is_recorded_as_the_game_writes_it(game, answers, move):
    record = play_match(game, (Scripted([answers[0]]), Scripted([answers[1]])), seed=0)

    assert record.fault is not None and record.fault.move == move
    assert read_record(as_json(record)) == record


def test_a_game_that_cannot_write_an_illegal_move_is_not_asked_for_it():
    class Lettered(TakeAway):
        def move_text(self, move):
            return "-abc"[move]

    record = play_match(Lettered(), (Scripted([9]), Scripted([])), seed=0)

    assert record.fault is not None and record.fault.move == ""


def late_match(seed: int):
    one, two = Scripted([LATE] * 9), Scripted([LATE] * 9)
    return play_match(TicTacToe(), (one, two), seed=seed)


def test_late_moves_are_chosen_by_the_seed_and_recorded_as_late():
    first, same, *others = (late_match(seed) for seed in (1, 1, 2, 3, 4))

    assert all(turn.late for turn in first.turns)
    assert first.turns == same.turns
    assert any(first.turns != other.turns for other in others)
    assert first.fault is None and first.ending in ("line", "full_board")


def test_a_late_move_does_not_depend_on_the_late_answer():
    plain = play_match(TicTacToe(), (Scripted([LATE, failed(Ending.CRASH)]), Scripted([LATE])), seed=3)
    full = play_match(
        TicTacToe(), (Scripted([Reply(value=8, late=True), failed(Ending.CRASH)]), Scripted([LATE])), seed=3
    )

    assert plain.turns == full.turns


@pytest.mark.parametrize("side", [0, 1])
def test_a_player_that_cannot_be_loaded_loses_before_the_first_move(side):
    fault = Fault(ending=Ending.LOAD_ERROR, text="It does not load.", help="Fix it.")
    seats = (Scripted([], fault if side == 0 else None), Scripted([], fault if side == 1 else None))

    record = play_match(TicTacToe(), seats, seed=0)

    assert (record.ending, record.winner, record.at_fault) == (Ending.LOAD_ERROR, 1 - side, side)
    assert (record.turns, record.last_charge) == ((), None)
    assert all(seat.calls[-1] == "report" for seat in seats)


def test_an_exception_of_the_grader_is_not_caught():
    class Broken(Scripted):
        def choose(self, position: Any) -> Answer:
            raise OSError(f"the machine failed at {position}")

    with pytest.raises(OSError, match="the machine failed"):
        play_match(TicTacToe(), (Broken([]), Scripted([])), seed=0)
