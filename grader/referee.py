"""Play one match between two seats and return its record.

The referee applies the rules; a seat only answers with moves. A student's fault ends the match and is recorded; a fault of
the grader raises an exception. A seat can be anything that implements the `Seat` protocol.
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
        """Report on the match. The seat is not used after that."""


MoveListener = Callable[[Any, str], None]
"""Called after each move with the new position and the move as text."""


def play_match(
    game: Game, seats: tuple[Seat, Seat], *, seed: int, watch: MoveListener = lambda *_: None
) -> MatchRecord:
    """Play one game between two seats; the first moves first."""
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
        text = game.move_text(move)
        turns.append(Turn(move=text, charge=answer.charge, late=answer.late))
        order.append(side)
        position = after
        watch(position, text)
    if fault is not None and at_fault is not None:
        outcome = Outcome(fault.ending, 1 - at_fault)
    assert outcome is not None, "a match ends with an outcome of its game or with a fault"
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
    """Whether the seats simply took turns, the first one starting."""
    return all(seat == ply % 2 for ply, seat in enumerate(order))


def _load_seats(seats: tuple[Seat, Seat]) -> tuple[int | None, Fault | None]:
    for side, seat in enumerate(seats):
        fault = seat.load()
        if fault is not None:
            return side, fault
    return None, None


def judge_answer(game: Game, position: Any, answer: Answer, seed: str) -> tuple[Any, Any, Fault | None]:
    """The move of an answer (a random one if it was late), the position after it, and the fault, if it is one."""
    if answer.fault is not None:
        return None, position, answer.fault
    if answer.late:
        legal = game.legal_moves(position)
        move = legal[int(random.Random(seed).random() * len(legal))]
    elif (move := game.read_move(answer.value)) is None:
        value = answer.value_text or repr(answer.value)[:_MOST_SHOWN]
        text = say("The player returned {answer}, which is not a move.", answer=value)
        return None, position, _illegal_move(text, _advice_for(value, game.moves(position)))
    only_lists = type(game).apply is Game.apply  # the game only lists its legal moves: it gives no reasons
    try:
        after = game.apply(position, move)
    except IllegalMove as problem:
        label = (str(move) if only_lists else game.move_label(move))[:_MOST_SHOWN]
        text = say("The player returned {answer}, which is not a legal move here.", answer=label)
        if not only_lists:
            text = say(
                "The player returned {answer}, which is not a legal move here: {why}.",
                answer=label,
                why=problem.args[0],
            )
        return move, position, _illegal_move(text, _ADVICE, _refused_move(game, move))
    # The game's own object from its list: a player may return an equal one.
    return game.find_legal_move(position, move) if only_lists else move, after, None


def _illegal_move(text: Message, help_: Message, move: str = "") -> Fault:
    return Fault(ending=Ending.ILLEGAL_MOVE, text=text, help=help_, move=move)


def _refused_move(game: Game, move: Any) -> str:
    """The move as the game writes it; empty if the game cannot write such a move and read it back."""
    try:
        text = game.move_text(move)
        return text if len(text) <= _MOST_SHOWN and game.parse_move(text) == move else ""
    except Exception:  # noqa: BLE001  a course's own game may not expect a move that it does not list
        return ""


_ADVICE = say("Always return one of the legal moves that the board lists.")


def _advice_for(value: str, legal: Sequence[Any]) -> Message:
    """What to do about a value that is not a move, judging by its form."""
    if value == "None":
        return say("play() ended without returning a move: make sure every path returns one.")
    if re.search(r"\d\.", value) and not re.search(r"['\"]", str(legal[0])):
        return say("A move consists of whole numbers: use int(…), or // instead of /.")
    if _shape(value) == "(0, 0, 0)" and _shape(str(legal[0])) == "(0, 0)":
        return say("A move is (row, column), without a third number.")
    if _shape(value) == _shape(str(legal[0])):
        return say("That is outside the board: rows and columns are counted from 0. {advice}", advice=_ADVICE)
    return _ADVICE


def _shape(text: str) -> str:
    """A value's text with its numbers replaced by 0 and lists written as tuples."""
    return re.sub(r"-?\d+", "0", text).translate(str.maketrans("[]", "()"))


def _announce_result(seats: tuple[Seat, Seat], winner: int | None, at_fault: int | None) -> None:
    """Tell each seat the result, unless it failed. Whatever it does then no longer affects the match."""
    for side, seat in enumerate(seats):
        if side != at_fault:
            seat.learn(0 if winner is None else 1 if winner == side else -1)
