"""`Game`: the interface of every game.

A game is a frozen dataclass that derives from `Game`; its fields are the options that an assignment can set. It holds
no state: positions are immutable values that it makes and reads. Six methods are its rules (`start`, `turn`, `moves`,
`play`, `outcome`, `draw`); everything else has a default that a game may replace with something better.
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
    from grader.games.words import EndingWords

T = TypeVar("T")

Json = Any
"""A value that `json` can write and read back unchanged."""

RULES = ("start", "turn", "moves", "play", "outcome", "draw")
"""The methods that every game has to define."""


class Game:
    """The rules of one game with its options."""

    name: ClassVar[str]
    """As in an assignment: `takeaway`."""
    title: ClassVar[str]
    """As people write it: `Take-away`."""
    rank: ClassVar[int] = 100
    """Where it stands in lists of games, the lowest first."""
    endings: ClassVar[Mapping[str, Any]] = {}
    """A phrase for each natural ending: `{"last_stone": "took the last stone"}`, or one for each language."""
    max_plies: int = 1000
    """A game that is still undecided after this many moves is a draw."""
    signs: ClassVar[tuple[str, str]] = ("1X", "2O")
    """The signs in `draw` that stand for pieces of the first and of the second player."""
    hint_player: ClassVar[str] = "mcts"
    """The reference player that answers `hint` in `grader play`."""
    source: ClassVar[str | None] = None
    """The text of the file that defines this game, if it is a course's own."""
    file: ClassVar[str] = ""
    """The name of that file."""

    # ── The rules ─────────────────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> Any:
        """The position before the first move."""
        raise NotImplementedError

    def turn(self, position: Any) -> int:
        """The seat to move: 0 is the player that moved first (player 1), 1 the other (player 2)."""
        raise NotImplementedError

    def moves(self, position: Any) -> Sequence[Any]:
        """The legal moves of a position in which the game goes on, in listing order."""
        raise NotImplementedError

    def play(self, position: Any, move: Any) -> Any:
        """The position after a legal move."""
        raise NotImplementedError

    def outcome(self, position: Any) -> Outcome | None:
        """How the game ended, or None while it goes on.

        It may depend on the way to the position (a draw by repetition), which only `play` knows: a position that was
        read from JSON or from a board has no past.
        """
        raise NotImplementedError

    def draw(self, position: Any) -> str:
        """The board as lines of text."""
        raise NotImplementedError

    # ── What follows from them ────────────────────────────────────────────────────────────────────────────────────

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
        """The legal move that a move is equal to, as the game lists it; None if there is none."""
        read = self.read_move(move)
        return None if read is None else next((legal for legal in self.moves(position) if legal == read), None)

    def outcome_after(self, position: Any, plies: int) -> Outcome | None:
        """How the game ended, or None while it goes on; `plies` is the number of moves that led to this position."""
        outcome = self.outcome(position)
        return Outcome(PLY_LIMIT, None) if outcome is None and plies >= self.max_plies else outcome

    def state(self, position: Any = None) -> State:
        """A position, the start by default, as an object to look at and to play on from."""
        return State(self, position)

    def plies(self) -> tuple[float, float]:
        """The number of moves that a game usually has, and the most: by default, learnt from random games."""
        from grader.games.random_games import lengths  # here: no player's process needs it

        return lengths(self)

    def relative_cost(self) -> float:
        """What a move costs a reference player with these options, in terms of one with the default options."""
        return 1.0

    def variant(self) -> "tuple[Game, str] | None":
        """The same game on another board, and what people call that board, for `grader check`; None if there is none."""
        return None

    # ── Moves and positions as JSON and as text ───────────────────────────────────────────────────────────────────

    def read_move(self, value: object) -> Any:
        """The move that a player's answer means, or None if it cannot be a move. Whether it is legal is not checked.

        Accepts any object, and raises only what is meant to end a program, for example `SystemExit`.
        """
        try:
            return self._read_plain_move(value)
        except Exception:  # noqa: BLE001  the value is a student's: whatever its methods do, it is not a move then
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
        """The move as a person writes it, without spaces."""
        return codec.to_text(move)

    def parse_move(self, text: str) -> Any:
        """The move that a text means. Raises `ValueError` with a sentence if it means none."""
        try:
            move = self.read_move(codec.from_text(text, self._classes()))
        except (ValueError, RecursionError):
            move = None
        if move is None:
            example = self.move_text(next(iter(self.legal_moves(self.start())), 0))
            raise ValueError(say("{text} is not a move; write it like {example}", text=quote(text), example=example))
        return move

    def move_label(self, move: Any) -> str:
        """The move for somebody who compares code with a board: what `play` returns, and how the board calls it."""
        value, written = str(move), self.move_text(move)
        return value if value.replace(" ", "").strip("()") == written else f"{value} = {written}"

    def move_help(self) -> Message:
        """How a person types a move in `grader play`."""
        example = self.move_text(next(iter(self.legal_moves(self.start())), 0))
        return say("Type a move like {example}.", example=example)

    def refusal(self, move: Any) -> Message:
        """Why a move that a person typed is not legal."""
        return say("{move} is not legal here; `moves` lists the legal moves.", move=self.move_text(move))

    def position_json(self, position: Any) -> Json:
        """All that a player may know of a position: what is on the board and whose turn it is."""
        return codec.to_json(position)

    def read_position(self, data: Json) -> Any:
        """The position that `position_json` wrote."""
        return codec.from_json(data, self._classes())

    def _classes(self) -> Mapping[str, Any]:
        return vars(sys.modules[type(self).__module__])

    # ── What a player's process is given ──────────────────────────────────────────────────────────────────────────

    def board(self, position: Any) -> Any:
        """The object that a player is given: a copy of its own, to keep or to change."""
        return State(self, position)

    def position_of(self, board: Any) -> Any:
        """The position that such an object shows."""
        return board.position

    def interface(self) -> "Interface":
        """The modules and classes that a course hands out for this game."""
        from grader.games.interface import Interface

        return Interface.of(self)

    # ── What people read ──────────────────────────────────────────────────────────────────────────────────────────

    def ending_words(self, ending: str, *, drawn: bool) -> "EndingWords":
        """The words for one of its natural endings."""
        from grader.games.words import default_ending_words

        return default_ending_words(ending, self.endings.get(ending), drawn=drawn)

    def option_names(self) -> Mapping[str, Message]:
        """Its options as people call them, where that is not simply their name."""
        return {}

    def legend(self) -> Message:
        """What the signs on the board mean, and what each player is after."""
        return say("1 moves first.")

    def cells(self, position: Any) -> Sequence[Sequence[object]] | None:  # noqa: ARG002  for those who replace it
        """The board as rows of cells, top row first, to be drawn as a grid; None to show what `draw` returns.

        A cell is 0 (empty), 1 or 2 (a piece of that player), or a short text.
        """
        return None

    def script(self) -> "Path | None":
        """The JavaScript that draws this game in the pages, `board.js` in its room; without one they show `cells` or `draw`."""
        return _room_file(type(self), "board.js")

    def style(self) -> "Path | None":
        """The style sheet of that drawing, `board.css` in its room."""
        return _room_file(type(self), "board.css")

    def script_words(self) -> Mapping[str, Message]:
        """The sentences that this script says, `SCRIPT_WORDS` in `words.py` of its room."""
        return self._room_member("words", "SCRIPT_WORDS", {})

    def packed_moves(self, moves: Sequence[str]) -> str:
        """The moves of a game in one short text, which the script unpacks."""
        return " ".join(moves)

    def notations(self) -> "tuple[Notation, ...]":
        """The ways in which other programs write a match of this game, `NOTATIONS` in `notation.py` of its room."""
        return self._room_member("notation", "NOTATIONS", ())

    # ── What a course and its students are given ──────────────────────────────────────────────────────────────────

    def code(self) -> "PlayerCode":
        """What a player's code looks like, for those who read it without running it: `CODE` in `player_code.py`."""
        from grader.games.player_code import PlayerCode

        return self._room_member("player_code", "CODE", PlayerCode())

    def exam(self) -> "Exam | None":
        """What `grader check` can ask a player about the rules, `EXAM` in `exam.py` of its room."""
        return self._room_member("exam", "EXAM", None)

    def assignment(self) -> str:
        """The assignment, as YAML, for a course that has none of its own: `assignment.yaml` in the room, or a plain one."""
        from grader.games.handout import default_assignment

        file = _room_file(type(self), "assignment.yaml")
        return default_assignment(self) if file is None else file.read_text(encoding="utf-8")

    def handout(self) -> "Handout | None":
        """What students are given to begin with, by `handout(game)` in `starter_kit.py`; None for a kit that fits any game."""
        make: Callable[[Game], Handout] | None = self._room_member("starter_kit", "handout", None)
        return None if make is None else make(self)

    def _room_member(self, module: str, name: str, default: T) -> T:
        """What a module in the room of this game, or of the one that it derives from, defines; else the default."""
        for kind in type(self).__mro__:
            if kind is not Game and issubclass(kind, Game) and _room_file(kind, f"{module}.py") is not None:
                room = kind.__module__.rpartition(".")[0]
                member: T = getattr(import_module(f"{room}.{module}"), name, default)
                return member
        return default

    # ── A game is a value ─────────────────────────────────────────────────────────────────────────────────────────

    def options(self) -> dict[str, Any]:
        """The options with their values."""
        return asdict(self)  # type: ignore[call-overload,no-any-return]  # every game is a dataclass

    def digest(self) -> str:
        """What the file of a course's own game is known by; empty for an installed game."""
        if self.source is None:
            return ""
        from grader.games.game_files import source_digest  # here: no player's process needs it

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
        """All that it takes to make the same game in another process, as JSON; `remake` reads it."""
        return {"name": self.name, "options": self.options(), "source": self.source, "file": self.file}


