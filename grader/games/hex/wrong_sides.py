"""Find out from its games whether a Hex player builds towards the other player's sides.

A player that asks the board for wins in one move finishes them by the right rule, even if everything else that it does aims at
the wrong sides. Its first stones, as many as the board has rows, show that: how many more would connect its own sides, and how
many the other ones? The opponent's stones do not count here, because they may be in the way of either. In simulated games on boards of 6 to 13 rows,
random players, players that only block and players that follow the opponent were nearer to the wrong sides by 40 % of the rows
in at most 3 % of the games, players that search a shortest path between their own sides in none, and the same players with the
sides exchanged in more than half.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.games.exam import FinishedGame, Mark, Verdict
from grader.games.hex.neighbourhoods import missing_stones, spread_of
from grader.games.hex.rules import Hex, HexPosition
from grader.language import Message, say

NEARER = 0.4
"""How much nearer its stones are to the wrong sides, as a share of the rows, if it builds towards them."""
SMALLEST = 6
"""On smaller boards a few stones may be near any sides by chance."""


@dataclass(frozen=True, slots=True)
class WrongWay:
    """A game in which a player's first stones were much nearer to connecting the other player's sides."""

    game: FinishedGame
    position: HexPosition
    own: int
    """The stones that were still needed between its own sides."""
    others: int
    """The same for the other player's sides."""


def find_wrong_sides(rules: Hex, played: Sequence[FinishedGame], advice: Message) -> Verdict | None:
    """The verdict about a player that builds towards the other player's sides in most of its games, as either player; None if it does not."""
    long = [game for game in played if len(game.record.turns_of(game.seat)) >= rules.size]
    wrong = [found for game in long if (found := _wrong_way(rules, game)) is not None]
    as_both = {found.game.seat for found in wrong} == {0, 1}  # a player that fills rows is wrong only as player 2
    if rules.size < SMALLEST or not as_both or 2 * len(wrong) <= len(long):
        return None
    first = wrong[0]
    text = say(
        "It seems to head for the other player's sides: in {wrong} of {n} game, its first {stones} stones were much closer to "
        "connecting those than its own.",
        "It seems to head for the other player's sides: in {wrong} of {n} games, its first {stones} stones were much closer to "
        "connecting those than its own.",
        n=len(long),
        wrong=len(wrong),
        stones=rules.size,
    )
    example = say(
        "For example, here against {opponent} as player {player}: it needed {own} more stones to connect its own sides, and "
        "{others} for the other player's (not counting the opponent's stones).",
        opponent=first.game.opponent,
        player=first.game.seat + 1,
        own=first.own,
        others=first.others,
    )
    drawing = rules.draw(first.position)
    return Verdict(mark=Mark.BAD, topic=say("sides"), text=text, help=advice, detail=(example, drawing))


def _wrong_way(rules: Hex, game: FinishedGame) -> WrongWay | None:
    position, spread, player = rules.start(), spread_of(rules.adjacency, rules.size), game.seat + 1
    for turn in game.record.turns:
        position = rules.play(position, rules.parse_move(turn.move))
        stones = position.one if game.seat == 0 else position.two
        if stones.bit_count() == rules.size:
            own, others = (missing_stones(rules.grid, spread, stones, stones, goal) for goal in (player, 3 - player))
            is_wrong = own - others >= NEARER * rules.size
            return WrongWay(game, position, own, others) if is_wrong else None
    return None
