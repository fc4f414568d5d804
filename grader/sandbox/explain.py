"""A player's failure in words: what happened, in one sentence, and what to do about it, in another.

What is explained comes from the player's process and is cleaned before it is shown to anybody.
"""

import re
import signal
from collections.abc import Callable
from dataclasses import replace

from grader.language import say
from grader.records import Ending, Fault
from grader.sandbox.limits import TimeLimits
from grader.sandbox.protocol import Message, clean

_PROCESS_HINTS = re.compile(
    r"fork|process|Popen|subprocess|semaphore|SemLock|multiprocessing|exec|spawn", re.IGNORECASE
)
_FILE_HINTS = re.compile(r"Errno (1|13|30|27)\b|Permission|Read-only|too large", re.IGNORECASE)
_MEMBER = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_MOST_KINDS = 20
_AT_HOME = say("Run this line with the same position at home and mend what it does.")
_THREADS = say(
    "Where a late move is made at random, a player runs in a thread of its process, in which signals cannot be used: look at "
    "time.monotonic() in the search instead."
)


Advice = Callable[[str, str], str | None]
"""What to do if an object of this class has no such member; None if it is not a class of the course."""


def raised(error: object, advice: Advice = lambda *_: None, *, loading: bool) -> Fault:
    """An exception that a player's code raised."""
    told: Message = error if isinstance(error, dict) else {}
    kind = clean(told.get("type"), 100)
    kinds = [clean(name, 100) for name in _listed(told.get("kinds")) if isinstance(name, str)]
    text = clean(told.get("text"), 500)
    where = _where(told)
    ending, help_ = _explained(kinds or [kind], text, clean(told.get("name"), 100), clean(told.get("trace")))
    if "AttributeError" in kinds and (member := _MEMBER.search(text)):
        help_ = advice(member[1], member[2]) or help_
    return Fault(
        ending=Ending.LOAD_ERROR if loading else ending,
        text=_raised(kind or say("an exception"), where, text, loading=loading),
        help=help_,
        where=where,
        trace=clean(told.get("trace")),
    )


def _raised(kind: str, where: str | None, text: str, *, loading: bool) -> str:
    what = say("{kind} in {where}", kind=kind, where=where) if where else kind
    if loading and text:
        return say("The player raised {what} while it was being imported and built: {text}", what=what, text=text)
    if loading:
        return say("The player raised {what} while it was being imported and built.", what=what)
    return (
        say("The player raised {what}: {text}", what=what, text=text)
        if text
        else say("The player raised {what}.", what=what)
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
            say("Processes and compilers are not granted to a player: do the work in Python, in this process."),
        )
    if _FILE_HINTS.search(text):
        return Ending.CRASH, say(
            "A player may read the files of its own folder and write none; the network is closed to it."
        )
    return (
        Ending.CRASH,
        say("Check that the file is in the submitted folder, and open it by a path relative to that folder."),
    )


def _attribute(text: str, _name: str, _trace: str) -> tuple[Ending, str]:
    owner = _MEMBER.search(text)
    if owner and owner[1] == "NoneType":
        return (
            Ending.CRASH,
            say("A value is None here and has no {name}: find out which call returned nothing.", name=repr(owner[2])),
        )
    return Ending.CRASH, say("Check the spelling, and that the attribute is set before it is used.")


def _module(_text: str, name: str, _trace: str) -> tuple[Ending, str]:
    if not name:
        return Ending.CRASH, say(
            "The module is neither in the submission nor installed where it is graded: ship the file, or do without the "
            "package."
        )
    return Ending.CRASH, say(
        "The module {name} is neither in the submission nor installed where it is graded: ship the file, or do without the "
        "package.",
        name=repr(name),
    )


def _name(_text: str, name: str, _trace: str) -> tuple[Ending, str]:
    if name == "get_ipython":
        return Ending.CRASH, say(
            "This line comes from a notebook, and works only there: take out get_ipython() and whatever begins with % or !."
        )
    return Ending.CRASH, say("The name is used but never defined or imported: import it, or check its spelling.")


_GAME_FAILED = say(
    "The course's game failed while your player was using it. If your player gave it a legal move in a legal position, tell "
    "your instructor."
)
_EXPLANATIONS: list[tuple[str, Callable[[str, str, str], tuple[Ending, str]]]] = [
    ("SystemExit", lambda *_: (Ending.EXITED, say("Remove the call that ends the program: a player returns its move instead."))),
    ("KeyboardInterrupt", lambda *_: (Ending.CRASH, say("A player must not raise KeyboardInterrupt: return a move instead."))),
    ("MemoryError", lambda *_: (Ending.MEMORY, say("Keep less in memory: bound the depth of the search or empty its tables."))),
    ("RecursionError", lambda *_: (Ending.CRASH, say("The recursion has no end, or is too deep: check the case that ends it."))),
    ("ModuleNotFoundError", _module),
    ("ImportError", lambda *_: (Ending.CRASH, say("Check that the name is defined in that module and that no import is circular."))),
    ("SyntaxError", lambda *_: (Ending.CRASH, say("Python cannot read this line: open the file in an editor and mend it."))),
    ("GameFileError", lambda *_: (Ending.CRASH, _GAME_FAILED)),
    ("GameError", lambda *_: (Ending.CRASH, _GAME_FAILED)),  # in an earlier hand-out
    ("NotImplementedError", lambda *_: (Ending.CRASH, say("A method was left unimplemented: write what it should do."))),
    ("NameError", _name),
    ("AttributeError", _attribute),
    (
        "TypeError",
        lambda *_: (Ending.CRASH, say("Check what this line is given: a wrong number of arguments, or None in place of a value?")),
    ),
    ("OSError", _os_error),
    ("ValueError", lambda text, *_: (Ending.CRASH, _THREADS if "main thread" in text else _AT_HOME)),
    ("EOFError", lambda *_: (Ending.CRASH, say("Nobody can type anything for a player: do not call input()."))),
]  # fmt: skip
"""The first kind that fits explains an exception: particular ones before general ones."""


