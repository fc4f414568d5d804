"""Count the different games of each reference player against a player that leaves nothing to chance."""

import logging
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from typing import Any

from tabulate import tabulate

from grader.games import Game
from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex
from grader.games.hex.grid import each_bit
from reference_players.search.connection import paths
from reference_players.search.geometry import geometry
from tests.bench.figures import Effort, Report
from tests.bench.ladder import DESCONECTA4, HEX, Rung, player, title

log = logging.getLogger(__name__)
GAMES = {Effort.FULL: 100, Effort.QUICK: 4}
"""Games of each player as player 1, and as player 2."""
PLIES = 20
"""Only the first plies are played: games that differ there are different."""
WORKERS = 2
QUANTILE = 1.645
"""Of the normal distribution: 95 of 100 values are smaller."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game of a reference player against the predictable one."""

    game: Game
    rung: Rung
    player_id: int
    """Of the reference player."""
    seed: int


def report(effort: Effort) -> Report:
    games = GAMES[effort]
    rows = []
    with ProcessPoolExecutor(WORKERS) as pool:
        for game, rungs in ((Hex(), HEX), (Desconecta4(), DESCONECTA4)):
            for rung in rungs:
                for player_id in (1, 2):
                    meetings = [Meeting(game, rung, player_id, seed) for seed in range(games)]
                    lines = list(pool.map(moves_of, meetings, chunksize=4))
                    log.info("%s as player %d", title(rung), player_id)
                    rows.append([game.title, title(rung), player_id, len(set(lines)), f"{possible_games(lines):,.0f}"])
    heads = ["", "reference player", "as player", f"different, of {games}", "possible, at least (95 %)"]
    return Report(tabulate(rows, heads, tablefmt="pipe"))


def possible_games(lines: Iterable[tuple[Any, ...]]) -> float:
    """The number of equally probable games below which these would repeat each other more often, in 95 of 100 cases."""
    counts = Counter(lines)
    games = counts.total()
    pairs = games * (games - 1) / 2
    equal: float = sum(count * (count - 1) / 2 for count in counts.values())
    # More equal pairs are expected than this only in 5 of 100 cases (the Wilson–Hilferty approximation, 3 if none are equal).
    more = equal + 1
    return pairs / (more * (1 - 1 / (9 * more) + QUANTILE / (3 * sqrt(more))) ** 3)


def moves_of(meeting: Meeting) -> tuple[Any, ...]:
    """The first moves of a game."""
    game, position = meeting.game, meeting.game.start()
    reference = player(meeting.rung, meeting.player_id, meeting.seed)
    moves: list[Any] = []
    while len(moves) < PLIES and game.outcome_after(position, len(moves)) is None:
        board, mover = game.board(position), game.turn(position) + 1
        move = reference.play(board) if mover == meeting.player_id else predictable_move(game, board, mover)
        moves.append(move)
        position = game.play(position, move)
    return tuple(moves)


def predictable_move(game: Game, board: Any, player_id: int) -> Any:
    """In Hex, the first cell on a shortest connection of the player; in Desconecta-4, the first action that does not lose."""
    if isinstance(game, Hex):
        shape = geometry(board)
        ways = paths(shape.grid, board.stones(player_id), board.stones(3 - player_id), player_id, slack=0)
        return shape.cell(next(each_bit(ways.through[ways.distance])))
    for action in (actions := board.possible_actions()):
        after = board.clone()
        after.apply(action)
        if after.winner() != 3 - player_id:
            return action
    return actions[0]
