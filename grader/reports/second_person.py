"""Sentences about a player, addressed to the student who wrote it."""

from functools import cache

from grader.language import Language, Message, language, say

_YOUR_PLAYER = (
    say("Your player returned {answer}, which is not a move.", answer=""),
    say("Your player returned {answer}, which is not a legal move here.", answer=""),
    say("Your player returned {answer}, which is not a legal move here: {why}.", answer="", why=""),
    say("While loading, your player raised {what}: {text}", what="", text=""),
    say("While loading, your player raised {what}.", what=""),
    say("Your player raised {what}: {text}", what="", text=""),
    say("Your player raised {what}.", what=""),
    say("Your player could not be created: {why}.", why=""),
    say("Your player exceeded the limit of {seconds:g} s per move.", seconds=0),
    say("Your player used up its {seconds:g} s for the game.", seconds=0),
    say("Your player ended its own process instead of returning a move."),
    say("Your player ended its own process while loading."),
    say("Your player's process was killed by the signal {name} while loading.", name=""),
    say("Your player's process was killed by the signal {name} instead of returning a move.", name=""),
    say("Your player's process sent {what} instead of a valid reply.", what=""),
    say("Your player had {count} threads; the limit is {most}.", count=0, most=0),
    say("Your player's process was killed because it used more memory than the limit of {most} MB.", most=0),
    say("Your player changed how its process is scheduled."),
    say("Your player ran out of time in a game. {text}", text=""),
    say("Your player won all its games."),
    say("Your player lost to an opponent against which any loss disqualifies."),
    say("Game {number}: not played, because your player cannot be loaded.", number=0),
)
SECOND_PERSON = {
    message.template.replace("Your player", "The player").replace("your player", "the player"): message.template
    for message in _YOUR_PLAYER
}
"""What a student reads instead of the recorded sentence, by its template."""
WRAPPERS = frozenset(
    (
        "{text} {fault}",
        "{text} This happened at {where}.",
        "{text} It was restarted and failed: {fault}",
        "The player ran out of time in a game. {text}",
        "Your player fails on a {board} board. {fault}",
        "Your player fails in a position it did not reach itself. {fault}",
        "A second instance in the same process fails. {fault}",
    )
)
"""Templates that contain the fault of the student's own player, and not an opponent's."""


class _StudentLanguage(Language):
    """A language that says "your player" about the student's player."""

    def __call__(self, text: str) -> str:
        return language(self.name)(_address(text))


@cache
def to_student(speak: Language) -> Language:
    """The same language, addressing the student: "Your player raised …" instead of "The player raised …"."""
    return _StudentLanguage(speak.name)


def _address(text: str) -> str:
    if not isinstance(text, Message):
        return text
    values = text.values
    if text.template in WRAPPERS:
        values = {name: _address(value) if isinstance(value, str) else value for name, value in values.items()}
    return Message(SECOND_PERSON.get(text.template, text.template), values, text.plural)
