"""Whether a Hex player took itself for connected in a game that went on."""

from collections.abc import Sequence

from grader.check.hex_geometry import NEIGHBOURS, advice, connected, spread_of
from grader.check.seen import Game
from grader.games import AnyGame
from grader.games.hex import Hex, HexPosition
from grader.language import say
from grader.reports.check import Mark, Verdict

FEW = 1.5
"""Stones for each row of the board: with more of them, chance connects them under some neighbourhood."""


def stopped_connecting(game: AnyGame, played: Sequence[Game]) -> Verdict | None:
    """A game that it did not win though it had connected its sides with few stones by another neighbourhood."""
    if not isinstance(game, Hex):
        return None
    for one in played:
        if one.record is None or one.record.winner == one.fixture.seat:
            continue
        position = game.start()
        for ply, turn in enumerate(one.record.turns[:-1], 1):
            position = game.play(position, game.parse_move(turn.move))
            name = _chain(game, position, one.fixture.seat + 1)
            if name is not None:
                return _verdict(game, one, position, name, ply)
    return None


def _chain(game: Hex, position: HexPosition, player: int) -> str | None:
    """The neighbourhood under which a player has connected its sides with few stones though the game goes on."""
    stones = position.one if player == 1 else position.two
    if not game.size <= stones.bit_count() <= FEW * game.size:
        return None
    names = [name for name in NEIGHBOURS if name != game.adjacency]
    return next((name for name in names if connected(game.grid, spread_of(name, game.size), stones, player)), None)


def _verdict(game: Hex, played: Game, position: HexPosition, name: str, ply: int) -> Verdict:
    return Verdict(
        mark=Mark.NOTE,
        topic=say("connects"),
        text=say(
            "Against {opponent} as player {player} it had connected its sides by another neighbourhood ({name}) after move {ply}, "
            "and did not win by the assignment's ({real}).",
            opponent=played.opponent,
            player=played.fixture.seat + 1,
            name=name,
            ply=ply,
            real=game.adjacency,
        ),
        help=advice(game.adjacency, name),
        detail=(game.draw(position),),
    )
