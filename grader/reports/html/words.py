"""What the scripts of a page say. They fill the gaps themselves."""

from grader.language import Language, gaps

_GAPS = gaps("at", "bank", "game", "limit", "move", "of", "opponent", "ply", "plies", "seconds", "who")


def words(speak: Language) -> dict[str, str]:
    """All of it, by the names under which the scripts know it."""
    say = speak.say
    return {
        "shown": say("{at} of {of} shown", **_GAPS),
        "gameTitle": say("Game {game} against {opponent}", **_GAPS),
        "start": say("Before the first move", **_GAPS),
        "plays": say("Move {ply} of {plies}: {who} plays {move}", **_GAPS),
        "took": say("{seconds} s", **_GAPS),
        "late": say("too late, so chosen at random"),
        "first": say("First position"),
        "back": say("One move back"),
        "play": say("Play"),
        "pause": say("Pause"),
        "forward": say("One move forward"),
        "last": say("Last position"),
        "slider": say("Move"),
        "numbers": say("Move numbers"),
        "moves": say("Moves"),
        "noMoves": say("No move was played."),
        "times": say("Time for each move"),
        "slowest": say("slowest {seconds} s", **_GAPS),
        "timesAlt": say("Time for each move of {who}, at most {seconds} s", **_GAPS),
        "limit": say("limit {limit} s", **_GAPS),
        "left": say("left of the {bank} s for the game", **_GAPS),
        "playerOne": say("Player 1"),
        "playerTwo": say("Player 2"),
        "whatToDo": say("What to do"),
        "trace": say("Where it happened"),
        "printed": say("What the player printed"),
        "before": say("← Previous game"),
        "after": say("Next game →"),
        "close": say("Close the game"),
        "keys": say("Keys: ← and → step, Home and End jump, Space plays."),
        "board": say("The board"),
        "won": say("won"),
        "lost": say("lost"),
        "drawn": say("drawn"),
    }
