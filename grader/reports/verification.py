"""Whether saved results are consistent, in words."""

from collections.abc import Mapping, Sequence

from grader.language import Language, Message

SHOWN = 50


def render(
    doubts: Sequence[tuple[str, Message]],
    *,
    submissions: int,
    games: int,
    moves: int,
    own: Mapping[str, str],
    seal: str,
    speak: Language,
) -> str:
    """What was checked, and each thing that is wrong with its place."""
    lines = [
        speak.say(
            "Checked {submissions} submissions, {games} games, {moves} moves.",
            submissions=submissions,
            games=games,
            moves=moves,
        )
    ]
    lines += [
        speak.say("Played with {name}, SHA-256 {digest}.", name=name, digest=digest) for name, digest in own.items()
    ]
    if not doubts:
        lines.append(speak.say("Everything checks out: all moves are legal and lead to these results."))
        lines.append(
            speak.say("Seal: {seal}. Keep it in a safe place: `verify --seal …` will detect any change.", seal=seal)
        )
        return "\n".join(lines)
    lines += [f"✗ {where}: {speak(text)}" for where, text in doubts[:SHOWN]]
    more = [speak.say("… and {count} more", count=len(doubts) - SHOWN)] if len(doubts) > SHOWN else []
    return "\n".join([*lines, *more])
