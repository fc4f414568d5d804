"""The starter kit of an assignment: the files for students, and the assignment file for the instructor.

A game's package contains the files for its students. `files/` contains those for games that have none, and the text that
all statements share. The Python files behave like the grader's own classes; `es.yaml` next to them translates their texts.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from grader.assignment import Assignment, Opponent, render_assignment
from grader.games import Game, installed_games
from grader.games.handout import Handout
from grader.intake.files import ASSIGNMENT
from grader.kit.plain import plain_handout
from grader.kit.statement import render_statement
from grader.language import LANGUAGES
from grader.language import language as speaker

FILES = Path(__file__).parent / "files"
HANDOUT = "handout"
"""The folder for students."""
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
    statement = render_statement(assignment, files, FILES, speak)
    visible = tuple(opponent for opponent in assignment.opponents if not opponent.hidden and not opponent.is_own)
    if own and not visible:  # the handout needs an assignment that names the game
        visible = (Opponent(player="random", points=0, games=2),)
    public = assignment.model_copy(
        update={"opponents": visible, "seed": None}
    )  # students could predict games by the seed
    public = public.model_copy(update={"overrides": {}, **({"game": f"./{own[0]}"} if own else {})})
    return (
        KitFile(handout / name, statement),
        *sources,
        *(KitFile(handout / file, game.source or "") for file in own),
        *((KitFile(handout / ASSIGNMENT, render_assignment(public, speak)),) if visible else ()),
        KitFile(Path(ASSIGNMENT), render_assignment(assignment, speak)),
    )


def is_course_file(file: Path, assignment: Assignment) -> bool:
    """Whether a file is an unchanged file of the kit, which is available when a player is graded."""
    game = assignment.rules
    files = _handout(game)
    content = file.read_bytes().replace(b"\r\n", b"\n")
    if game.source is not None and file.name == game.file:
        return content.removeprefix(b"\xef\xbb\xbf") == game.source.encode()
    if file.name not in ("player.py", *files.modules):
        return False
    return content in {_render_source(files, language, file.name).encode() for language in LANGUAGES}


def handout_folders() -> tuple[Path, ...]:
    """The folders with the files of all kits: code that students received from the course does not count as shared."""
    return (FILES, *(_handout(kind()).folder for kind in installed_games().values()))


def _handout(game: Game) -> Handout:
    return game.handout() or plain_handout(game, FILES / "plain")


def _render_source(files: Handout, language: str, name: str) -> str:
    text = (files.folder / name).read_text(encoding="utf-8")
    if language != "en":
        translations = _translations(files.folder, language)
        longest_first = "|".join(re.escape(english) for english in sorted(translations, key=len, reverse=True))
        text = re.sub(longest_first, lambda found: translations[found.group()], text)
    for default, replacement in files.replacements.items():
        text = text.replace(default, replacement)
    return text


@cache
def _translations(folder: Path, language: str) -> dict[str, str]:
    """The texts of the Python files, and their translations."""
    listed = yaml.safe_load((folder / f"{language}.yaml").read_text(encoding="utf-8"))
    return {entry["en"]: entry[language] for entry in listed}
