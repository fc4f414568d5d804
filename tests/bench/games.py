"""Time one step of a game in one process: choose a random legal move, play it, check whether the game is over.

Compares the rules that the referee uses with other libraries' rules for a similar game: connect four for Desconecta-4 (which
also has bombs and repetitions), and Hex for Hex.
"""

import random
from collections.abc import Callable
from functools import partial

from grader.games import Game
from grader.games.desconecta4 import Desconecta4
from grader.games.hex import Hex
from tests.bench.figures import Comparison, Effort, Report, compare
from tests.bench.peers import OPENSPIEL, PETTINGZOO
from tests.bench.timing import cpu_of

GAMES = {Effort.FULL: 50, Effort.QUICK: 2}
"""Games per round."""
ROUNDS = 7


def report(effort: Effort) -> Report:
    found = comparisons(GAMES[effort], effort.rounds(ROUNDS))
    text = "Random games in one process. A step: list the moves, choose one, play it, check whether the game is over."
    return Report(text, found)


def comparisons(games: int, rounds: int) -> tuple[Comparison, ...]:
    desconecta4, hexes = (steps_of(partial(random_game, game), games) for game in (Desconecta4(), Hex()))
    return (
        compare(
            "a step of Desconecta-4 / connect_four_v3",
            desconecta4,
            steps_of(pettingzoo_game, games),
            PETTINGZOO,
            rounds,
        ),
        compare(
            "a step of Desconecta-4 / connect_four",
            desconecta4,
            steps_of(partial(openspiel_game, "connect_four"), games),
            OPENSPIEL,
            rounds,
        ),
        compare(
            "a step of Hex 11×11 / hex",
            hexes,
            steps_of(partial(openspiel_game, "hex(board_size=11)"), games),
            OPENSPIEL,
            rounds,
        ),
    )


def steps_of(play: Callable[[random.Random], int], games: int) -> Callable[[], float]:
    """CPU seconds per step, with the same seeds every time."""
    return cpu_of(lambda: sum(play(random.Random(seed)) for seed in range(games)))


def random_game(game: Game, chance: random.Random) -> int:
    """Play a random game. Returns the number of moves."""
    position, steps = game.start(), 0
    while game.outcome(position) is None:
        position = game.play(position, chance.choice(game.moves(position)))
        steps += 1
    return steps


def openspiel_game(name: str, chance: random.Random) -> int:
    import pyspiel  # an extra

    state, steps = pyspiel.load_game(name).new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        steps += 1
    return steps


def pettingzoo_game(chance: random.Random) -> int:
    from pettingzoo.classic import connect_four_v3  # an extra

    environment, steps = connect_four_v3.env(), 0
    environment.reset(seed=chance.getrandbits(32))
    for _ in environment.agent_iter():
        observation, _, terminated, truncated, _ = environment.last()
        over = terminated or truncated
        legal = [column for column, free in enumerate(observation["action_mask"]) if free]
        environment.step(None if over else chance.choice(legal))
        steps += not over
    return steps
