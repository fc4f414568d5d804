"""Every ending of a match in words. Natural endings are worded by their game, faults here."""

from grader.games import Game
from grader.language import Message, say
from grader.records import Ending, MatchRecord


def ending_label(ending: str, game: Game) -> Message:
    """An ending in two or three words, for a table."""
    return _NAMES.get(ending) or game.ending_words(ending, drawn=False).name


def explain_ending(ending: str, game: Game, *, won: bool | None) -> Message:
    """What an ending means, said to the player who won by it, lost by it, or (None) drew."""
    if ending in _LOST:
        return _OTHERS_FAULT if won else _LOST[ending]  # why the other failed is none of this player's business
    if ending == Ending.GRADER_FAULT:
        return say("The grader could not play this game. It does not count, and is played again.")
    words = game.ending_words(ending, drawn=won is None)
    return words.lost if won is False else words.won


def result_sentence(record: MatchRecord, game: Game) -> Message:
    """Who won a match and by what, in one sentence."""
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


def move_count(count: int) -> Message:
    """`1 move`, `2 moves`."""
    return say("1 move") if count == 1 else say("{count} moves", count=count)


_NAMES: dict[str, Message] = {
    Ending.LOAD_ERROR: say("cannot be loaded"),
    Ending.ILLEGAL_MOVE: say("illegal move"),
    Ending.TIMEOUT: say("out of time"),
    Ending.CRASH: say("exception"),
    Ending.MEMORY: say("out of memory"),
    Ending.EXITED: say("process ended"),
    Ending.BAD_REPLY: say("garbled reply"),
    Ending.GRADER_FAULT: say("grader error"),
}
_LOST: dict[str, Message] = {
    Ending.LOAD_ERROR: say("Your player could not be loaded."),
    Ending.ILLEGAL_MOVE: say("Your player returned something that is not a legal move."),
    Ending.TIMEOUT: say("Your player took longer than the limit."),
    Ending.CRASH: say("Your player raised an exception."),
    Ending.MEMORY: say("Your player used more memory than allowed."),
    Ending.EXITED: say("Your player's process ended by itself."),
    Ending.BAD_REPLY: say("Your player's process sent something that is not an answer."),
}
_OTHERS_FAULT = say("The opponent could not go on.")
