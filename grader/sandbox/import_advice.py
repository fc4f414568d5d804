"""What to do about an import that fails although the module exists: a name that it lacks, or a compiled file."""

import re
import sys
from collections.abc import Callable

from grader.language import say

_MISSING_NAME = re.compile(
    r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'(.*)", re.DOTALL
)
_MISSING_MEMBER = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_INSTALLED = re.compile(r"^ \((?:/|[A-Za-z]:\\)")
"""The end of a message about a module outside the submission, whose own files have relative paths."""
_WITHOUT_FILE = "(unknown location)"
"""The end of a message about a module without a file: of the course, or built into Python."""
_COMPILED = re.compile(r"GLIBC|libstdc\+\+|ELF|Mach-O|undefined symbol|PyInit_|DLL load failed|wrong architecture")
_REMOVED = re.compile(r"was removed in the NumPy|`np\.\w+` was a deprecated alias|removed in version")


def import_advice(text: str, of_course: Callable[[str, str], str | None]) -> str:
    """What to do about an `ImportError`, by its text. `of_course` is asked about modules without a file."""
    if is_about_compiled_code(text):
        return compiled_advice()
    missing = _MISSING_NAME.search(text)
    if missing and _WITHOUT_FILE in missing[3] and (advice := of_course(missing[2], missing[1])):
        return advice
    if missing and (_INSTALLED.match(missing[3]) or (_WITHOUT_FILE in missing[3] and _is_standard(missing[2]))):
        return _lacking_advice(missing[2], missing[1])
    return say("Check that the module defines this name, and that no import is circular.")


def member_advice(text: str) -> str | None:
    """What to do about an `AttributeError` for a name that an installed library lacks; None for any other."""
    if missing := _MISSING_MEMBER.search(text):
        top = missing[1].partition(".")[0]
        if _REMOVED.search(text) or _is_standard(top) or top in ("numpy", "scipy", "networkx", "pandas"):
            return _lacking_advice(missing[1], missing[2])
    return _library_advice() if _REMOVED.search(text) else None


def is_about_compiled_code(text: str) -> bool:
    """Whether an error says that a compiled file does not fit this machine."""
    return _COMPILED.search(text) is not None


def compiled_advice() -> str:
    """What to do about a compiled file that does not fit this machine."""
    return say(
        "A compiled file of the submission was built for another system and cannot be loaded here: submit Python code instead."
    )


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _lacking_advice(module: str, name: str) -> str:
    """What to do about a name that a library lacks in the version that is installed."""
    is_module = name in sys.stdlib_module_names
    if _is_standard(module):
        values = {"module": module, "name": repr(name), "version": "{}.{}".format(*sys.version_info)}
        if is_module:
            return say(
                "In Python {version}, {module} has no {name}: write `import {plain}` instead.", plain=name, **values
            )
        return say(
            "In Python {version}, {module} has no {name}. Check the spelling. If it works at home, it needs a newer or an older "
            "Python than this one.",
            **values,
        )
    if is_module:
        return say(
            "The installed version of {module} has no {name}, even if other versions do: write `import {plain}` instead.",
            module=module,
            name=repr(name),
            plain=name,
        )
    return say(
        "The installed version of {module} has no {name}. Check the spelling. If it works at home, a newer version may have "
        "removed it: see its documentation for the replacement.",
        module=module,
        name=repr(name),
    )


def _library_advice() -> str:
    return say("Newer versions of this library removed the name: use the replacement that the message suggests.")
