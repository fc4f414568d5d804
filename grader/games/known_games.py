"""Remember the game files that this user has run before, by the digest of their contents.

Results identify a course's own game by a digest. Its code is never read from the results, which may come from anyone: it
comes from a file that the user names, or from this store of all files that the user has named before.
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
    """The version of a course's game file that was used is not known to this user."""


def remember(source: str) -> None:
    """Store the source of a game file that the user has named, if the folder is writable."""
    file = _folder() / f"{source_digest(source)}.py"
    with suppress(OSError):
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            new = file.with_suffix(f".{os.getpid()}")
            new.write_text(source, encoding="utf-8", newline="\n")
            new.replace(file)


def is_known(file: Path) -> bool:
    """Whether this user has named a file with the same contents before."""
    try:
        source = decode_source(file.read_bytes())
    except (OSError, ValueError):
        return True  # it cannot run at all; loading it reports the problem
    return loaded_game(source_digest(source)) is not None or (_folder() / f"{source_digest(source)}.py").is_file()


def has_source(file: Path, source: str) -> bool:
    """Whether a file still has these contents."""
    try:
        return decode_source(file.read_bytes()) == source
    except (OSError, ValueError):
        return False


def recorded_game(name: str, wanted: str) -> type[Game]:
    """The game of a record: an installed game by its name, or a course's own by the digest of its file.

    Raises `UnknownGame` if it is a course's own and this user has never named that file.
    """
    if not wanted:
        try:
            return game_class(name)
        except OptionError as error:
            raise UnknownGame(error.text) from None
    kind = loaded_game(wanted) or _load_remembered(wanted, name)
    if kind is None:
        raise UnknownGame(
            say(
                "{name} is a course's own game, and this version of its file is not known here (SHA-256 {digest}…); the file may have "
                "changed since. Use -c to name an assignment with that version.",
                name=quote(name),
                digest=wanted[:12],
            )
        )
    return kind


def _load_remembered(wanted: str, name: str) -> type[Game] | None:
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
