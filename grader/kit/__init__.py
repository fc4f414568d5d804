"""The starter kit of an assignment: what a course hands to its students, and what it keeps.

`files/` holds it, a folder for each game. The Python there needs nothing but Python, and behaves like the grader's own
classes; `es.yaml` has its words in Spanish. The statements are templates, filled from the assignment.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from grader.assignment import Assignment, written
from grader.kit.statement import statement
from grader.language import LANGUAGES
from grader.language import language as speaker

FILES = Path(__file__).parent / "files"
HANDOUT = "handout"
"""The folder for students."""
ASSIGNMENT = "assignment.yaml"
_STATEMENTS = {"en": "README.md", "es": "ENUNCIADO.md"}
_MODULES = {"hex": "board.py", "desconecta4": "environment.py"}


@dataclass(frozen=True, slots=True)
class KitFile:
    """One file of the kit."""

    path: Path
    """Where it goes, relative to the folder of the kit."""
    text: str


def make(assignment: Assignment, language: str) -> tuple[KitFile, ...]:
    """All files of the kit for an assignment, in one of `LANGUAGES`."""
    assert language in LANGUAGES
    handout, name, speak = Path(HANDOUT), _STATEMENTS[language], speaker(language)
    sources = [
        KitFile(handout / source, _source(assignment, language, source))
        for source in ("solution.py", "player.py", _MODULES[assignment.game])
    ]
    told = statement(assignment, FILES, f"{assignment.game}/{language}.md.j2")
    shown = tuple(opponent for opponent in assignment.opponents if not opponent.hidden)
    public = assignment.model_copy(update={"opponents": shown, "seed": 0})  # who knows the seed knows the games
    return (
        KitFile(handout / name, told),
        *sources,
        *((KitFile(handout / ASSIGNMENT, written(public, speak)),) if shown else ()),
        KitFile(Path(ASSIGNMENT), written(assignment, speak)),
    )


def is_the_courses(file: Path, assignment: Assignment) -> bool:
    """Whether a file is one that the kit provides, unchanged: it is there when a player is graded."""
    if file.name not in ("player.py", _MODULES[assignment.game]):
        return False
    provided = {_source(assignment, language, file.name).encode() for language in LANGUAGES}
    return file.read_bytes().replace(b"\r\n", b"\n") in provided


def handed_out_files() -> Path:
    """The folder with all that any kit hands out: what students have from us is nothing that they share."""
    return FILES


def _source(assignment: Assignment, language: str, name: str) -> str:
    text = (FILES / assignment.game / name).read_text(encoding="utf-8")
    if assignment.game == "hex":
        text = text.replace("HexBoard(11)", f"HexBoard({assignment.options['size']})")
        text = text.replace('adjacency="axial"', f'adjacency="{assignment.options["adjacency"]}"')
    if language == "en":
        return text
    words = _words(language)
    longest_first = "|".join(re.escape(said) for said in sorted(words, key=len, reverse=True))
    return re.sub(longest_first, lambda found: words[found.group()], text)


@cache
def _words(language: str) -> dict[str, str]:
    """What the texts of the Python files are in another language."""
    listed = yaml.safe_load((FILES / f"{language}.yaml").read_text(encoding="utf-8"))
    return {entry["en"]: entry[language] for entry in listed}
