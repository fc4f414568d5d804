"""Check a game: its rules are consistent in random games, and its moves and positions can be written and read."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from grader.games import codec
from grader.games.base import Game, quote
from grader.games.exam import Mark, Verdict
from grader.games.game_files import GameFileError
from grader.language import Message, say
from grader.records import PLY_LIMIT

GAMES = 1000
SAMPLED = 20
"""The number of these games that are checked position by position."""
MANY_MOVES = 30
"""The most legal moves of one position that are tried."""


@dataclass(slots=True)
class Tally:
    """What random games came to."""

    lengths: list[int] = field(default_factory=list)
    winners: Counter[int | None] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    alternating: bool = True


class _Broken(Exception):
    """A promise that the game does not keep, in words."""


def check_conformance(game: Game, games: int = GAMES, seed: int = 0) -> Iterator[Verdict]:
    """What can be said about a game, one thing after the other, up to the first that is broken."""
    try:
        yield from _check_start(game)
        for number in range(min(SAMPLED, games)):
            _check_random_game(game, random.Random(f"{seed}/{number}"))
        yield _good(say("rules"), say("The rules hold together: turns, legal moves, outcomes and drawings fit."))
        yield _good(say("forms"), say("Moves and positions can be written as JSON and text and read back."))
        tally = _play_games(game, games, seed)
    except _Broken as broken:
        yield _bad(broken.args[0])
        return
    except GameFileError as error:
        yield _bad(error.text)
        return
    yield from _statistics(game, tally)
    yield from _suggestions(game, tally)


def first_problem(game: Game) -> Message | None:
    """The first promise that a game breaks in one random game, if there is one: a quick look before it is played."""
    try:
        for _ in _check_start(game):
            _check_random_game(game, random.Random(0))
    except _Broken as broken:
        problem: Message = broken.args[0]
        return problem
    return None


def _check_start(game: Game) -> Iterator[Verdict]:
    position = game.start()
    _check_form(game, position)
    if game.outcome(position) is not None:
        raise _Broken(say("The game is over before it begins: outcome(start()) must be None."))
    moves = game.moves(position)
    for move in moves:
        _check_move(game, move)
    yield _good(
        say("start"),
        say(
            "It starts with {count} legal moves, for example {move}.",
            count=len(moves),
            move=game.move_text(next(iter(moves), "–")),
        ),
    )


def _check_random_game(game: Game, rng: random.Random) -> None:
    """One random game, every position of it checked."""
    position, plies = game.start(), 0
    while game.outcome_after(position, plies) is None:
        moves = list(game.moves(position))
        if not moves:
            raise _Broken(
                say(
                    "There is no legal move after {plies} moves, and outcome() is None: end the game, or offer a move to "
                    "pass.\n{board}",
                    plies=plies,
                    board=game.draw(position),
                )
            )
        _check_position(game, position, moves, rng)
        position = game.play(position, moves[int(rng.random() * len(moves))])
        plies += 1
    _check_form(game, position)
    game.draw(position)


def _check_position(game: Game, position: Any, moves: list[Any], rng: random.Random) -> None:
    game.turn(position)
    _check_form(game, position)
    if len(set(map(repr, moves))) != len(moves):
        raise _Broken(say("moves() lists a move twice: {moves}.", moves=quote(moves)))
    before, drawn = _text(game, position), game.draw(position)
    for move in moves if len(moves) <= MANY_MOVES else rng.sample(moves, MANY_MOVES):
        _check_move(game, move)
        after = game.play(position, move)
        if _text(game, position) != before:
            raise _Broken(
                say("play() changed the position that it was given: return a new one (move {move}).", move=quote(move))
            )
        if game.play(position, move) != after:
            raise _Broken(
                say(
                    "play() gave two different positions for the same move ({move}): no chance allowed.",
                    move=quote(move),
                )
            )
    if game.draw(position) != drawn:
        raise _Broken(say("draw() shows the same position in two ways."))


def _check_form(game: Game, position: Any) -> None:
    """Whether a position can be kept, compared and sent to a player's process."""
    try:
        hash(position)
        data = json.loads(json.dumps(game.position_json(position)))
    except codec.NotPlain as odd:
        raise _Broken(
            say(
                "A position holds {value}: make positions of tuples, ints, strings and frozen dataclasses, or write "
                "position_json() and read_position().",
                value=quote(odd.args[0]),
            )
        ) from odd
    except TypeError as error:
        raise _Broken(
            say(
                "A position cannot be hashed or written as JSON ({problem}): make it of tuples instead of lists, and of frozen "
                "dataclasses.",
                problem=str(error)[:100],
            )
        ) from error
    if game.read_position(data) != position:
        raise _Broken(
            say("A position is not the same after it was written as JSON and read: {value}.", value=quote(position))
        )


