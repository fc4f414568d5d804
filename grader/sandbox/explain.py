"""A player's failure in words: what happened, in one sentence, and what to do about it, in another.

What is explained comes from the player's process and is cleaned before it is shown to anybody.
"""

import re
import signal
from collections.abc import Callable

from grader.records import Ending, Fault
from grader.sandbox.limits import TimeLimits
from grader.sandbox.wire import Message, clean

_PROCESS_HINTS = re.compile(
    r"fork|process|Popen|subprocess|semaphore|SemLock|multiprocessing|exec|spawn", re.IGNORECASE
)
_FILE_HINTS = re.compile(r"Errno (1|13|30|27)\b|Permission|Read-only|too large", re.IGNORECASE)
_MOST_KINDS = 20
_AT_HOME = "Run this line with the same position at home and mend what it does."
_THREADS = (
    "Where a late move is made at random, a player runs in a thread of its process, in which signals cannot be used: look at "
    "time.monotonic() in the search instead."
)
_LOAD_WORDS = "while it was being imported and built"


def raised(error: object, *, loading: bool) -> Fault:
    """An exception that a player's code raised."""
    told: Message = error if isinstance(error, dict) else {}
    kind = clean(told.get("type"), 100) or "an exception"
    kinds = [clean(name, 100) for name in _listed(told.get("kinds")) if isinstance(name, str)]
    text = clean(told.get("text"), 500)
    where = _where(told)
    place = f" in {where}" if where else ""
    when = f" {_LOAD_WORDS}" if loading else ""
    ending, help_ = _explained(kinds or [kind], text, clean(told.get("name"), 100), clean(told.get("trace")))
    return Fault(
        ending=Ending.LOAD_ERROR if loading else ending,
        text=f"The player raised {kind}{place}{when}: {text}" if text else f"The player raised {kind}{place}{when}.",
        help=help_,
        where=where,
        trace=clean(told.get("trace")),
    )


def _listed(value: object) -> list[object]:
    """A list that a player's process sent, not too long; nothing if it sent something else."""
    return value[:_MOST_KINDS] if isinstance(value, list) else []


def _where(told: Message) -> str | None:
    file, line = clean(told.get("file"), 200), told.get("line")
    return (f"{file}:{line}" if type(line) is int else file) if file else None


def _explained(kinds: list[str], text: str, name: str, trace: str) -> tuple[Ending, str]:
    for kind, explain in _EXPLANATIONS:
        if kind in kinds:
            return explain(text, name, trace)
    return Ending.CRASH, _AT_HOME


def _os_error(text: str, _name: str, trace: str) -> tuple[Ending, str]:
    if _PROCESS_HINTS.search(trace) or _PROCESS_HINTS.search(text):
        return (
            Ending.CRASH,
            "Processes and compilers are not granted to a player: do the work in Python, in this process.",
        )
    if _FILE_HINTS.search(text):
        return Ending.CRASH, (
            "A player may read the files of its own folder and write none; the network is closed to it."
        )
    return (
        Ending.CRASH,
        "Check that the file is in the submitted folder, and open it by a path relative to that folder.",
    )


def _attribute(text: str, _name: str, _trace: str) -> tuple[Ending, str]:
    owner = re.search(r"'(HexBoard|Environment|NoneType)' object has no attribute '(\w+)'", text)
    if owner and owner[1] == "NoneType":
        return (
            Ending.CRASH,
            f"Something that should have {owner[2]!r} is None here: find out which call returned nothing.",
        )
    if owner:
        return Ending.CRASH, f"The course's {owner[1]} has no {owner[2]!r}: use the members that the assignment lists."
    return Ending.CRASH, "Check the spelling, and that the attribute is set before it is used."


def _module(_text: str, name: str, _trace: str) -> tuple[Ending, str]:
    what = f"module {name!r}" if name else "module"
    return Ending.CRASH, (
        f"The {what} is neither in the submission nor installed where it is graded: ship the file, or do without the package."
    )


