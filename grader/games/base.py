"""`Game`: the base class of all games.

A game is a frozen dataclass that derives from `Game`; its fields are the options that an assignment can set. It has no
state: positions are immutable values that its methods take and return. Six methods define the rules (`start`, `turn`,
`moves`, `play`, `outcome`, `draw`); everything else has a default that a game may override.
"""

import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from grader.errors import IllegalMove, OptionError
from grader.games import codec
from grader.games.state import State
from grader.language import Message, say
from grader.records import PLY_LIMIT, Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from grader.games.exam import Exam
    from grader.games.handout import Handout
    from grader.games.interface import Interface
    from grader.games.notation import Notation
    from grader.games.player_code import PlayerCode
    from grader.games.position_code import PositionCode
    from grader.games.words import EndingWords

T = TypeVar("T")

Json = Any
"""A value that `json` can write and read back unchanged."""

RULES = ("start", "turn", "moves", "play", "outcome", "draw")
"""The methods that every game must define."""


class Game:
    """The rules of a game, with its options."""

    name: ClassVar[str]
    """The name used in assignments: `takeaway`."""
    title: ClassVar[str]
    """The name shown to people: `Take-away`."""
    rank: ClassVar[int] = 100
    """The position in lists of games, lowest first."""
    option_help: ClassVar[Mapping[str, str]] = {}
    """What each option means and its range, for `grader init --help`."""
    endings: ClassVar[Mapping[str, Any]] = {}
    """A phrase for each natural ending: `{"last_stone": "took the last stone"}`, or a dict with one per language."""
    max_plies: int = 1000
    """A game that is undecided after this many moves is a draw."""
    signs: ClassVar[tuple[str, str]] = ("1X", "2O")
    """The characters in `draw` that represent pieces of player 1 and of player 2."""
    hint_player: ClassVar[str] = "mcts"
    """The reference player that answers `hint` in `grader play`."""
    source: ClassVar[str | None] = None
    """The contents of the file that defines this game, if it is a course's own."""
    file: ClassVar[str] = ""
    """The name of that file."""

    # ── The rules ─────────────────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> Any:
        """The position before the first move."""
        raise NotImplementedError

    def turn(self, position: Any) -> int:
        """The seat to move: 0 is the player that moves first (player 1), 1 the other (player 2)."""
        raise NotImplementedError

    def moves(self, position: Any) -> Sequence[Any]:
        """The legal moves in a position that is not final, in listing order."""
        raise NotImplementedError

    def play(self, position: Any, move: Any) -> Any:
        """The position after a legal move."""
        raise NotImplementedError

    def outcome(self, position: Any) -> Outcome | None:
        """How the game ended, or None if it has not.

        It may depend on the previous positions (a draw by repetition), which only `play` knows: a position that was
        read from JSON or from a board has no history.
        """
        raise NotImplementedError

    def draw(self, position: Any) -> str:
        """The board as lines of text."""
        raise NotImplementedError

    # ── Derived from the rules ────────────────────────────────────────────────────────────────────────────────────

    def legal_moves(self, position: Any) -> Sequence[Any]:
        """The legal moves; none once the game is over."""
        return () if self.outcome(position) is not None else self.moves(position)

    def apply(self, position: Any, move: Any) -> Any:
        """The position after a move. Raises `IllegalMove` if the rules do not allow it."""
        if self.outcome(position) is not None:
            raise IllegalMove(say("the game is over"))
        listed = self.find_legal_move(position, move)
        if listed is None:
            raise IllegalMove(say("{move} is not a legal move", move=quote(move)))
        return self.play(position, listed)

    def find_legal_move(self, position: Any, move: Any) -> Any:
        """The legal move, as the game lists it, that equals this move; None if there is none."""
        read = self.read_move(move)
        return None if read is None else next((legal for legal in self.moves(position) if legal == read), None)

    def outcome_after(self, position: Any, plies: int) -> Outcome | None:
        """How the game ended, or None if it has not; `plies` is the number of moves that led to this position."""
        outcome = self.outcome(position)
        return Outcome(PLY_LIMIT, None) if outcome is None and plies >= self.max_plies else outcome

    def state(self, position: Any = None) -> State:
        """A position, by default the start, as an object with its legal moves and outcome."""
        return State(self, position)

    def plies(self) -> tuple[float, float]:
        """The usual and the greatest number of moves of a game, by default estimated from random games."""
        from grader.games.random_games import lengths  # imported here because players' processes do not need it

        return lengths(self)

    def relative_cost(self) -> float:
        """How long a reference player's move takes with these options, relative to the default options."""
        return 1.0

    def variant(self) -> "tuple[Game, str] | None":
        """The same game on another board, and a label for that board, for `grader check`; None if there is none."""
        return None

    # ── Moves and positions as JSON and as text ───────────────────────────────────────────────────────────────────

    def read_move(self, value: object) -> Any:
        """The move that a player's return value represents, or None if it is not a move. Legality is not checked.

        Accepts any object, and never raises an `Exception`.
        """
        try:
            return self._read_plain_move(value)
        except Exception:  # noqa: BLE001  the value is a student's: its methods may raise anything
            return None

    def _read_plain_move(self, value: Any, depth: int = 0) -> Any:
        if isinstance(value, str):
            text = str.__str__(value)
            return text if text.isprintable() and len(text) <= _LONGEST else None
        number = whole_number(value)
        if number is not None:
            return number
        if (type(value) is tuple or isinstance(value, list) or hasattr(value, "__array__")) and depth < _DEEPEST:
            parts = tuple(self._read_plain_move(part, depth + 1) for part in value)
            return None if any(part is None for part in parts) else parts
        if isinstance(value, dict):
            return codec.from_json(value, self._classes())
        codec.to_json(value)  # raises for what is not plain
        known = self._classes().get(type(value).__qualname__) is type(value)
        return value if known else None

    def move_json(self, move: Any) -> Json:
        """The move as JSON; `read_move` reads it back."""
        return codec.to_json(move)

    def move_text(self, move: Any) -> str:
        """The move as people write it, without spaces."""
        return codec.to_text(move)

    def parse_move(self, text: str) -> Any:
        """The move that a text represents. Raises `ValueError` with a message if it is not a move."""
        try:
            move = self.read_move(codec.from_text(text, self._classes()))
        except (ValueError, RecursionError):
            move = None
        if move is None:
            example = self.move_text(next(iter(self.legal_moves(self.start())), 0))
            raise ValueError(say("{text} is not a move; write it like {example}", text=quote(text), example=example))
        return move

    def move_label(self, move: Any) -> str:
        """The move for a reader who compares code and board: the value that `play` returns, and its name on the board."""
        value, written = str(move), self.move_text(move)
        return value if value.replace(" ", "").strip("()") == written else f"{value} = {written}"

    def move_help(self) -> Message:
        """How a person types a move in `grader play`."""
        example = self.move_text(next(iter(self.legal_moves(self.start())), 0))
        return say("Type a move like {example}.", example=example)

    def refusal(self, move: Any) -> Message:
        """Why a move that a person has typed is not legal."""
        return say("{move} is not legal here; `moves` lists the legal moves.", move=self.move_text(move))

    def position_json(self, position: Any) -> Json:
        """What a player may know about a position (the board and whose turn it is), as JSON."""
        return codec.to_json(position)

    def read_position(self, data: Json) -> Any:
        """The position that `position_json` wrote."""
        return codec.from_json(data, self._classes())

    def _classes(self) -> Mapping[str, Any]:
        return vars(sys.modules[type(self).__module__])

    # ── What a player's process is given ──────────────────────────────────────────────────────────────────────────

    def board(self, position: Any) -> Any:
        """The object that a player is given: its own copy, which it may keep or modify."""
        return State(self, position)

    def position_of(self, board: Any) -> Any:
        """The position of such an object."""
        return board.position

    def interface(self) -> "Interface":
        """The modules and classes that a course hands out for this game."""
        from grader.games.interface import Interface

        return Interface.of(self)

    # ── What people read ──────────────────────────────────────────────────────────────────────────────────────────

    def ending_words(self, ending: str, *, drawn: bool) -> "EndingWords":
        """The texts for one of its natural endings."""
        from grader.games.words import default_ending_words

        return default_ending_words(ending, self.endings.get(ending), drawn=drawn)

    def option_names(self) -> Mapping[str, Message]:
        """The labels of its options, where they differ from the names."""
        return {}

    def legend(self) -> Message:
        """What the characters on the board mean, and each player's goal."""
        return say("1 moves first.")

    def cells(self, position: Any) -> Sequence[Sequence[object]] | None:  # noqa: ARG002  subclasses use it
        """The board as rows of cells, top row first, for drawing a grid; None to show the text of `draw` instead.

        A cell is 0 (empty), 1 or 2 (a piece of that player), or a short text.
        """
        return None

    def script(self) -> "Path | None":
        """The script that draws this game in HTML reports: `board.js` in its package. By default they show `cells` or `draw`."""
        return _package_file(type(self), "board.js")

    def style(self) -> "Path | None":
        """The style sheet for that drawing: `board.css` in its package."""
        return _package_file(type(self), "board.css")

    def script_words(self) -> Mapping[str, Message]:
        """The texts that this script shows: `SCRIPT_WORDS` in `words.py` of its package."""
        return self._package_member("words", "SCRIPT_WORDS", {})

    def packed_moves(self, moves: Sequence[str]) -> str:
        """The moves of a game as one short text, which `decode(text, options)` of the script reads."""
        return " ".join(moves)

    def notations(self) -> "tuple[Notation, ...]":
        """The notations in which a match can be exported: `NOTATIONS` in `notation.py` of its package."""
        return self._package_member("notation", "NOTATIONS", ())

    def place_in_drawing(self, move: Any) -> tuple[int, int] | None:  # noqa: ARG002  subclasses use it
        """The line and character of `draw` where a refused move is marked, both from 0; None if it has no such place."""
        return None

    def position_code(self, moves: Sequence[Any]) -> "PositionCode":
        """Code that rebuilds a position with the course's classes: `position_code(game, moves)` in `position_code.py`."""
        from grader.games.position_code import state_code

        make: Callable[[Game, Sequence[Any]], PositionCode] = self._package_member(
            "position_code", "position_code", state_code
        )
        return make(self, moves)

    # ── What a course and its students are given ──────────────────────────────────────────────────────────────────

    def code(self) -> "PlayerCode":
        """What a player's code looks like, to detect the game without running it: `CODE` in `player_code.py`."""
        from grader.games.player_code import PlayerCode

        return self._package_member("player_code", "CODE", PlayerCode())

    def exam(self) -> "Exam | None":
        """How `grader check` tests a player's understanding of the rules: `EXAM` in `exam.py` of its package."""
        return self._package_member("exam", "EXAM", None)

    def assignment(self) -> str:
        """The built-in assignment, as YAML: `assignment.yaml` in its package, or a simple one by default."""
        from grader.games.handout import default_assignment

        file = _package_file(type(self), "assignment.yaml")
        return default_assignment(self) if file is None else file.read_text(encoding="utf-8")

    def handout(self) -> "Handout | None":
        """The files for students, from `handout(game)` in `starter_kit.py`; None for the files that work for any game."""
        make: Callable[[Game], Handout] | None = self._package_member("starter_kit", "handout", None)
        return None if make is None else make(self)

    def _package_member(self, module: str, name: str, default: T) -> T:
        """A name defined by a module in the package of this game, or of its base class; otherwise the default."""
        for kind in type(self).__mro__:
            if kind is not Game and issubclass(kind, Game) and _package_file(kind, f"{module}.py") is not None:
                package = kind.__module__.rpartition(".")[0]
                member: T = getattr(import_module(f"{package}.{module}"), name, default)
                return member
        return default

    # ── A game is a value ─────────────────────────────────────────────────────────────────────────────────────────

    def options(self) -> dict[str, Any]:
        """The options with their values."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]  # every game is a dataclass

    def digest(self) -> str:
        """The digest of the file of a course's own game; empty for an installed game."""
        if self.source is None:
            return ""
        from grader.games.game_files import source_digest  # imported here because players' processes do not need it

        return source_digest(self.source)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.source is None:
            return type(self), tuple(self.options().values())
        from grader.games import remake

        return remake, (self.spec(),)

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, _: Any) -> "Game":
        return self

    def spec(self) -> dict[str, Any]:
        """Everything needed to create the same game in another process, as JSON; `remake` reads it."""
        return {"name": self.name, "options": self.options(), "source": self.source, "file": self.file}