def _check_move(game: Game, move: Any) -> None:
    if move is None:
        raise _Broken(
            say("None cannot be a move, because it means that a player returned nothing: use a word like 'pass'.")
        )
    try:
        data = json.loads(json.dumps(game.move_json(move)))
    except (codec.NotPlain, TypeError) as odd:
        raise _Broken(
            say("The move {move} cannot be written: use ints, strings, or tuples of them.", move=quote(move))
        ) from odd
    if game.read_move(data) != move or game.read_move(move) != move:
        raise _Broken(
            say(
                "The move {move} is not the same after it was written and read: use ints, strings, or tuples of them.",
                move=quote(move),
            )
        )
    text = game.move_text(move)
    try:
        parsed = game.parse_move(text)
    except ValueError:
        parsed = None
    if parsed != move or not text or " " in text:
        raise _Broken(
            say("The move {move} is written {text}, which does not mean the same.", move=quote(move), text=repr(text))
        )


def _play_games(game: Game, games: int, seed: int) -> Tally:
    """The outcomes of a number of random games."""
    tally = Tally()
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        position, plies = game.start(), 0
        while (outcome := game.outcome_after(position, plies)) is None:
            moves = game.moves(position)
            if not moves:
                raise _Broken(say("There is no legal move, and outcome() is None:\n{board}", board=game.draw(position)))
            tally.alternating &= game.turn(position) == plies % 2
            position = game.play(position, moves[int(rng.random() * len(moves))])
            plies += 1
        tally.lengths.append(plies)
        tally.winners[outcome.winner] += 1
        tally.endings[outcome.ending] += 1
    return tally


def _statistics(game: Game, tally: Tally) -> Iterator[Verdict]:
    games = len(tally.lengths)
    yield _good(
        say("random games"),
        say(
            "{games} random games had {least} to {most} moves (median {median:g}); the first player won {first:.0%}, the second "
            "{second:.0%}, {drawn:.0%} were draws.",
            games=games,
            least=min(tally.lengths),
            most=max(tally.lengths),
            median=median(tally.lengths),
            first=tally.winners[0] / games,
            second=tally.winners[1] / games,
            drawn=tally.winners[None] / games,
        ),
    )
    if not tally.alternating:
        yield _good(say("turns"), say("The players do not strictly alternate, which is fine."))
    if tally.endings[PLY_LIMIT]:
        yield _note(
            say("length"),
            say(
                "{count} of these games reached the limit of {most} moves and were drawn.",
                count=tally.endings[PLY_LIMIT],
                most=game.max_plies,
            ),
            say("End the game in outcome(), or set max_plies to the number of moves after which it is a draw."),
        )
    for seat, number in ((0, 1), (1, 2)):
        if not tally.winners[seat]:
            yield _note(
                say("balance"),
                say("Player {number} won none of these games.", number=number),
                say("If that is not intended, check the winner that outcome() returns: 0 moved first, 1 second."),
            )


def _suggestions(game: Game, tally: Tally) -> Iterator[Verdict]:
    """What would make it nicer for those who read about it."""
    unnamed = [ending for ending in tally.endings if ending not in game.endings and ending != PLY_LIMIT]
    if unnamed and type(game).ending_words is Game.ending_words:
        written = ", ".join(f'"{ending}": "…"' for ending in unnamed)
        yield _note(
            say("words"),
            say("Reports call the endings by their names: {endings}.", endings=", ".join(unnamed)),
            say("To say it better, add endings = {{{written}}}.", written=written),
        )
    if game.script() is None and game.cells(game.start()) is None:
        yield _note(
            say("board"),
            say("Reports show the board as the text that draw() returns."),
            say("For a drawn grid, add cells(position): rows of 0, 1 and 2, the top row first."),
        )


def _text(game: Game, position: Any) -> str:
    return json.dumps(game.position_json(position))


def _good(topic: Message, text: Message) -> Verdict:
    return Verdict(mark=Mark.GOOD, topic=topic, text=text)


def _note(topic: Message, text: Message, help_: Message) -> Verdict:
    return Verdict(mark=Mark.NOTE, topic=topic, text=text, help=help_)


def _bad(text: str) -> Verdict:
    return Verdict(mark=Mark.BAD, topic=say("rules"), text=text)
