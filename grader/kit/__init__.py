"""The starter kit of an assignment: the files for students, and the assignment file that the course keeps.

A game's room holds the files for its students; `files/` has those for games that bring none, and what all statements
share. The Python files behave like the grader's own classes; `es.yaml` beside them has their words in Spanish.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from grader.assignment import Assignment, Opponent, render_assignment
from grader.games import Game, installed_games
from grader.games.handout import Handout
from grader.kit.plain import plain_handout
from grader.kit.statement import render_statement
from grader.language import LANGUAGES
from grader.language import language as speaker

FILES = Path(__file__).parent / "files"
HANDOUT = "handout"
"""The folder for students."""
ASSIGNMENT = "assignment.yaml"
_STATEMENTS = {"en": "README.md", "es": "ENUNCIADO.md"}


@dataclass(frozen=True, slots=True)
class KitFile:
    """One file of the kit."""

    path: Path
    """Where it goes, relative to the folder of the kit."""
    text: str


def make_kit(assignment: Assignment, language: str) -> tuple[KitFile, ...]:
    """All files of the kit for an assignment, in one of `LANGUAGES`."""
    assert language in LANGUAGES
    handout, name, speak, game = Path(HANDOUT), _STATEMENTS[language], speaker(language), assignment.rules
    files = _handout(game)
    sources = [
        KitFile(handout / source, _render_source(files, language, source))
        for source in ("solution.py", "player.py", *files.modules)
    ]
    own = () if game.source is None else (game.file,)
    told = render_statement(assignment, files, FILES, f"{language}.md.j2")
    shown = tuple(opponent for opponent in assignment.opponents if not opponent.hidden and not opponent.is_own)
    if own and not shown:  # without an assignment, the hand-out would not say which game it is
        shown = (Opponent(player="random", points=0, games=2),)
    public = assignment.model_copy(update={"opponents": shown, "seed": 0})  # who knows the seed knows the games
    public = public.model_copy(update={"overrides": {}, **({"game": f"./{own[0]}"} if own else {})})
    return (
        KitFile(handout / name, told),
        *sources,
        *(KitFile(handout / file, game.source or "") for file in own),
        *((KitFile(handout / ASSIGNMENT, render_assignment(public, speak)),) if shown else ()),
        KitFile(Path(ASSIGNMENT), render_assignment(assignment, speak)),
    )


def is_course_file(file: Path, assignment: Assignment) -> bool:
    """Whether a file is one that the kit provides, unchanged: it is there when a player is graded."""
    game = assignment.rules
    files = _handout(game)
    content = file.read_bytes().replace(b"\r\n", b"\n")
    if game.source is not None and file.name == game.file:
        return content.removeprefix(b"\xef\xbb\xbf") == game.source.encode()
    if file.name not in ("player.py", *files.modules):
        return False
    return content in {_render_source(files, language, file.name).encode() for language in LANGUAGES}


def handout_folders() -> tuple[Path, ...]:
    """The folders with all that any kit hands out: what students have from us is nothing that they share."""
    return (FILES, *(_handout(kind()).folder for kind in installed_games().values()))


def _handout(game: Game) -> Handout:
    return game.handout() or plain_handout(game, FILES / "plain")


def _render_source(files: Handout, language: str, name: str) -> str:
    text = (files.folder / name).read_text(encoding="utf-8")
    if language != "en":
        words = _translations(files.folder, language)
        longest_first = "|".join(re.escape(said) for said in sorted(words, key=len, reverse=True))
        text = re.sub(longest_first, lambda found: words[found.group()], text)
    for default, fitted in files.replacements.items():
        text = text.replace(default, fitted)
    return text


@cache
def _translations(folder: Path, language: str) -> dict[str, str]:
    """What the texts of the Python files are in another language."""
    listed = yaml.safe_load((folder / f"{language}.yaml").read_text(encoding="utf-8"))
    return {entry["en"]: entry[language] for entry in listed}
