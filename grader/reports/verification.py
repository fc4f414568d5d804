"""`grader verify`: whether saved results are consistent."""

from collections.abc import Mapping, Sequence

from grader.games.endings import move_count
from grader.language import Language, Message, say

MOST_PROBLEMS = 50
"""How many problems are listed."""


def render_seal(seal: str, speak: Language) -> str:
    """The seal of results, and what it is for."""
    return speak.say(
        "Seal: {seal}. Keep it in a safe place: `grader verify --seal …` will detect any change to the games and results.",
        seal=seal,
    )


def render(
    doubts: Sequence[tuple[str, Message]],
    *,
    submissions: int,
    games: int,
    moves: int,
    remarks: Sequence[Message],
    unasked: int,
    own: Mapping[str, str],
    seal: str,
    matches: bool | None,
    speak: Language,
) -> str:
    """What was checked, and each problem with its place. In `unasked` games moves could not be recomputed.

    If an earlier seal was given, `matches` says whether it is that of these games.
    """
    lines = [
        speak.say(
            "Checked {submissions}, {games} and {moves}.",
            submissions=say("{n} submission", "{n} submissions", n=submissions),
            games=say("{n} game", "{n} games", n=games),
            moves=move_count(moves),
        )
    ]
    lines += [
        speak.say("Played with {name}, SHA-256 {digest}.", name=name, digest=digest) for name, digest in own.items()
    ]
    lines += [speak(text) for text in remarks]
    if not doubts:
        lines.append(
            speak.say(
                "All moves are legal and lead to these results, but in {n} game it could not be checked whether the "
                "reference player really made the recorded moves.",
                "All moves are legal and lead to these results, but in {n} games it could not be checked whether the "
                "reference players really made the recorded moves.",
                n=unasked,
            )
            if unasked
            else speak.say("Everything checks out: all recorded moves are legal and lead to these results.")
        )
        lines.append(
            speak.say("The seal matches: nothing has changed since it was made.")
            if matches
            else render_seal(seal, speak)
        )
        return "\n".join(lines)
    lines += [f"✗ {where}: {speak(text)}" for where, text in doubts[:MOST_PROBLEMS]]
    more = len(doubts) - MOST_PROBLEMS
    if more > 0:
        lines.append(speak.say("… and {n} more", "… and {n} more", n=more))
    if matches is not None:
        lines.append(
            speak.say("The seal matches: the games have not changed since it was made.")
            if matches
            else speak.say("The seal does not match: these results have changed since it was made.")
        )
    lines.append(
        speak.say(
            "{n} problem found: do not use these results.",
            "{n} problems found: do not use these results.",
            n=len(doubts),
        )
    )
    return "\n".join(lines)
