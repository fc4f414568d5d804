"""Turn a player's failure into a `Fault` with two sentences: what happened, and what to do about it.

The details come from the player's process and are cleaned before they are shown.
"""

import re
import signal
from collections.abc import Callable
from dataclasses import replace

from grader.language import say
from grader.records import Ending, Fault
from grader.sandbox.import_advice import compiled_advice, import_advice, is_about_compiled_code, member_advice
from grader.sandbox.limits import TimeLimits
from grader.sandbox.protocol import Packet, clean

_PROCESS_HINTS = re.compile(
    r"fork|process|Popen|subprocess|semaphore|SemLock|multiprocessing|exec|spawn", re.IGNORECASE
)
_FILE_HINTS = re.compile(r"Errno (1|13|30|27)\b|Permission|Read-only|too large", re.IGNORECASE)
MISSING_MEMBER = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
"""Python's words for a member that an object lacks: its class and the member."""
_MOST_KINDS = 20
_AT_HOME = say("Reproduce this on your own machine, then fix this line.")
_THREADS = say(
    "Signals only work in the main thread, and the player may run in another: check time.monotonic() in the search instead."
)


Advice = Callable[[str, str], str | None]
"""(class or module, member) → what to do if it lacks the member; None if it is not one of the course."""


def exception_fault(
    error: object, advice: Advice = lambda *_: None, module_advice: Advice = lambda *_: None, *, loading: bool
) -> Fault:
    """The fault of a player whose code raised an exception, with the advice about the course's classes and modules."""
    report: Packet = error if isinstance(error, dict) else {}
    kind = clean(report.get("type"), 100)
    kinds = [clean(name, 100) for name in _as_list(report.get("kinds")) if isinstance(name, str)]
    text = clean(report.get("text"), 500)
    where, trace = _location(report), clean(report.get("trace"))
    ending, help_ = _explain_exception(kinds or [kind], text, clean(report.get("name"), 100), trace)
    if "AttributeError" in kinds and (member := MISSING_MEMBER.search(text)):
        help_ = advice(member[1], member[2]) or help_
    if "ImportError" in kinds and "ModuleNotFoundError" not in kinds:
        help_ = import_advice(text, module_advice)
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
        return say("While loading, the player raised {what}: {text}", what=what, text=text)
    if loading:
        return say("While loading, the player raised {what}.", what=what)
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
    if "temporary directory" in text:  # of the module tempfile, e.g. to compile something there
        return say(
            "Players cannot write files, not even temporary ones, or start programs: do the work in Python, in memory."
        )
    if is_about_compiled_code(text):
        return compiled_advice()
    if _PROCESS_HINTS.search(trace) or _PROCESS_HINTS.search(text):
        return say("Players cannot start processes or compilers: do the work in Python, in this process.")
    if _FILE_HINTS.search(text):
        return say("Players can read the files in their own folder, but cannot write files or use the network.")
    return say("Make sure the file is in the submitted folder, and open it with a path relative to that folder.")


def _attribute_advice(text: str, _name: str, _trace: str) -> str:
    owner = MISSING_MEMBER.search(text)
    if owner and owner[1] == "NoneType":
        return say("A value is None here and has no {name}: find out which call returned None.", name=repr(owner[2]))
    return member_advice(text) or say("Check the spelling, and make sure the attribute is set before it is used.")


def _module_advice(_text: str, name: str, _trace: str) -> str:
    if not name:
        return say(
            "The module is neither part of the submission nor installed: include the file, or do not use the package."
        )
    return say(
        "The module {name} is neither part of the submission nor installed: include the file, or do not use the package.",
        name=repr(name),
    )


def _name_advice(_text: str, name: str, _trace: str) -> str:
    if name == "get_ipython":
        return say(
            "This line comes from a notebook and only works there: remove get_ipython() and lines that start with % or !."
        )
    return say("The name is used but never defined or imported: import it, or check its spelling.")


_GAME_FAILED = say(
    "The course's own game code failed while the player was using it. If the player made a legal move in a legal position, "
    "tell the instructor."
)
_ADVICE: list[tuple[str, str | Callable[[str, str, str], str]]] = [
    ("SystemExit", say("Remove the call that ends the program, and return a move instead.")),
    ("KeyboardInterrupt", say("Do not raise KeyboardInterrupt: return a move instead.")),
    ("MemoryError", say("Use less memory: limit the depth of the search, or clear its tables.")),
    ("RecursionError", say("The recursion never ends or is too deep: check its base case.")),
    ("ModuleNotFoundError", _module_advice),
    ("SyntaxError", say("Fix this line.")),
    ("GameFileError", _GAME_FAILED),
    ("GameError", _GAME_FAILED),  # in an earlier handout
    ("NotImplementedError", say("A method is not implemented yet: write it.")),
    ("NameError", _name_advice),
    ("AttributeError", _attribute_advice),
    ("TypeError", say("Check the values in this line: is the number of arguments wrong, or is one of them None?")),
    ("OSError", _os_error_advice),
    ("ValueError", lambda text, *_: _THREADS if "main thread" in text else _AT_HOME),
    ("EOFError", say("Do not call input(): nobody can type during a game.")),
]
"""What to do about an exception: the first kind that matches counts, so specific ones come before general ones."""
_ENDINGS = {"SystemExit": Ending.EXITED, "MemoryError": Ending.MEMORY}
"""The exceptions that are more than a crash."""


