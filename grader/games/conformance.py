"""Check a game: play random games to see that its rules are consistent, and that moves and positions can be stored."""

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
"""How many of these games are checked position by position."""
MANY_MOVES = 30
"""At most this many legal moves of a position are tried."""


@dataclass(slots=True)
class Tally:
    """The results of random games."""

    lengths: list[int] = field(default_factory=list)
    winners: Counter[int | None] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    alternating: bool = True


class _Broken(Exception):
    """A problem with the game; the argument is the message."""


def check_conformance(game: Game, games: int = GAMES, seed: int = 0) -> Iterator[Verdict]:
    """Check a game, and yield the results up to the first problem."""
    try:
        yield from _check_start(game)
        for number in range(min(SAMPLED, games)):
            _check_random_game(game, random.Random(f"{seed}/{number}"))
        yield _good(say("rules"), say("The rules are consistent: turns, legal moves, outcomes and drawings."))
        yield _good(say("storage"), say("Moves and positions can be saved as JSON and text and read back."))
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
    """A quick check before a game is played: the first problem in one random game, if there is one."""
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
        raise _Broken(say("The game is over at the start: outcome(start()) must be None."))
    moves = game.moves(position)
    for move in moves:
        _check_move(game, move)
    yield _good(
        say("start"),
        say(
            "{n} legal move at the start: {move}.",
            "{n} legal moves at the start, e.g. {move}.",
            n=len(moves),
            move=game.move_text(next(iter(moves), "–")),
        ),
    )


def _check_random_game(game: Game, rng: random.Random) -> None:
    """Play one random game and check every position."""
    position, plies = game.start(), 0
    while game.outcome_after(position, plies) is None:
        moves = list(game.moves(position))
        if not moves:
            raise _Broken(
                say(
                    "No legal moves after {n} move, but outcome() is None: end the game, or add a pass move.\n{board}",
                    "No legal moves after {n} moves, but outcome() is None: end the game, or add a pass move.\n{board}",
                    n=plies,
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
                say("play() modified its argument (move {move}): return a new position instead.", move=quote(move))
            )
        if game.play(position, move) != after:
            raise _Broken(
                say(
                    "play() returned two different positions for the same move ({move}): it must not be random.",
                    move=quote(move),
                )
            )
    if game.draw(position) != drawn:
        raise _Broken(say("draw() returned two different strings for the same position."))


def _check_form(game: Game, position: Any) -> None:
    """Check that a position can be stored, compared and sent to a player's process."""
    try:
        hash(position)
        data = json.loads(json.dumps(game.position_json(position)))
    except codec.NotPlain as odd:
        raise _Broken(
            say(
                "A position contains {value}: use tuples, ints, strings and frozen dataclasses, or define position_json() "
                "and read_position().",
                value=quote(odd.args[0]),
            )
        ) from odd
    except TypeError as error:
        raise _Broken(
            say(
                "A position cannot be hashed or saved as JSON ({problem}): use tuples instead of lists, and frozen dataclasses.",
                problem=str(error)[:100],
            )
        ) from error
    if game.read_position(data) != position:
        raise _Broken(
            say("A position changed when it was saved as JSON and read back: {value}.", value=quote(position))
        )


def _check_move(game: Game, move: Any) -> None:
    if move is None:
        raise _Broken(
            say("None cannot be a move, because a play() without a return returns it: use a word like 'pass'.")
        )
    try:
        data = json.loads(json.dumps(game.move_json(move)))
    except (codec.NotPlain, TypeError) as odd:
        raise _Broken(
            say("The move {move} cannot be saved: use ints, strings, or tuples of them.", move=quote(move))
        ) from odd
    if game.read_move(data) != move or game.read_move(move) != move:
        raise _Broken(
            say(
                "The move {move} changed when it was saved and read back: use ints, strings, or tuples of them.",
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
            say(
                "move_text() writes {move} as {text}, which is not read back as that move.",
                move=quote(move),
                text=repr(text),
            )
        )


def _play_games(game: Game, games: int, seed: int) -> Tally:
    """Play random games and collect their results."""
    tally = Tally()
    for number in range(games):
        rng = random.Random(f"{seed}/{number}")
        position, plies = game.start(), 0
        while (outcome := game.outcome_after(position, plies)) is None:
            moves = game.moves(position)
            if not moves:
                raise _Broken(say("No legal moves, but outcome() is None:\n{board}", board=game.draw(position)))
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
            "{n} random game: {most} moves; player 1 won {first:.0%}, player 2 {second:.0%}, draws {drawn:.0%}.",
            "{n} random games: {least} to {most} moves (median {median:g}); player 1 won {first:.0%}, player 2 {second:.0%}, "
            "draws {drawn:.0%}.",
            n=games,
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
                "{n} of these games reached the limit of {most} moves and was drawn.",
                "{n} of these games reached the limit of {most} moves and were drawn.",
                n=tally.endings[PLY_LIMIT],
                most=game.max_plies,
            ),
            say("End the game in outcome(), or set max_plies to the number of moves after which it is a draw."),
        )
    for seat, number in ((0, 1), (1, 2)):
        if not tally.winners[seat]:
            yield _note(
                say("balance"),
                say("Player {number} did not win any of these games.", number=number),
                say(
                    "If that is not intended, check the winner that outcome() returns: 0 for player 1, 1 for player 2."
                ),
            )


def _suggestions(game: Game, tally: Tally) -> Iterator[Verdict]:
    """Optional improvements for reports."""
    unnamed = [ending for ending in tally.endings if ending not in game.endings and ending != PLY_LIMIT]
    if unnamed and type(game).ending_words is Game.ending_words:
        written = ", ".join(f'"{ending}": "…"' for ending in unnamed)
        yield _note(
            say("words"),
            say("Reports show the plain names of endings: {endings}.", endings=", ".join(unnamed)),
            say("To describe them, add endings = {{{written}}}.", written=written),
        )
    if game.script() is None and game.cells(game.start()) is None:
        yield _note(
            say("board"),
            say("Reports show the board as the text that draw() returns."),
            say("To show a grid instead, add cells(position): rows of 0, 1 and 2, top row first."),
        )


def _text(game: Game, position: Any) -> str:
    return json.dumps(game.position_json(position))


def _good(topic: Message, text: Message) -> Verdict:
    return Verdict(mark=Mark.GOOD, topic=topic, text=text)


def _note(topic: Message, text: Message, help_: Message) -> Verdict:
    return Verdict(mark=Mark.NOTE, topic=topic, text=text, help=help_)


def _bad(text: str) -> Verdict:
    return Verdict(mark=Mark.BAD, topic=say("rules"), text=text)
