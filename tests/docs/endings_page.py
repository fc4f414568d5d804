"""`docs/reference/endings.md`, made from the words of the games and of the faults."""

from grader.games import Game, find_game
from grader.games.endings import ending_label, explain_ending
from grader.language import language
from grader.records import Ending

INTRO = """\
# Endings

How a game can end. The code is what `results.json`, `standings.json` and stored records contain, and never changes; the words
are what people read. This page is generated from the code.

"""
NATURAL = {"hex": ("connected",), "desconecta4": ("line", "full_board", "repetition", "ply_limit")}
"""The endings of the installed games."""
DECIDED = {("desconecta4", ending) for ending in ("full_board", "repetition", "ply_limit")}
"""The ones that are draws."""
CAUSES = {
    Ending.LOAD_ERROR: "No player was found, its file could not be imported, or its constructor failed. Its games are not played: it has lost none of them, and gets no points.",
    Ending.ILLEGAL_MOVE: "`play` returned something that is not a legal move, `None` included.",
    Ending.TIMEOUT: "A move took longer than its limit plus the grace, or the bank was used up.",
    Ending.CRASH: "The player's code raised an exception.",
    Ending.MEMORY: "The process needed more than `limits.memory_mb`.",
    Ending.EXITED: "The process ended, for example by `exit()`, or by a signal that the player sent to itself.",
    Ending.BAD_REPLY: "Something other than the player's own answer came through the reply pipe.",
    Ending.GRADER_FAULT: "The machine or the opponent failed. The game is played again and never counts against a student.",
}
"""What leads to each fault."""


def render() -> str:
    """The whole page."""
    parts = [INTRO + "## Natural endings\n\nA game's own rules decide. Your own game defines its own endings.\n"]
    parts += [_natural(find_game(name)(), endings) for name, endings in NATURAL.items()]
    parts.append(_faults())
    return "\n".join(parts).rstrip() + "\n"


def _natural(game: Game, endings: tuple[str, ...]) -> str:
    speak = language("en")
    lines = [f"### {game.title}\n", "| code | in tables | the winner reads | the loser reads |", "|---|---|---|---|"]
    for ending in endings:
        drawn = (game.name, ending) in DECIDED
        won = speak(explain_ending(ending, game, won=None if drawn else True))
        lost = won if drawn else speak(explain_ending(ending, game, won=False))
        lines.append(f"| `{ending}` | {speak(ending_label(ending, game))} | {won} | {lost} |")
    return "\n".join([*lines, ""])


def _faults() -> str:
    speak, game = language("en"), find_game("hex")()
    lines = [
        "## Faults\n",
        "A fault ends the game at once, and the seat that caused it loses. A fault of an opponent counts as a grader error.\n",
        "| code | in tables | the student reads | what happened |",
        "|---|---|---|---|",
    ]
    for ending in Ending:
        text = speak(explain_ending(ending, game, won=False))
        lines.append(f"| `{ending}` | {speak(ending_label(ending, game))} | {text} | {CAUSES[ending]} |")
    return "\n".join(lines) + (
        "\n\nIn a game that the other player lost by a fault, a student reads: "
        f"“{speak(explain_ending(Ending.CRASH, game, won=True))}”\n"
    )