_DEEPEST, _LONGEST = 20, 200


def quote(value: object, limit: int = 60) -> str:
    """The `repr` of a value, shortened, for an error message. Never raises, whatever the value is."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  the value is a student's, or a number too large to be written
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _package_file(kind: type[Game], name: str) -> "Path | None":
    """The file or folder of that name in the package of a game, if there is one."""
    from pathlib import Path  # imported here because it would slow down every player's start

    module = sys.modules[kind.__module__]
    if kind.source is not None or module.__package__ in (None, "", module.__name__) or not module.__file__:
        return None
    found = Path(module.__file__).with_name(name)
    return found if found.exists() else None


def option_error(game: str, option: str, problem: str) -> OptionError:
    """The error for an invalid option of a game. Reports about an assignment file show only the problem."""
    return OptionError(say("{game}: {option} {problem}", game=game, option=option, problem=problem))


def whole_number(value: object) -> int | None:
    """The value as an int if it is an integer (numpy's included) and not a bool; otherwise None."""
    number: Any = value
    try:
        return None if isinstance(value, bool) else operator.index(number)
    except Exception:  # noqa: BLE001  the value is a student's: its methods may raise anything
        return None


def replay_positions(game: Game, moves: Sequence[str]) -> Iterator[Any]:
    """The positions of a match, beginning with the start. Raises `ValueError` at a move that cannot be played."""
    position = game.start()
    yield position
    for move in moves:
        position = game.apply(position, game.parse_move(move))
        yield position
