"""Describe how a match ended. Faults are described here, natural endings by their game."""

from grader.games import Game
from grader.language import Message, say
from grader.records import Ending, MatchRecord


def ending_label(ending: str, game: Game) -> Message:
    """An ending in two or three words, for a table."""
    return _NAMES.get(ending) or game.ending_words(ending, drawn=False).name


def explain_ending(ending: str, game: Game, *, won: bool | None) -> Message:
    """A sentence about an ending, for the player who won, lost, or (None) drew."""
    if ending in _LOST:
        return _OPPONENT_FAILED if won else _LOST[ending]  # details of a fault are only for the player at fault
    if ending == Ending.GRADER_FAULT:
        return say("The grader could not play this game; it does not count and will be played again.")
    words = game.ending_words(ending, drawn=won is None)
    return words.lost if won is False else words.won


def result_sentence(record: MatchRecord, game: Game) -> Message:
    """Who won a match and how, in one sentence."""
    moves = move_count(len(record.turns))
    if record.at_fault is not None:
        loser, winner = record.seats[record.at_fault].name, record.seats[1 - record.at_fault].name
        return say(
            "{winner} wins because {loser} failed: {ending}.",
            winner=winner,
            loser=loser,
            ending=ending_label(record.ending, game),
        )
    words = game.ending_words(record.ending, drawn=record.winner is None)
    if record.winner is None:
        return words.result("", "", moves)
    return words.result(record.seats[record.winner].name, record.seats[1 - record.winner].name, moves)


def result_with_ending(record: MatchRecord, seat: int, game: Game) -> Message:
    """How a match went for a seat, and how it ended: `lost (illegal move)`."""
    ending = ending_label(record.ending, game)
    if record.winner is None:
        return say("drawn ({ending})", ending=ending)
    if record.winner == seat:
        return say("won ({ending})", ending=winning_label(record, game))
    return say("lost ({ending})", ending=ending)


def winning_label(record: MatchRecord, game: Game) -> Message:
    """The ending of a match from the winner's point of view; a fault was the opponent's."""
    ending = ending_label(record.ending, game)
    return ending if record.at_fault is None else say("opponent: {ending}", ending=ending)


def move_count(count: int) -> Message:
    """The number of moves as text: `1 move`, `2 moves`."""
    return say("{n} move", "{n} moves", n=count)


_NAMES: dict[str, Message] = {
    Ending.LOAD_ERROR: say("cannot be loaded"),
    Ending.ILLEGAL_MOVE: say("illegal move"),
    Ending.TIMEOUT: say("ran out of time"),
    Ending.CRASH: say("exception"),
    Ending.MEMORY: say("out of memory"),
    Ending.EXITED: say("ended its own process"),
    Ending.BAD_REPLY: say("invalid reply"),
    Ending.GRADER_FAULT: say("grader error"),
}
_LOST: dict[str, Message] = {
    Ending.LOAD_ERROR: say("Your player cannot be loaded."),
    Ending.ILLEGAL_MOVE: say("Your player returned something that is not a legal move."),
    Ending.TIMEOUT: say("Your player ran out of time."),
    Ending.CRASH: say("Your player raised an exception."),
    Ending.MEMORY: say("Your player used more memory than allowed."),
    Ending.EXITED: say("Your player ended its own process."),
    Ending.BAD_REPLY: say("Your player's process sent an invalid reply."),
}
_OPPONENT_FAILED = say("Your opponent could not continue.")
