"""The protocol between the grader and a player's process: one JSON object per line, over private pipes.

The grader sends one order and takes exactly one reply, which must contain the order's own random word. Nothing that
comes from a player is trusted: sizes are limited, types are checked, and anything else is a `ProtocolError`.
"""

import json
import os
import re
from typing import Any

from grader.language import say

MAX_REPLY = 64 * 1024
"""The maximum size of a reply, in bytes. The longest genuine one is a traceback."""
MAX_TEXT = 4000
"""The maximum number of characters of a text in a reply."""

SCRATCH = "grader-scratch-"
"""The prefix of the names of temporary folders with a player's files."""
Packet = dict[str, Any]
"""An order of the grader, or a reply of a player's process."""
_write = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class ProtocolError(Exception):
    """The other side sent something that is not a valid message."""

    @property
    def what(self) -> str:
        """What it sent."""
        what: str = self.args[0]
        return what


def encode(message: Packet) -> bytes:
    """A message as a line of JSON."""
    return _write(message).encode("ascii") + b"\n"


def decode(line: bytes) -> Packet:
    """The message in a line of JSON. Raises `ProtocolError` for anything else."""
    if len(line) > MAX_REPLY:
        raise ProtocolError(say("a reply of more than {most} bytes", most=MAX_REPLY))
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise ProtocolError(say("a line that is not JSON")) from error
    if not isinstance(message, dict):
        raise ProtocolError(say("a line that is not a JSON object"))
    return message


def clean(text: object, limit: int = MAX_TEXT) -> str:
    """A text that may come from a student, without control characters and shortened to the limit."""
    if not isinstance(text, str):
        return ""
    printable = "".join(
        char if char == "\n" or (char.isprintable() and not "\ud800" <= char <= "\udfff") else "�"
        for char in text[: limit + 1]
    )
    return printable if len(printable) <= limit else printable[:limit] + "…"


def make_reproducible(text: str, root: str) -> str:
    """Remove from a player's text what differs between processes: the path of its folder, and memory addresses."""
    for place in sorted({root, os.path.realpath(root)}, key=len, reverse=True):
        text = text.replace(os.path.join(place, ""), "").replace(place, ".")
        up, place = os.pardir, os.path.dirname(place)
        while SCRATCH in place:  # the parent folders that the grader made
            text = text.replace(place, up)
            up, place = os.path.join(os.pardir, up), os.path.dirname(place)
    return re.sub(r" at 0x[0-9A-Fa-f]+", "", text)
