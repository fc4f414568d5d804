"""A match as it is played: each board printed below the one before, or drawn in place with a clock that runs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import click

from grader.cli.terminal import Page, in_colour, live_page
from grader.games import Game
from grader.language import Language
from grader.reports.board import heading, paint


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchInfo:
    """What is played, by whom, and in which language it is shown."""

    game: Game
    names: tuple[str, str]
    speak: Language


class Spectator(Protocol):
    """Sees a match."""

    def __call__(self, position: Any, move: str) -> None:
        """A move was made."""

    def restart(self, why: str) -> None:
        """What was played does not count, and it begins anew."""


@contextmanager
def draw_in_place(info: MatchInfo, *, limit: float, delay: float) -> Iterator[Spectator]:
    """Draw the board in place while the match goes on, and leave the last one behind."""
    board = _LiveBoard(info, limit=limit, delay=delay, colour=in_colour())
    with live_page(board.page):
        yield board
    for unfair in board.unfair:
        click.echo(unfair, err=True)
    click.echo(f"{board.board()}\n")


class MovePrinter:
    """Prints every move with its board, or only what goes wrong."""

    def __init__(self, info: MatchInfo, *, boards: bool) -> None:
        self._info, self._boards, self._ply = info, boards, 0
        self._side = info.game.turn(info.game.start())

    def __call__(self, position: Any, move: str) -> None:
        """Print it."""
        who = self._info.names[self._side]
        self._ply += 1
        if self._info.game.outcome(position) is None:
            self._side = self._info.game.turn(position)
        if self._boards:
            said = self._info.speak.say("{ply}. {who} plays {move}", ply=self._ply, who=who, move=move)
            click.echo(f"{said}\n{self._info.game.draw(position)}\n")

    def restart(self, why: str) -> None:
        """Say why there are more moves to come."""
        self._ply, self._side = 0, self._info.game.turn(self._info.game.start())
        click.echo(_restart_message(self._info, why), err=True)


class _LiveBoard:
    """What is to be seen now. Another thread asks for it several times a second."""

    def __init__(self, info: MatchInfo, *, limit: float, delay: float, colour: bool) -> None:
        self._info, self._limit, self._delay, self._colour = info, limit, delay, colour
        self.unfair: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self._positions: list[Any] = [self._info.game.start()]
        self._move = ""
        self._since: float | None = time.monotonic()
        """When the player to move was asked, or None while everybody looks at the last move."""

    def __call__(self, position: Any, move: str) -> None:
        """Show it, and give a person the time to see it."""
        self._since, self._move = None, move
        self._positions = [*self._positions, position]
        if self._info.game.outcome(position) is None:
            time.sleep(self._delay)
            self._since = time.monotonic()

    def restart(self, why: str) -> None:
        """Begin anew; why is said when there is room for it."""
        self.unfair.append(_restart_message(self._info, why))
        self._begin()

    def board(self) -> str:
        """Who plays, the last move and the board."""
        game, positions = self._info.game, self._positions
        before = positions[-2] if len(positions) > 1 else None
        return "\n".join(
            [
                heading(game, self._info.names, colour=self._colour),
                self._last_move(len(positions) - 1),
                "",
                paint(game, positions[-1], before, colour=self._colour),
            ]
        )

    def page(self) -> Page:
        """The board, and whose clock is running."""
        return Page(f"{self.board()}\n\n{self._info.speak(self._info.game.legend())}", self._clock())

    def _last_move(self, ply: int) -> str:
        speak = self._info.speak
        if ply == 0:
            return speak.say("The start.")
        side = self._info.game.turn(self._positions[-2]) + 1
        return speak.say("Move {ply}: {side} plays {move}", ply=ply, side=side, move=self._move)

    def _clock(self) -> str:
        game, position, since, speak = self._info.game, self._positions[-1], self._since, self._info.speak
        if game.outcome(position) is not None:
            return speak.say("The game is over.")
        side = game.turn(position)
        who = f"{side + 1} {self._info.names[side]}"
        if since is None:
            return speak.say("{who} is next.", who=who)
        seconds = time.monotonic() - since
        return speak.say("{who} thinks: {seconds:.1f} s of {limit:g} s", who=who, seconds=seconds, limit=self._limit)


def _restart_message(info: MatchInfo, why: str) -> str:
    return info.speak.say("{why} Playing it again.", why=why)
