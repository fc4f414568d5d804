"""Texts for Hex: its ending, and the words that `board.js` shows."""

from grader.games.words import EndingWords
from grader.language import say

CONNECTED_WORDS = EndingWords(
    name=say("connected"),
    won=say("You connected your two sides first."),
    lost=say("Your opponent connected its two sides first."),
    result=lambda winner, _, moves: say(
        "{winner} wins: it connected its two sides ({moves}).", winner=winner, moves=moves
    ),
)

SCRIPT_WORDS = {"joinsSides": say("connects left and right"), "joinsEnds": say("connects top and bottom")}
