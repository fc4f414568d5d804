"""Play every reference player against the next weaker one, from different forced openings, with both sides."""

import logging
import statistics
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise, product
from typing import Any

from tabulate import tabulate

from grader.games import Game
from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex
from grader.player import Player
from grader.scoring.points import wilson_interval
from reference_players.search.geometry import geometry, place
from tests.bench.figures import Effort, Report

log = logging.getLogger(__name__)
RUNGS = {Effort.FULL: None, Effort.QUICK: 3}
"""The number of players from each ladder, weakest first."""
OPENINGS = {Effort.FULL: (20, 49), Effort.QUICK: (1, 1)}
"""The number of openings for Hex and for Desconecta-4. Each is played twice, with sides swapped."""
WORKERS = 2

Rung = tuple[str, dict[str, Any]]
"""A reference player's name, and its options."""

HEX: list[Rung] = [
    *(("random", {}), ("minimax", {}), ("coolcow", {}), ("mcts", {"simulations": 300}), ("mcts", {})),
    *(("ultrapro", {"fills": 256}), ("ultrapro", {})),
]
"""The opponents of the built-in assignment, and in the same order."""
DESCONECTA4: list[Rung] = [("random", {}), *(("alphabeta", {"depth": depth}) for depth in (2, 4, 8))]


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to play: both players, and the moves made for them at the start."""

    game: Game
    seats: tuple[Rung, Rung]
    opening: tuple[Any, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game."""

    fixture: Fixture
    winner: int | None
    seconds: tuple[list[float], list[float]]
    """CPU time of every move, by seat."""


def report(effort: Effort) -> Report:
    hexes, desconecta4 = OPENINGS[effort]
    tables = [
        ladder(Hex(), HEX[: RUNGS[effort]], hex_openings(hexes)),
        ladder(Desconecta4(), DESCONECTA4[: RUNGS[effort]], desconecta4_openings()[:desconecta4]),
    ]
    return Report("\n\n".join(tables))


def ladder(game: Game, rungs: list[Rung], openings: list[tuple[Any, ...]]) -> str:
    fixtures = [
        Fixture(game, seats, opening, number)
        for pair in pairwise(rungs)
        for number, opening in enumerate(openings)
        for seats in (pair, pair[::-1])
    ]
    with ProcessPoolExecutor(WORKERS) as pool:
        results = list(_log_progress(pool.map(play, fixtures, chunksize=2), game.title, len(fixtures)))
    rows = [
        [title(rung), title(weaker), score(rung, weaker, results), *_times(rung, results)]
        for weaker, rung in pairwise(rungs)
    ]
    heads = [game.title, "against", f"won of {2 * len(openings)} (95 % Wilson interval)", "median s", "maximum s"]
    return tabulate(rows, heads, tablefmt="pipe", floatfmt=".3f")


def _log_progress(results: Iterable[Result], title: str, number: int) -> Iterator[Result]:
    """Pass the results on, and log the progress now and then."""
    for at, result in enumerate(results, 1):
        if at % 20 == 0:
            log.info("%s: %d of %d games", title, at, number)
        yield result


def hex_openings(number: int) -> list[tuple[Any, ...]]:
    """One stone per player, both within two steps of the centre, evenly chosen from all such pairs."""
    board = Hex().board(Hex().start())
    shape = geometry(board)
    near = [cell for cell in shape.grid.cells if shape.from_centre[place(shape.grid.bits[cell[0]][cell[1]])] <= 2]
    pairs = [pair for pair in product(near, repeat=2) if pair[0] != pair[1]]
    return [pairs[at * len(pairs) // number] for at in range(number)]


def desconecta4_openings() -> list[tuple[Any, ...]]:
    """All sequences of two moves."""
    return list(product(range(7), repeat=2))


def play(fixture: Fixture) -> Result:
    game, position = fixture.game, fixture.game.start()
    for move in fixture.opening:
        position = game.play(position, move)
    players = [player(rung, seat + 1, fixture.number) for seat, rung in enumerate(fixture.seats)]
    seconds: tuple[list[float], list[float]] = ([], [])
    while (outcome := game.outcome(position)) is None:
        seat, board = game.turn(position), game.board(position)
        started = time.process_time()
        move = players[seat].play(board)
        seconds[seat].append(time.process_time() - started)
        position = game.play(position, move)
    return Result(fixture, outcome.winner, seconds)


def player(rung: Rung, player_id: int, seed: int) -> Player:
    name, options = rung
    module = import_module(f"reference_players.{name}")
    kinds = [thing for thing in vars(module).values() if isinstance(thing, type) and issubclass(thing, Player)]
    (kind,) = [thing for thing in kinds if thing.__module__ == module.__name__]
    made: Player = kind(player_id, seed=seed, **options)  # type: ignore[call-arg]
    return made


def score(rung: Rung, other: Rung, results: list[Result]) -> str:
    winners = [
        None if result.winner is None else result.fixture.seats[result.winner]
        for result in results
        if set(map(title, result.fixture.seats)) == {title(rung), title(other)}
    ]
    won, drawn = winners.count(rung), winners.count(None)
    low, high = wilson_interval(won, len(winners))
    draws = f", {drawn} drawn" if drawn else ""
    return f"{won}{draws} ({100 * low:.0f}–{100 * high:.0f} %)"


def _times(rung: Rung, results: list[Result]) -> tuple[float, float]:
    """The median and the maximum of a player's CPU seconds per move."""
    seconds = [
        used
        for result in results
        for seat, times in zip(result.fixture.seats, result.seconds, strict=True)
        if seat == rung
        for used in times
    ]
    return statistics.median(seconds), max(seconds)


def title(rung: Rung) -> str:
    name, options = rung
    return " ".join([name, *(f"{option}={value}" for option, value in options.items())])
