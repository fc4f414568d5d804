"""Show a game while it is played: boards one below the other, or one board redrawn in place with a clock."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from grader.cli.output import echo
from grader.cli.terminal import Page, in_colour, live_page
from grader.games import Game
from grader.language import Language
from grader.reports.board import heading, paint, player_label


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchInfo:
    """The game, the players' names, and the language for the output."""

    game: Game
    names: tuple[str, str]
    speak: Language


class Spectator(Protocol):
    """Shows a game."""

    def __call__(self, position: Any, move: str) -> None:
        """Show a move."""

    def restart(self, reason: str) -> None:
        """Start again, because the game so far does not count."""


@contextmanager
def draw_in_place(info: MatchInfo, *, limit: float, delay: float) -> Iterator[Spectator]:
    """Redraw the board in place during the game, and leave the final board on the screen."""
    board = _LiveBoard(info, limit=limit, delay=delay, colour=in_colour())
    with live_page(board.page):
        yield board
    for message in board.restart_messages:
        echo(message, err=True)
    echo(f"{board.board()}\n", coloured=True)


class MovePrinter:
    """Prints every move with its board, or only problems."""

    def __init__(self, info: MatchInfo, *, boards: bool) -> None:
        self._info, self._boards, self._ply = info, boards, 0
        self._side = info.game.turn(info.game.start())

    def __call__(self, position: Any, move: str) -> None:
        """Print a move."""
        who = self._info.names[self._side]
        self._ply += 1
        if self._info.game.outcome(position) is None:
            self._side = self._info.game.turn(position)
        if self._boards:
            text = self._info.speak.say("{ply}. {who} plays {move}", ply=self._ply, who=who, move=move)
            echo(f"{text}\n{self._info.game.draw(position)}\n")

    def restart(self, reason: str) -> None:
        """Print why the moves start again."""
        self._ply, self._side = 0, self._info.game.turn(self._info.game.start())
        echo(_restart_message(self._info, reason), err=True)


class _LiveBoard:
    """The current page. Another thread asks for it several times a second."""

    def __init__(self, info: MatchInfo, *, limit: float, delay: float, colour: bool) -> None:
        self._info, self._limit, self._delay, self._colour = info, limit, delay, colour
        self.restart_messages: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self._positions: list[Any] = [self._info.game.start()]
        self._move = ""
        self._since: float | None = time.monotonic()
        """When the player to move was asked, or None while the last move is shown."""

    def __call__(self, position: Any, move: str) -> None:
        """Show a move, and wait so that it can be seen."""
        self._since, self._move = None, move
        self._positions = [*self._positions, position]
        if self._info.game.outcome(position) is None:
            time.sleep(self._delay)
            self._since = time.monotonic()

    def restart(self, reason: str) -> None:
        """Start again. The reason is printed after the game."""
        self.restart_messages.append(_restart_message(self._info, reason))
        self._begin()

    def board(self) -> str:
        """The players, the last move and the board."""
        game, positions = self._info.game, self._positions
        before = positions[-2] if len(positions) > 1 else None
        return "\n".join(
            [
                heading(game, self._info.names, self._info.speak, colour=self._colour),
                self._last_move(len(positions) - 1),
                "",
                paint(game, positions[-1], before, colour=self._colour),
            ]
        )

    def page(self) -> Page:
        """The board, and the clock of the player to move."""
        return Page(f"{self.board()}\n\n{self._info.speak(self._info.game.legend())}", self._clock())

    def _last_move(self, ply: int) -> str:
        speak = self._info.speak
        if ply == 0:
            return speak.say("Start")
        side = self._info.game.turn(self._positions[-2]) + 1
        return speak.say("Move {ply}: player {side} plays {move}", ply=ply, side=side, move=self._move)

    def _clock(self) -> str:
        game, position, since, speak = self._info.game, self._positions[-1], self._since, self._info.speak
        if game.outcome(position) is not None:
            return speak.say("The game is over.")
        side = game.turn(position)
        who = player_label(self._info.names[side], side)
        if since is None:
            return speak.say("{who} moves next.", who=who)
        seconds = time.monotonic() - since
        return speak.say(
            "{who} is thinking: {seconds:.1f} s of {limit:g} s", who=who, seconds=seconds, limit=self._limit
        )


def _restart_message(info: MatchInfo, reason: str) -> str:
    return info.speak.say("{reason} The game starts again.", reason=reason)
