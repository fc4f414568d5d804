"""Texts for Desconecta-4: its endings, and the words that `board.js` shows."""

from grader.games.desconecta4.rules import FULL_BOARD, LINE, REPETITION
from grader.games.words import EndingWords
from grader.language import Message, gaps, say
from grader.records import PLY_LIMIT


def _draw_words(name: Message, why: Message) -> EndingWords:
    text = say("Draw: {how}.", how=why)
    return EndingWords(
        name=name,
        won=text,
        lost=text,
        result=lambda _, __, moves: say("Draw: {how} ({moves}).", how=why, moves=moves),
    )


ENDINGS = {
    LINE: EndingWords(
        name=say("four in a row"),
        won=say("Your opponent has four in a row and loses."),
        lost=say("You have four in a row, which loses the game."),
        result=lambda winner, loser, moves: say(
            "{winner} wins: {loser} has four in a row ({moves}).", winner=winner, loser=loser, moves=moves
        ),
    ),
    FULL_BOARD: _draw_words(say("board full"), say("the board is full")),
    REPETITION: _draw_words(say("position repeated"), say("the same position occurred too often")),
    PLY_LIMIT: _draw_words(say("move limit"), say("the move limit was reached")),
}

_GAPS = gaps("column", "ply", "plies", "who")
SCRIPT_WORDS = {
    "drops": say("Move {ply} of {plies}: {who} drops a piece into column {column}", **_GAPS),
    "bombs": say("Move {ply} of {plies}: {who} drops a bomb into column {column}", **_GAPS),
    "booms": say("Move {ply} of {plies}: {who} sets off its bomb. BOOM!", **_GAPS),
}