def misfit_fault(details: object) -> Fault:
    """The fault of a submission whose class or function cannot be called as a player."""
    given: Packet = details if isinstance(details, dict) else {}
    values = {name: clean(given.get(name), 200) for name in ("file", "name", "kind", "parameter", "game")}
    kind = given.get("misfit")
    why = _MISFITS[kind](values) if isinstance(kind, str) and kind in _MISFITS else say("it cannot be called")
    return Fault(
        ending=Ending.LOAD_ERROR,
        text=say("The player could not be created: {why}.", why=why),
        help=say("Write a class with __init__(self, player_id) and play(self, board)."),
    )


_MISFITS: dict[str, Callable[[dict[str, str]], str]] = {
    "no_python": lambda values: say("{file} cannot be imported", **values),
    "no_such_name": lambda values: say("{file} does not define {name}", **values),
    "no_class": lambda values: say("{name} is not a class (its type is {kind})", **values),
    "no_board": lambda values: say("{name} has no parameter for the board", **values),
    "function": lambda values: say(
        "{game} cannot be played by a function play(game, player), only by a class", **values
    ),
    "requires": lambda values: say("{name} requires {parameter}, which the grader does not pass", **values),
}
"""The message for each kind of `adapter.Misfit`. The player's process sends only the kind and the values."""


def timeout_fault(times: TimeLimits, *, loading: bool) -> Fault:
    """The fault of a player that exceeded its time limit.

    How long it took, and the limit in force on that machine, are in the record and not in the text, which is the same for all
    games that were lost for this reason.
    """
    limit = times.load if loading else times.move if times.bank is None else times.bank
    if loading:
        text = _with_reference_speed(say("Loading took longer than the {seconds:g} s limit.", seconds=limit), times)
        return Fault(ending=Ending.LOAD_ERROR, text=text, help=say("Do less work on import and in the constructor."))
    text = say("The player exceeded the limit of {seconds:g} s per move.", seconds=limit)
    if times.bank is not None:
        text = say("The player used up its {seconds:g} s for the game.", seconds=limit)
    text = _with_reference_speed(text, times)
    help_ = say("Check the time during the search, and return the best move so far before the limit.")
    return Fault(ending=Ending.TIMEOUT, text=text, help=help_)


def _with_reference_speed(text: str, times: TimeLimits) -> str:
    if times.reference_speed is None:
        return text
    return say(
        "{text} This limit is for a machine of speed {reference:g}; it was scaled to the speed of the machine that was used.",
        text=text,
        reference=times.reference_speed,
    )


def restart_fault(late: Fault, fault: Fault) -> Fault:
    """The fault of a player that was ended for a late move and could not be restarted."""
    text = say("{text} It was restarted and failed: {fault}", text=late.text, fault=fault.text)
    return replace(late, text=text, where=fault.where, trace=fault.trace)


def exit_fault(status: int | None, *, loading: bool) -> Fault:
    """The fault of a player whose process ended by itself."""
    if status is not None and status < 0:
        text = _signal_text(-status, loading=loading)
        help_ = say(
            "Native code (ctypes, a C library) or endless recursion can cause this: remove what crashes the interpreter."
        )
    else:
        text = say("The player ended its own process instead of returning a move.")
        if loading:
            text = say("The player ended its own process while loading.")
        help_ = say("Remove every call that ends the process (os._exit, sys.exit), and return a move instead.")
    return Fault(ending=Ending.LOAD_ERROR if loading else Ending.EXITED, text=text, help=help_)


def _signal_text(number: int, *, loading: bool) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = str(number)
    if loading:
        return say("The player's process was killed by the signal {name} while loading.", name=name)
    return say("The player's process was killed by the signal {name} instead of returning a move.", name=name)


def bad_reply_fault(what: str, *, loading: bool) -> Fault:
    """The fault of a player whose process sent something other than a valid reply."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.BAD_REPLY,
        text=say("The player's process sent {what} instead of a valid reply.", what=what),
        help=say("Write only to standard output and standard error, and return the move from play()."),
    )


def thread_fault(count: int, most: int, *, loading: bool) -> Fault:
    """The fault of a player with too many threads."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.MEMORY,
        text=say("The player had {count} threads; the limit is {most}.", count=count, most=most),
        help=say("Start only a few threads, and end them before returning the move."),
    )


def memory_fault(most_mb: int, *, loading: bool) -> Fault:
    """The fault of a player that was killed because it and what the kernel kept for it took too much memory."""
    return Fault(
        ending=Ending.LOAD_ERROR if loading else Ending.MEMORY,
        text=say(
            "The player's process was killed because it used more memory than the limit of {most} MB.", most=most_mb
        ),
        help=say("Use less memory: limit the depth of the search, or clear its tables."),
    )


def scheduling_fault() -> Fault:
    """The fault of a player that changed how its process is scheduled, which could hide time from the clock."""
    return Fault(
        ending=Ending.BAD_REPLY,
        text=say("The player changed how its process is scheduled."),
        help=say("Do not change the priority, the scheduling policy or the cores of the process."),
    )
