"""The records of what one Python file says about itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.language import Message


@dataclass(frozen=True, slots=True)
class Import:
    """One name that a file takes from elsewhere."""

    module: str
    level: int
    """The dots before it: 0 for an absolute import."""
    name: str
    """What is taken from the module, `*` for all; empty if it is the module itself."""
    alias: str
    """What it is called here."""
    line: int
    optional: bool
    """It stands inside a `try`, so the file does without if it has to."""


@dataclass(frozen=True, slots=True)
class ClassShape:
    """A class, as far as its text tells."""

    name: str
    """Dotted, if it stands inside another class."""
    line: int
    bases: tuple[str, ...]
    """As written: `Player`, or `base.Player`."""
    play_line: int | None
    """Where it defines `play`, if it does."""
    play_takes: tuple[str, ...]
    """The parameters of that `play`, without `self`."""
    takes_board: bool
    """That `play` has a parameter for a board, and not one for a move."""
    empty_play: bool
    """That `play` is abstract, does nothing, or only raises."""
    methods: tuple[str, ...]
    stubs: tuple[str, ...]
    """Its methods that do nothing or only raise."""
    parameters: tuple[tuple[str, bool], ...]
    """What its own constructor takes, and whether it must be given."""
    takes_any_option: bool
    """That constructor has a `**parameter`."""
    asks_person: bool
    """It calls `input`."""


@dataclass(frozen=True, slots=True)
class Use:
    """One thing that a file imports or uses."""

    name: str
    """Whole: `os.system`, also where it is called by another name here."""
    line: int
    how: str
    """`import`, `name`, `builtin` or `method`; `reading` for a file that is opened and not to be written."""

    def is_of(self, name: str) -> bool:
        """Whether this is that module or name, or something in it."""
        return self.how in ("import", "name", "reading") and (self.name == name or self.name.startswith(f"{name}."))


@dataclass(frozen=True, slots=True)
class Source:
    """One file that could be read, and the facts that its syntax tree told."""

    file: Path
    """Relative to the submission's folder."""
    digest: str
    classes: tuple[ClassShape, ...]
    play_function: int | None
    """The line of a `play(game, player)` outside any class."""
    has_play: bool
    """It has a function or method called `play` that does something, whatever it takes."""
    aliases: Mapping[str, str]
    """Names that the file gives to other names: `SmartPlayer = MctsPlayer`."""
    imports: tuple[Import, ...]
    members: frozenset[str]
    """What it uses of anything by a dot: `clone`; with brackets behind what is indexed there: `board[]`."""
    texts: frozenset[str]
    """The strings in its code that are not documentation and short enough to be the path of a file."""
    uses: tuple[Use, ...]
    """What it uses of the world outside it."""
    import_time: tuple[tuple[Message, int], ...]
    """What runs as soon as it is imported, as the beginning of a sentence, and the line."""
    draws_numbers: bool
    """It takes random numbers from something, or has a parameter for a seed."""
    may_differ: bool
    """Something in it can make one game differ from another, random numbers aside."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """One file that Python cannot read."""

    file: Path
    line: int | None
    reason: str
    help: str
