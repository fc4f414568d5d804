"""`State`: the board that players receive in games that do not define a board class."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grader.errors import IllegalMove
from grader.language import say
from grader.records import Outcome

if TYPE_CHECKING:
    from grader.games.base import Game


class State:
    """An immutable position of a game.

    `state.moves()` lists the legal moves, and `state.after(move)` returns the state after one of them. `state.turn` is the
    seat to move (0 moves first), and `state.player` is the same as 1 or 2. `state.outcome()` is None until the game ends,
    and `str(state)` draws the board. `state.position` and `state.game` are the game's own position and rules.
    """

    __slots__ = ("_game", "_moves", "_outcome", "_position")

    _game: "Game"
    _position: Any
    _outcome: Outcome | None
    _moves: Sequence[Any] | None
    """The legal moves; None until they are first needed."""

    def __init__(self, game: "Game", position: Any = None) -> None:
        keep = object.__setattr__
        position = game.start() if position is None else position
        keep(self, "_game", game)
        keep(self, "_position", position)
        keep(self, "_outcome", game.outcome(position))
        keep(self, "_moves", None)

    @property
    def game(self) -> "Game":
        """The rules, with their options."""
        return self._game

    @property
    def position(self) -> Any:
        """The position as the game represents it."""
        return self._position

    @property
    def turn(self) -> int:
        """The seat to move: 0 is the player that moves first, 1 the other."""
        return self._game.turn(self._position)

    @property
    def player(self) -> int:
        """The player to move, 1 or 2: compare it with your `player_id`."""
        return self.turn + 1

    def moves(self) -> list[Any]:
        """The legal moves; none once the game is over."""
        return [*self._legal_moves()]

    def after(self, move: Any) -> "State":
        """The state after a legal move. Raises `ValueError` for any other move."""
        read = self._game.read_move(move)
        if read is None:
            raise IllegalMove(say("{move} is not a move of this game", move=repr(move)[:60]))
        if self._outcome is not None:
            raise IllegalMove(say("the game is over"))
        for legal in self._legal_moves():
            if legal == read:
                return State(self._game, self._game.play(self._position, legal))
        raise IllegalMove(say("{move} is not a legal move", move=repr(read)[:60]))

    def outcome(self) -> Outcome | None:
        """None until the game ends; then its `ending` and its `winner`: 0, 1, or None for a draw."""
        return self._outcome

    def _legal_moves(self) -> Sequence[Any]:
        if self._moves is None:
            legal = () if self._outcome is not None else self._game.moves(self._position)
            object.__setattr__(self, "_moves", legal)
            return legal
        return self._moves

    def __str__(self) -> str:
        return self._game.draw(self._position)

    def __repr__(self) -> str:
        return f"<State of {self._game.title}, player {self.player} to move>\n{self}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (self._game, self._position) == (other._game, other._position)

    def __hash__(self) -> int:
        return hash((self._game, self._position))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a State cannot be changed: use state.after(move) instead of setting {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self._game, self._position)
