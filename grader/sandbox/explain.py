"""Turn a player's failure into a `Fault` with two sentences: what happened, and what to do about it.

The details come from the player's process and are cleaned before they are shown.
"""

import re
import signal
from collections.abc import Callable
from dataclasses import replace

from grader.language import say
from grader.records import Ending, Fault
from grader.sandbox.limits import TimeLimits
from grader.sandbox.protocol import Packet, clean

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
"""(class, member) → what to do if an object of this class lacks the member; None if it is not a class of the course."""


def exception_fault(error: object, advice: Advice = lambda *_: None, *, loading: bool) -> Fault:
    """The fault of a player whose code raised an exception."""
    report: Packet = error if isinstance(error, dict) else {}
    kind = clean(report.get("type"), 100)
    kinds = [clean(name, 100) for name in _as_list(report.get("kinds")) if isinstance(name, str)]
    text = clean(report.get("text"), 500)
    where, trace = _location(report), clean(report.get("trace"))
    ending, help_ = _explain_exception(kinds or [kind], text, clean(report.get("name"), 100), trace)
    if "AttributeError" in kinds and (member := _MEMBER.search(text)):
        help_ = advice(member[1], member[2]) or help_
    return Fault(
        ending=Ending.LOAD_ERROR if loading else ending,
        text=_exception_text(kind or say("an exception"), where, text, loading=loading),
        help=help_,
        where=where,
        trace=trace,
    )


def _exception_text(kind: str, where: str | None, text: str, *, loading: bool) -> str:
    what = say("{kind} in {where}", kind=kind, where=where) if where else kind
    if loading and text:
        return say("The player raised {what} while it was being imported and built: {text}", what=what, text=text)
    if loading:
        return say("The player raised {what} while it was being imported and built.", what=what)
    if text:
        return say("The player raised {what}: {text}", what=what, text=text)
    return say("The player raised {what}.", what=what)


def _as_list(value: object) -> list[object]:
    """A list that a player's process sent, cut to a maximum length; empty if it sent something else."""
    return value[:_MOST_KINDS] if isinstance(value, list) else []


def _location(report: Packet) -> str | None:
    file, line = clean(report.get("file"), 200), report.get("line")
    return (f"{file}:{line}" if type(line) is int else file) if file else None


def _explain_exception(kinds: list[str], text: str, name: str, trace: str) -> tuple[Ending, str]:
    kind, advice = next(((kind, advice) for kind, advice in _ADVICE if kind in kinds), ("", _AT_HOME))
    return _ENDINGS.get(kind, Ending.CRASH), advice if isinstance(advice, str) else advice(text, name, trace)


def _os_error_advice(text: str, _name: str, trace: str) -> str:
    if _PROCESS_HINTS.search(trace) or _PROCESS_HINTS.search(text):
        return say("Processes and compilers are not granted to a player: do the work in Python, in this process.")
    if _FILE_HINTS.search(text):
        return say("A player may read the files of its own folder and write none; the network is closed to it.")
    return say("Check that the file is in the submitted folder, and open it by a path relative to that folder.")


def _attribute_advice(text: str, _name: str, _trace: str) -> str:
    owner = _MEMBER.search(text)
    if owner and owner[1] == "NoneType":
        return say("A value is None here and has no {name}: find out which call returned nothing.", name=repr(owner[2]))
    return say("Check the spelling, and that the attribute is set before it is used.")


def _module_advice(_text: str, name: str, _trace: str) -> str:
    if not name:
        return say(
            "The module is neither in the submission nor installed where it is graded: ship the file, or do without the "
            "package."
        )
    return say(
        "The module {name} is neither in the submission nor installed where it is graded: ship the file, or do without the "
        "package.",
        name=repr(name),
    )


def _name_advice(_text: str, name: str, _trace: str) -> str:
    if name == "get_ipython":
        return say(
            "This line comes from a notebook, and works only there: take out get_ipython() and whatever begins with % or !."
        )
    return say("The name is used but never defined or imported: import it, or check its spelling.")


