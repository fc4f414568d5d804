"""Records of what was read from one Python file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.games.exam import Step
from grader.language import Message
from grader.source.notebook_code import NotebookCode


@dataclass(frozen=True, slots=True)
class Import:
    """One name that a file imports."""

    module: str
    level: int
    """The number of leading dots: 0 for an absolute import."""
    name: str
    """What is imported from the module, `*` for everything; empty if it is the module itself."""
    alias: str
    """Its name in this file."""
    line: int
    optional: bool
    """It is inside a `try`, so the file can probably do without it."""


@dataclass(frozen=True, slots=True)
class MoveMethod:
    """A method that is not a player's `play`, but whose name says that it chooses or makes a move."""

    name: str
    line: int
    parameters: tuple[str, ...]
    """Without `self`."""
    takes_board: bool
    """It has a parameter for a board, not for a move."""


@dataclass(frozen=True, slots=True)
class ClassShape:
    """A class, as its source code describes it."""

    name: str
    """Dotted, if it is nested in another class."""
    line: int
    bases: tuple[str, ...]
    """As written: `Player`, or `base.Player`."""
    play_line: int | None
    """Where it defines `play`, if it does."""
    play_parameters: tuple[str, ...]
    """The parameters of its `play`, without `self`."""
    takes_board: bool
    """Its `play` has a parameter for a board, not for a move."""
    empty_play: bool
    """Its `play` is abstract, does nothing, or only raises."""
    methods: tuple[str, ...]
    stubs: tuple[str, ...]
    """Its methods that do nothing or only raise."""
    parameters: tuple[tuple[str, bool], ...]
    """The parameters of its own constructor, and whether each is required."""
    takes_any_option: bool
    """Its constructor has a `**parameter`."""
    calls_input: bool
    move_methods: tuple[MoveMethod, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """One thing that a file imports or uses."""

    name: str
    """In full: `os.system`, even if the file imports it under another name."""
    line: int
    how: str
    """`import`, `name`, `builtin` or `method`; `reading` for a file that is only opened for reading."""

    def is_of(self, name: str) -> bool:
        """Whether this is the given module or name, or something in it."""
        return self.how in ("import", "name", "reading") and (self.name == name or self.name.startswith(f"{name}."))


@dataclass(frozen=True, slots=True)
class Scope:
    """A function or method with the functions nested in it, or all code of a file that runs on import."""

    name: str
    """`function`, `Class.method`, or empty for the code that runs on import."""
    first: int
    last: int
    """Its lines; 0 for the code that runs on import."""
    mentions: frozenset[str]
    """The names and attributes in it, and the texts that may be names."""


@dataclass(frozen=True, slots=True)
class Steps:
    """A list of steps to other cells of a grid, as rows and columns to go, by the parity of the row to start from.

    It has no steps if the code seems to lead to other cells in a way that cannot be read.
    """

    line: int
    name: str
    """The constant or attribute that holds it; empty if it is part of a function."""
    even: frozenset[Step]
    odd: frozenset[Step]


@dataclass(frozen=True, slots=True)
class ConstantCall:
    """A call of a method with a whole number among its arguments."""

    method: str
    line: int
    arguments: tuple[int | None, ...]
    """The whole numbers, in order; None for anything else."""


@dataclass(frozen=True, slots=True)
class Source:
    """One Python file that could be parsed, and what was read from its syntax tree."""

    file: Path
    """Relative to the submission's folder."""
    digest: str
    code: str
    """A digest that it shares with files that differ only in imports, comments, docstrings or formatting."""
    classes: tuple[ClassShape, ...]
    play_function: int | None
    """The line of a `play(game, player)` outside any class."""
    has_play: bool
    """It has a function or method called `play` that does something, whatever its parameters."""
    aliases: Mapping[str, str]
    """Assignments of one name to another: `SmartPlayer = MctsPlayer`."""
    imports: tuple[Import, ...]
    members: frozenset[str]
    """The attributes it accesses: `clone`; followed by brackets if they are indexed: `board[]`."""
    texts: frozenset[str]
    """The strings in its code that are not docstrings and are short enough to be a file path."""
    uses: tuple[Use, ...]
    """The modules, builtins and functions that it imports or uses."""
    scopes: tuple[Scope, ...]
    """The code that runs on import, and each function and method."""
    steps: tuple[Steps, ...]
    """The lists of steps in its code that can be read without running it."""
    constant_calls: tuple[ConstantCall, ...]
    import_time: tuple[tuple[Message, int], ...]
    """What runs when it is imported, as a sentence, and the line."""
    draws_numbers: bool
    """It uses random numbers, or has a parameter for a seed."""
    may_differ: bool
    """Something other than random numbers can make one game differ from another."""
    notebook: NotebookCode | None = None
    """The code of a notebook. The lines of everything else are those of its text."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """One Python file that could not be parsed."""

    file: Path
    line: int | None
    reason: str
    help: str
    is_syntax_error: bool = False
    """It is text, but not valid Python."""
    cell: int | None = None
    """The only cell of a notebook that could not be parsed; the line is one of that cell."""
