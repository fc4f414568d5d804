"""Whether kept results hold, in words."""

from collections.abc import Sequence

from grader.language import Language, Message

SHOWN = 50


def render(
    doubts: Sequence[tuple[str, Message]], *, submissions: int, games: int, moves: int, seal: str, speak: Language
) -> str:
    """What was looked at, and each thing that does not hold with its place."""
    looked = speak.say(
        "Looked at. Submissions: {submissions}, games: {games}, moves: {moves}.",
        submissions=submissions,
        games=games,
        moves=moves,
    )
    if not doubts:
        holds = speak.say("All of it holds: the moves are legal, and they lead to these results.")
        keep = speak.say("Seal: {seal}. Kept elsewhere, it shows by --seal whether anything was changed.", seal=seal)
        return f"{looked}\n{holds}\n{keep}"
    lines = [f"✗ {where}: {speak(text)}" for where, text in doubts[:SHOWN]]
    more = [speak.say("… and {count} more", count=len(doubts) - SHOWN)] if len(doubts) > SHOWN else []
    return "\n".join([looked, *lines, *more])
