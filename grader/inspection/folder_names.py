"""What the names of folders and files say: that their content was set aside, or that they belong to a person."""

import re
import unicodedata
from functools import cache
from pathlib import Path

from grader.games import installed_games

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ASIDE = frozenset(
    {
        *(
            "test",
            "tests",
            "testing",
            "old",
            "olds",
            "bak",
            "util",
            "utils",
            "utilities",
            "utilidades",
            "demo",
            "demos",
        ),
        *(
            "sample",
            "samples",
            "draft",
            "drafts",
            "legacy",
            "deprecated",
            "obsolete",
            "archive",
            "trash",
            "tmp",
            "temp",
        ),
        *("viejo", "viejos", "vieja", "viejas", "antiguo", "antiguos", "anterior", "anteriores", "respaldo", "copia"),
        *("copias", "copy", "borrador", "borradores", "descartado", "descartados"),
    }
)
_ASIDE_STARTS = ("prueba", "backup", "experiment", "example", "ejemplo")
_NOT_NAMES = frozenset(
    {
        *(
            "project",
            "proyecto",
            "code",
            "codigo",
            "source",
            "src",
            "final",
            "version",
            "game",
            "juego",
            "board",
        ),
        *("tablero", "player", "players", "jugador", "jugadores", "agent", "agents", "agente", "ai", "ia", "solution"),
        *("solucion", "entrega", "tarea", "task", "homework", "assignment", "main", "app", "my", "mi", "new", "nuevo"),
        *("search", "core", "lib", "module", "modules", "python", "group", "grupo", "team"),
        *("versions", "versiones", "intento", "intentos", "attempt", "attempts", "try", "bot", "games", "juegos"),
        *("minimax", "negamax", "mcts", "montecarlo", "alphabeta", "alpha", "tree", "heuristic", "heuristica"),
    }
)
_MONTE_CARLO = {"monte", "carlo"}
"""Names, each by itself."""
_PARTICLES = frozenset({"de", "del", "la", "las", "los", "y", "da", "dos", "van", "von"})


def words(name: str) -> list[str]:
    """The words of a name without accents: `MyTest_2` has the words My and Test."""
    plain = unicodedata.normalize("NFKD", name)
    return _WORD.findall("".join(letter for letter in plain if not unicodedata.combining(letter)))


def aside_name(file: Path) -> str | None:
    """The folder or file of a path whose name says test, old, backup, experiment, utils, examples or the like."""
    parts = (*file.parts[:-1], file.stem)
    return next((part for part in parts if any(map(_is_aside, words(part)))), None)


def _is_aside(word: str) -> bool:
    return word.lower() in _ASIDE or word.lower().startswith(_ASIDE_STARTS)


@cache
def _game_words() -> frozenset[str]:
    """The words in the names of the installed games."""
    names = [text for name, kind in installed_games().items() for text in (name, kind().title)]
    return frozenset(word.lower() for name in names for word in words(name))


def is_person(folder: str) -> bool:
    """Whether a folder is named like a person: two or more capitalised words, none of them technical."""
    found = [word for word in words(folder) if word not in _PARTICLES]
    is_name = all(
        word[0].isupper() and len(word) > 1 and word.lower() not in _NOT_NAMES | _game_words() for word in found
    )
    return len(found) > 1 and is_name and not {word.lower() for word in found} >= _MONTE_CARLO
