"""The words of Desconecta-4: its endings, and the texts of a game's page."""

from grader.games.desconecta4.rules import FULL_BOARD, LINE, REPETITION
from grader.games.words import EndingWords
from grader.language import Message, gaps, say
from grader.records import PLY_LIMIT


def _draw_words(name: Message, said: Message, why: Message) -> EndingWords:
    return EndingWords(
        name=name,
        won=said,
        lost=said,
        result=lambda _, __, moves: say("A draw after {moves}: {why}.", moves=moves, why=why),
    )


ENDINGS = {
    LINE: EndingWords(
        name=say("four in a row"),
        won=say("Your opponent made four in a row and loses."),
        lost=say("You made four in a row, which loses the game."),
        result=lambda winner, loser, moves: say(
            "{winner} wins: {loser} made four in a row ({moves}).", winner=winner, loser=loser, moves=moves
        ),
    ),
    FULL_BOARD: _draw_words(
        say("board full"), say("The board is full, and nobody has four in a row: a draw."), say("the board is full")
    ),
    REPETITION: _draw_words(
        say("position repeated"),
        say("The same position came up too often: a draw."),
        say("the same position came up too often"),
    ),
    PLY_LIMIT: _draw_words(
        say("move limit"), say("The move limit was reached: a draw."), say("the move limit was reached")
    ),
}

_GAPS = gaps("column", "ply", "plies", "who")
SCRIPT_WORDS = {
    "drops": say("Move {ply} of {plies}: {who} drops a piece into column {column}", **_GAPS),
    "bombs": say("Move {ply} of {plies}: {who} drops a bomb into column {column}", **_GAPS),
    "booms": say("Move {ply} of {plies}: {who} sets off its bomb. BOOM!", **_GAPS),
}
