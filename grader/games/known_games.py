"""The courses' own games that this user has run before, by the digest of their files.

Results name the course's game by a digest. Its code is never taken from the results, which may be anybody's: it comes from
a file that the user names, or from here, where every file is kept that the user has named before.
"""

import os
from contextlib import suppress
from pathlib import Path

from grader.errors import OptionError
from grader.games import game_class
from grader.games.base import Game, quote
from grader.games.game_files import decode_source, from_source, loaded_game, source_digest
from grader.language import say


class UnknownGame(OptionError):
    """The code of a course's own game is not known to this user as it was when the game was played."""


def remember(source: str) -> None:
    """Keep the source of a game that the user has named; where nothing can be written, do without."""
    file = _folder() / f"{source_digest(source)}.py"
    with suppress(OSError):
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = file.with_suffix(f".{os.getpid()}")
            new.write_text(source, encoding="utf-8", newline="\n")
            new.replace(file)


def is_known(file: Path) -> bool:
    """Whether this user has named a file with the same content before."""
    try:
        source = decode_source(file.read_bytes())
    except (OSError, ValueError):
        return True  # what is wrong with it is told when it is loaded: nothing of it can run
    return loaded_game(source_digest(source)) is not None or (_folder() / f"{source_digest(source)}.py").is_file()


def has_source(file: Path, source: str) -> bool:
    """Whether a file still has this content."""
    try:
        return decode_source(file.read_bytes()) == source
    except (OSError, ValueError):
        return False


def recorded_game(name: str, wanted: str) -> type[Game]:
    """The game of a record: an installed one by name, or a course's own, whose file has this digest.

    Raises `OptionError` if it is a course's own that this user has never named.
    """
    if not wanted:
        try:
            return game_class(name)
        except OptionError as error:
            raise UnknownGame(error.text) from None
    kind = loaded_game(wanted) or _load_kept(wanted, name)
    if kind is None:
        raise UnknownGame(
            say(
                "{name} is a game of a course, and its file is not known here as it was then (SHA-256 {digest}…): it may have been "
                "changed since. Name an assignment that brings that version with -c.",
                name=quote(name),
                digest=wanted[:12],
            )
        )
    return kind


def _load_kept(wanted: str, name: str) -> type[Game] | None:
    if not wanted.isalnum():
        return None
    try:
        source = (_folder() / f"{wanted}.py").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    return from_source(source, f"{name}.py") if source_digest(source) == wanted else None


def _folder() -> Path:
    chosen = os.environ.get("XDG_DATA_HOME", "")
    return (Path(chosen) if os.path.isabs(chosen) else Path.home() / ".local" / "share") / "grader" / "games"
