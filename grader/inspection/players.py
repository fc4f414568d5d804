"""Players named on the command line or in an assignment: a file, a folder, or a reference player with options."""

import ast
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from grader.errors import OptionError
from grader.games import Game
from grader.inspection.entry import Entry, find_entry
from grader.inspection.inspect_code import Inspection
from grader.inspection.reference_catalogue import FILLED_IN, Reference, reference_folder, reference_players
from grader.intake.names import printable
from grader.language import say
from grader.records import Finding
from grader.source.facts import Source
from grader.source.notebook import NOTEBOOK
from grader.source.reading import read_source

_ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".7z", ".rar", ".zst")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPlayer:
    """A player that can be loaded or, without an entry, the findings that say why not."""

    name: str
    entry: Entry | None
    options: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    reference: bool = False
    """It is one of the installed reference players."""
    is_timed: bool = False
    """It is a reference player whose moves depend on the speed of the machine, because of its options."""
    digest: str = ""
    """The digest of its files, if it is a course's own opponent."""


def player_path(text: str) -> Path | None:
    """The file or folder that a text means, or None if there is none. Raises `OptionError` if it cannot be code."""
    path = Path(text)
    if not text or not _is_existing(path):
        return None
    path = path.resolve()
    _refuse_non_code(path)
    return path


def player_at(path: Path, inspection: Inspection) -> ResolvedPlayer:
    """The player in a file or folder. Raises `OptionError` for a file that is not Python code."""
    if inspection.entry is None and path.is_file() and path.suffix.lower() not in (".py", NOTEBOOK):
        raise OptionError(
            say(
                "{name} is not a Python file; give a .py file or the folder that contains it.",
                name=printable(path.name),
            )
        )
    name = printable(path.name if path.is_dir() else path.stem) or "unnamed"
    return ResolvedPlayer(name=name, entry=inspection.entry, findings=inspection.findings)


def with_distinct_names(players: Sequence[ResolvedPlayer], paths: Sequence[Path | None]) -> tuple[ResolvedPlayer, ...]:
    """The same players; those with a path that share a name are named by their folders: `mine` and `friend`."""
    names = [player.name for player in players]
    own = [path for path, name in zip(paths, names, strict=True) if path is not None and names.count(name) > 1]
    if not own:
        return tuple(players)
    folders = dict(zip(own, _distinct_folders(own), strict=True))
    renamed: list[ResolvedPlayer] = []
    for player, path in zip(players, paths, strict=True):
        name = player.name
        if path in folders:
            if len(folders) > 1:
                name = folders[path]
            elif None in paths:  # it shares the name of a reference player
                name = path.name
            taken = [each.name for each in renamed]
            name = f"{name} ({taken.count(name) + 1})" if name in taken else name
        renamed.append(replace(player, name=name))
    return tuple(renamed)


def _distinct_folders(paths: Sequence[Path]) -> list[str]:
    """The folders of paths, with as many of the folders above them as it takes to tell them apart."""
    folders = [path if path.is_dir() else path.parent for path in paths]
    longest = max(len(folder.parts) for folder in folders)
    for depth in range(1, longest + 1):
        names = ["/".join(folder.parts[-depth:]) for folder in folders]
        if len(set(names)) == len(set(folders)):
            break
    return [printable(name) or "unnamed" for name in names]


def named_player(text: str) -> ResolvedPlayer:
    """The reference player that a text means if it does not mean a path. Raises `OptionError` if there is none."""
    try:
        return reference_player(text)
    except _UnknownPlayer as unknown:
        raise OptionError(
            say(
                "{text}: no file, folder or reference player has that name. {names}",
                text=printable(text),
                names=unknown.names,
            )
        ) from None


class _UnknownPlayer(OptionError):
    """A name that is not the name of a reference player."""

    def __init__(self, text: str, names: str) -> None:
        super().__init__(say("unknown reference player {text}. {names}", text=repr(text), names=names))
        self.names = names


def _refuse_non_code(path: Path) -> None:
    """Raise `OptionError` for an archive, or for anything but a file or a folder."""
    if path.is_dir():
        return
    if not path.is_file():
        raise OptionError(say("{name} is neither a file nor a folder.", name=printable(path.name)))
    if path.name.lower().endswith(_ARCHIVES):
        raise OptionError(say("{name} is an archive; unpack it first and give the folder.", name=printable(path.name)))


