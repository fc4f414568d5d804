"""The rules of Desconecta-4 BOOM: pieces fall into columns, bombs clear a row, and four in a row loses."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from grader.errors import IllegalMove
from grader.games.base import Game, Json, option_error, quote, whole_number
from grader.games.desconecta4 import bits
from grader.games.desconecta4.bits import BOOM, SIZE, BitState
from grader.games.desconecta4.environment import Environment, LastActions, draw
from grader.language import Message, say
from grader.records import PLY_LIMIT, Outcome

if TYPE_CHECKING:
    from grader.games.interface import Interface
    from grader.games.words import EndingWords

LINE, FULL_BOARD, REPETITION = "line", "full_board", "repetition"
"""The natural endings, besides the move limit."""

_RepetitionKey = tuple[int, ...]
"""What must be equal for a position to be a repetition: cells, player to move, and round modulo 5."""


@dataclass(frozen=True, slots=True)
class Desconecta4Position:
    """The state of the board, each player's last action, and the previous positions."""

    state: BitState
    last: LastActions = (None, None)
    earlier: tuple[_RepetitionKey, ...] = field(default=(), compare=False, repr=False)
    """The previous positions. Players do not see them, so they are ignored when positions are compared."""


@dataclass(frozen=True, slots=True)
class Desconecta4(Game):
    """Desconecta-4 BOOM on 7×7. Players can repeat positions for ever, so there are two rules that end the game."""

    name: ClassVar[str] = "desconecta4"
    title: ClassVar[str] = "Desconecta-4 BOOM"
    rank: ClassVar[int] = 2
    option_help: ClassVar[Mapping[str, str]] = {
        "repetitions": "how many times a position must occur for a draw, at least 2",
        "ply_limit": "total number of moves after which the game is a draw, at least 1",
    }
    signs: ClassVar[tuple[str, str]] = ("14", "25")
    hint_player: ClassVar[str] = "alphabeta"
    size: ClassVar[int] = SIZE

    repetitions: int = 3
    """The game is a draw when a position occurs this many times."""
    ply_limit: int = 200
    """The game is a draw after this many moves of both players."""

    def __post_init__(self) -> None:
        for option, least in (("repetitions", 2), ("ply_limit", 1)):
            value = whole_number(getattr(self, option))
            if value is None or value < least:
                problem = say(
                    "must be a whole number of at least {least}, not {value}",
                    least=least,
                    value=quote(getattr(self, option)),
                )
                raise option_error("desconecta4", option, problem)
            object.__setattr__(self, option, value)  # a plain int, even if it was e.g. a numpy integer

    @property
    def max_plies(self) -> int:  # type: ignore[override]
        """The move limit, which is an option."""
        return self.ply_limit

    def start(self) -> Desconecta4Position:
        return Desconecta4Position(bits.START)

    def turn(self, position: Desconecta4Position) -> int:
        return bits.player_to_move(position.state) - 1

    def moves(self, position: Desconecta4Position) -> Sequence[int]:
        return () if self.outcome(position) else bits.actions(position.state)

    def play(self, position: Desconecta4Position, move: int) -> Desconecta4Position:
        if self.outcome(position):
            raise IllegalMove(say("the game is over"))
        environment = self.board(position)
        environment.apply(move)
        last = (environment.last_action(1), environment.last_action(2))
        return Desconecta4Position(environment.state, last, (*position.earlier, _repetition_key(position.state)))

    def apply(self, position: Desconecta4Position, move: int) -> Desconecta4Position:
        return self.play(position, move)  # it checks the move, and says why it is illegal

    def outcome(self, position: Desconecta4Position) -> Outcome | None:
        result = bits.result_of(position.state)
        if result:
            return Outcome(LINE, result - 1)
        if result == 0:
            return Outcome(FULL_BOARD, None)
        if position.earlier.count(_repetition_key(position.state)) + 1 >= self.repetitions:
            return Outcome(REPETITION, None)
        if bits.plies(position.state) >= self.ply_limit:
            return Outcome(PLY_LIMIT, None)
        return None

    def read_move(self, value: object) -> int | None:
        number = whole_number(value)
        return number if number is not None and 0 <= number <= BOOM else None

    def move_json(self, move: int) -> Json:
        return move

    def move_text(self, move: int) -> str:
        return "B" if move == BOOM else str(move + 1)

    def move_label(self, move: int) -> str:
        return f"{move} = {'BOOM' if move == BOOM else f'PUT{move + 1}'}"

    def parse_move(self, text: str) -> int:
        written = text.strip().upper()
        if written in ("B", "BOOM"):
            return BOOM
        if re.fullmatch(r"(PUT)?[1-7]", written):
            return int(written[-1]) - 1
        raise ValueError(say("{text} is not a move; write a column (1 to 7), or B for BOOM", text=quote(text)))

    def position_json(self, position: Desconecta4Position) -> Json:
        environment = self.board(position)
        return {
            "cells": environment.cells,
            "turn": environment.active_player,
            "round": environment.round,
            "last": list(position.last),
        }

    def read_position(self, data: Json) -> Desconecta4Position:
        first, second = data["last"]
        for action in (first, second):
            if action is not None and self.read_move(action) is None:
                raise ValueError(f"a last action must be from 0 to 7, not {quote(action)}")
        return Desconecta4Position(_state(data["cells"], data["turn"], data["round"]), (first, second))

    def board(self, position: Desconecta4Position) -> Environment:
        return Environment.from_state(position.state, position.last)

    def position_of(self, board: Environment) -> Desconecta4Position:
        return Desconecta4Position(board.state, (board.last_action(1), board.last_action(2)))

    def draw(self, position: Desconecta4Position) -> str:
        return draw(self.board(position))

    def plies(self) -> tuple[float, float]:
        return 60.0, float(self.ply_limit)

    def move_help(self) -> Message:
        return say("Type a column from 1 to 7, or B for BOOM (sets off your bomb).")

    def place_in_drawing(self, move: int) -> tuple[int, int] | None:
        return None if move == BOOM else (SIZE, 2 * move)  # the number of the column, below the board

    def refusal(self, move: int) -> Message:
        if move == BOOM:
            return say("You have no bomb on the board.")
        return say("Column {move} is full.", move=self.move_text(move))

    def legend(self) -> Message:
        return say("Four in a row loses. 4 and 5 mark the bombs of players 1 and 2.")

    def option_names(self) -> Mapping[str, Message]:
        return {"repetitions": say("repetitions"), "ply_limit": say("move limit")}

    def ending_words(self, ending: str, *, drawn: bool) -> "EndingWords":
        from grader.games.desconecta4.words import ENDINGS

        return ENDINGS.get(ending) or Game.ending_words(self, ending, drawn=drawn)

    def packed_moves(self, moves: Sequence[str]) -> str:
        return "".join(moves)

    def interface(self) -> "Interface":
        from grader.games.desconecta4.player_code import ENVIRONMENT_MODULES
        from grader.games.interface import Interface

        return Interface({"Environment": Environment}, ("player", "Player", *ENVIRONMENT_MODULES))


