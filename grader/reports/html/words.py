"""The texts of the pages' scripts. Gaps such as {ply} are filled in by the scripts."""

from grader.language import Language, gaps

_GAPS = gaps("at", "bank", "ending", "game", "limit", "move", "opponent", "ply", "plies", "seconds", "what", "who")


def words(speak: Language, players: int) -> dict[str, str]:
    """The texts by the names that the scripts use. `players` is the number of rows in the tables of the page."""
    say = speak.say
    return {
        "shown": say("Showing {at} of {n} submission", "Showing {at} of {n} submissions", n=players, at=_GAPS["at"]),
        "gameTitle": say("Game {game} against {opponent}", **_GAPS),
        "gameOfBoth": say("Game {game}: {who} against {opponent}", **_GAPS),
        "start": say("Before the first move"),
        "plays": say("Move {ply} of {plies}: {who} plays {move}", **_GAPS),
        "refusedMove": say("Move {ply}: {who} returned {move}, an illegal move", **_GAPS),
        "failedMove": say("Move {ply}: {who} failed: {ending}", **_GAPS),
        "refused": say("{move}, illegal move", **_GAPS),
        "took": say("{seconds} s", **_GAPS),
        "late": say("too late: a random move was played instead"),
        "first": say("First position"),
        "back": say("One move back"),
        "play": say("Play"),
        "pause": say("Pause"),
        "speed": say("Playback speed"),
        "forward": say("One move forward"),
        "last": say("Last position"),
        "slider": say("Move"),
        "numbers": say("Move numbers"),
        "moves": say("Moves"),
        "noMoves": say("No moves were played."),
        "times": say("Time per move"),
        "slowest": say("slowest {seconds} s", **_GAPS),
        "timesAlt": say("Time per move of {who}, at most {seconds} s", **_GAPS),
        "limit": say("limit {limit} s", **_GAPS),
        "left": say("time left of {bank} s per game", **_GAPS),
        "playerOne": say("Player 1"),
        "playerTwo": say("Player 2"),
        "whatToDo": say("What to do"),
        "trace": say("Where it happened"),
        "printed": say("Output of the player"),
        "before": say("← Previous game"),
        "after": say("Next game →"),
        "close": say("Close the game"),
        "keys": say(
            "Keys: ← → to go back or forward one move, Home and End for the first and last position, Space to play or pause, "
            "Esc to close the game."
        ),
        "takeHome": say("Take this game home"),
        "download": say("Download as {what}", **_GAPS),
        "openIn": say("Open in {what}", **_GAPS),
        "copyAs": say("Copy as {what}", **_GAPS),
        "copied": say("Copied"),
        "python": say("The position in Python"),
        "pythonHelp": say(
            "Run this in your folder, next to the files of the course: it asks a new player for its move in this position."
        ),
        "copy": say("Copy"),
        "board": say("The board"),
        "won": say("won"),
        "lost": say("lost"),
        "drawn": say("drawn"),
    }