_DEEPEST, _LONGEST = 20, 200


def quote(value: object, limit: int = 60) -> str:
    """A value as an error message quotes it: short, and without an exception whatever it is."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  the value is a student's, or a number too large to be written
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _room_file(kind: type[Game], name: str) -> "Path | None":
    """A file or folder of that name in the room of a game, if there is one."""
    from pathlib import Path  # here: it would cost every player's start

    module = sys.modules[kind.__module__]
    if kind.source is not None or module.__package__ in (None, "", module.__name__) or not module.__file__:
        return None
    found = Path(module.__file__).with_name(name)
    return found if found.exists() else None


def option_error(game: str, problem: str) -> OptionError:
    """The error for an option of a game. An assignment file, where the place says whose it is, quotes only the problem."""
    return OptionError(say("{game}: {problem}", game=game, problem=problem))


def whole_number(value: object) -> int | None:
    """An integer by `__index__` (so numpy's too), or None for anything else, bools included."""
    number: Any = value
    try:
        return None if isinstance(value, bool) else operator.index(number)
    except Exception:  # noqa: BLE001  the value is a student's: whatever its methods do, it is no number then
        return None


def replay_positions(game: Game, moves: Sequence[str]) -> Iterator[Any]:
    """The positions of a match, from the start on. Raises `ValueError` at a move that cannot be played."""
    position = game.start()
    yield position
    for move in moves:
        position = game.apply(position, game.parse_move(move))
        yield position
