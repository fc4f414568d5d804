"""Find games in which a Hex player apparently believed, wrongly, that it had connected its sides."""

from collections.abc import Sequence

from grader.games.exam import FinishedGame, Mark, Verdict
from grader.games.hex.neighbourhoods import EIGHT, NAMES, SIX, advice, connects, general_advice, spread_of
from grader.games.hex.rules import Hex, HexPosition
from grader.language import say

FEW = 1.5
"""Stones per row of the board. With more than this, they may be connected by chance under some wrong rule."""


def find_false_connection(game: Hex, played: Sequence[FinishedGame]) -> Verdict | None:
    """A warning about a game that the player did not win although a wrong rule connects its sides with few stones."""
    for one in played:
        if one.record.winner == one.seat:
            continue
        position = game.start()
        wider: list[str] = []
        for ply, turn in enumerate(one.record.turns[:-1], 1):
            position = game.play(position, game.parse_move(turn.move))
            names = _connecting_names(game, position, one.seat + 1, SIX)
            if names:
                return _verdict(game, one, position, [*names, *wider], ply)
            # Eight neighbours include the others, so this rule stays possible even if another one is found later.
            wider = wider or _connecting_names(game, position, one.seat + 1, (EIGHT,))
    return None


def _connecting_names(game: Hex, position: HexPosition, player: int, names: Sequence[str]) -> list[str]:
    """The wrong neighbourhoods among these that connect a player's sides with few stones."""
    stones = position.one if player == 1 else position.two
    if not game.size <= stones.bit_count() <= FEW * game.size:
        return []
    others = [name for name in names if name != game.adjacency]
    return [name for name in others if connects(game.grid, spread_of(name, game.size), stones, player)]


def _verdict(game: Hex, played: FinishedGame, position: HexPosition, names: Sequence[str], ply: int) -> Verdict:
    values: dict[str, str | int] = {
        "opponent": played.opponent,
        "player": played.seat + 1,
        "ply": ply,
        "real": game.adjacency,
    }
    text = say(
        "Against {opponent} as player {player}, its sides were connected after move {ply} according to the wrong "
        "neighbours ({name}), but not according to the assignment's ({real}).",
        name=NAMES[names[0]],
        **values,
    )
    help_ = advice(game.adjacency, names[0])
    if len(names) > 1:
        text = say(
            "Against {opponent} as player {player}, its sides were connected after move {ply} according to the "
            "wrong neighbours, but not according to the assignment's ({real}).",
            **values,
        )
        help_ = general_advice(game.adjacency)
    return Verdict(mark=Mark.NOTE, topic=say("connection"), text=text, help=help_, detail=(game.draw(position),))
