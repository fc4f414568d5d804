"""Make names from students and platforms safe: ids, names to show, and names of staged files."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

MAX_ID = 64
MAX_PRINTED = 200
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
"""Names that no file can have on Windows, whatever its suffix."""
_PLAIN_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "ł": "l", "Ł": "L", "đ": "d"})


def safe_id(raw: str) -> str:
    """An id of ASCII letters, digits and `-_.` that resembles the text and is always the same for it."""
    letters = unicodedata.normalize("NFKD", readable_name(raw).translate(_PLAIN_LETTERS))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    safe = re.sub(r"[^A-Za-z0-9._-]+", "_", plain)
    # A dot at the start would hide the file, a dash would look like an option, and Windows drops a dot at the end.
    safe = safe.lstrip("._-").rstrip("._-")
    if not re.search(r"[A-Za-z0-9]", safe):
        return f"id-{fingerprint(raw)}"
    safe = f"id-{safe}" if _RESERVED.fullmatch(safe) else safe
    return safe if len(safe) <= MAX_ID else f"{safe[: MAX_ID - 9]}-{fingerprint(raw)}"


def unique_ids(wanted: Sequence[tuple[str, str]]) -> list[str]:
    """A unique id for each pair of a wanted id and a text that distinguishes equal ids.

    A submission whose wanted id is valid as it is keeps it, even if others become the same. Ids that differ only in case
    count as equal, because on some systems their files would be the same.
    """
    order = sorted(range(len(wanted)), key=lambda at: (safe_id(wanted[at][0]) != wanted[at][0], wanted[at], at))
    ids = [""] * len(wanted)
    taken: set[str] = set()
    for at in order:
        raw, mark = wanted[at]
        base = ids[at] = safe_id(raw)
        number = 1
        while ids[at].casefold() in taken:
            ids[at] = f"{base}-{fingerprint(f'{raw} {mark} {number}')}"
            number += 1
        taken.add(ids[at].casefold())
    return ids


def fingerprint(text: str) -> str:
    """Eight characters of a hash of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def printable(raw: str) -> str:
    """A name to show, without characters that control a terminal or reverse the text."""
    text = "".join(" " if _is_control(letter) else letter for letter in readable_name(raw))
    return " ".join(text.split())[:MAX_PRINTED]


def readable_name(name: str) -> str:
    """A file's name as valid Unicode in NFC, the form of Python's identifiers."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:  # the folder listing had bytes that are not UTF-8
        escaped = all("\udc80" <= letter <= "\udcff" for letter in name if "\ud800" <= letter <= "\udfff")
        name = name.encode("utf-8", "surrogateescape" if escaped else "replace").decode(
            "latin-1" if escaped else "utf-8"
        )
    return unicodedata.normalize("NFC", name)


def staged_name(name: str) -> str:
    """The name of a file or folder in the staged copy."""
    return "".join("_" if letter in "/\\" or _is_control(letter) else letter for letter in readable_name(name))


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def name_with_id(name: str, id_: str) -> str:
    """`Ana Pérez (ana)`, or only the id if there is no other name."""
    return id_ if name in ("", id_) else f"{name} ({id_})"


def distinct_names(people: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The name of each person by id, given ids and names; the id is added only to names that several have."""
    named = {id_: name or id_ for id_, name in people}
    counts = Counter(map(str.casefold, named.values()))
    return {id_: name if counts[name.casefold()] == 1 else name_with_id(name, id_) for id_, name in named.items()}