def misfit(told: object) -> Fault:
    """The submission's class or function cannot be given what it asks for."""
    given: Message = told if isinstance(told, dict) else {}
    values = {name: clean(given.get(name), 200) for name in ("file", "name", "kind", "parameter", "game")}
    kind = given.get("misfit")
    why = _MISFITS[kind](values) if isinstance(kind, str) and kind in _MISFITS else say("it does not fit")
    return Fault(
        ending=Ending.LOAD_ERROR,
        text=say("The player could not be built: {why}.", why=why),
        help=say("Write the class as the assignment says: __init__(self, player_id) and play(self, board)."),
    )


_MISFITS: dict[str, Callable[[dict[str, str]], str]] = {
    "no_python": lambda told: say("{file} cannot be imported as Python", **told),
    "no_such_name": lambda told: say("{file} has no {name} once it is imported", **told),
    "no_class": lambda told: say("{name} is no class, but {kind}", **told),
    "no_board": lambda told: say("{name} takes no board: write play(self, board)", **told),
    "function": lambda told: say(
        "a function play(game, player) cannot play {game}: write a class with play(self, board)", **told
    ),
    "requires": lambda told: say("{name} requires {parameter}, which the course does not give", **told),
}
"""What `adapter.Misfit` can be. The player's process tells only which, and what fills the gaps."""


def timed_out(times: TimeLimits, *, loading: bool) -> Fault:
    """A player that was still busy when its time was over. How long it took is in the record, not in these words."""
    if loading:
        help_ = say("Do less on import and in the constructor.")
    else:
        help_ = say("Look at the time inside the search and return the best move so far before the limit.")
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.TIMEOUT,
        text=say("The player was still busy when {time} were over.", time=_allowed(times, loading=loading)),
        help=help_,
    )


def _allowed(times: TimeLimits, *, loading: bool) -> str:
    if loading:
        return say("its {seconds:g} s to load", seconds=times.load)
    if times.bank is None:
        return say("its {seconds:g} s for a move", seconds=times.move)
    return say("its {seconds:g} s for the game", seconds=times.bank)


def not_again(late: Fault, fault: Fault) -> Fault:
    """A player that had to be ended for a late move, and could not be built a second time."""
    told = say("{text} It was started again, and failed: {fault}", text=late.text, fault=fault.text)
    return replace(late, text=told, where=fault.where, trace=fault.trace)


def gone(status: int | None, *, loading: bool) -> Fault:
    """A player whose process ended by itself."""
    if status is not None and status < 0:
        text = _signalled(-status, loading=loading)
        help_ = say(
            "Code outside Python (ctypes, a C library) or endless recursion can do this: remove what crashes the "
            "interpreter."
        )
    else:
        text = say("The player's process ended by itself instead of returning a move.")
        if loading:
            text = say("The player's process ended by itself while it was being imported and built.")
        help_ = say("Remove every call that ends the process (os._exit, sys.exit): a player returns its move instead.")
    return Fault(ending=Ending.LOAD_ERROR if loading else Ending.EXITED, text=text, help=help_)


def _signalled(number: int, *, loading: bool) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = str(number)
    if loading:
        return say(
            "The player's process was ended by the signal {name} while it was being imported and built.", name=name
        )
    return say("The player's process was ended by the signal {name} instead of returning a move.", name=name)


def bad_reply(what: str, *, loading: bool) -> Fault:
    """A player's process that wrote where only the grader's own side of it may."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.BAD_REPLY,
        text=say("The player's process sent {what} in place of a reply.", what=what),
        help=say("Write only to standard output and standard error, and return the move from play."),
    )


def too_many_threads(count: int, most: int, *, loading: bool) -> Fault:
    """A player that starts threads without end."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.MEMORY,
        text=say("The player had {count} threads; the limit is {most}.", count=count, most=most),
        help=say("Start a few threads once, and end them before the move is returned."),
    )


def tampered(what: str) -> Fault:
    """A player that changed how its process is scheduled, to hide its time from the clock."""
    return Fault(
        ending=Ending.BAD_REPLY,
        text=say("The player changed {what} of its process.", what=what),
        help=say("Leave the priority, the scheduling policy and the cores of the process as they are."),
    )
