"""Every ending of a match in words, for all who show one."""

from grader.language import Message, say
from grader.records import Ending, MatchRecord


def named(ending: Ending | str) -> Message:
    """An ending in two or three words, for a table."""
    return _NAMES[Ending(ending)]


def explained(ending: Ending, *, won: bool | None) -> Message:
    """What an ending means, said to the player who won by it, lost by it, or (None) drew."""
    if won and ending not in _WON and ending not in _EITHER:
        return _OTHERS_FAULT  # the other seat's fault: why is none of this player's business
    return (_EITHER if ending in _EITHER else _WON if won else _LOST)[ending]


def result(record: MatchRecord) -> Message:
    """Who won a match and by what, in one sentence."""
    moves = counted_moves(len(record.turns))
    if record.winner is None:
        return say("A draw after {moves}: {why}.", moves=moves, why=_DRAWN[record.ending])
    winner = record.seats[record.winner].name
    if record.at_fault is not None:
        loser = record.seats[record.at_fault].name
        return say(
            "{winner} wins, because {loser} failed: {ending}.", winner=winner, loser=loser, ending=named(record.ending)
        )
    if record.ending is Ending.CONNECTED:
        return say("{winner} wins after {moves}: it connected its two sides.", winner=winner, moves=moves)
    return say("{winner} wins, because the other owns four in line, after {moves}.", winner=winner, moves=moves)


def counted_moves(count: int) -> Message:
    """`1 move`, `2 moves`."""
    return say("1 move") if count == 1 else say("{count} moves", count=count)


_NAMES = {
    Ending.CONNECTED: say("connected"),
    Ending.LINE: say("four in line"),
    Ending.FULL_BOARD: say("board full"),
    Ending.REPETITION: say("position repeated"),
    Ending.PLY_LIMIT: say("limit of moves"),
    Ending.LOAD_ERROR: say("cannot be loaded"),
    Ending.ILLEGAL_MOVE: say("illegal move"),
    Ending.TIMEOUT: say("out of time"),
    Ending.CRASH: say("exception"),
    Ending.MEMORY: say("out of memory"),
    Ending.EXITED: say("process ended"),
    Ending.BAD_REPLY: say("garbled reply"),
    Ending.GRADER_FAULT: say("fault of the grader"),
}
_WON = {
    Ending.CONNECTED: say("You connected your two sides first."),
    Ending.LINE: say("The opponent owned four in line, and whoever does loses."),
}
_LOST = {
    Ending.CONNECTED: say("The opponent connected its two sides first."),
    Ending.LINE: say("You owned four in line, and whoever does loses."),
    Ending.LOAD_ERROR: say("Your player could not be loaded."),
    Ending.ILLEGAL_MOVE: say("Your player answered with something that is no legal move."),
    Ending.TIMEOUT: say("Your player took longer than the limit."),
    Ending.CRASH: say("Your player raised an exception."),
    Ending.MEMORY: say("Your player used more memory than it may."),
    Ending.EXITED: say("Your player's process ended by itself."),
    Ending.BAD_REPLY: say("Your player's process sent something that is not an answer to the question."),
}
_EITHER = {
    Ending.FULL_BOARD: say("The board is full, and nobody has won."),
    Ending.REPETITION: say("The same position occurred too often, which is a draw."),
    Ending.PLY_LIMIT: say("The limit of moves was reached, which is a draw."),
    Ending.GRADER_FAULT: say("The grader could not play this game. It does not count, and is played again."),
}
_DRAWN = {
    Ending.FULL_BOARD: say("the board is full"),
    Ending.REPETITION: say("the position occurred too often"),
    Ending.PLY_LIMIT: say("the limit of plies was reached"),
}
_OTHERS_FAULT = say("The opponent could not go on.")
