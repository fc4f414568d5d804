"""The data of a page, as its scripts read it."""

import json
import re
from typing import Any

_FIELDS = ("opponent", "number", "seat", "winner", "ending", "moves", "times", "why", "printed")
_OPTIONAL = ("row", "late", "fault", "findings", "failure", "exports", "frames", "order")


def page_data(page: str) -> dict[str, Any]:
    """The data that all students share."""
    return _scripts(page, 'id="data"')[0]


def games_by_student(page: str) -> list[list[dict[str, Any]]]:
    """The games of each student, with a name for each field that is not empty."""
    return [
        [dict(zip(_FIELDS + _OPTIONAL, game, strict=False)) for game in own["games"]]
        for own in _scripts(page, r'data-student="\d+"')
    ]


def _scripts(page: str, attribute: str) -> list[dict[str, Any]]:
    found = re.findall(rf'<script type="application/json" {attribute}>(.*?)</script>', page, re.DOTALL)
    return [json.loads(text) for text in found]
