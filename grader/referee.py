"""Play one match between two seats and return its record.

The referee owns the rules; a seat only answers with a move. A student's fault ends the match and is recorded. Our own
fault raises. A seat can be anything that implements the `Seat` protocol.
"""

import random
import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from grader.errors import IllegalMove
from grader.games import Game
from grader.language import Message, say
from grader.records import Answer, Charge, Ending, Fault, MatchRecord, Outcome, SeatReport, Turn

_MOST_SHOWN = 200
"""Characters shown of an answer that is not a move."""


class Seat(Protocol):
    """A player at the board: it loads, chooses moves, learns the result and reports."""

    def load(self) -> Fault | None:
        """Get ready to play."""

    def choose(self, position: Any) -> Answer:
        """Answer with a move."""

    def learn(self, result: int) -> Fault | None:
        """Learn how the game ended: 1 won, 0 drawn, −1 lost."""

    def report(self) -> SeatReport:
        """Report on the match, and leave."""


MoveListener = Callable[[Any, str], None]
"""Called after each move with the new position and the move as text."""


def play_match(
    game: Game, seats: tuple[Seat, Seat], *, seed: int, watch: MoveListener = lambda *_: None
) -> MatchRecord:
    """Play a game from its start to its end between two seats, the first of which moves first."""
    position = game.start()
    outcome: Outcome | None = None
    turns: list[Turn] = []
    order: list[int] = []
    at_fault, fault = _load_seats(seats)
    last_charge: Charge | None = None
    while fault is None and (outcome := game.outcome_after(position, len(turns))) is None:
        side = game.turn(position)
        answer = seats[side].choose(position)
        move, after, fault = judge_answer(game, position, answer, f"{seed}/{len(turns)}")
        if fault is not None:
            at_fault, last_charge = side, answer.charge
            break
        written = game.move_text(move)
        turns.append(Turn(move=written, charge=answer.charge, late=answer.late))
        order.append(side)
        position = after
        watch(position, written)
    if fault is not None and at_fault is not None:
        outcome = Outcome(fault.ending, 1 - at_fault)
    assert outcome is not None, "a match ends by its game or by a fault"
    _announce_result(seats, outcome.winner, at_fault)
    return MatchRecord(
        game=game.name,
        options=game.options(),
        seed=seed,
        seats=(seats[0].report(), seats[1].report()),
        turns=tuple(turns),
        ending=outcome.ending,
        winner=outcome.winner,
        fault=fault,
        at_fault=at_fault,
        last_charge=last_charge,
        rules=game.digest(),
        order="" if is_alternating(order) else "".join(map(str, order)),
    )


def is_alternating(order: Sequence[int]) -> bool:
    """Whether the seats simply took turns."""
    return all(seat == ply % 2 for ply, seat in enumerate(order))


def _load_seats(seats: tuple[Seat, Seat]) -> tuple[int | None, Fault | None]:
    for side, seat in enumerate(seats):
        fault = seat.load()
        if fault is not None:
            return side, fault
    return None, None


def judge_answer(game: Game, position: Any, answer: Answer, seed: str) -> tuple[Any, Any, Fault | None]:
    """The move of an answer, a random one if it came late, and the position after it; or the fault."""
    if answer.fault is not None:
        return None, position, answer.fault
    if answer.late:
        legal = game.legal_moves(position)
        move = legal[int(random.Random(seed).random() * len(legal))]
    elif (move := game.read_move(answer.value)) is None:
        shown = answer.shown or repr(answer.value)[:_MOST_SHOWN]
        text = say("The player returned {answer}, which is not a move.", answer=shown)
        return None, position, _illegal_move(text, _advice_for(shown, game.moves(position)))
    only_lists = type(game).apply is Game.apply  # the game lists its legal moves, and knows no more than that
    try:
        after = game.apply(position, move)
    except IllegalMove as problem:
        shown = (str(move) if only_lists else game.move_label(move))[:_MOST_SHOWN]
        text = say("The player returned {answer}, which is not a legal move here.", answer=shown)
        help_ = _ADVICE if only_lists else say("Here {why}. {advice}", why=problem.args[0], advice=_ADVICE)
        return move, position, _illegal_move(text, help_)
    # With a list, the game's own object: a player may return an equal one.
    return game.find_legal_move(position, move) if only_lists else move, after, None


def _illegal_move(text: Message, help_: Message) -> Fault:
    return Fault(ending=Ending.ILLEGAL_MOVE, text=text, help=help_)


_ADVICE = say("Always return one of the legal moves, which the board lists.")


def _advice_for(shown: str, legal: Sequence[Any]) -> Message:
    """What to do about an answer that is not a move, judging by its form."""
    if shown == "None":
        return say("play() ended without returning a move: make sure every path returns one.")
    if re.search(r"\d\.", shown) and not re.search(r"['\"]", str(legal[0])):
        return say("A move is made of whole numbers, and this has a decimal point: use int(…), or // instead of /.")
    if _shape(shown) == "(0, 0, 0)" and _shape(str(legal[0])) == "(0, 0)":
        return say("A move is (row, column), without a third number.")
    if _shape(shown) == _shape(str(legal[0])):
        return say("That is outside the board, where rows and columns count from 0. {advice}", advice=_ADVICE)
    return _ADVICE


def _shape(text: str) -> str:
    """An answer with its numbers replaced by 0 and lists written as tuples."""
    return re.sub(r"-?\d+", "0", text).translate(str.maketrans("[]", "()"))


def _announce_result(seats: tuple[Seat, Seat], winner: int | None, at_fault: int | None) -> None:
    """Tell the result to each seat without a fault. What happens then no longer affects the match."""
    for side, seat in enumerate(seats):
        if side != at_fault:
            seat.learn(0 if winner is None else 1 if winner == side else -1)