_EXPLANATIONS: list[tuple[str, Callable[[str, str, str], tuple[Ending, str]]]] = [
    ("SystemExit", lambda *_: (Ending.EXITED, "Remove the call that ends the program: a player returns its move instead.")),
    ("KeyboardInterrupt", lambda *_: (Ending.CRASH, "A player must not raise KeyboardInterrupt: return a move instead.")),
    ("MemoryError", lambda *_: (Ending.MEMORY, "Keep less in memory: bound the depth of the search or empty its tables.")),
    ("RecursionError", lambda *_: (Ending.CRASH, "The recursion has no end, or is too deep: check the case that ends it.")),
    ("ModuleNotFoundError", _module),
    ("ImportError", lambda *_: (Ending.CRASH, "Check that the name is defined in that module and that no import is circular.")),
    ("SyntaxError", lambda *_: (Ending.CRASH, "Python cannot read this line: open the file in an editor and mend it.")),
    ("NotImplementedError", lambda *_: (Ending.CRASH, "A method was left unimplemented: write what it should do.")),
    ("NameError", lambda *_: (Ending.CRASH, "The name is used but never defined or imported: import it, or check its spelling.")),
    ("AttributeError", _attribute),
    (
        "TypeError",
        lambda *_: (Ending.CRASH, "Check what this line is given: a wrong number of arguments, or None in place of a value?"),
    ),
    ("OSError", _os_error),
    ("ValueError", lambda text, *_: (Ending.CRASH, _THREADS if "main thread" in text else _AT_HOME)),
    ("EOFError", lambda *_: (Ending.CRASH, "Nobody can type anything for a player: do not call input().")),
]  # fmt: skip
"""The first kind that fits explains an exception: particular ones before general ones."""


def misfit(text: object) -> Fault:
    """The submission's class or function cannot be given what it asks for."""
    return Fault(
        ending=Ending.LOAD_ERROR,
        text=f"The player could not be built: {clean(text, 500)}.",
        help="Write the class as the assignment says: __init__(self, player_id) and play(self, board).",
    )


def timed_out(times: TimeLimits, *, loading: bool) -> Fault:
    """A player that was still busy when its time was over. How long it took is in the record, not in these words."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.TIMEOUT,
        text=f"The player was still busy when {_allowed(times, loading=loading)} were over.",
        help=(
            "Do less on import and in the constructor."
            if loading
            else "Look at the time inside the search and return the best move so far before the limit."
        ),
    )


def _allowed(times: TimeLimits, *, loading: bool) -> str:
    if loading:
        return f"its {times.load:g} s to load"
    return f"its {times.move:g} s for a move" if times.bank is None else f"its {times.bank:g} s for the game"


def unstoppable(times: TimeLimits) -> Fault:
    """A player whose late move could not be cut short."""
    return Fault(
        ending=Ending.TIMEOUT,
        text=f"The player was still busy when {_allowed(times, loading=False)} were over, and could not be stopped.",
        help="Look at the time inside the search, and do not catch every exception there: `except BaseException` hides the stop.",
    )


def gone(status: int | None, *, loading: bool) -> Fault:
    """A player whose process ended by itself."""
    if status is not None and status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = str(-status)
        text = f"The player's process was ended by the signal {name}"
        help_ = "Code outside Python (ctypes, a C library) or endless recursion can do this: remove what crashes the interpreter."
    else:
        text = "The player's process ended by itself"
        help_ = "Remove every call that ends the process (os._exit, sys.exit): a player returns its move instead."
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.EXITED,
        text=f"{text} {_LOAD_WORDS if loading else 'instead of returning a move'}.",
        help=help_,
    )


def bad_reply(what: str, *, loading: bool) -> Fault:
    """A player's process that wrote where only the grader's own side of it may."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.BAD_REPLY,
        text=f"The player's process sent {what} in place of a reply.",
        help="Write only to standard output and standard error, and return the move from play.",
    )


def too_many_threads(count: int, most: int, *, loading: bool) -> Fault:
    """A player that starts threads without end."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.MEMORY,
        text=f"The player had {count} threads; the limit is {most}.",
        help="Start a few threads once, and end them before the move is returned.",
    )


def tampered(what: str) -> Fault:
    """A player that changed how its process is scheduled, to hide its time from the clock."""
    return Fault(
        ending=Ending.BAD_REPLY,
        text=f"The player changed {what} of its process.",
        help="Leave the priority, the scheduling policy and the cores of the process as they are.",
    )
