"""Records of random games, made without playing them."""

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.games import Game, make_game
from grader.records import Charge, MatchRecord, SeatReport, Turn, as_json


def random_match(game: Game, seed: int, names: tuple[str, str] = ("ana", "luis")) -> MatchRecord:
    """The record of a complete game of random moves."""
    rng = random.Random(seed)
    position, moves = game.start(), []
    while (outcome := game.outcome(position)) is None:
        move = rng.choice(game.moves(position))
        moves.append(game.move_text(move))
        position = game.play(position, move)
    charge = Charge(wall=0.1, cpu=0.1, waited=0.0, charged=0.1)
    return MatchRecord(
        game=game.name,
        options=asdict(game),  # type: ignore[call-overload]  # every game is a dataclass
        seed=seed,
        seats=(SeatReport(name=names[0], isolation="good"), SeatReport(name=names[1], isolation="good")),
        turns=tuple(Turn(move=move, charge=charge) for move in moves),
        ending=outcome.ending,
        winner=outcome.winner,
    )


def hex_match(size: int = 4, seed: int = 1, **options: Any) -> MatchRecord:
    return random_match(make_game("hex", {"size": size, **options}), seed)


def desconecta4_match(seed: int = 1) -> MatchRecord:
    return random_match(make_game("desconecta4"), seed)


def save_record(record: MatchRecord, file: Path) -> Path:
    """Write a record to a file, as `grader match` does."""
    file.write_text(json.dumps(as_json(record)), encoding="utf-8")
    return file
