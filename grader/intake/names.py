"""Names that strangers chose, made safe: ids for files and folders, names to show, and names of staged files."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence

MAX_ID = 64
MAX_PRINTED = 200
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
"""No file can have such a name on Windows, whatever its suffix."""
_PLAIN_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "ł": "l", "Ł": "L", "đ": "d"})


def safe_id(raw: str) -> str:
    """An id of ASCII letters, digits and `-_.` that looks like the text and is always the same for it."""
    letters = unicodedata.normalize("NFKD", readable_name(raw).translate(_PLAIN_LETTERS))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    kept = re.sub(r"[^A-Za-z0-9._-]+", "_", plain)
    # A dot or a dash in front would hide the file or look like an option; Windows drops a dot at the end.
    kept = kept.lstrip("._-").rstrip("._-")
    if not re.search(r"[A-Za-z0-9]", kept):
        return f"id-{fingerprint(raw)}"
    kept = f"id-{kept}" if _RESERVED.fullmatch(kept) else kept
    return kept if len(kept) <= MAX_ID else f"{kept[: MAX_ID - 9]}-{fingerprint(raw)}"


def unique_ids(wanted: Sequence[tuple[str, str]]) -> list[str]:
    """An id for each pair of a wanted id and what tells it apart from others that want the same.

    Who wants exactly the id that comes out keeps it; so nobody loses an id to a look-alike. Ids that differ only in
    case count as one, because on some machines their files would be.
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
    """Eight characters that stand for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def printable(raw: str) -> str:
    """A name to show: what it says, without characters that steer a terminal or turn the text around."""
    text = "".join(" " if _is_control(letter) else letter for letter in readable_name(raw))
    return " ".join(text.split())[:MAX_PRINTED]


def readable_name(name: str) -> str:
    """A file's name as text that every encoding of Unicode can hold, composed as Python composes identifiers."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:  # bytes that were no UTF-8 when the folder was listed
        escaped = all("\udc80" <= letter <= "\udcff" for letter in name if "\ud800" <= letter <= "\udfff")
        name = name.encode("utf-8", "surrogateescape" if escaped else "replace").decode(
            "latin-1" if escaped else "utf-8"
        )
    return unicodedata.normalize("NFC", name)


def staged_name(name: str) -> str:
    """The name of a file or folder, in the staged copy."""
    return "".join("_" if letter in "/\\" or _is_control(letter) else letter for letter in readable_name(name))


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