def _repetition_key(state: BitState) -> _RepetitionKey:
    mine, theirs, my_bomb, their_bomb, ply, _ = state
    return mine, theirs, my_bomb, their_bomb, ply % 10


def _state(cells: Sequence[int], turn: int, round_number: int) -> BitState:
    """The state with these 49 cells, player to move and round. Raises `ValueError` if it is not possible."""
    if len(cells) != SIZE * SIZE or not {*cells} <= {0, 1, 2, 4, 5} or turn not in (1, 2) or not round_number >= 1:
        raise ValueError(
            "there must be 49 cells (0, 1, 2, 4 or 5), the player to move (1 or 2), and a round of at least 1"
        )
    one = two = first_bomb = second_bomb = 0
    for at, cell in enumerate(cells):
        bit = bits.CELLS[at // SIZE][at % SIZE]
        if cell and at >= SIZE and not cells[at - SIZE]:
            raise ValueError(f"the cell below the piece in row {at // SIZE}, column {at % SIZE} is empty")
        one |= bit if cell in (1, 4) else 0
        two |= bit if cell in (2, 5) else 0
        first_bomb |= bit if cell == 4 else 0
        second_bomb |= bit if cell == 5 else 0
    for player, bomb in ((1, first_bomb), (2, second_bomb)):
        if bomb.bit_count() > 1:
            raise ValueError(f"player {player} has {bomb.bit_count()} bombs, but can have only one")
    ply = 2 * (round_number - 1) + turn - 1
    result = bits.result(one, two)
    if turn == 1:
        return one, two, first_bomb, second_bomb, ply, result
    return two, one, second_bomb, first_bomb, ply, result