_GAME_FAILED = say(
    "The course's game failed while your player was using it. If your player gave it a legal move in a legal position, tell "
    "your instructor."
)
_ADVICE: list[tuple[str, str | Callable[[str, str, str], str]]] = [
    ("SystemExit", say("Remove the call that ends the program: a player returns its move instead.")),
    ("KeyboardInterrupt", say("A player must not raise KeyboardInterrupt: return a move instead.")),
    ("MemoryError", say("Keep less in memory: bound the depth of the search or empty its tables.")),
    ("RecursionError", say("The recursion has no end, or is too deep: check the case that ends it.")),
    ("ModuleNotFoundError", _module_advice),
    ("ImportError", say("Check that the name is defined in that module and that no import is circular.")),
    ("SyntaxError", say("Python cannot read this line: open the file in an editor and mend it.")),
    ("GameFileError", _GAME_FAILED),
    ("GameError", _GAME_FAILED),  # in an earlier hand-out
    ("NotImplementedError", say("A method was left unimplemented: write what it should do.")),
    ("NameError", _name_advice),
    ("AttributeError", _attribute_advice),
    ("TypeError", say("Check what this line is given: a wrong number of arguments, or None in place of a value?")),
    ("OSError", _os_error_advice),
    ("ValueError", lambda text, *_: _THREADS if "main thread" in text else _AT_HOME),
    ("EOFError", say("Nobody can type anything for a player: do not call input().")),
]
"""What to do about an exception: the first kind that matches counts, so specific ones come before general ones."""
_ENDINGS = {"SystemExit": Ending.EXITED, "MemoryError": Ending.MEMORY}
"""The exceptions that are more than a crash."""


def misfit_fault(details: object) -> Fault:
    """The fault of a submission whose class or function cannot be called as a player."""
    given: Packet = details if isinstance(details, dict) else {}
    values = {name: clean(given.get(name), 200) for name in ("file", "name", "kind", "parameter", "game")}
    kind = given.get("misfit")
    why = _MISFITS[kind](values) if isinstance(kind, str) and kind in _MISFITS else say("it does not fit")
    return Fault(
        ending=Ending.LOAD_ERROR,
        text=say("The player could not be built: {why}.", why=why),
        help=say("Write the class as the assignment says: __init__(self, player_id) and play(self, board)."),
    )


_MISFITS: dict[str, Callable[[dict[str, str]], str]] = {
    "no_python": lambda values: say("{file} cannot be imported as Python", **values),
    "no_such_name": lambda values: say("{file} has no {name} once it is imported", **values),
    "no_class": lambda values: say("{name} is no class, but {kind}", **values),
    "no_board": lambda values: say("{name} takes no board: write play(self, board)", **values),
    "function": lambda values: say(
        "a function play(game, player) cannot play {game}: write a class with play(self, board)", **values
    ),
    "requires": lambda values: say("{name} requires {parameter}, which the course does not give", **values),
}
"""The message for each kind of `adapter.Misfit`. The player's process sends only the kind and the values."""


def timeout_fault(times: TimeLimits, *, loading: bool) -> Fault:
    """The fault of a player that exceeded its time limit. How long it took is in the record, not in the text."""
    if loading:
        help_ = say("Do less on import and in the constructor.")
    else:
        help_ = say("Look at the time inside the search and return the best move so far before the limit.")
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.TIMEOUT,
        text=say("The player was still busy when {time} were over.", time=_time_allowance(times, loading=loading)),
        help=help_,
    )


def _time_allowance(times: TimeLimits, *, loading: bool) -> str:
    if loading:
        return say("its {seconds:g} s to load", seconds=times.load)
    if times.bank is None:
        return say("its {seconds:g} s for a move", seconds=times.move)
    return say("its {seconds:g} s for the game", seconds=times.bank)


def restart_fault(late: Fault, fault: Fault) -> Fault:
    """The fault of a player that was ended for a late move and could not be restarted."""
    text = say("{text} It was started again, and failed: {fault}", text=late.text, fault=fault.text)
    return replace(late, text=text, where=fault.where, trace=fault.trace)


def exit_fault(status: int | None, *, loading: bool) -> Fault:
    """The fault of a player whose process ended by itself."""
    if status is not None and status < 0:
        text = _signal_text(-status, loading=loading)
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


def _signal_text(number: int, *, loading: bool) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = str(number)
    if loading:
        return say(
            "The player's process was ended by the signal {name} while it was being imported and built.", name=name
        )
    return say("The player's process was ended by the signal {name} instead of returning a move.", name=name)


def bad_reply_fault(what: str, *, loading: bool) -> Fault:
    """The fault of a player whose process sent something other than a valid reply."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.BAD_REPLY,
        text=say("The player's process sent {what} in place of a reply.", what=what),
        help=say("Write only to standard output and standard error, and return the move from play."),
    )


def thread_fault(count: int, most: int, *, loading: bool) -> Fault:
    """The fault of a player with too many threads."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.MEMORY,
        text=say("The player had {count} threads; the limit is {most}.", count=count, most=most),
        help=say("Start a few threads once, and end them before the move is returned."),
    )


def scheduling_fault(what: str) -> Fault:
    """The fault of a player that changed how its process is scheduled, to hide time from the clock."""
    return Fault(
        ending=Ending.BAD_REPLY,
        text=say("The player changed {what} of its process.", what=what),
        help=say("Leave the priority, the scheduling policy and the cores of the process as they are."),
    )