def reference_player(text: str, game: Game | None = None) -> ResolvedPlayer:
    """The reference player that a text such as `mcts(simulations=500)` means, for this game if one is given.

    Files with that name are ignored. Raises `OptionError` if there is no such player, or none that plays the game.
    """
    name, keywords = _parse_call(text)
    found = [reference for reference in reference_players() if reference.name == name]
    if not found:
        known = list(dict.fromkeys(reference.name for reference in reference_players()))
        close = get_close_matches(name.lower(), known, n=1)
        names = say("The reference players are {known}.", known=", ".join(known))
        if close:
            names = say("Did you mean {close}? {names}", close=repr(close[0]), names=names)
        raise _UnknownPlayer(text, names)
    options = {str(keyword.arg): _option_value(text, keyword) for keyword in keywords}
    able = [reference for reference in found if game is None or reference.plays(game)]
    if not able and game is not None:
        others = ", ".join(reference.name for reference in reference_players() if reference.plays(game)) or "–"
        raise OptionError(
            say("{name} does not play {game}; choose one of {names}", name=name, game=game.title, names=others)
        )
    chosen = next((reference for reference in able if options.keys() <= {*reference.options, *FILLED_IN}), able[0])
    check_options(name, options, _reference_options(chosen))
    return ResolvedPlayer(
        name=text,
        entry=_reference_entry(chosen),
        options=options,
        reference=True,
        is_timed=any(options.get(option) is not None for option in chosen.timed),
    )


def player_for_game(player: ResolvedPlayer, game: Game) -> ResolvedPlayer:
    """The same player for a game: a reference player may have one file per game."""
    return reference_player(player.name, game) if player.reference else player


def _is_existing(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # the text cannot be a path
        return False


def _reference_options(reference: Reference) -> list[str]:
    """The options of a reference player's constructor, including those that the grader fills in."""
    source = read_source(reference.file.parent, Path(reference.file.name))
    shapes = source.classes if isinstance(source, Source) else ()
    return [option for shape in shapes for option, required in shape.parameters if not required]


def check_options(name: str, options: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise `OptionError` for an option that is not one of these."""
    listed = [option for option in known if option not in FILLED_IN]
    for option in options:
        if option not in known:
            close = get_close_matches(option, listed, n=1)
            names = (
                say("Its options are {options}.", options=", ".join(listed)) if listed else say("It has no options.")
            )
            if close:
                names = say("Did you mean {close}? {names}", close=repr(close[0]), names=names)
            raise OptionError(
                say("{name} has no option {option}. {names}", name=name, option=repr(option), names=names)
            )


def reference_digest() -> str:
    """A digest of the reference players' files: if it changes, they may play differently."""
    return source_digest(reference_folder())


def source_digest(folder: Path) -> str:
    """A digest of all Python files below a folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        digest.update(f"{file.relative_to(folder).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _reference_entry(reference: Reference) -> Entry:
    """The entry of a reference player: like a submission's, but loaded as a module of its package."""
    entry, findings = find_entry(reference.file)
    if entry is None:
        raise OptionError(say("{name}: {text}", name=reference.file.name, text=findings[0].text))
    package = reference_folder()
    inside = reference.file.relative_to(package.parent)
    module = ".".join(inside.with_suffix("").parts)
    return replace(
        entry,
        root=package.parent,
        file=inside,
        module=module,
        preload=(module,),
        readable=(package,),
        paths=(package.parent,),  # not the package itself: its random.py would hide Python's
    )


def _parse_call(text: str) -> tuple[str, Sequence[ast.keyword]]:
    """`mcts(simulations=500)` as a name and its options."""
    if re.fullmatch(r"[\w-]+", text):
        return text, ()
    try:
        call = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        call = None
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and not call.args
        and all(keyword.arg for keyword in call.keywords)
    ):
        return call.func.id, call.keywords
    raise _UnknownPlayer(text, say("Options are written like this: mcts(simulations=500)."))


def _option_value(text: str, keyword: ast.keyword) -> Any:
    try:
        return ast.literal_eval(keyword.value)
    except ValueError:
        raise OptionError(
            say(
                "{text}: {value} is not a valid value for {option}. Write a number, or text in quotes.",
                text=printable(text),
                value=printable(ast.unparse(keyword.value)),
                option=str(keyword.arg),
            )
        ) from None
