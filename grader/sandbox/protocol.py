"""What the grader and a player's process say to each other: one JSON object a line, over private pipes.

The grader sends one request and takes exactly one reply, which must carry the request's own random word. Nothing that
comes from a player is trusted: sizes are capped, types are checked, and anything else is a `ProtocolError`.
"""

import json
import os
import re
from typing import Any

from grader.language import say

MAX_REPLY = 64 * 1024
"""Bytes. The longest honest reply is a traceback."""
MAX_TEXT = 4000
"""Characters of any one text in a reply."""

SCRATCH = "grader-scratch-"
"""What the names of the folders begin with in which we keep what is a player's for a while."""
Message = dict[str, Any]
_write = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class ProtocolError(Exception):
    """The other side sent something that is no message."""

    @property
    def what(self) -> str:
        """What it sent."""
        what: str = self.args[0]
        return what


def encode(message: Message) -> bytes:
    """The message as a line."""
    return _write(message).encode("ascii") + b"\n"


def decode(line: bytes) -> Message:
    """The message of a line. Raises `ProtocolError` for anything else."""
    if len(line) > MAX_REPLY:
        raise ProtocolError(say("a message of more than {most} bytes", most=MAX_REPLY))
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(say("a line that is not JSON")) from error
    if not isinstance(message, dict):
        raise ProtocolError(say("a line that is not a JSON object"))
    return message


def clean(text: object, limit: int = MAX_TEXT) -> str:
    """A text that a student had a hand in, without control characters and not longer than the limit."""
    if not isinstance(text, str):
        return ""
    shown = "".join(
        char if char == "\n" or (char.isprintable() and not "\ud800" <= char <= "\udfff") else "�"
        for char in text[: limit + 1]
    )
    return shown if len(shown) <= limit else shown[:limit] + "…"


def make_reproducible(text: str, root: str) -> str:
    """A text of a player's without what differs from one process to the next: where its folder lies, and addresses in memory."""
    for place in sorted({root, os.path.realpath(root)}, key=len, reverse=True):
        text = text.replace(os.path.join(place, ""), "").replace(place, ".")
        up, place = os.pardir, os.path.dirname(place)
        while SCRATCH in place:  # the folders around its own that are ours
            text = text.replace(place, up)
            up, place = os.path.join(os.pardir, up), os.path.dirname(place)
    return re.sub(r" at 0x[0-9A-Fa-f]+", "", text)
